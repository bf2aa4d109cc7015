"""The panel of local experts, and what it is compared with, sit DixitBench.

Who sits: the panel; single experts and their votes; the panel without one of its parts
(ablations); with only the second look or only the exchange (controls); and under other
parameters (sweeps). Self-consistency then gets as many calls as the panel took, and as
many encodings. Frameworks that need language are listed and do not sit. How they sit, and
what is kept of it, stands in `sitting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pandas as pd

from dixitlib.models.aspects import ASPECTS
from dixitlib.panel.baselines import confidence_vote, self_consistency, single
from dixitlib.panel.baselines.votes import voted
from dixitlib.panel.checkers import CompletenessChecker, FactChecker, LogicChecker, Mixer
from dixitlib.panel.debate import Decision
from dixitlib.panel.experts import AspectExpert
from dixitlib.panel.gam import Panel, Settings
from dixitlib.panel.said import Question
from dixitlib.panel.sight import Sight
from dixitlib.study.scaling import Scales
from dixitlib.study.sitting import Led, System

FULL = "panel"
NEED_LANGUAGE = ("plain debate", "MAD", "DMAD", "DMPL", "ChatEval", "DebUnc")


@dataclass(frozen=True, eq=False)
class Members:
    """Who can be seated: eyes for each aspect, others for the fact checker, and their scales.

    What was claimed of cards is remembered in `named`, and in `seated` every panel by who sits
    on it, so that what stands in several tables is played once.
    """

    sights: Mapping[str, Sight]
    checking: Sight
    scales: Scales
    named: Mapping[str, dict] = field(default_factory=lambda: {name: {} for name in ASPECTS})
    seated: dict[object, Panel] = field(default_factory=dict)

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
        """Return a panel, with or without critics; the same one if it is asked for again."""
        key = critics, *sorted(switches.items())
        if key not in self.seated:
            makers = (FactChecker, CompletenessChecker, LogicChecker) if critics else ()
            critical = tuple(make(self.checking) for make in makers)
            self.seated[key] = Panel(self.experts(**switches), critical, Mixer())
        return self.seated[key]

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
    best = members.best().name
    alone = replace(members, sights={best: members.sights[best]}, seated={})
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
) -> Led:
    return Led(members.panel(**switches), members.settings(**(changes or {})))
