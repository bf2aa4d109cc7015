"""The trials of the certificate: who plays, and what is reported of it.

Six players alike; six that differ; six that differ and whose listeners do not share a clue's
luck; six with cards that are plain or dark for everybody; and one player among five that
are drawn anew for each tournament. The last is there because an interval by match takes
opponents for a sample of many: about a field that stays the same it says less than it
could, and covers more than 95%.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dixitlib.seeds import place
from dixitlib.study import reported
from dixitlib.study.reported import Report
from dixitlib.study.simulator import Setting, SimulatedPlayer

FIELD_SEED = 7734

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
    """

    field: Callable[[int], tuple[SimulatedPlayer, ...]]
    setting: Setting
    reports: tuple[Report, ...]
    alike: bool = False
    fields: int = 1


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
    "drawn": Trial(
        drawn,
        Setting(),
        (reported.shares, reported.listening, reported.points, reported.left_out),
        fields=200,
    ),
}
