"""First ranks in blocks, against the table of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from dixitlib.bench import windows
from dixitlib.bench.build import build
from dixitlib.bench.nearness import DECIMALS, NEAR_DUPLICATE, Space, locate
from dixitlib.bench.windows import rank
from dixitlib.records import Card


def units(rng, cards, width):
    vectors = rng.normal(size=(cards, width))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def space(cards=300, width=8, own_meaning=False):
    """Random cards; every tenth lies where the one before does, so there are twins and ties."""
    rng = np.random.default_rng(cards)
    basis = units(rng, cards, width)
    basis[9::10] = basis[8::10][: len(basis[9::10])]
    meaning = units(rng, cards, width) if own_meaning else basis
    names = tuple(map(str, range(cards)))
    return Space(names, names, basis, meaning)


def dense(space, ties):
    """Return every card's ranking by sorting its whole row of the table of all pairs."""
    cosine = np.round(space.basis @ space.basis.T, DECIMALS)
    twins = np.round(space.meaning @ space.meaning.T, DECIMALS) >= NEAR_DUPLICATE
    np.fill_diagonal(twins, True)
    orders = [np.lexsort((ties, -row)) for row in cosine]
    return [order[~twins[card, order]] for card, order in enumerate(orders)]


@pytest.mark.parametrize("own_meaning", [False, True])
@pytest.mark.parametrize("memory", [1, 20_000, 2**28])  # blocks of 1, of 4 or 8, of all cards
@pytest.mark.parametrize("depth", [1, 80, 400])
def test_blocks_give_the_ranks_of_the_whole_table(depth, memory, own_meaning):
    where = space(own_meaning=own_meaning)
    near = rank(where, depth, np.random.default_rng(0), memory=memory)
    expected = dense(where, near.ties)
    assert [found.tolist() for found in near.nearest] == [e[:depth].tolist() for e in expected]
    assert near.ranks.tolist() == [len(ranking) for ranking in expected]
    assert near.whole(7).tolist() == expected[7].tolist()


@pytest.mark.parametrize("sample", [1, 30, 100])
def test_what_a_sample_tells_loses_no_card(monkeypatch, sample):
    # The sample's best values are a bound that the row's best can only exceed.
    monkeypatch.setattr(windows, "SAMPLE", sample)
    where = space()
    near = rank(where, 20, np.random.default_rng(0))
    expected = dense(where, near.ties)
    assert [found.tolist() for found in near.nearest] == [e[:20].tolist() for e in expected]


def test_equal_cosines_at_the_last_rank_are_told_apart_by_the_drawn_order():
    # Seen from card 0, the cards 1 to 9 are equally near: their order is the drawn one.
    where = Space(*[tuple(map(str, range(10)))] * 2, np.eye(10), np.eye(10))
    near = rank(where, 3, np.random.default_rng(1))
    others = sorted(range(1, 10), key=lambda card: near.ties[card])
    assert near.nearest[0].tolist() == others[:3]


def test_a_benchmark_has_the_same_items_in_blocks_and_progress_is_shown(deck, clues, encoder):
    shown = []

    def progress(blocks):
        shown.extend(blocks)
        return blocks

    whole = build(deck, clues, encoder=encoder)
    memory = 8 * len(deck) * 20  # twenty cards a block
    assert build(deck, clues, encoder=encoder, memory=memory, progress=progress) == whole
    assert [block.stop - block.start for block in shown] == [20, 20, 20, 20, 4]


def test_twins_that_fill_the_kept_ranks_send_the_search_further(encoder):
    # 200 cards; the 100 nearest to card 0 share one clue, so of its first 80 ranks one card
    # can be drawn, and the other four come from ranks that were not kept.
    angles = np.linspace(0, np.pi / 2, 200)
    vision = np.column_stack([np.cos(angles), np.sin(angles)])
    deck = [Card(f"{k:03d}", load=None) for k in range(200)]
    clues = {card.id: "one clue" if 1 <= k <= 100 else f"clue {k}" for k, card in enumerate(deck)}
    made = build(deck, clues, basis="image", vision=vision, encoder=encoder)
    assert set(made[0].options) == {"000", "001", "101", "102", "103", "104"}


def test_memory_stays_within_the_block(deck, clues, encoder):
    blocks = windows._blocks(locate(deck, clues, encoder=encoder), memory=8 * 84 * 10)
    assert {block.stop - block.start for block in blocks} == {10, 4}
    literal = locate(deck, clues, basis="literal", encoder=encoder)  # two tables at a time
    assert windows._blocks(literal, memory=8 * 84 * 10)[0] == slice(0, 5)
