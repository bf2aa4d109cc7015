"""Tiers by rank, balanced positions, no second right answer, and blocks nothing can guess."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from dixitlib.bench.build import TIERS, Tier, assign_clues, blocks, build, fit
from dixitlib.bench.items import check
from dixitlib.bench.nearness import measure, profile


def by_tier(items, tier):
    return [item for item in items if item.tier == tier]


def test_84_cards_give_252_items_of_six_options(tiered, deck):
    assert Counter(item.tier for item in tiered) == {"hard": 84, "medium": 84, "easy": 84}
    assert all(len(set(item.options)) == 6 for item in tiered)
    for tier in ("hard", "medium", "easy"):
        assert [item.target for item in by_tier(tiered, tier)] == [card.id for card in deck]
    check(tiered)


def test_distractors_lie_in_the_windows_of_ranks(tiered, deck, clues, encoder):
    ranks = profile(tiered, measure(deck, clues, encoder=encoder)).query("not target")
    for tier in TIERS:
        found = ranks.loc[ranks["tier"] == tier.name, "rank"]
        assert found.min() >= tier.first
        assert found.max() <= tier.last
    hard = ranks.query("tier == 'hard'").groupby("item")["rank"].apply(sorted)
    assert all(found == [1, 2, 3, 4, 5] for found in hard)


def test_draws_use_the_whole_window(tiered, deck, clues, encoder):
    ranks = profile(tiered, measure(deck, clues, encoder=encoder)).query("not target")
    assert set(ranks.query("tier == 'medium'")["rank"]) == set(range(10, 21))
    assert set(ranks.query("tier == 'easy'")["rank"]) == set(range(30, 81))


def test_each_position_holds_the_target_fourteen_times_in_each_tier(tiered):
    for tier in TIERS:
        assert Counter(i.answer for i in by_tier(tiered, tier.name)) == dict.fromkeys(
            range(1, 7), 14
        )


def test_the_seed_decides_everything(tiered, deck, clues, encoder):
    assert build(deck, clues, encoder=encoder) == tiered
    other = build(deck, clues, encoder=encoder, seed=43)
    assert [item.options for item in other] != [item.options for item in tiered]
    assert [set(i.options) for i in by_tier(other, "hard")] == [
        set(i.options) for i in by_tier(tiered, "hard")
    ]


def test_a_tier_does_not_depend_on_the_others(tiered, deck, clues, encoder):
    alone = build(deck, clues, encoder=encoder, tiers=[TIERS[1]])
    assert list(alone) == by_tier(tiered, "medium")


def test_equal_ranks_are_not_ordered_as_the_deck_is(deck, clues, encoder):
    # The first card is equally near to all others: which are "nearest" is then drawn.
    vectors = np.eye(84)
    draws = [
        by_tier(
            build(deck, clues, encoder=encoder, basis="image", vision=vectors, seed=seed), "hard"
        )
        for seed in range(3)
    ]
    first = [set(tiered[0].options) for tiered in draws]
    assert first[0] != first[1] != first[2]
    assert {card.id for card in deck[:6]} not in first


@pytest.mark.parametrize("basis", ["clue", "literal", "image"])
def test_the_basis_decides_who_is_near(deck, clues, encoder, basis):
    # On the basis asked for, cards 2k and 2k+1 point the same way.
    pairs = np.repeat(np.random.default_rng(0).normal(size=(42, 8)), 2, axis=0)
    pairs += np.random.default_rng(1).normal(scale=0.3, size=pairs.shape)
    texts = {"clue": [clues[c.id] for c in deck], "literal": [c.caption for c in deck]}
    encoder.given = dict(zip(texts.get(basis, []), pairs, strict=False))
    made = build(
        deck, clues, basis=basis, encoder=encoder, vision=pairs, tiers=[Tier("hard", 1, 5)]
    )
    cosines = measure(deck, clues, basis=basis, encoder=encoder, vision=pairs).cosine
    unit = pairs / np.linalg.norm(pairs, axis=1, keepdims=True)
    assert np.allclose(cosines, unit @ unit.T, atol=1e-6)
    assert made[0].clue == "clue of 000"


def test_near_duplicate_clues_never_meet_in_an_item(deck, clues, encoder):
    # Cards 0 to 9 share one clue; 20 to 29 have clues of cosine 0.95 with one another.
    clues |= {card.id: "the same" for card in deck[:10]}
    close = np.random.default_rng(5).normal(size=32)
    noise = np.random.default_rng(6).normal(size=(10, 32))
    encoder.given = {
        clues[card.id]: close / np.linalg.norm(close) + 0.2 * n / np.linalg.norm(n)
        for card, n in zip(deck[20:30], noise, strict=True)
    }
    near = measure(deck, clues, encoder=encoder)
    assert near.twins[:10, :10].all()
    assert near.twins[20:30, 20:30].mean() > 0.9
    place = {card.id: k for k, card in enumerate(deck)}
    for basis in ("clue", "literal"):
        made = build(deck, clues, basis=basis, encoder=encoder)
        made += blocks(deck, clues, basis=basis, encoder=encoder)
        assert len(made) == 336
        for item in made:
            shown = [place[card] for card in item.options]
            assert near.twins[np.ix_(shown, shown)].sum() == 6, item.id  # only with themselves
        check(made)


def test_of_twins_in_a_hard_window_the_nearer_stays_and_rank_six_follows(deck, clues, encoder):
    # Seen from card 0, the cards 1, 2, ... are ever farther; cards 1 and 2 are twins.
    angles = np.linspace(0, np.pi / 2, 84)
    vision = np.column_stack([np.cos(angles), np.sin(angles)])
    clues |= {"001": "one clue", "002": "one clue"}
    made = build(deck, clues, basis="image", vision=vision, encoder=encoder)
    assert set(made[0].options) == {f"00{k}" for k in (0, 1, 3, 4, 5, 6)}


# --- decks of other sizes ---------------------------------------------------------------


def test_enough_ranks_leave_the_windows_as_they_are():
    assert fit(TIERS, 80) == TIERS
    assert fit(TIERS, 500) == TIERS


def test_fewer_ranks_move_the_windows_toward_the_tightest_layout():
    assert fit(TIERS, 15) == (Tier("hard", 1, 5), Tier("medium", 6, 10), Tier("easy", 11, 15))
    # 47 of 15..80 is 32/65 of the way: 6 + 4*32//65 = 7, 10 + 10*32//65 = 14,
    # 11 + 19*32//65 = 20, 15 + 65*32//65 = 47.
    assert fit(TIERS, 47) == (Tier("hard", 1, 5), Tier("medium", 7, 14), Tier("easy", 20, 47))


@pytest.mark.parametrize("ranks", range(15, 81))
def test_moved_windows_are_wide_enough_and_apart(ranks):
    hard, medium, easy = fit(TIERS, ranks)  # Tier refuses fewer than five ranks
    assert hard.last < medium.first
    assert medium.last < easy.first
    assert easy.last == ranks


@pytest.mark.parametrize("size", [16, 40, 78, 81])
def test_decks_of_other_sizes_get_a_benchmark(size, encoder, deck, clues):
    made = build(deck[:size], clues, encoder=encoder)
    assert len(made) == 3 * size
    check(made)


def test_a_deck_too_small_is_told_what_is_needed(encoder, deck, clues):
    with pytest.raises(ValueError, match=r"3 tiers need 15 cards beside each target.* has 14"):
        build(deck[:15], clues, encoder=encoder)
    assert len(build(deck[:15], clues, encoder=encoder, tiers=TIERS[:1])) == 15


def test_a_deck_of_few_different_clues_is_told_which_cards_suffer(encoder, deck):
    same = {card.id: f"clue {k % 5}" for k, card in enumerate(deck)}
    with pytest.raises(ValueError, match=r"'hard' finds fewer than 5 different clues.*000, 001"):
        build(deck, same, encoder=encoder, tiers=TIERS[:1])


def test_a_tier_needs_five_ranks():
    with pytest.raises(ValueError, match="'narrow' has ranks 3 to 6"):
        Tier("narrow", 3, 6)
    with pytest.raises(ValueError, match="ranks 0 to 9"):
        Tier("zero", 0, 9)


def test_missing_clues_captions_and_vectors_are_named(deck, clues, encoder):
    del clues["003"], clues["007"]
    with pytest.raises(ValueError, match=r"needs a clue.* 003, 007"):
        build(deck, clues, encoder=encoder)
    clues |= {"003": "a", "007": "b"}
    with pytest.raises(ValueError, match=r"shape \(84, d\).*given: None"):
        build(deck, clues, encoder=encoder, basis="image")
    vision = np.ones((84, 4))
    vision[9] = 0
    with pytest.raises(ValueError, match="near nothing: 009"):
        build(deck, clues, encoder=encoder, basis="image", vision=vision)
    with pytest.raises(ValueError, match="unknown basis 'colour'"):
        build(deck, clues, encoder=encoder, basis="colour")
    with pytest.raises(ValueError, match="given twice: 000"):
        build([*deck, deck[0]], clues, encoder=encoder)


# --- blocks -----------------------------------------------------------------------------


def test_blocks_make_each_card_the_target_once(block_items, deck):
    assert sorted(item.target for item in block_items) == [card.id for card in deck]
    groups = Counter(frozenset(item.options) for item in block_items)
    assert set(groups.values()) == {6}
    assert len(groups) == 14
    check(block_items)


def test_orders_of_a_block_are_a_latin_square_with_the_targets_on_a_transversal(block_items):
    for start in range(0, 84, 6):
        block = block_items[start : start + 6]
        for column in zip(*(item.options for item in block), strict=True):
            assert len(set(column)) == 6
        assert sorted(item.answer for item in block) == [1, 2, 3, 4, 5, 6]


def test_blocks_are_nearer_within_than_chance_and_no_swap_helps(block_items, deck, clues, encoder):
    near = measure(deck, clues, encoder=encoder)
    place = {card.id: k for k, card in enumerate(deck)}
    cosine = near.cosine - np.eye(84) * near.cosine.diagonal()
    groups = [[place[c] for c in item.options] for item in block_items[::6]]
    label = np.empty(84, dtype=int)
    for k, group in enumerate(groups):
        label[group] = k

    def within(labels):
        return sum(cosine[np.ix_(labels == k, labels == k)].sum() for k in range(14))

    best = within(label)
    assert best / (84 * 5) > cosine.sum() / (84 * 83) + 0.2
    rng = np.random.default_rng(0)
    for one, other in rng.integers(84, size=(300, 2)):
        swapped = label.copy()
        swapped[[one, other]] = swapped[[other, one]]
        assert within(swapped) <= best + 1e-6


RULES_BY_SET = {
    "most central": lambda cosine, cards: max(cards, key=lambda c: cosine[c][cards].sum()),
    "least central": lambda cosine, cards: min(cards, key=lambda c: cosine[c][cards].sum()),
    "first of the deck": lambda cosine, cards: min(cards),
    "nearest to the first of the deck": lambda cosine, cards: max(
        sorted(cards)[1:], key=lambda c: cosine[min(cards), c]
    ),
    "some hash of the set": lambda cosine, cards: sorted(cards)[sum(cards) % 6],
}


@pytest.mark.parametrize("rule", RULES_BY_SET)
def test_rules_that_see_only_the_set_score_one_sixth_exactly(
    rule, block_items, deck, clues, encoder
):
    cosine = measure(deck, clues, encoder=encoder).cosine
    place = {card.id: k for k, card in enumerate(deck)}
    right = 0
    for item in block_items:
        cards = sorted(place[card] for card in item.options)
        right += RULES_BY_SET[rule](cosine, cards) == place[item.target]
    assert right == 14


@pytest.mark.parametrize("position", range(6))
def test_rules_that_see_only_the_place_score_one_sixth_exactly(block_items, position):
    assert sum(item.options[position] == item.target for item in block_items) == 14


def test_the_most_central_option_gives_hard_items_away_but_not_blocks(items, deck, clues, encoder):
    # Facts: "most central" scores far above chance on Hard, and blocks are the remedy.
    frame = profile(items, measure(deck, clues, encoder=encoder))
    picks = frame.loc[frame.groupby("item")["centrality"].idxmax()]
    accuracy = picks.groupby("tier")["target"].mean()
    assert accuracy["hard"] > 0.3
    assert accuracy["blocks"] == pytest.approx(1 / 6)


def test_cards_over_a_multiple_of_six_are_left_out_of_blocks(encoder, deck, clues):
    # 14 cards: two clusters of six and two cards that point away from everything.
    vision = np.zeros((14, 4))
    vision[:6, 0], vision[6:12, 1], vision[12, 2], vision[13, 3] = 1, 1, 1, 1
    made = blocks(deck[:14], clues, basis="image", vision=vision, encoder=encoder)
    assert {frozenset(item.options) for item in made} == {
        frozenset(card.id for card in deck[:6]),
        frozenset(card.id for card in deck[6:12]),
    }
    with pytest.raises(ValueError, match="takes 6 cards; the deck has 5"):
        blocks(deck[:5], clues, encoder=encoder)


def test_twins_that_no_partition_parts_are_named(encoder, deck):
    same = {card.id: f"clue {k % 4}" for k, card in enumerate(deck)}  # six cards, four clues
    with pytest.raises(ValueError, match="000 and 004"):
        blocks(deck[:6], same, encoder=encoder)


# --- clues of the bank ------------------------------------------------------------------


def test_clues_are_assigned_once_each_for_the_best_sum():
    # Both cards like clue "a" best; by sum, card 0 takes it (0.9 + 0.5 > 0.8 + 0.1).
    captions = np.array([[1.0, 0.0], [0.0, 1.0]])
    bank = np.array([[0.9, 0.8], [0.1, 0.5], [0.0, 0.0]])
    assert assign_clues(captions, bank, ["a", "b", "c"]) == ["a", "b"]
    with pytest.raises(ValueError, match="2 cards need as many clues; the bank has 1"):
        assign_clues(captions, bank[:1], ["a"])
