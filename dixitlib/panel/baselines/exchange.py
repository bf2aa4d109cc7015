"""Agents that hear each other and then vote: plain debate, DMAD, DebUnc and ChatEval.

Rounds count the first answers as one, as the papers do: three agents in three rounds take
nine calls. Agents with the same persona, model and sampling would be one agent thrice, so
give them different personas, or a model that samples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from dixitlib.panel.agents import Speaker
from dixitlib.panel.baselines import words
from dixitlib.panel.baselines.votes import voted
from dixitlib.panel.debate import Decision
from dixitlib.panel.prompts import Parts
from dixitlib.panel.reading import chosen
from dixitlib.panel.said import Question, Turn
from dixitlib.panel.uncertainty import Scale, measured

LEAST = 1e-6
"""Uncertainty below which none is told apart, so that confidences stay finite."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """A turn, and how unsure its author is; None where nothing tells."""

    turn: Turn
    uncertainty: float | None


Marks = Callable[[Sequence[_Heard]], Sequence[str]]


def plain_debate(question: Question, speakers: Sequence[Speaker], rounds: int = 2) -> Decision:
    """Debate as Du et al. do: all answer, read the others' answers, answer again, and vote."""
    tasks = [words.FIRST] * len(speakers)
    return _exchange("plain debate", question, speakers, tasks, rounds)


def dmad(question: Question, speakers: Sequence[Speaker], rounds: int = 3) -> Decision:
    """Debate in different ways of thinking, which agents take in turn (DMAD)."""
    tasks = list(islice(cycle(words.STRATEGIES.values()), len(speakers)))
    return _exchange("DMAD", question, speakers, tasks, rounds)


def debunc(
    question: Question, speakers: Sequence[Speaker], rounds: int = 3, scale: Scale | None = None
) -> Decision:
    """Debate with everybody's confidence, from 1 to 10, shown beside its answer (DebUnc)."""
    tasks = [words.FIRST] * len(speakers)
    return _exchange("DebUnc", question, speakers, tasks, rounds, _confident, scale)


def chateval(question: Question, speakers: Sequence[Speaker], turns: int = 2) -> Decision:
    """Talk in turn with one history that all share, then vote (ChatEval)."""
    said: list[Turn] = []
    for _ in range(turns):
        for speaker in speakers:
            said.append(_told(speaker, question, said, words.DISCUSS))
    ballots = [_told(speaker, question, said, words.VOTE) for speaker in speakers]
    return voted("ChatEval", question, [*said, *ballots], ballots, turns - 1)


def confidences(uncertainties: Sequence[float | None]) -> list[int | None]:
    """Return confidences from 1 to 10 by DebUnc's formula, round(clip(14 c / sum c + 1 / n)).

    c is one over the uncertainty; an agent of unknown uncertainty has no confidence.
    """
    known = [max(each, LEAST) for each in uncertainties if each is not None]
    trust = sum(1 / each for each in known)
    return [
        None
        if each is None
        else round(float(np.clip(14 / (max(each, LEAST) * trust) + 1 / len(known), 1, 10)))
        for each in uncertainties
    ]


def _exchange(
    framework: str,
    question: Question,
    speakers: Sequence[Speaker],
    tasks: Sequence[str],
    rounds: int,
    marks: Marks | None = None,
    scale: Scale | None = None,
) -> Decision:
    """Let all answer at once, then again with all last answers before them, and vote."""
    opened = [words.opening(question, task) for task in tasks]
    heard = _all(question, speakers, opened, scale)
    turns = [each.turn for each in heard]
    for _ in range(rounds - 1):
        told = _told_of_others(heard, marks)
        how = f"{words.UPDATE} {words.CONFIDENCE}" if marks else words.UPDATE
        asked = [
            words.following(question, each, f"{how} {task}")
            for each, task in zip(told, tasks, strict=True)
        ]
        heard = _all(question, speakers, asked, scale)
        turns += [each.turn for each in heard]
    return voted(framework, question, turns, [each.turn for each in heard], rounds - 1)


def _all(
    question: Question,
    speakers: Sequence[Speaker],
    asked: Sequence[Parts],
    scale: Scale | None,
) -> list[_Heard]:
    heard = []
    for speaker, parts in zip(speakers, asked, strict=True):
        reply, turn = speaker.ask(parts, repeat=question.repeat)
        heard.append(_Heard(chosen(reply, turn, question), measured(reply, scale).value))
    return heard


def _told_of_others(heard: Sequence[_Heard], marks: Marks | None) -> list[str]:
    """Return what each agent is told: its own last answer and the others'."""
    marked = marks(heard) if marks else [""] * len(heard)
    lines = [words.line(each.turn, mark) for each, mark in zip(heard, marked, strict=True)]
    return [
        words.answers(words.quoted(each.turn) + marked[own], lines[:own] + lines[own + 1 :])
        for own, each in enumerate(heard)
    ]


def _confident(heard: Sequence[_Heard]) -> list[str]:
    known = confidences([each.uncertainty for each in heard])
    return ["" if each is None else f" (confidence {each})" for each in known]


def _told(speaker: Speaker, question: Question, said: Sequence[Turn], instruction: str) -> Turn:
    return speaker.choose(words.following(question, words.transcript(said), instruction), question)
