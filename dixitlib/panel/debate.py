"""How an answer came about, step by step, so that nothing has to be believed; and who can sit.

A `Debate` is what our controller leads, a `Decision` what another framework came to. Both
hold every turn, and so what all of it took.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from dixitlib.panel.claims import Dispute
from dixitlib.panel.said import Analysis, Critique, Question, Spent, Turn, Verdict, total
from dixitlib.records import Status

Ending = Literal["untriggered", "converged", "stagnated", "limit", "undisputed", "unanswered"]
ENDINGS: tuple[Ending, ...] = get_args(Ending)


@dataclass(frozen=True, slots=True)
class Step:
    """The first answers (round 0), or one round of debate.

    Parameters
    ----------
    round
        Number of the round.
    disputes
        What was in dispute in it.
    analyses
        One of each expert, in order.
    critiques
        One of each critic; none in round 0.
    weights
        Of the experts, in order, summing to 1; empty if none answered.
    system_uncertainty, conflict
        U_sys, and how far the experts' answers diverge; None if none answered.
    verdict
        None if no expert answered, so that there was nothing to judge.
    """

    round: int
    disputes: tuple[Dispute, ...]
    analyses: tuple[Analysis, ...]
    critiques: tuple[Critique, ...] = ()
    weights: tuple[float, ...] = ()
    system_uncertainty: float | None = None
    conflict: float | None = None
    verdict: Verdict | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns that were taken in it."""
        said = (*self.analyses, *self.critiques, *((self.verdict,) if self.verdict else ()))
        return tuple(each.turn for each in said)


@dataclass(frozen=True)
class Debate:
    """One question from the first answers to the verdict.

    Parameters
    ----------
    question
        What was asked.
    steps
        The first answers, then one step a round.
    ending
        Why it ended where it did.
    """

    question: Question
    steps: tuple[Step, ...]
    ending: Ending

    @property
    def choice(self) -> str | None:
        """Label of the panel's answer; None if it has none."""
        return _choice(self.steps[-1])

    @property
    def distribution(self) -> tuple[float, ...]:
        """Probability of each option: the judge's, else the experts', weighed; empty if none."""
        last = self.steps[-1]
        if last.verdict is None or last.verdict.distribution:
            return last.verdict.distribution if last.verdict else ()
        pairs = zip(last.weights, last.analyses, strict=True)
        weighed = [(weight, each.distribution) for weight, each in pairs if each.answered]
        places = range(len(self.question.labels))
        return tuple(math.fsum(weight * odds[k] for weight, odds in weighed) for k in places)

    @property
    def first(self) -> str | None:
        """Label of the panel's answer before any debate."""
        return _choice(self.steps[0])

    @property
    def status(self) -> Status:
        """``ok``, or the status of what failed; ``empty`` if all abstained."""
        if self.choice is not None:
            return "ok"
        failed = [turn.status for turn in self.steps[-1].turns if turn.status != "ok"]
        return failed[-1] if failed else "empty"

    @property
    def rounds(self) -> int:
        """How many rounds were debated."""
        return len(self.steps) - 1

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, in order."""
        return tuple(turn for step in self.steps for turn in step.turns)

    @property
    def spent(self) -> Spent:
        """What all turns took together."""
        return total(self.turns)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a framework other than ours decided.

    Parameters
    ----------
    framework
        Its name.
    choice
        Label of the answer; None if there is none.
    status
        ``ok``, or the status of what failed; ``unparsed`` if votes led to no answer.
    shares
        Share of the votes of each option, in order, or its probability where a single
        expert answers; empty where nobody votes.
    turns
        All that was said, in order.
    rounds
        How many rounds it took after the first answers.
    """

    framework: str
    choice: str | None
    status: Status
    shares: tuple[float, ...] = ()
    turns: tuple[Turn, ...] = ()
    rounds: int = 0

    @property
    def spent(self) -> Spent:
        """What all turns took together."""
        return total(self.turns)


class Expert(Protocol):
    """A base agent: it answers, and answers again to what is in dispute."""

    name: str

    def answer(self, question: Question) -> Analysis: ...

    def argue(
        self, question: Question, disputes: Sequence[Dispute], history: Sequence[Step]
    ) -> Analysis: ...


class Critic(Protocol):
    """A critical agent: it assesses claims in dispute, and carries no weight."""

    name: str

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique: ...


class Judge(Protocol):
    """Who integrates analyses, their weights and the critics' words into one answer."""

    name: str

    def decide(
        self,
        question: Question,
        analyses: Sequence[Analysis],
        weights: Sequence[float],
        critiques: Sequence[Critique],
    ) -> Verdict: ...


def _choice(step: Step) -> str | None:
    return step.verdict.turn.choice if step.verdict else None
