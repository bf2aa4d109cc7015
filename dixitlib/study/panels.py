"""The panel of local experts, and what it is compared with, sit DixitBench.

Who sits: the panel; single experts and their votes; the panel without one of its parts
(ablations); with only the second look or only the exchange (controls); and under other
parameters (sweeps). Self-consistency then gets as many calls as the panel took, and as
many encodings. One row of the table is what one system made of one item, with the columns
that `analysis.panel` reads; frameworks that need language are listed and do not sit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from dixitlib.models.aspects import ASPECTS
from dixitlib.panel.baselines import confidence_vote, self_consistency, single
from dixitlib.panel.baselines.votes import voted
from dixitlib.panel.checkers import CompletenessChecker, FactChecker, LogicChecker, Mixer
from dixitlib.panel.debate import Debate, Decision
from dixitlib.panel.experts import LEAST, AspectExpert
from dixitlib.panel.gam import Panel, Settings, debate
from dixitlib.panel.said import Question
from dixitlib.panel.sight import Sight
from dixitlib.panel.uncertainty import from_tokens
from dixitlib.records import Card, Item
from dixitlib.study.scaling import Scales

Held = Debate | Decision
Decide = Callable[[Question], Held]
Asked = tuple[Item, Question]
Row = dict[str, object]
Put = Callable[[Sequence[Decide], Sequence[Asked]], Iterable[list[Row]]]
"""Lets all that decide do so on all questions; yields the rows of each."""

FULL = "panel"
NEED_LANGUAGE = ("plain debate", "MAD", "DMAD", "DMPL", "ChatEval", "DebUnc")
DECIMALS = 6


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


@dataclass(frozen=True, eq=False)
class Members:
    """Who can be seated: eyes for each aspect, others for the fact checker, and their scales.

    What was claimed of cards is remembered in `named`, and in `led` every panel by how it is
    set, so that a setting that stands in several tables is played once.
    """

    sights: Mapping[str, Sight]
    checking: Sight
    scales: Scales
    named: Mapping[str, dict] = field(default_factory=lambda: {name: {} for name in ASPECTS})
    led: dict[object, Decide] = field(default_factory=dict)

    def experts(self, **switches: bool | float) -> tuple[AspectExpert, ...]:
        """Return one expert an aspect; switches are those of `AspectExpert`."""
        return tuple(
            AspectExpert(
                ASPECTS[name],
                sight,
                self.scales.experts[name],
                named=self.named[name],
                **switches,
            )
            for name, sight in self.sights.items()
        )

    def panel(self, critics: bool = True, **switches: bool | float) -> Panel:
        """Return a panel, with or without critics."""
        makers = (FactChecker, CompletenessChecker, LogicChecker) if critics else ()
        seated = tuple(make(self.checking) for make in makers)
        return Panel(self.experts(**switches), seated, Mixer())

    def settings(self, **changes: float | bool) -> Settings:
        """Return the controller's parameters, thresholds as they were fitted."""
        fitted = Settings(theta_u=self.scales.theta_u, theta_c=self.scales.theta_c)
        return replace(fitted, **changes)

    def best(self) -> AspectExpert:
        """Return the expert that did best on the cards that scales were set on."""
        experts = self.experts(claiming=False)
        return max(experts, key=lambda each: self.scales.accuracy[each.name])


@dataclass(frozen=True, eq=False)
class Company:
    """All that sits in a run.

    Parameters
    ----------
    panel, settings
        The panel that all else is compared with; it also listens in a match.
    first
        All systems but those that get a budget.
    matched
        Makes of their rows the systems that get as much as the panel took.
    """

    panel: Panel
    settings: Settings
    first: Sequence[System]
    matched: Callable[[pd.DataFrame], list[System]]


def company(members: Members, sweeps: Mapping[str, Sequence[float]]) -> Company:
    """Return what sits where the experts are local."""
    first = systems(members, sweeps)
    return Company(members.panel(), members.settings(), first, partial(matched, members))


def systems(members: Members, sweeps: Mapping[str, Sequence[float]]) -> list[System]:
    """Return all systems but self-consistency, whose samples depend on the panel's budget."""
    return [
        System(FULL, "panel", _debating(members)),
        *_baselines(members),
        *_ablations(members),
        System("close-up only", "control", _debating(members, exchanging=False)),
        System("exchange only", "control", _debating(members, looking=False)),
        *(_swept(members, name, value) for name in sweeps for value in sweeps[name]),
    ]


def matched(members: Members, rows: pd.DataFrame) -> list[System]:
    """Return self-consistency of the best expert, with the panel's mean calls and encodings.

    Parameters
    ----------
    members
        Who can be seated.
    rows
        Of the panel, and of all others that have sat.
    """
    taken = rows[rows["system"] == FULL]
    best, options = members.best(), taken["options"].mean()
    samples = {
        "calls": round(taken["calls"].mean()),
        "encodings": round(taken["encodings"].mean() / options),
    }
    return [
        System(
            f"self-consistency, equal {unit}",
            "baseline",
            partial(self_consistency, expert=best, samples=n),
            "samples",
            n,
        )
        for unit, n in samples.items()
    ]


def sit(
    seated: Sequence[System],
    items: Sequence[Item],
    cards: Mapping[str, Card],
    put: Put | None = None,
    progress: Callable[[Sequence[System]], Iterable[System]] = iter,
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
    progress
        Wraps `seated`, as ``tqdm`` does.
    """
    decides = list(dict.fromkeys(each.decide for each in seated if each.decide is not None))
    asked = [(i, Question.choosing(i.clue, [cards[name] for name in i.options])) for i in items]
    answered = iter((put or partial(by_question, None))(decides, asked))
    made: dict[Decide, list[Row]] = {}
    for system in progress(seated):
        if system.decide is None:
            continue
        if system.decide not in made:
            made[system.decide] = next(answered)
        yield from ({"system": system.name, **each} for each in made[system.decide])


def by_question(
    work: Executor | None, decides: Sequence[Decide], asked: Sequence[Asked]
) -> Iterator[list[Row]]:
    """Let one after another decide, on all questions at once: what a model said is paid once."""
    run = work.map if work else map
    for decide in decides:
        yield list(run(partial(_decided, decide), asked))


def by_system(
    work: Executor | None, decides: Sequence[Decide], asked: Sequence[Asked]
) -> Iterable[list[Row]]:
    """Let all decide at once, and go as one, for they share what their eyes have seen."""
    return (work.map if work else map)(partial(_sat, decides, asked), range(len(decides)))


def _sat(decides: Sequence[Decide], asked: Sequence[Asked], number: int) -> list[Row]:
    return [_decided(decides[number], each) for each in asked]


def _decided(decide: Decide, asked: Asked) -> Row:
    item, question = asked
    return row(item, decide(question))


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


def majority(question: Question, experts: Sequence[AspectExpert]) -> Decision:
    """Return the option that most experts choose, of equals the first one's."""
    turns = [expert.answer(question).turn for expert in experts]
    return voted("majority vote", question, turns, turns)


def _baselines(members: Members) -> list[System]:
    experts = members.experts(claiming=False)  # nobody hears their claims
    lone = [System(f"single: {e.name}", "baseline", partial(single, expert=e)) for e in experts]
    return [
        *lone,
        System("majority vote", "baseline", partial(majority, experts=experts)),
        System("confidence vote", "baseline", partial(confidence_vote, experts=experts)),
        *(System(name, "baseline", None) for name in NEED_LANGUAGE),
    ]


def _ablations(members: Members) -> list[System]:
    alone = replace(members, sights={(name := members.best().name): members.sights[name]}, led={})
    without = {
        "without uncertainty": _debating(members, {"uncertain": False}),
        "without dynamic weights": _debating(members, {"beta": 0.0}),
        "without debate": _debating(members, {"max_rounds": 0}),
        "without claims": _debating(members, claiming=False),
        "without critics": _debating(members, critics=False),
        "one agent": _debating(alone),
    }
    return [System(name, "ablation", decide) for name, decide in without.items()]


def _swept(members: Members, parameter: str, value: float) -> System:
    if parameter == "alpha":
        decide = _debating(members, alpha=value)
    else:
        decide = _debating(members, {parameter: value})
    return System(f"{parameter} {value:g}", "sweep", decide, parameter, value)


def _debating(
    members: Members, changes: Mapping[str, float | bool] | None = None, **switches: bool | float
) -> Decide:
    settings = members.settings(**(changes or {}))
    key = settings, *sorted(switches.items())
    if key not in members.led:
        panel = members.panel(**switches)
        members.led[key] = partial(debate, panel=panel, settings=settings)
    return members.led[key]


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
