"""The square, and partitions known to be best."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dixitlib.bench.partition import SQUARE, partition


def test_the_square_is_latin_and_idempotent():
    six = set(range(6))
    assert all(set(row) == six for row in SQUARE)
    assert all(set(column) == six for column in SQUARE.T)
    assert SQUARE.diagonal().tolist() == [0, 1, 2, 3, 4, 5]


def test_planted_clusters_are_found():
    rng = np.random.default_rng(3)
    label = rng.permutation(np.repeat(range(4), 6))
    nearness = (label[:, None] == label) + 0.1 * rng.normal(size=(24, 24))
    found = partition((nearness + nearness.T) / 2, 6, rng)
    assert sorted(map(tuple, found)) == sorted(tuple(np.flatnonzero(label == k)) for k in range(4))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cards", [8, 9])
def test_small_partitions_are_the_best_there_are(seed, cards):
    # Two blocks of four, of 8 cards or of 9 with one left out: few enough to try them all.
    nearness = np.random.default_rng(seed).normal(size=(cards, cards))
    nearness += nearness.T

    def worth(blocks):
        return sum(nearness[a, b] for block in blocks for a, b in combinations(block, 2))

    every = (
        (one, other)
        for one in combinations(range(cards), 4)
        for other in combinations(sorted(set(range(cards)) - set(one)), 4)
    )
    found = partition(nearness, 4, np.random.default_rng(0))
    assert worth(found) == pytest.approx(max(map(worth, every)))


def test_the_same_seed_finds_the_same_blocks():
    nearness = np.random.default_rng(0).normal(size=(30, 30))
    nearness += nearness.T
    first, again = (partition(nearness, 6, np.random.default_rng(9)) for _ in range(2))
    assert np.array_equal(first, again)
    assert sorted(np.concatenate(first)) == list(range(30))
