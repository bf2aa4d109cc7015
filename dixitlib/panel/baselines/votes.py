"""Answers without any exchange: one, the majority of several, and votes weighed by confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dixitlib.panel.debate import Decision, Expert
from dixitlib.panel.said import Question, Turn
from dixitlib.records import Status

STAIRS = ((1.0, 1.0), (0.9, 0.8), (0.8, 0.5))
"""Weight of a vote from a confidence on, as ReConcile has it; see `vote_weight`."""


def single(question: Question, expert: Expert) -> Decision:
    """Return what one expert answers."""
    analysis = expert.answer(question)
    return Decision(
        "single",
        analysis.turn.choice,
        status(analysis.turn.choice, [analysis.turn]),
        analysis.distribution,
        (analysis.turn,),
    )


def self_consistency(question: Question, expert: Expert, samples: int = 5) -> Decision:
    """Return the majority of several samples of one expert's answer."""
    turns = [
        expert.answer(replace(question, repeat=question.repeat + sample)).turn
        for sample in range(samples)
    ]
    return voted("self-consistency", question, turns, turns)


def confidence_vote(question: Question, experts: Sequence[Expert]) -> Decision:
    """Return the answer with the most votes, weighed by confidence as in ReConcile."""
    analyses = [expert.answer(question) for expert in experts]
    weights = [vote_weight(max(each.distribution, default=0.0)) for each in analyses]
    turns = [each.turn for each in analyses]
    return voted("confidence vote", question, turns, turns, weights=weights)


def vote_weight(confidence: float) -> float:
    """Return what a vote counts: 0.1 up to a confidence of 0.6, and 1 at full confidence."""
    for step, weight in STAIRS:
        if confidence >= step:
            return weight
    return 0.3 if confidence > 0.6 else 0.1


def voted(
    framework: str,
    question: Question,
    turns: Sequence[Turn],
    ballots: Sequence[Turn],
    rounds: int = 0,
    weights: Sequence[float] | None = None,
) -> Decision:
    """Return the decision of a vote.

    Of options with equally many votes the one that was voted for first is taken.

    Parameters
    ----------
    framework
        Whose vote it is.
    question
        What is asked.
    turns
        All that was said.
    ballots
        Turns whose choices are the votes; one without a choice has none.
    rounds
        Rounds after the first answers.
    weights
        What each ballot counts; by default all alike.
    """
    counted: dict[str, float] = {}
    for ballot, weight in zip(ballots, weights or [1.0] * len(ballots), strict=True):
        if ballot.choice is not None:
            counted[ballot.choice] = counted.get(ballot.choice, 0.0) + weight
    choice = max(counted, key=counted.__getitem__, default=None)
    cast = sum(counted.values())
    shares = tuple(counted.get(label, 0.0) / cast for label in question.labels) if cast else ()
    return Decision(framework, choice, status(choice, ballots), shares, tuple(turns), rounds)


def status(choice: str | None, turns: Sequence[Turn]) -> Status:
    """Return ``ok`` if there is a choice, else what failed last; ``empty`` if all abstained."""
    if choice is not None:
        return "ok"
    failed = [turn.status for turn in turns if turn.status != "ok"]
    return failed[-1] if failed else "empty"
