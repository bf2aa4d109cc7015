"""One round at the table: who is asked what, and what becomes of the answers.

`play_round` is a generator that yields requests and receives moves. Whoever drives it
answers them: the arena asks players, a notebook asks a person, an environment asks its
agents. It knows none of them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from dixitlib.game import rules
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.game.seeds import STEPS, PhasePlaces, Step
from dixitlib.records import Card, Move, Round, Status
from dixitlib.seeds import place

Ids = tuple[str, ...]
Play = Generator[tuple["Request", ...], Sequence[Move], Round]


@dataclass(frozen=True, slots=True)
class Request:
    """What one seat is asked to do.

    Parameters
    ----------
    step
        ``tell``, ``submit`` or ``vote``.
    seat
        Who is asked.
    clue
        The storyteller's words; None when telling.
    cards
        Hand or candidates as shown; the move's `choice` is an index into them.
    rng
        The generator of this place, for whoever answers.
    """

    step: Step
    seat: int
    clue: str | None
    cards: tuple[Card, ...]
    rng: np.random.Generator = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """What lies before the four seats when a round begins.

    Parameters
    ----------
    preset, match, phase, round
        Rules in force and place in the tournament; match counts from 0, the others from 1.
    players
        Name at each seat.
    streams
        Which stream each seat plays.
    hands, piles
        Ids of the cards that each seat holds, and of those it will draw, in order.
    cards
        Card of every id dealt.
    places
        The generators of this phase.
    """

    preset: Preset
    match: int
    phase: int
    round: int
    players: tuple[str, ...]
    streams: tuple[int, ...]
    hands: tuple[Ids, ...]
    piles: tuple[Ids, ...]
    cards: Mapping[str, Card] = field(repr=False, compare=False)
    places: PhasePlaces = field(repr=False, compare=False)

    @property
    def storyteller(self) -> int:
        """Seat that tells."""
        return rules.storyteller(self.preset, self.phase, self.round)

    def after(self, played: Round) -> Table:
        """Return the table for the next round: who laid a card puts it away and draws."""
        kept = [
            rules.replenish(self.preset, *place)
            for place in zip(self.hands, self.piles, played.submissions, strict=True)
        ]
        hands, piles = zip(*kept, strict=True)
        return replace(self, round=self.round + 1, hands=hands, piles=piles)


def open_phase(
    players: tuple[str, ...],
    deck: Sequence[Card],
    *,
    preset: Preset = CORRECTED,
    seed: int = 42,
    match: int = 0,
    phase: int = 1,
) -> Table:
    """Deal the cards and return the table before the first round of a phase.

    Parameters
    ----------
    players
        Name at each seat.
    deck
        Cards with different ids.
    preset
        Rules in force.
    seed, match, phase
        What all chance derives from. Both phases of a match share one deal, unless the
        preset deals anew.

    Raises
    ------
    ValueError
        If the deck is too small or names two cards alike.
    """
    deal = phase if preset.phase_two == "deal" else 1
    ids = [card.id for card in deck]
    place(seed, "deal", match, deal).shuffle(ids)
    streams = rules.streams(preset, ids)
    owned = rules.stream_owners(preset, phase)
    dealt = set(chain(*streams))
    return Table(
        preset,
        match,
        phase,
        round=1,
        players=players,
        streams=owned,
        hands=tuple(streams[stream][: preset.hand] for stream in owned),
        piles=tuple(streams[stream][preset.hand :] for stream in owned),
        cards={card.id: card for card in deck if card.id in dealt},
        places=PhasePlaces(seed, match, phase),
    )


def play_round(table: Table) -> Play:
    """Play one round: yield requests, receive moves, return the record.

    Each yield is a tuple of requests to be answered without knowledge of one another;
    send back as many moves, in the same order. A failed move (status not ``ok``) makes
    the round void: its step is the last one.

    Raises
    ------
    ValueError
        If a move with status ``ok`` is illegal; that is a fault of the player's code.
    """
    draft = _Draft(table)
    for step in STEPS:
        requests = draft.requests(step)
        moves = yield requests
        for request, move in zip(requests, moves, strict=True):
            draft.take(request, move)
        if draft.failed:
            break
    return draft.record()


class _Draft:
    """A round while it is being played."""

    def __init__(self, table: Table) -> None:
        nobody = [None] * len(rules.SEATS)
        self.table = table
        self.teller = table.storyteller
        self.failed: dict[int, Status] = {}
        self._clue: str | None = None
        self._laid: list[str | None] = nobody.copy()
        self._votes: list[str | None] = nobody.copy()
        self._shown: list[tuple[str, ...]] = [()] * len(rules.SEATS)
        self._replies: list[str] = []

    def requests(self, step: Step) -> tuple[Request, ...]:
        """Return what the seats are asked to do together in a step."""
        seats = (self.teller,) if step == "tell" else rules.listeners(self.teller)
        return tuple([self._request(step, seat) for seat in seats])

    def _request(self, step: Step, seat: int) -> Request:
        rng = self.table.places.generator(self.table.round, seat, step)
        shown = self.table.hands[seat]
        if step == "vote":
            order = list(rules.votable(self.table.preset, self._laid, seat))
            rng.shuffle(order)
            shown = self._shown[seat] = tuple(order)
        cards = self.table.cards
        return Request(step, seat, self._clue, tuple([cards[id] for id in shown]), rng)

    def take(self, request: Request, move: Move) -> None:
        """Note the answer to a request."""
        self._replies += move.replies
        if move.status != "ok":
            self.failed[request.seat] = move.status
            return
        if fault := _fault(request, move):
            who = f"player {self.table.players[request.seat]!r} at seat {request.seat}"
            raise ValueError(f"{who}, asked to {request.step}, {fault}")
        kept = self._votes if request.step == "vote" else self._laid
        kept[request.seat] = request.cards[move.choice].id
        if request.step == "tell":
            self._clue = move.clue

    def record(self) -> Round:
        """Return the round as it ended; a void one has no outcome and no points."""
        table = self.table
        outcome, points = None, (0,) * len(rules.SEATS)
        if not self.failed:
            outcome, points = rules.score(table.preset, self.teller, self._laid, self._votes)
        return Round(
            match=table.match,
            phase=table.phase,
            round=table.round,
            players=table.players,
            storyteller=self.teller,
            streams=table.streams,
            hands=table.hands,
            clue=self._clue,
            target=self._laid[self.teller],
            submissions=tuple(self._laid),
            candidates=tuple(self._shown),
            votes=tuple(self._votes),
            outcome=outcome,
            points=points,
            status=next(iter(self.failed.values()), "ok"),
            failed=tuple(self.failed),
            replies=tuple(self._replies),
        )


def _fault(request: Request, move: Move) -> str | None:
    """Return what is illegal about an answer that claims to be one, in words."""
    shown = len(request.cards)
    if not isinstance(move.choice, (int, np.integer)) or not 0 <= move.choice < shown:
        return f"chose {move.choice!r}: an index from 0 to {shown - 1} is allowed"
    if request.step == "tell" and not (move.clue or "").strip():
        return f"gave the clue {move.clue!r}: a clue needs at least one word"
    return None
