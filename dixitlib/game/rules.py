"""The rules of the game: dealing, turns, legality, outcomes and points, under four presets.

Everything here is a pure function of its arguments and knows neither players nor
pictures: seats are numbers from 0 to 3, and a card is anything that can be compared and
hashed. Chance comes in from outside, as cards already in shuffled order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from dixitlib.records import Outcome

C = TypeVar("C", bound=Hashable)
BySeat = Mapping[int, C] | Sequence[C | None]

SEATS = range(4)
PHASES = (1, 2)
ROUNDS = 12
"""Rounds in a phase; each seat tells three of them."""

FOUND = 3
"""Points of the storyteller, and of each listener who is right, in a partial round."""
CONSOLATION = 2
"""Points of each listener when nobody finds the target."""

STORYTELLER_MAXIMUM = 3
"""Most points a storyteller can win in a round."""
LISTENER_MAXIMUM = 5
"""Points per listener and round that scores are divided by (facts: maxima used by the code)."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One published way to play.

    Parameters
    ----------
    name
        Key in `PRESETS`.
    hand
        Cards held by a seat.
    all_correct
        Points of each listener when all three find the target.
    decoy_bonus
        Points of a listener for each vote that its distractor gets.
    refill
        Whether a card that was laid is replaced by the next of the seat's stream; if
        not, it returns to the hand and the same cards serve the whole phase.
    phase_two
        ``swap``: P1 and P3, P2 and P4 exchange their streams and the storytelling order
        shifts by two, so that a stream tells in the same rounds under both owners.
        ``deal``: new cards, same owners, same order.
    own_votable
        Whether a listener may vote for the card it laid.
    """

    name: str
    hand: int
    all_correct: int
    decoy_bonus: int
    refill: bool
    phase_two: Literal["swap", "deal"]
    own_votable: bool


CORRECTED = Preset("CORRECTED", 4, 3, 1, refill=True, phase_two="swap", own_votable=False)
PAPER = Preset("PAPER", 4, 3, 1, refill=False, phase_two="swap", own_votable=False)
RELEASED_CODE = Preset("RELEASED_CODE", 4, 3, 0, refill=False, phase_two="deal", own_votable=True)
OFFICIAL = Preset("OFFICIAL", 6, 2, 1, refill=True, phase_two="swap", own_votable=False)
PRESETS = {preset.name: preset for preset in (CORRECTED, PAPER, RELEASED_CODE, OFFICIAL)}


def cards_needed(preset: Preset) -> int:
    """Return how many cards one deal takes: four hands and all that is drawn in a phase."""
    return len(SEATS) * _stream_length(preset)


def streams(preset: Preset, shuffled: Sequence[C]) -> tuple[tuple[C, ...], ...]:
    """Deal four streams from cards in shuffled order.

    A stream is fixed before the match: first the hand, then the cards its owner will
    draw, in order. Under ``phase_two="deal"`` each phase takes a deal of its own.

    Raises
    ------
    ValueError
        If there are too few cards, or one of them occurs twice.
    """
    if twice := _repeated(shuffled):
        raise ValueError(f"each card can be dealt once, but the deck repeats {_listed(twice)}")
    length, needed = _stream_length(preset), cards_needed(preset)
    if len(shuffled) < needed:
        raise ValueError(
            f"{preset.name} needs {needed} cards ({length} for each of four seats), "
            f"but the deck has {len(shuffled)}: add {needed - len(shuffled)} more"
        )
    return tuple(tuple(shuffled[start : start + length]) for start in range(0, needed, length))


def stream_owners(preset: Preset, phase: int) -> tuple[int, ...]:
    """Return which stream each seat plays in a phase."""
    return tuple((seat + _shift(preset, phase)) % len(SEATS) for seat in SEATS)


def storyteller(preset: Preset, phase: int, round: int) -> int:
    """Return the seat that tells in a round (rounds count from 1)."""
    return (round - 1 + _shift(preset, phase)) % len(SEATS)


def listeners(storyteller: int) -> tuple[int, ...]:
    """Return the seats that listen, in order."""
    return tuple(seat for seat in SEATS if seat != storyteller)


def votable(preset: Preset, submissions: Sequence[C], seat: int) -> tuple[C, ...]:
    """Return the cards on the table that a seat may vote for, by the seat that laid them."""
    if preset.own_votable:
        return tuple(submissions)
    return (*submissions[:seat], *submissions[seat + 1 :])


def replenish(
    preset: Preset, hand: tuple[C, ...], pile: tuple[C, ...], laid: C | None
) -> tuple[tuple[C, ...], tuple[C, ...]]:
    """Return a seat's hand and pile after a round in which it laid a card, or none."""
    if laid is None or not preset.refill:
        return hand, pile
    spot = hand.index(laid)
    return hand[:spot] + hand[spot + 1 :] + pile[:1], pile[1:]


def score(
    preset: Preset, storyteller: int, submissions: BySeat[C], votes: BySeat[C]
) -> tuple[Outcome, tuple[int, ...]]:
    """Return the outcome of a round and the points of each seat.

    Parameters
    ----------
    preset
        Rules in force.
    storyteller
        Seat that told.
    submissions
        Card laid by each seat; the storyteller's is the target.
    votes
        Card voted for by each listener; the storyteller's is absent or None.

    Returns
    -------
    outcome
        ``partial`` if one or two listeners found the target, else ``all_correct`` or
        ``all_wrong``.
    points
        Four numbers, by seat (facts: Scoring).

    Raises
    ------
    ValueError
        If a seat or its vote is missing, a card was laid twice, or a vote is illegal;
        the message names every offender.
    """
    laid, cast = _by_seat(submissions), _by_seat(votes)
    if faults := _faults(preset, storyteller, laid, cast):
        raise ValueError("this round can't be scored: " + "; ".join(faults))
    target, ballots = laid[storyteller], list(cast.values())
    outcome = _outcome(ballots.count(target))
    points = [0] * len(SEATS)
    points[storyteller] = FOUND if outcome == "partial" else 0
    for seat, card in cast.items():
        decoyed = ballots.count(laid[seat]) - (card == laid[seat])  # the own vote pays nothing
        points[seat] = _base(preset, outcome, card == target) + preset.decoy_bonus * decoyed
    return outcome, tuple(points)


def _stream_length(preset: Preset) -> int:
    draws = ROUNDS - 1 if preset.refill else 0  # nothing is drawn after the last round
    return preset.hand + draws


def _shift(preset: Preset, phase: int) -> int:
    return 2 if phase == 2 and preset.phase_two == "swap" else 0


def _outcome(correct: int) -> Outcome:
    if correct == 0:
        return "all_wrong"
    return "all_correct" if correct == len(SEATS) - 1 else "partial"


def _base(preset: Preset, outcome: Outcome, right: bool) -> int:
    """Return a listener's points before the decoy bonus."""
    if outcome == "partial":
        return FOUND if right else 0
    return preset.all_correct if outcome == "all_correct" else CONSOLATION


def _by_seat(values: BySeat[C]) -> dict[int, C]:
    pairs = values.items() if isinstance(values, Mapping) else enumerate(values)
    return {seat: card for seat, card in pairs if card is not None}


def _faults(preset: Preset, teller: int, laid: dict[int, C], cast: dict[int, C]) -> list[str]:
    """Return everything that is wrong with a round, in words."""
    if strangers := {teller, *laid, *cast}.difference(SEATS):
        return [f"seats are 0 to 3, not {_listed(strangers)}"]
    faults = [f"seat {seat} laid no card" for seat in SEATS if seat not in laid]
    faults += [f"seat {seat} did not vote" for seat in listeners(teller) if seat not in cast]
    if teller in cast:
        faults.append(f"seat {teller} tells and may not vote")
    table = list(laid.values())
    faults += [f"card {card!r} was laid more than once" for card in _repeated(table)]
    for seat, card in cast.items():
        if card not in table:
            faults.append(f"seat {seat} voted for {card!r}, which is not on the table")
        elif card == laid.get(seat) and not preset.own_votable and seat != teller:
            faults.append(f"seat {seat} voted for its own card {card!r}")
    return faults


def _repeated(cards: Sequence[C]) -> list[C]:
    if len(set(cards)) == len(cards):
        return []
    return [card for card, count in Counter(cards).items() if count > 1]


def _listed(values: Iterable[object]) -> str:
    return ", ".join(sorted(map(repr, values)))
