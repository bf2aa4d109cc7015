"""The nearest cards of every card, exactly, in decks of any size.

A hundred thousand cards have ten thousand million pairs, whose cosines would take 80 GB.
So they are computed for a block of cards at a time, the nearest are kept, and the rest is
forgotten: memory is bounded by a parameter, and time by the matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dixitlib.bench.nearness import DECIMALS, NEAR_DUPLICATE, Space

MEMORY = 2**28  # bytes for the cosines of one block
SAMPLE = 8192  # columns whose best values tell which others are worth a look
UNIT = 10.0**-DECIMALS

Progress = Callable[[Sequence[slice]], Iterable[slice]]


class Ranker(Protocol):
    """Finds the first ranks of every card; `rank` is one, `faiss_windows.rank` another."""

    def __call__(
        self,
        space: Space,
        depth: int,
        rng: np.random.Generator,
        *,
        memory: int,
        progress: Progress,
    ) -> Windows: ...


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The first ranks of every card.

    Parameters
    ----------
    space
        Where the n cards lie.
    ties
        In which order equal cosines are put, the same for every card, shape (n,).
    nearest
        For each card the others, nearest first, without its twins, down to some depth.
    ranks
        How many others each card has that are no twins, shape (n,).
    """

    space: Space
    ties: np.ndarray
    nearest: Sequence[np.ndarray]
    ranks: np.ndarray

    def whole(self, card: int) -> np.ndarray:
        """Return the ranking of one card down to its last rank."""
        ((cosines, meanings),) = _rows(self.space, slice(card, card + 1))
        row, _ = _rivals(cosines, meanings)
        return _ranked(row, self.ties, len(row))


def rank(
    space: Space,
    depth: int,
    rng: np.random.Generator,
    *,
    memory: int = MEMORY,
    progress: Progress = iter,
) -> Windows:
    """Return the cards at the first ranks of every card.

    Parameters
    ----------
    space
        Where the n cards lie.
    depth
        How many ranks to keep.
    rng
        Draws the order of equal cosines, so that the order of the deck tells nothing.
    memory
        Bytes that the cosines of a block may take; a block holds one card at least.
    progress
        Wraps the list of blocks, as ``tqdm`` does, and yields them again.
    """
    ties = rng.permutation(len(space.cards))
    nearest, ranks = [], []
    for block in progress(_blocks(space, memory)):
        for cosines, meanings in _rows(space, block):
            row, twins = _rivals(cosines, meanings)
            nearest.append(_ranked(row, ties, depth))
            ranks.append(len(row) - twins)
    return Windows(space, ties, nearest, np.array(ranks, dtype=int))


def _blocks(space: Space, memory: int) -> list[slice]:
    cards = len(space.cards)
    tables = 1 if space.basis is space.meaning else 2
    height = max(1, memory // (8 * tables * max(cards, 1)))
    return [slice(start, min(start + height, cards)) for start in range(0, cards, height)]


def _rows(space: Space, block: slice) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Return the cosines of each card of a block to all, on the basis and between clues."""
    cosines = space.basis[block] @ space.basis.T
    meanings = cosines
    if space.meaning is not space.basis:
        meanings = space.meaning[block] @ space.meaning.T
    return zip(cosines, meanings, strict=True)


def _rivals(cosines: np.ndarray, meanings: np.ndarray) -> tuple[np.ndarray, int]:
    """Return a card's cosines with its twins', itself among them, sunk; and their number."""
    close = np.flatnonzero(meanings >= NEAR_DUPLICATE - UNIT)
    twins = close[np.round(meanings[close], DECIMALS) >= NEAR_DUPLICATE]
    cosines[twins] = -np.inf
    return cosines, len(twins)


def _ranked(row: np.ndarray, ties: np.ndarray, depth: int) -> np.ndarray:
    """Return the places of the largest values, largest first, but none that was sunk."""
    found = np.flatnonzero(row > _enough(row, depth) - UNIT)
    return ordered(found, row[found], ties)[:depth]


def ordered(cards: np.ndarray, cosines: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Return cards by cosine, highest first; those equal to six decimals as `ties` says."""
    return cards[np.lexsort((ties[cards], -np.round(cosines, DECIMALS)))]


def _enough(row: np.ndarray, depth: int) -> float:
    """Return a value that at least `depth` of a row reach, near the best such value."""
    sample = row[:SAMPLE]
    return np.partition(sample, -depth)[-depth] if depth < len(sample) else -np.inf
