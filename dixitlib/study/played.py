"""Matches that people played: each a run of its own, ``data/human/STUDY/matches/CODE/NUMBER``.

Every round is on disk before the next is opened, so a match goes on after any stop, and it is
read as any run is: `store.iter_rounds`, `store.read_rounds`, `viewer.match_html`. Its manifest
says that a person sat there, under a code of its own choosing; nothing else is kept about a
person, and no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace

from dixitlib import store
from dixitlib.cards.deck import Deck
from dixitlib.game.rules import ROUNDS, Preset
from dixitlib.records import Card, Round
from dixitlib.store.people import code_fault, folder

MATCHES = "matches"


def terms(
    others: Sequence[str], deck: Sequence[Card], preset: Preset, seed: int
) -> dict[str, dict[str, object]]:
    """Return what a person's match depends on, as its manifest says it.

    Parameters
    ----------
    others
        Names of the players at the other seats, in order.
    deck, preset, seed
        As in the arena.
    """
    played = {"others": list(others), "preset": asdict(preset), "seed": seed}
    return {
        "parameters": {"origin": "person", **played},
        "inputs": {"deck": Deck(tuple(deck)).hash},
    }


@dataclass(frozen=True)
class MatchBook:
    """A person's match on disk; `take_up` finds the one that is to be played.

    Parameters
    ----------
    study, rater
        Whose match it is: a folder of data/human, and the person's code.
    number
        Counts the matches of a person from 0. It is the match of their rounds, so each is
        dealt other cards.
    terms
        From `terms`.
    """

    study: str
    rater: str
    number: int
    terms: Mapping[str, Mapping[str, object]]

    @property
    def folder(self) -> str:
        """Where the match is kept, relative to the home."""
        return f"data/human/{self.study}/{MATCHES}/{self.rater}/{self.number}"

    def rounds(self) -> list[Round]:
        """Return the rounds played so far, and cut off what a crash tore.

        Raises
        ------
        ValueError
            If the folder holds a match on other terms, or is damaged.
        """
        with self._run() as run:
            return list(store.iter_rounds(self.folder)) if run.finished() else []

    def write(self, played: Round) -> None:
        """Append a round and see it safely on disk.

        Raises
        ------
        ValueError
            If it was played already, in another window.
        """
        with self._run() as run:
            run.write((played.match, played.phase, played.round), [played])

    def goes_on(self) -> bool:
        """Tell whether this match was begun on these terms and is not over, or is not begun."""
        if not (store.locate(self.folder) / store.MANIFEST).exists():
            return True
        kept = store.read_manifest(self.folder)
        same = all(kept[part] == asked for part, asked in self.terms.items())
        return same and len(self.rounds()) < ROUNDS

    def _run(self) -> AbstractContextManager[store.RunWriter]:
        return store.open_run(self.folder, **self.terms)


def take_up(study: str, rater: str, terms: Mapping[str, Mapping[str, object]]) -> MatchBook:
    """Return a person's last match if it goes on, else the next one.

    Raises
    ------
    ValueError
        If the code is none, or is the name of another player at the table.
    """
    if fault := code_fault(rater):
        raise ValueError(fault)
    if rater in terms["parameters"]["others"]:
        raise ValueError(f"A player at this table is called {rater}: choose another code.")
    begun = (folder(study) / MATCHES / rater).glob("*/")
    numbers = [int(match.name) for match in begun if match.name.isdecimal()]
    last = MatchBook(study, rater, max(numbers, default=0), terms)
    return last if last.goes_on() else replace(last, number=last.number + 1)
