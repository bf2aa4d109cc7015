"""Systems sit a benchmark: each answers every question, and each answer is a row.

Local panels go question by question: those that differ only in when debates begin and end
are one panel, which speaks once and is listened to for as long as each of them would. Models
go system by system, on all questions at once, for what a model said is paid once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import tee

import numpy as np

from dixitlib.panel.debate import Debate, Decision, Step
from dixitlib.panel.experts import LEAST
from dixitlib.panel.gam import Panel, Settings, debate, steps
from dixitlib.panel.said import Question
from dixitlib.panel.uncertainty import from_tokens
from dixitlib.records import Card, Item

DECIMALS = 6

Held = Debate | Decision
Decide = Callable[[Question], Held]
Asked = tuple[Item, Question]
Row = dict[str, object]
Progress = Callable[[Sequence], Iterable]
Put = Callable[[Sequence[Decide], Sequence[Asked]], Iterable[list[Row]]]
"""Lets all that decide do so on all questions; yields the rows of each."""
Courses = dict[object, Iterator[Step]]
"""What panels say of one question, as far as anybody has listened."""


@dataclass(frozen=True)
class System:
    """Something that answers questions.

    Parameters
    ----------
    name
        Of the system, in all tables.
    kind
        ``panel``, ``baseline``, ``ablation``, ``control`` or ``sweep``.
    decide
        How it answers; None for one that does not apply to experts without language.
    parameter, value
        What a sweep changes, and to what.
    """

    name: str
    kind: str
    decide: Decide | None
    parameter: str = ""
    value: float = np.nan


@dataclass(frozen=True)
class Led:
    """A panel that is led under some settings: by itself, or with others that lead the same."""

    panel: Panel
    settings: Settings

    def __call__(self, question: Question) -> Debate:
        """Lead the panel."""
        return debate(question, self.panel, self.settings)

    def within(self, courses: Courses, question: Question) -> Debate:
        """Lead the panel, which says nothing again that stands in `courses`."""
        key = self.panel, self.settings.weighing, self.settings.low
        course = courses.get(key) or steps(question, self.panel, self.settings)
        courses[key], mine = tee(course)
        return debate(question, self.panel, self.settings, mine)


def sit(
    seated: Sequence[System],
    items: Sequence[Item],
    cards: Mapping[str, Card],
    put: Put | None = None,
) -> Iterator[Row]:
    """Yield one row for each system that applies and each item; what decides alike does so once.

    Parameters
    ----------
    seated
        Who sits.
    items, cards
        What is asked, and the cards that it names by id.
    put
        How questions are put, and where; by default here, one after another.
    """
    decides = list(dict.fromkeys(each.decide for each in seated if each.decide is not None))
    asked = [(i, Question.choosing(i.clue, [cards[name] for name in i.options])) for i in items]
    answered = (put or partial(by_system, None))(decides, asked)
    made = dict(zip(decides, answered, strict=True))
    for system in seated:
        if system.decide is not None:
            yield from ({"system": system.name, **each} for each in made[system.decide])


def by_system(
    work: Executor | None,
    decides: Sequence[Decide],
    asked: Sequence[Asked],
    progress: Progress = iter,
) -> Iterator[list[Row]]:
    """Let one after another decide, on all questions at once: what a model said is paid once."""
    run = work.map if work else map
    for decide in progress(decides):
        yield list(run(partial(_decided, decide), asked))


def by_question(
    work: Executor | None,
    decides: Sequence[Decide],
    asked: Sequence[Asked],
    progress: Progress = iter,
) -> Iterator[list[Row]]:
    """Let all decide on a question before the next, so that what they share is said once."""
    run = work.map if work else map
    decided = run(partial(_decided_by_all, decides), progress(asked))
    return map(list, zip(*decided, strict=True))


def _decided(decide: Decide, asked: Asked) -> Row:
    item, question = asked
    return row(item, decide(question))


def _decided_by_all(decides: Sequence[Decide], asked: Asked) -> list[Row]:
    item, question = asked
    courses: Courses = {}
    led = [
        each.within(courses, question) if isinstance(each, Led) else each(question)
        for each in decides
    ]
    return [row(item, held) for held in led]


def row(item: Item, held: Held) -> dict[str, object]:
    """Return what was made of an item; see `analysis.panel` for the columns."""
    spent = held.spent
    first, after = _uncertainties(held)
    opened = held.first if isinstance(held, Debate) else held.choice
    return {
        "item": item.id,
        "tier": item.tier,
        "target": item.target,
        "right": _credit(item, held.choice),
        "first_right": _credit(item, opened),
        "first_uncertainty": first,
        "uncertainty": after,
        "rounds": held.rounds,
        "ending": held.ending if isinstance(held, Debate) else "",
        "options": len(item.options),
        "calls": spent.calls,
        "encodings": spent.encodings,
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "usd": spent.usd,
    }


def _uncertainties(held: Held) -> tuple[float, float]:
    """Return U_sys at first and in the end; of votes, that of their shares."""
    if isinstance(held, Debate):
        ends = held.steps[0].system_uncertainty, held.steps[-1].system_uncertainty
        return tuple(np.nan if each is None else round(each, DECIMALS) for each in ends)
    if not held.shares:
        return np.nan, np.nan
    unsure = from_tokens([np.log(np.maximum(held.shares, LEAST)).tolist()])
    return (round(unsure, DECIMALS),) * 2


def _credit(item: Item, label: str | None) -> float:
    """Return 1 for the target's label, 0 for another, NaN for none."""
    return np.nan if label is None else float("ABCDEF".index(label) == item.answer - 1)
