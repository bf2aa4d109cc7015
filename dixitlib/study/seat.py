"""A person among other players: who holds the round while the person thinks.

The round is the arena's own generator. It stands still at the person's request and goes
on, in the callback, when the move comes; nothing waits meanwhile. Every round is kept before
the next is opened (see `study.played`), and whoever comes back under its code goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from dixitlib import viewer
from dixitlib.game import rules
from dixitlib.game.arena import ask_player
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.game.table import Request, Table, open_phase, play_round
from dixitlib.records import Card, Move, Player, Round
from dixitlib.study import played
from dixitlib.study.played import MatchBook

Answer = Callable[[Move], None]

GREETING = (
    "Choose a code for yourself, such as owl-7: under it your rounds are kept, and with it you go "
    "on where you stopped. It is all that is kept about you; no name, please."
)
WAITING = "The others look at their cards. The first time they need some seconds to wake up."
AGAIN = "A player could not be reached, so nothing of this round is kept and it is played again."


class Person(Protocol):
    """Who is asked with a callback; see `players.human.Human`."""

    def greet(self, words: str, take: Callable[[str], None]) -> None: ...

    def tell(self, hand: Sequence[Card], answer: Answer) -> None: ...

    def submit(self, clue: str, hand: Sequence[Card], answer: Answer) -> None: ...

    def vote(self, clue: str, candidates: Sequence[Card], answer: Answer) -> None: ...

    def resolve(self, words: str, page: str, go_on: Callable[[], None] | None) -> None: ...

    def wait(self, words: str) -> None: ...

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
    study
        Folder of data/human where the rounds are kept.
    """

    seat = 0

    def __init__(
        self,
        person: Person,
        others: Sequence[Player],
        deck: Sequence[Card],
        *,
        study: str,
        preset: Preset = CORRECTED,
        seed: int = 42,
    ) -> None:
        self.rounds: list[Round] = []
        self._person, self._deck, self._study = person, deck, study
        self._others = dict(enumerate(others, start=1))
        self._preset, self._seed = preset, seed

    def begin(self) -> None:
        """Ask who sits down; the first round, or the next, is opened when that is said."""
        self._person.greet(GREETING, self._sit)

    def _sit(self, code: str) -> None:
        names = [other.name for other in self._others.values()]
        terms = played.terms(names, self._deck, self._preset, self._seed)
        try:
            self._book = played.take_up(self._study, code, terms)
            self.rounds = self._book.rounds()
        except (OSError, ValueError, RuntimeError) as fault:
            self._person.complain(str(fault))
            return
        self._table = self._set((code, *names), self._book)
        self._open()

    def _set(self, names: tuple[str, ...], book: MatchBook) -> Table:
        """Return the table after the rounds that were played."""
        table = open_phase(
            names, self._deck, preset=self._preset, seed=self._seed, match=book.number
        )
        for each in self.rounds:
            table = table.after(each)
        return table

    def _open(self) -> None:
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
        self._person.wait(WAITING)
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

    def _end(self, ended: Round) -> None:
        """Keep a round that has ended and show it; what could not be kept is tried again."""
        page = viewer.round_html(ended, self._deck)
        if ended.status == "error":
            self._person.resolve(AGAIN, page, self._open)
            return
        try:
            self._book.write(ended)
        except (OSError, ValueError, RuntimeError) as fault:
            words = f"This round could not be kept, and going on tries again: {fault}"
            self._person.resolve(words, page, partial(self._end, ended))
            return
        self.rounds.append(ended)
        self._table = self._table.after(ended)
        last = ended.round == rules.ROUNDS
        self._person.resolve(self._result(ended), page, None if last else self._open)

    def _result(self, ended: Round) -> str:
        won, total = (
            sum(each.points[self.seat] for each in part) for part in ([ended], self.rounds)
        )
        return (
            f"Round {ended.round} of {rules.ROUNDS}: {won} points for you, {total} in all. "
            f"Kept in {self._book.folder}."
        )
