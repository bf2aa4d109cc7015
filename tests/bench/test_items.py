"""Items survive the disk, and a benchmark that does not hold together says where."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.bench.items import COLUMNS, check, read_items, write_items
from dixitlib.records import Item


def test_csv_and_parquet_give_the_items_back(items, tmp_path):
    write_items(items, tmp_path / "bench" / "dixitbench.csv")
    assert read_items(tmp_path / "bench" / "dixitbench.csv") == items
    assert read_items(tmp_path / "bench" / "dixitbench.parquet") == items
    frame = pd.read_csv(tmp_path / "bench" / "dixitbench.csv")
    assert list(frame.columns) == COLUMNS
    assert set(frame["answer"]) == {1, 2, 3, 4, 5, 6}


def test_writing_twice_gives_the_same_bytes(items, tmp_path):
    for name in ("a", "b"):
        write_items(items, tmp_path / f"{name}.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)


@settings(deadline=None, max_examples=50)
@given(
    clue=text, cards=st.lists(text, min_size=6, max_size=6, unique=True), place=st.integers(0, 5)
)
def test_any_text_survives(clue, cards, place, tmp_path_factory):
    item = Item("hard-001", "hard", clue, cards[place], tuple(cards))
    path = tmp_path_factory.mktemp("items") / "one.csv"
    write_items([item], path)
    assert read_items(path) == (item,)


def test_cards_may_be_called_007_or_NA(tmp_path):
    cards = ("007", "NA", "1e5", "null", "True", "1.0")
    item = Item("hard-001", "hard", "nan", "NA", cards)
    write_items([item], tmp_path / "odd.csv")
    assert read_items(tmp_path / "odd.csv") == (item,)
    assert read_items(tmp_path / "odd.parquet") == (item,)


@pytest.mark.parametrize("answer", ["3", "0", "9", "", "two"])
def test_a_wrong_answer_names_the_rows(items, tmp_path, answer):
    path = tmp_path / "bench.csv"
    write_items(items, path)
    frame = pd.read_csv(path, dtype=str)
    rows = frame.index[frame["answer"] != "3"][:2]
    frame.loc[rows, "answer"] = answer
    frame.to_csv(path, index=False)
    named = ", ".join(frame.loc[rows, "item"])
    with pytest.raises(ValueError, match=f"not the target's place in {named}"):
        read_items(path)


def test_missing_columns_are_named(tmp_path):
    path = tmp_path / "bench.csv"
    path.write_text("item,tier,clue,target\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"lacks the columns option_1, .*option_6, answer"):
        read_items(path)


def test_a_benchmark_that_holds_passes(items):
    check(items)


def test_every_fault_is_named_at_once(items):
    one, two, three, four, *rest = items
    broken = [
        replace(one, id=two.id),
        two,
        replace(three, clue=" ", target="nobody"),
        replace(four, options=(four.target,) * 6),
        *(item for item in rest if item.answer != 6),
    ]
    with pytest.raises(ValueError, match="does not hold together") as error:
        check(broken)
    for fault in (
        f"2 items are called {two.id}",
        f"{three.id} has no clue",
        f"{three.id} does not show its target nobody",
        f"{four.id} shows a card twice",
        "tier hard has its targets at places in unequal numbers",
    ):
        assert fault in str(error.value)


def test_two_cards_of_one_clue_in_an_item_are_a_fault():
    # The released benchmark has such an item: two right answers (facts: DixitBench).
    cards = ("a", "b", "c", "d", "e", "f")
    clues = ("Dusk", " dusk", "noon", "dawn", "night", "rain")
    items = [Item(f"i{k}", "hard", clues[k], cards[k], cards[k:] + cards[:k]) for k in range(6)]
    with pytest.raises(ValueError, match="i0 shows cards of one clue"):
        check(items)
