"""How alike the cards of a deck are, and what that tells of a benchmark made from them.

Items are made from cosines between cards, on one of three bases: the clues that are
shown, literal captions, or vectors of the pictures. Whatever the basis, two cards whose
clues say nearly the same are kept out of one item, since it would have two right answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd

from dixitlib.bench.items import BenchError
from dixitlib.models.sentences import default_encoder
from dixitlib.records import Card, Item

Basis = Literal["clue", "literal", "image"]
NEAR_DUPLICATE = 0.9  # cosine from which two clues count as the same
DECIMALS = 6  # cosines that differ by less are ties on every machine


class TextEncoder(Protocol):
    """Turns texts into vectors, one row a text; `models.sentences.Encoder` is one."""

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where the n cards of a deck lie, from which all nearness follows.

    Parameters
    ----------
    cards, clues
        Ids and clues.
    basis
        Unit vectors of what is compared, shape (n, d).
    meaning
        Unit vectors of the clues, shape (n, e); the same array where clues are compared.
    """

    cards: tuple[str, ...]
    clues: tuple[str, ...]
    basis: np.ndarray
    meaning: np.ndarray

    def twins(self, cards: Sequence[int], others: Sequence[int]) -> np.ndarray:
        """Return whose clues are near-duplicates, shape (cards, others)."""
        cosines = self.meaning[cards] @ self.meaning[others].T
        return np.round(cosines, DECIMALS) >= NEAR_DUPLICATE


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """What a benchmark needs to know of its cards.

    Parameters
    ----------
    cards, clues
        Ids and clues of the n cards.
    cosine
        How near two cards are on the basis, shape (n, n).
    twins
        Whether two cards' clues are near-duplicates, shape (n, n); each is its own twin.
    """

    cards: tuple[str, ...]
    clues: tuple[str, ...]
    cosine: np.ndarray
    twins: np.ndarray


def locate(
    deck: Sequence[Card],
    clues: Mapping[str, str],
    *,
    basis: Basis = "clue",
    encoder: TextEncoder | None = None,
    vision: np.ndarray | None = None,
) -> Space:
    """Return where the cards of a deck lie.

    Parameters
    ----------
    deck
        The n cards.
    clues
        The clue of each card by its id; clues of other cards are ignored.
    basis
        What is compared: ``clue`` (the clues shown), ``literal`` (the cards' captions)
        or ``image`` (the vectors in `vision`).
    encoder
        Turns texts into vectors; by default the project's sentence encoder.
    vision
        One vector a card in the deck's order, shape (n, d); for the basis ``image``.

    Raises
    ------
    ValueError
        If a card has no clue, no caption where captions are the basis, no vector or a
        vector of zeros, or if two cards share an id; each is named.
    """
    _refuse_repeats(deck)
    encoder = encoder or default_encoder()
    texts = _texts(deck, {card.id: clues.get(card.id, "") for card in deck}, "clue")
    meaning = _units(encoder.encode(texts), deck)
    if basis == "clue":
        compared = meaning
    elif basis == "literal":
        captions = _texts(deck, {card.id: card.caption for card in deck}, "literal caption")
        compared = _units(encoder.encode(captions), deck)
    elif basis == "image":
        compared = _units(_one_a_card(vision, deck), deck)
    else:
        raise ValueError(f"unknown basis {basis!r}: it is 'clue', 'literal' or 'image'")
    return Space(tuple(card.id for card in deck), tuple(texts), compared, meaning)


def measure(deck: Sequence[Card], clues: Mapping[str, str], **located: Any) -> Nearness:
    """Return how near each card of a deck is to each other: n times n numbers.

    Parameters
    ----------
    deck, clues, **located
        As in `locate`.
    """
    space = locate(deck, clues, **located)
    cosine = np.round(space.basis @ space.basis.T, DECIMALS)
    meaning = np.round(space.meaning @ space.meaning.T, DECIMALS)
    twins = (meaning >= NEAR_DUPLICATE) | np.eye(len(deck), dtype=bool)
    return Nearness(space.cards, space.clues, cosine, twins)


def profile(items: Sequence[Item], near: Nearness) -> pd.DataFrame:
    """Tell how near each item's options are to its target and to each other.

    Parameters
    ----------
    items
        Items on the cards of `near`.
    near
        Nearness on any basis, not only the one the items were made from: a tier made
        from captions may be flat in clues.

    Returns
    -------
    DataFrame
        One row an option: item, tier, card, target (bool), similarity (cosine to the
        target), rank (1 is the nearest card that is no twin of the target, equal cosines
        share the better rank; 0 for the target) and centrality (mean cosine to the
        item's other options).
    """
    place = {card: index for index, card in enumerate(near.cards)}
    rows = [row for item in items for row in _options(item, near, place)]
    names = ["item", "tier", "card", "target", "similarity", "rank", "centrality"]
    return pd.DataFrame(rows, columns=names)


def _options(item: Item, near: Nearness, place: Mapping[str, int]) -> list[tuple[object, ...]]:
    target, options = place[item.target], [place[card] for card in item.options]
    row, rivals = near.cosine[target], near.cosine[target, ~near.twins[target]]
    table = near.cosine[np.ix_(options, options)]
    centrality = (table.sum(axis=1) - table.diagonal()) / (len(options) - 1)
    return [
        (
            item.id,
            item.tier,
            near.cards[option],
            option == target,
            row[option],
            0 if option == target else 1 + int((rivals > row[option]).sum()),
            round(float(central), DECIMALS),
        )
        for option, central in zip(options, centrality, strict=True)
    ]


def _refuse_repeats(deck: Sequence[Card]) -> None:
    counts = Counter(card.id for card in deck)
    if repeated := sorted(card for card, count in counts.items() if count > 1):
        raise ValueError(f"cards need distinct ids; given twice: {', '.join(repeated)}")


def _texts(deck: Sequence[Card], texts: Mapping[str, str], what: str) -> list[str]:
    missing = [card.id for card in deck if not texts[card.id].strip()]
    if missing:
        raise BenchError(f"every card needs a {what}; there is none for {', '.join(missing)}")
    return [texts[card.id] for card in deck]


def _one_a_card(vectors: np.ndarray | None, deck: Sequence[Card]) -> np.ndarray:
    shape = None if vectors is None else vectors.shape
    if shape is None or len(shape) != 2 or shape[0] != len(deck):
        raise ValueError(
            f"the basis 'image' needs vision vectors of shape ({len(deck)}, d), "
            f"one a card in the deck's order; given: {shape}"
        )
    return vectors


def _units(vectors: np.ndarray, deck: Sequence[Card]) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1)
    bad = [card.id for card, length in zip(deck, lengths, strict=True) if not length > 0]
    if bad:
        raise ValueError(f"a vector of zeros or NaN is near nothing: {', '.join(bad)}")
    return vectors / lengths[:, None]
