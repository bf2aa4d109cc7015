"""The same first ranks by faiss, in single precision (the extra ``faiss``).

Faiss finds candidates; their cosines are then computed anew in double precision. Where
the last rank is so close to the worst candidate that single precision might have missed a
card, the whole row is ranked. So the result is that of `windows.rank`.
"""

from __future__ import annotations

import faiss
import numpy as np

from dixitlib.bench.nearness import NEAR_DUPLICATE, Space
from dixitlib.bench.windows import MEMORY, UNIT, Progress, Windows, ordered

SLACK = 64  # candidates beyond the ranks that are kept


def rank(
    space: Space,
    depth: int,
    rng: np.random.Generator,
    *,
    memory: int = MEMORY,
    progress: Progress = iter,
) -> Windows:
    """Return the cards at the first ranks of every card; as `windows.rank`.

    Give it to `build.build` as `ranked_by`. `memory` bounds the vectors and candidates of
    a block; the copies of all vectors in single precision come on top.
    """
    cards = len(space.cards)
    near = Windows(space, rng.permutation(cards), [], np.zeros(cards, dtype=int))
    places, clues = _index(space.basis), _index(space.meaning)
    height = max(1, memory // (8 * (space.basis.shape[1] + space.meaning.shape[1] + 4 * depth)))
    blocks = [slice(start, min(start + height, cards)) for start in range(0, cards, height)]
    for block in progress(blocks):
        asked = np.float32(space.basis[block])
        scores, found = places.search(asked, min(depth + SLACK, cards))
        close = _close(clues, np.float32(space.meaning[block]))
        for offset, card in enumerate(range(block.start, block.stop)):
            twins = close[offset][space.twins([card], close[offset])[0]]
            near.ranks[card] = cards - len(twins)
            rivals = found[offset][~np.isin(found[offset], twins)]
            near.nearest.append(_exact(near, card, rivals, scores[offset][-1], depth))
    return near


def _index(vectors: np.ndarray) -> faiss.IndexFlatIP:
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.float32(vectors))
    return index


def _close(index: faiss.IndexFlatIP, asked: np.ndarray) -> list[np.ndarray]:
    """Return for each vector all that might be its twins."""
    limits, _, found = index.range_search(asked, NEAR_DUPLICATE - _error(index.d))
    return np.split(found, limits[1:-1].astype(int))


def _exact(near: Windows, card: int, rivals: np.ndarray, worst: float, depth: int) -> np.ndarray:
    """Return a card's first ranks from its candidates, or from all if those may not do."""
    basis = near.space.basis
    first = ordered(rivals, basis[rivals] @ basis[card], near.ties)[:depth]
    if len(rivals) == near.ranks[card]:
        return first
    clear = len(first) == depth and basis[first[-1]] @ basis[card] > worst + _error(len(basis[0]))
    return first if clear else near.whole(card)[:depth]


def _error(width: int) -> float:
    """Return by how much a cosine in single precision may be off, and the rounding unit."""
    return width * np.finfo(np.float32).eps + UNIT
