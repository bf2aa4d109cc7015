"""What people are shown is balanced, drawn by seed, and named by what it shows."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from dixitlib.records import OUTCOMES, Item, Round
from dixitlib.store.people import AnswerBook, Given, folder
from dixitlib.study import cases

ROUND = Round(
    match=0,
    phase=1,
    round=1,
    players=("a",) * 4,
    storyteller=0,
    streams=(0, 1, 2, 3),
    hands=((),) * 4,
    clue="a clue",
    target="001",
    submissions=("001", "002", "003", "004"),
    candidates=((),) * 4,
    votes=(None,) * 4,
    outcome="partial",
    points=(0,) * 4,
)


def told(teller, outcome, number):
    return replace(ROUND, players=(teller,) * 4, outcome=outcome, clue=f"{teller} {number}")


def counted(drawn, key):
    return pd.Series([key(each) for each in drawn]).value_counts().to_dict()


@pytest.fixture
def rounds():
    """Six storytellers with 20 rounds of each outcome."""
    return [told(t, o, n) for t in "abcdef" for o in OUTCOMES for n in range(20)]


@pytest.fixture
def items():
    names = [(tier, k) for tier in ("hard", "easy", "blocks") for k in range(10)]
    return [Item(f"{t}-{k}", t, f"{t} {k}", "001", ("002", "001", "003")) for t, k in names]


def test_120_cases_are_20_of_each_storyteller_and_40_of_each_outcome(rounds):
    drawn = cases.draw_rounds(rounds, 120, seed=1)
    assert counted(drawn, lambda r: r.players[0]) == dict.fromkeys("abcdef", 20)
    assert counted(drawn, lambda r: r.outcome) == dict.fromkeys(OUTCOMES, 40)
    # 18 kinds: six whole passes give 6 of each, twelve kinds get one more.
    assert set(counted(drawn, lambda r: (r.players[0], r.outcome)).values()) == {6, 7}
    assert len({r.clue + r.outcome for r in drawn}) == 120


def test_what_has_run_out_is_made_up_by_others(rounds):
    few = [r for r in rounds if (r.players[0], r.outcome) != ("a", "all_wrong")]
    drawn = cases.draw_rounds(few, 100, seed=1)
    assert counted(drawn, lambda r: r.players[0])["a"] == pytest.approx(100 / 6, abs=6)
    assert len(drawn) == 100


def test_cases_are_drawn_by_seed_and_void_rounds_never(rounds):
    void = replace(ROUND, outcome=None, clue=None, status="refused")
    first = cases.draw_rounds([void, *rounds], 30, seed=1)
    assert first == cases.draw_rounds(rounds, 30, seed=1)
    assert first != cases.draw_rounds(rounds, 30, seed=2)
    with pytest.raises(ValueError, match=r"361.*360"):
        cases.draw_rounds([void, *rounds], 361, seed=1)


def test_items_are_balanced_over_tiers(items):
    drawn = cases.draw_items(items, 20, seed=1)
    assert counted(drawn, lambda i: i.tier) == {"hard": 7, "easy": 7, "blocks": 6}
    assert drawn == cases.draw_items(items, 20, seed=1) != cases.draw_items(items, 20, seed=2)


def test_a_case_is_named_by_what_it_shows_and_its_order_tells_nothing():
    first = cases.case("a clue", "002", ["003", "002", "001"])
    assert first.cards == ("001", "002", "003")
    assert first.id == cases.case("a clue", "002", ["001", "002", "003"]).id
    others = [("another", "002"), ("a clue", "001")]
    assert first.id not in {cases.case(*each, first.cards).id for each in others}


def test_tables_are_read_as_they_were_written(tmp_path, monkeypatch, rounds, items):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    drawn = cases.draw_rounds(rounds, 12, seed=1)
    cases.write("s", drawn, items)
    read = cases.read(folder("s") / "cases.csv")
    assert read == [cases.case(r.clue, r.target, r.submissions) for r in drawn]
    assert [c.clue for c in cases.read(folder("s") / "items.csv")] == [i.clue for i in items]
    with pytest.raises(FileNotFoundError, match="section `people`"):
        cases.read(folder("t") / "cases.csv")


def test_cases_do_not_change_under_those_who_have_answered(tmp_path, monkeypatch, rounds, items):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    cases.write("s", rounds[:3], items)
    cases.write("s", rounds[:4], items)
    AnswerBook("s", "owl").write(Given("owl", "c1", "vote", "person", choice="001"))
    cases.write("s", rounds[:4], items)
    with pytest.raises(ValueError, match="another name"):
        cases.write("s", rounds[:5], items)


def test_every_rater_has_an_order_of_its_own(rounds):
    shown = [cases.case(r.clue, r.target, r.submissions) for r in rounds[:40]]
    owl, again, cat = (cases.in_order(shown, name, seed=1) for name in ("owl", "owl", "cat"))
    assert owl == again != cat
    assert sorted(c.id for c in owl) == sorted(c.id for c in shown)
    assert len({c.cards for c in owl}) > 10
    places = [c.cards.index(c.target) for c in owl]
    assert set(places) == {0, 1, 2, 3}
