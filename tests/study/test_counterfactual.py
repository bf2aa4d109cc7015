from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dixitlib.records import Move
from dixitlib.study import counterfactual


def votes(tables, storytellers, listeners, seed=1):
    rows = [
        row for table in tables for row in counterfactual.play(storytellers, listeners, seed, table)
    ]
    return pd.DataFrame(rows, columns=counterfactual.COLUMNS)


@pytest.fixture
def tables(toy_deck):
    return counterfactual.lay(toy_deck, seed=1)


def test_every_card_is_the_target_of_one_table_and_lies_there_once(tables, toy_deck):
    assert [table.target for table in tables] == toy_deck
    for table in tables:
        assert len({table.target.id, *(card.id for card in table.distractors)}) == 4
    again = counterfactual.lay(toy_deck, seed=1, tables=5)
    assert again == tables[:5]
    assert counterfactual.lay(toy_deck, seed=2) != tables


def test_a_deck_that_fills_no_table_is_refused(toy_deck):
    with pytest.raises(ValueError, match="takes 4 cards, but the deck has 3"):
        counterfactual.lay(toy_deck[:3], seed=1)


def test_every_listener_votes_on_every_clue_over_the_same_four_cards(tables, scripted):
    tellers = [scripted("a"), scripted("t")]
    listeners = [scripted("a", {"vote": Move(choice=0)}), scripted("b")]
    found = votes(tables[:3], tellers, listeners)
    assert len(found) == 3 * 2 * 2
    assert found["own_clue"].tolist() == [True, False, False, False] * 3
    assert set(found["n_candidates"]) == {4}
    for table, part in found.groupby("table"):
        heard = listeners[0].calls[2 * table : 2 * table + 2]
        ids = {tables[table].target.id, *(card.id for card in tables[table].distractors)}
        assert all({card.id for card in shown} == ids for _, _, shown in heard)
        # A storyteller holds the target alone, and its clue is what all listeners hear.
        assert tellers[0].calls[table][2] == (tables[table].target,)
        assert part["clue"].nunique() == 2


def test_positions_and_hits_agree_and_an_order_is_the_listeners_own(tables, scripted):
    first = {"vote": Move(choice=0)}
    found = votes(tables, [scripted("t"), scripted("u")], [scripted("a", first), scripted("b")])
    mine = found[found["listener"] == "a"]
    assert (mine["choice_position"] == 1).all()
    assert mine["correct"].tolist() == (mine["target_position"] == 1).tolist()
    # 84 tables and four places: 21 hits are expected, and 40 would be five sd away.
    assert 5 < mine.loc[mine["storyteller"] == "t", "correct"].sum() < 40
    orders = found.pivot_table(
        index="table", columns=["listener", "storyteller"], values="target_position"
    )
    assert orders["a"]["t"].equals(orders["a"]["u"])
    assert not orders["a"]["t"].equals(orders["b"]["t"])


def test_votes_do_not_depend_on_the_company(tables, scripted):
    alone = votes(tables, [scripted("t")], [scripted("a")])
    crowd = votes(tables, [scripted("u"), scripted("t")], [scripted("b"), scripted("a")])
    same = crowd[(crowd["storyteller"] == "t") & (crowd["listener"] == "a")]
    pd.testing.assert_frame_equal(same.reset_index(drop=True), alone)


def test_failed_moves_stay_as_rows_with_their_status(tables, scripted):
    silent = scripted("s", {"tell": Move(status="refused")})
    lost = scripted("l", {"vote": Move(status="unparsed")})
    found = votes(tables[:2], [silent, scripted("t")], [lost, scripted("b")])
    assert found["status"].tolist() == ["refused", "refused", "unparsed", "ok"] * 2
    assert found["clue"].notna().tolist() == [False, False, True, True] * 2
    assert found["correct"].notna().tolist() == [False, False, False, True] * 2


class Worded:
    """An encoder for which the text 'x 0.6' has the cosine 0.6 to 'clue'."""

    def encode(self, texts):
        cosines = [1.0 if text == "clue" else float(text.rsplit(" ", 1)[1]) for text in texts]
        return np.array([[c, np.sqrt(1 - c * c)] for c in cosines])


def test_meaning_is_similarity_and_margin_to_the_nearest_distractor(toy_deck):
    cosines = (0.6, 0.1, 0.7, 0.2)
    cards = [replace(c, caption=f"x {s}") for c, s in zip(toy_deck, cosines, strict=False)]
    table = counterfactual.Table(7, cards[0], tuple(cards[1:]))
    told = pd.DataFrame({"table": [7, 7, 7], "clue": ["clue", "clue", None]})
    found = counterfactual.with_meaning(told, [table], Worded())
    # The target is at 0.6, the nearest distractor at 0.7.
    assert found["similarity"].tolist()[:2] == [0.6, 0.6] and np.isnan(found["similarity"][2])
    assert found["margin"].tolist()[:2] == [-0.1, -0.1]
