"""Hold a run's clues against the bank, in the eyes of local models.

Which clues a storyteller passed over says what it was after; see `analysis.speaker`. The
eyes know painted cards only: on another deck what they measure is noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dixitlib.players.pragmatic import Pragmatic
from dixitlib.records import Card, Round
from dixitlib.store.fits import Fits, View


def measure(
    rounds: Iterable[Round], deck: Sequence[Card], observers: Mapping[str, Pragmatic]
) -> Fits:
    """Return how well the bank's clues, and what was told besides, fit the deck's cards.

    Parameters
    ----------
    rounds
        Of the run; void ones tell nothing.
    deck
        The cards played with.
    observers
        A local player for each pair of eyes, by the eyes' name; all with the same bank.
    """
    first = next(iter(observers.values()))
    told = dict.fromkeys(played.clue for played in rounds if played.clue is not None)
    clues = tuple(dict.fromkeys([*first.bank, *told]))
    views = {name: _view(observer, deck, clues) for name, observer in observers.items()}
    cards = tuple(card.id for card in deck)
    return Fits(clues, len(first.bank), cards, first.scale.hands, views)


def _view(observer: Pragmatic, deck: Sequence[Card], clues: Sequence[str]) -> View:
    words = observer.eyes.read(observer.encoder.encode(clues))
    scale = observer.scale
    spread = {policy: sd for policy, (_, sd) in scale.scales.items()}
    seen = observer.eyes.look(deck)
    return View(seen @ words.T, scale.decoys @ words.T, scale.tau, spread)
