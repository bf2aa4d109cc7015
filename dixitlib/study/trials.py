"""The trials of the certificate: who plays, and what is reported of it.

Six players alike; six that differ; six that differ and whose listeners do not share a clue's
luck; six with cards that are plain or dark for everybody; these over counterfactual tables;
and one player among five that are drawn anew for each tournament. The last is there because
an interval by match takes opponents for a sample of many: about a field that stays the same
it says less than it could, and covers more than 95%.
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
from dixitlib.study.truths import Truths, truths, truths_of_tables

FIELD_SEED = 7734

SAME_FIELD = "opponents stay the same, and count as a sample of many"
FEW = "five matches a player, and records of wins alone have no interval"
LARGEST = "of three variances the largest is taken"
TOO_WIDE = {
    "score, overall": "the match against itself pays otherwise, and counts as one like others",
    "two-way, accuracy by listener": LARGEST,
    "listening-grows-with-strength": LARGEST,
    "stronger-clues-are-clearer": LARGEST,
    "rating, Bradley-Terry": FEW,
    "rating, Davidson": FEW,
    "stronger-opponents-lower-scores": "few matches, each of much weight, leave CR2 cautious",
}
"""Why intervals hold the truth too often, by statistic."""

ALIKE = tuple(SimulatedPlayer(name) for name in "abcdef")
# Six that differ about as the published models do: accuracies of 0.5 to 0.75, partial
# shares of 0.4 to 0.65, a bonus on own clues and a liking for the first place.
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
    """Return one player that stays and five that are drawn, from such as `different` has."""
    first, *others = DIFFERENT
    draws = place(FIELD_SEED, "field", tournament).standard_normal((len(others), 2))
    return first, *(
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
            *(reported.shares, reported.listening, reported.points, reported.together),
            *(reported.differences, reported.regressions, reported.skills),
            *(reported.left_out, reported.places, reported.swaps),
        ),
    ),
    "independent": Trial(apart, Setting(), (reported.together, reported.skills, reported.places)),
    "cards": Trial(
        different,
        Setting(card_spread=0.7),
        (reported.shares, reported.listening, reported.by_card, reported.hands),
    ),
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
        fields=200,
    ),
}


def too_wide(trial: str, statistic: str) -> str:
    """Return why an interval holds the truth too often."""
    same = TRIALS[trial].field in (different, apart)
    return TOO_WIDE.get(statistic, SAME_FIELD if same else "nobody knows why")
