"""A probe for decks known by heart, as a table: which card of the tarot is this?

Whoever names the cards of a deck has seen it, and may have seen what was written about it.
The tarot of 1909 is a deck that every crawl holds; a painted deck has no names to know.
The columns are those of a table of VLMEvalKit whose answers are words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dixitlib.cards.deck import Deck
from dixitlib.peers.exam import LONGEST, canary, in_base64
from dixitlib.players import phrases

NAME = "TarotProbe.tsv"
COLUMNS = ("index", "question", "answer", "image", "item", "canary")


def write(deck: Deck, folder: Path, longest: int = LONGEST) -> Path:
    """Write ``TarotProbe.tsv`` into a folder, made if need be: one row a card with a name.

    Parameters
    ----------
    deck
        From `cards.tarot.lay`; a card's name stands in its aspect `name`.
    folder, longest
        Where to, and pixels of a picture's longer side.

    Raises
    ------
    ValueError
        If no card has a name.
    """
    rows = _rows(deck, longest)
    if not rows:
        raise ValueError("no card of this deck has a name to know: probe with the tarot")
    folder.mkdir(parents=True, exist_ok=True)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame.to_csv(folder / NAME, sep="\t", index=False, lineterminator="\n")
    return folder / NAME


def _rows(deck: Deck, longest: int) -> Sequence[dict[str, object]]:
    question, mark = phrases.QUESTIONS["name"][0], canary(deck)
    named = [card for card in deck if "name" in card.aspects]
    return [
        {
            "index": index,
            "question": question,
            "answer": card.aspects["name"],
            "image": in_base64(card, longest),
            "item": card.id,
            "canary": mark,
        }
        for index, card in enumerate(named)
    ]
