"""What every export is made from: items, their cards and the canary of the deck.

A canary is a string that stands in every row of every export and nowhere else. A model that
can continue it has seen the answers. Each deck has a canary of its own, so that a copy tells
which deck it came from, and a fresh deck (`study.fresh`) begins with a clean one.
"""

from __future__ import annotations

import base64
import io
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image

from dixitlib import paths
from dixitlib.bench.items import check, read_items
from dixitlib.cards.deck import Deck
from dixitlib.records import Card, Item

FILES = ("dixitbench.csv", "dixitbench_blocks.csv")
LETTERS = "ABCDEF"
LONGEST = 512  # pixels; a card of 600 x 900 stays under 60 kB
QUALITY = 90  # of JPEG
_NAMESPACE = uuid.UUID("6f9c2b1e-0d57-5a53-9a0e-d1717b0c84aa")  # drawn once; any would do


@dataclass(frozen=True)
class Exam:
    """A benchmark that is to be handed on.

    Parameters
    ----------
    items
        The questions, of six options each.
    cards
        The cards by id; all that the items name.
    canary
        The sentence that marks every row.
    """

    items: Sequence[Item]
    cards: Mapping[str, Card]
    canary: str

    def shown(self, item: Item) -> list[Card]:
        """Return an item's cards in the order in which they are shown."""
        return [self.cards[id] for id in item.options]


def make(items: Sequence[Item], deck: Deck) -> Exam:
    """Make an exam of items and the deck that they ask about.

    Raises
    ------
    ValueError
        If the items do not hold together, or name cards that the deck lacks.
    """
    check(items)
    named = {id for item in items for id in item.options}
    if missing := sorted(named - deck.by_id.keys()):
        raise ValueError(f"the deck has no card {', '.join(missing)}: give the items' own deck")
    return Exam(tuple(items), {id: deck.by_id[id] for id in sorted(named)}, canary(deck))


def from_home() -> Exam:
    """Read DixitBench, the tiers and the blocks, and the deck of the home."""
    items = [item for name in FILES for item in read_items(paths.data("bench", name))]
    return make(items, Deck.load(paths.data("cards")))


def canary(deck: Deck) -> str:
    """Return the canary of a deck, the same wherever the same pixels are."""
    return f"dixitbench canary {uuid.uuid5(_NAMESPACE, deck.hash)}: test data, never train on it"


def letter(item: Item) -> str:
    """Return the letter of the right option."""
    return LETTERS[item.answer - 1]


def jpeg(card: Card, longest: int = LONGEST) -> bytes:
    """Return a card as the bytes of a JPEG whose longer side has at most so many pixels."""
    picture, held = card.image(), io.BytesIO()
    picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    picture.save(held, "JPEG", quality=QUALITY)
    return held.getvalue()


def in_base64(card: Card, longest: int = LONGEST) -> str:
    """Return `jpeg` as base64, as tables and messages hold pictures."""
    return base64.b64encode(jpeg(card, longest)).decode("ascii")
