"""Faiss against the blocks of `windows`: the same ranks, even where single precision errs."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("faiss")

from dixitlib.bench import faiss_windows, windows
from dixitlib.bench.build import build
from dixitlib.bench.nearness import Space


def units(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def space(vectors, meaning=None):
    names = tuple(map(str, range(len(vectors))))
    return Space(names, names, vectors, vectors if meaning is None else meaning)


def same(where, depth, memory=windows.MEMORY):
    one = windows.rank(where, depth, np.random.default_rng(0))
    other = faiss_windows.rank(where, depth, np.random.default_rng(0), memory=memory)
    assert [found.tolist() for found in other.nearest] == [f.tolist() for f in one.nearest]
    assert other.ranks.tolist() == one.ranks.tolist()


@pytest.mark.parametrize("own_meaning", [False, True])
@pytest.mark.parametrize("memory", [1, 2**28])  # blocks of one card, and of all
def test_both_find_the_same_ranks(own_meaning, memory):
    rng = np.random.default_rng(1)
    basis = units(rng.normal(size=(300, 8)))
    basis[9::10] = basis[8::10]  # every tenth card is another's twin, and ties with it
    meaning = units(rng.normal(size=(300, 8))) if own_meaning else None
    same(space(basis, meaning), 80, memory)


@pytest.mark.parametrize("depth", [5, 80])
def test_what_single_precision_confuses_is_told_apart(depth):
    # 200 cards on a narrow arc: neighbours differ by about 1e-7 in cosine, many are ties to
    # six decimals, and more are equally near than there are candidates. By their clues none
    # are twins.
    angles = np.linspace(0, 0.02, 200)
    arc = np.column_stack([np.cos(angles), np.sin(angles)])
    same(space(arc, np.eye(200)), depth)


def test_more_twins_than_candidates_hide_no_rank():
    rng = np.random.default_rng(2)
    vectors = units(rng.normal(size=(300, 16)))
    vectors[:150] = vectors[0]
    same(space(vectors), 80)


def test_a_benchmark_has_the_same_items(deck, clues, encoder):
    made = build(deck, clues, encoder=encoder, ranked_by=faiss_windows.rank)
    assert made == build(deck, clues, encoder=encoder)
