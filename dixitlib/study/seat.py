"""A person among other players: who holds the round while the person thinks.

The round is the arena's own generator. It stands still at the person's request and goes
on, in the callback, when the move comes; nothing waits meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from dixitlib import viewer
from dixitlib.game import rules
from dixitlib.game.arena import ask_player
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.game.table import Request, open_phase, play_round
from dixitlib.records import Card, Move, Player, Round

Answer = Callable[[Move], None]


class Person(Protocol):
    """Who is asked with a callback; see `players.human.Human`."""

    name: str

    def tell(self, hand: Sequence[Card], answer: Answer) -> None: ...

    def submit(self, clue: str, hand: Sequence[Card], answer: Answer) -> None: ...

    def vote(self, clue: str, candidates: Sequence[Card], answer: Answer) -> None: ...

    def resolve(self, words: str, page: str, go_on: Callable[[], None] | None) -> None: ...

    def complain(self, words: str) -> None: ...


class Sitting:
    """Twelve rounds of a person with three players; `rounds` are those played so far.

    Parameters
    ----------
    person
        Sits at seat 0 and so tells the first round.
    others
        Sit at seats 1, 2 and 3.
    deck, preset, seed
        As in the arena.
    """

    seat = 0

    def __init__(
        self,
        person: Person,
        others: Sequence[Player],
        deck: Sequence[Card],
        *,
        preset: Preset = CORRECTED,
        seed: int = 42,
    ) -> None:
        self.rounds: list[Round] = []
        self._person, self._deck = person, deck
        self._others = dict(enumerate(others, start=1))
        names = (person.name, *(other.name for other in others))
        self._table = open_phase(names, deck, preset=preset, seed=seed)

    def begin(self) -> None:
        """Open a round and play it up to the person's first move."""
        self._play = play_round(self._table)
        self._advance(None)

    def _advance(self, moves: Sequence[Move] | None) -> None:
        try:
            self._requests = self._play.send(moves)
        except StopIteration as over:
            self._end(over.value)
            return
        mine = next((each for each in self._requests if each.seat == self.seat), None)
        self._take(None) if mine is None else self._ask(mine, self._take)

    def _ask(self, request: Request, answer: Answer) -> None:
        if request.step == "tell":
            self._person.tell(request.cards, answer)
        elif request.step == "submit":
            self._person.submit(request.clue, request.cards, answer)
        else:
            self._person.vote(request.clue, request.cards, answer)

    def _take(self, own: Move | None) -> None:
        """Go on with the others' moves, and with the person's where it was asked.

        After another player broke, a person who presses again repeats what failed.
        """
        try:
            self._advance([self._moved(request, own) for request in self._requests])
        except Exception as fault:
            # Jupyter hides what a callback raises; the person must see it, and may press again.
            self._person.complain(f"The round can't go on: {fault}")
            raise

    def _moved(self, request: Request, own: Move | None) -> Move:
        if request.seat == self.seat:
            return own
        return ask_player(self._others[request.seat], request)

    def _end(self, played: Round) -> None:
        self.rounds.append(played)
        last = played.round == rules.ROUNDS
        self._table = self._table.after(played)
        total = sum(each.points[self.seat] for each in self.rounds)
        words = f"Round {played.round} of {rules.ROUNDS}: {played.points[self.seat]} points for you"
        page = viewer.round_html(played, self._deck)
        self._person.resolve(f"{words}, {total} in all.", page, None if last else self.begin)
