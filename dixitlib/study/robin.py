"""The round robin as arrays: who sits where, and the points of many rounds at a time.

The simulator plays thousands of tournaments, too many to play round by round. Here seats,
turns and points follow from `game.rules` as they do at the table, for all rounds at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd

from dixitlib.game import rules
from dixitlib.game.rules import Preset
from dixitlib.records import OUTCOMES

LISTENERS = np.array([rules.listeners(teller) for teller in rules.SEATS])
"""Seats that listen, by the seat that tells."""
_PARTIAL, _ALL_CORRECT, _ALL_WRONG = range(len(OUTCOMES))
_TEXT = pd.StringDtype(na_value=np.nan)
_ROUND_COLUMNS = (
    *("match", "phase", "round", "storyteller", "storyteller_seat", "stream", "opponent"),
    *("cross", "clue", "target", "correct", "outcome", "storyteller_points", "status", "failed"),
)
_VOTE_COLUMNS = (
    *("match", "phase", "round", "storyteller", "listener", "listener_seat", "cross", "own_clue"),
    *("clue", "target", "vote", "correct", "points", "target_position", "choice_position"),
    *("n_candidates", "status", "failed"),
)


class Schedule:
    """Who sits where, tells when and hears whom: one row a round, in canonical order.

    Everybody plays everybody and itself, unless `pairs` says who plays whom.
    """

    def __init__(
        self, players: int, preset: Preset, pairs: Sequence[tuple[int, int]] | None = None
    ) -> None:
        if pairs is None:
            pairs = list(combinations_with_replacement(range(players), 2))
        self.matches = len(pairs)
        places = list(product(rules.PHASES, range(1, rules.ROUNDS + 1)))  # those of one match
        tellers = [rules.storyteller(preset, phase, turn) for phase, turn in places]
        streams = [rules.stream_owners(preset, phase) for phase, _ in places]
        self.match = np.arange(self.matches).repeat(len(places))
        self.phase, self.round = np.tile(np.transpose(places), self.matches)
        self.seated = np.array([(a, a, b, b) for a, b in pairs])[self.match]
        self.teller = np.tile(tellers, self.matches)
        self.streams = np.tile(streams, (self.matches, 1))
        self.listener_seats = LISTENERS[self.teller]
        self.storyteller = at(self.seated, self.teller)
        self.opponent = at(self.seated, (self.teller + 2) % 4)
        self.listeners = np.take_along_axis(self.seated, self.listener_seats, axis=1)
        self.cross = self.seated[:, 0] != self.seated[:, 2]

    @property
    def own_clue(self) -> np.ndarray:
        """Whether each of the three listeners hears itself, (rounds, 3)."""
        return self.listeners == self.storyteller[:, None]


@dataclass(frozen=True)
class Tournaments:
    """Many tournaments of the same players; arrays have shape (tournaments, rounds, ...).

    Parameters
    ----------
    names, preset, schedule
        Of the players in order, and what they played when.
    ids
        Of the cards.
    laid
        Number of the card that each of the four seats laid.
    shown
        Seats whose cards each of the three listeners saw, in the order in which it did.
    choice
        Which of the places shown each listener voted for, from 0.
    """

    names: tuple[str, ...]
    preset: Preset
    schedule: Schedule
    ids: tuple[str, ...]
    laid: np.ndarray
    shown: np.ndarray
    choice: np.ndarray

    @cached_property
    def voted(self) -> np.ndarray:
        """Seat whose card each listener voted for."""
        return at(self.shown, self.choice)

    @cached_property
    def right(self) -> np.ndarray:
        """Whether each listener found the target."""
        return self.voted == self.schedule.teller[:, None]

    @cached_property
    def scored(self) -> tuple[np.ndarray, np.ndarray]:
        """Outcomes, as indices into `records.OUTCOMES`, and points by seat."""
        return score(self.preset, self.schedule.teller, self.voted)

    def __len__(self) -> int:
        return len(self.laid)

    def __iter__(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the frames of rounds and of votes, tournament by tournament."""
        return ((self.rounds(number), self.votes(number)) for number in range(len(self)))

    def rounds(self, number: int) -> pd.DataFrame:
        """Return a tournament as `store.read_rounds` would, without measures of meaning."""
        plan, (outcomes, points) = self.schedule, self.scored
        columns = self._place(number, 1) | {
            "storyteller_seat": plan.teller,
            "stream": at(plan.streams, plan.teller),
            "opponent": self._names.take(plan.opponent),
            "correct": self.right[number].sum(axis=1).astype(float),
            "outcome": _text(OUTCOMES).take(outcomes[number]),
            "storyteller_points": at(points[number], plan.teller).astype(float),
            "failed": np.zeros(len(plan.match), bool),
        }
        return pd.DataFrame({name: columns[name] for name in _ROUND_COLUMNS})

    def votes(self, number: int) -> pd.DataFrame:
        """Return a tournament as `store.read_votes` would."""
        plan, shown = self.schedule, self.shown[number]
        cast = np.take_along_axis(self.laid[number], self.voted[number], axis=1)
        points = np.take_along_axis(self.scored[1][number], plan.listener_seats, axis=1)
        columns = self._place(number, 3) | {
            "listener": self._names.take(plan.listeners.ravel()),
            "listener_seat": plan.listener_seats.ravel(),
            "own_clue": plan.own_clue.ravel(),
            "vote": self._ids.take(cast.ravel()),
            "correct": pd.array(self.right[number].ravel(), dtype="boolean"),
            "points": points.ravel().astype(float),
            "target_position": _find(shown, plan.teller).ravel() + 1.0,
            "choice_position": self.choice[number].ravel() + 1.0,
            "n_candidates": np.full(cast.size, float(shown.shape[-1])),
            "failed": np.zeros(cast.size, bool),
        }
        return pd.DataFrame({name: columns[name] for name in _VOTE_COLUMNS})

    def _place(self, number: int, rows: int) -> dict[str, object]:
        """Return the columns that rounds and votes share, each row repeated."""
        plan, targets = self.schedule, at(self.laid[number], self.schedule.teller)
        told = np.arange(len(plan.match)).repeat(rows)
        return {
            "match": plan.match.repeat(rows),
            "phase": plan.phase.repeat(rows),
            "round": plan.round.repeat(rows),
            "storyteller": self._names.take(plan.storyteller.repeat(rows)),
            "cross": plan.cross.repeat(rows),
            "clue": self._clues.take(told),
            "target": self._ids.take(targets.repeat(rows)),
            "status": _text(["ok"]).take(np.zeros(len(told), int)),
        }

    @cached_property
    def _names(self) -> pd.api.extensions.ExtensionArray:
        return _text(self.names)

    @cached_property
    def _ids(self) -> pd.api.extensions.ExtensionArray:
        return _text(self.ids)

    @cached_property
    def _clues(self) -> pd.api.extensions.ExtensionArray:
        return _text([f"clue {number}" for number in range(len(self.schedule.match))])


def score(preset: Preset, teller: np.ndarray, voted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Score rounds as `rules.score` does, many at a time.

    Parameters
    ----------
    preset
        Rules in force.
    teller
        Seat that told, (...).
    voted
        Seat whose card each of the three listeners voted for, in order of seat, (..., 3).

    Returns
    -------
    outcomes
        Indices into `records.OUTCOMES`, (...).
    points
        By seat, (..., 4).
    """
    teller = np.broadcast_to(teller, voted.shape[:-1])
    seats, right = LISTENERS[teller], voted == teller[..., None]
    correct = right.sum(axis=-1)
    outcomes = np.array([_ALL_WRONG, _PARTIAL, _PARTIAL, _ALL_CORRECT])[correct]
    partial, all_correct = outcomes == _PARTIAL, outcomes == _ALL_CORRECT
    base = np.where(all_correct, preset.all_correct, rules.CONSOLATION)[..., None]
    base = np.where(partial[..., None], rules.FOUND * right, base)
    others = voted[..., None, :] == seats[..., :, None]  # (..., of whom, by whom)
    decoyed = (others & ~np.eye(seats.shape[-1], dtype=bool)).sum(axis=-1)
    points = np.zeros((*teller.shape, len(rules.SEATS)), int)
    np.put_along_axis(points, seats, base + preset.decoy_bonus * decoyed, axis=-1)
    np.put_along_axis(points, teller[..., None], (rules.FOUND * partial)[..., None], axis=-1)
    return outcomes, points


def at(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Return the value at one index along the last axis, for every place of `where`."""
    missing = values.ndim - 1 - where.ndim  # leading axes along which the places repeat
    places = where.reshape((1,) * missing + (*where.shape, 1))
    return np.take_along_axis(values, places, axis=-1)[..., 0]


def _find(shown: np.ndarray, teller: np.ndarray) -> np.ndarray:
    """Return at which place the target was shown, from 0."""
    return (shown == teller[:, None, None]).argmax(axis=-1)


def _text(values: Sequence[str]) -> pd.api.extensions.ExtensionArray:
    return pd.array(list(values), dtype=_TEXT)
