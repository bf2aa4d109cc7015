"""The trials of the certificate: who plays, and what is reported of it.

Six players alike; six that differ; six that differ and whose listeners do not share a clue's
luck; six with cards that are plain or dark for everybody; these over counterfactual tables;
and one of six among five that are drawn anew for each tournament, without and with such cards.

An interval by match takes opponents for a sample of many, so what is said of single players is
held against the truth over many fields, in the last two. About a field that stays the same
these intervals say less than they could: opponents that differ add to the variance between
matches what they do not add to the error, and 94 to 99% of the intervals hold such a truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from dixitlib.game.rules import RELEASED_CODE
from dixitlib.seeds import place
from dixitlib.study import reported, reported_tables, simulated_tables
from dixitlib.study.reported import Report
from dixitlib.study.simulator import Setting, SimulatedPlayer, play
from dixitlib.study.truths import Truths, truths, truths_of_one, truths_of_tables

FIELD_SEED = 7734
FIELDS = 600  # a hundred for each of six players that stay

ALIKE = tuple(SimulatedPlayer(name) for name in "abcdef")
# Six that differ about as the published models do in what they get right, with accuracies of
# 0.5 to 0.75; more of their rounds are partial, 0.4 to 0.65, and fewer all wrong. They have a
# bonus on own clues and a liking for the first place.
DIFFERENT = tuple(
    SimulatedPlayer(name, listening, clarity, spread, own_bonus=0.4, position=(0.3,))
    for name, listening, clarity, spread in (
        ("a", 0.2, 0.3, 0.6),
        ("b", 0.4, 1.2, 0.8),
        ("c", 0.6, 0.5, 1.2),
        ("d", 0.8, 1.5, 1.0),
        ("e", 1.0, 0.8, 1.6),
        ("f", 1.3, 1.0, 0.9),
    )
)


def tournament(
    players: Sequence[SimulatedPlayer], number: int, *, seed: int, setting: Setting
) -> tuple[pd.DataFrame, ...]:
    """Play one tournament and return its rounds and votes."""
    ((rounds, votes),) = play(players, seed=seed, first=number, setting=setting)
    return reported.prepared(rounds, votes)


def tables(
    players: Sequence[SimulatedPlayer], number: int, *, seed: int, setting: Setting
) -> tuple[pd.DataFrame, ...]:
    """Lay counterfactual tables before the players and return their votes."""
    return (simulated_tables.vote(players, number, seed=seed, setting=setting),)


@dataclass(frozen=True, slots=True)
class Trial:
    """Players, what they share, and what is asked of them.

    Parameters
    ----------
    field
        The players of a tournament, by its number.
    setting
        What they share.
    reports
        What is reported.
    alike
        Whether no effect is there.
    fields
        How many fields the truth is a mean over; the first player is then the one asked about.
    study, truths
        What they do, and what frames come of it; and what is true of them.
    """

    field: Callable[[int], tuple[SimulatedPlayer, ...]]
    setting: Setting
    reports: tuple[Report, ...]
    alike: bool = False
    fields: int = 1
    study: Callable[..., tuple[pd.DataFrame, ...]] = tournament
    truths: Callable[[Sequence[SimulatedPlayer], Setting], Truths] = truths

    def asks(self, who: str, players: Sequence[SimulatedPlayer]) -> bool:
        """Tell whether it is asked what is said of somebody among these players."""
        return self.fields == 1 or who == players[0].name


def alike(tournament: int) -> tuple[SimulatedPlayer, ...]:
    """Return six players alike."""
    return ALIKE


def different(tournament: int) -> tuple[SimulatedPlayer, ...]:
    """Return six players that differ."""
    return DIFFERENT


def apart(tournament: int) -> tuple[SimulatedPlayer, ...]:
    """Return six players that differ, whose clues are all equally plain."""
    return tuple(replace(player, spread=0.0) for player in DIFFERENT)


def drawn(tournament: int) -> tuple[SimulatedPlayer, ...]:
    """Return one of `different`, each in turn, and five drawn from such as the others are."""
    turn = tournament % len(DIFFERENT)
    others = DIFFERENT[:turn] + DIFFERENT[turn + 1 :]
    draws = place(FIELD_SEED, "field", tournament).standard_normal((len(others), 2))
    return DIFFERENT[turn], *(
        replace(player, listening=0.7 + 0.4 * listening, clarity=0.9 + 0.4 * clarity, spread=1.0)
        for player, (listening, clarity) in zip(others, draws, strict=True)
    )


TRIALS = {
    "alike": Trial(
        alike,
        Setting(),
        (
            *(reported.differences, reported.regressions, reported.wild_bootstrap),
            *(reported.alike, reported.matches, reported.places, reported.swaps),
            *(reported.equivalences, reported.hands, reported.variances),
            *(reported.claims, reported.two_seats),
        ),
        alike=True,
    ),
    "different": Trial(
        different,
        Setting(),
        (
            *(reported.together, reported.differences, reported.regressions),
            *(reported.skills, reported.left_out, reported.places, reported.swaps),
        ),
    ),
    "independent": Trial(apart, Setting(), (reported.together, reported.skills, reported.places)),
    "cards": Trial(different, Setting(card_spread=0.7), (reported.by_card, reported.hands)),
    "tables": Trial(
        different,
        Setting(preset=RELEASED_CODE, card_spread=0.7),  # four cards to choose from
        (*reported_tables.REPORTS,),
        study=tables,
        truths=truths_of_tables,
    ),
    "drawn": Trial(
        drawn,
        Setting(),
        (reported.shares, reported.listening, reported.points, reported.left_out),
        fields=FIELDS,
        truths=truths_of_one,
    ),
    "drawn, cards": Trial(
        drawn,
        Setting(card_spread=0.7),
        (reported.shares, reported.listening),
        fields=FIELDS,
        truths=truths_of_one,
    ),
}
