"""What was printed, and the counts behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import paths
from dixitlib.analysis.published import (
    LeaveOneOut,
    arena_shares,
    attainable,
    attainable_by_luck,
    attainable_count,
    beside_chance,
    chi_squared_p,
    fixed_weights,
    gains,
    implied_partial,
    leave_one_out,
    load,
    orders,
    pairs,
    traced,
    wholes,
)

SCORES = ["storyteller_pct", "listener_pct"]
PARTIAL = {"Flash": 26, "27B": 27, "GPT": 16, "12B": 17, "32B": 13, "7B": 12}


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    monkeypatch.delenv("DIXITWORLD_HOME", raising=False)


def test_every_table_loads():
    tables = sorted(path.stem for path in paths.data("published").glob("*.csv"))
    assert "dixitworld_arena" in tables
    assert all(len(load(name)) > 0 for name in tables)


def test_an_unknown_table_names_those_there_are(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no published table 'arena' .*dixitworld_arena"):
        load("arena")
    with pytest.raises(FileNotFoundError, match="there are: none"):
        load("arena", tmp_path)


def test_published_storyteller_scores_are_84ths():
    # Facts: 12, 13, 17, 27, 16 and 26 partial rounds, 111 of 504 in all.
    partial = arena_shares(load("dixitworld_arena")).query("outcome == 'partial'")
    counts = dict(partial[["player", "rounds"]].itertuples(index=False))
    assert counts == {
        "Qwen2.5-VL-7B": 12,
        "Qwen2.5-VL-32B": 13,
        "Gemma3-12B": 17,
        "Gemma3-27B": 27,
        "GPT-4o": 16,
        "Gemini-2.5-Flash": 26,
    }
    assert sum(counts.values()) == 111
    assert (partial["low"] < partial["share"]).all()


def test_shares_of_a_model_add_up():
    frame = arena_shares(load("dixitworld_arena"))
    assert frame.groupby("player")["share"].sum().tolist() == pytest.approx([1] * 6)
    assert frame.groupby("player")["rounds"].sum().tolist() == [84] * 6


@pytest.mark.parametrize(
    ("percentage", "count"), [(14.29, 12), (100, 84), (0, 0), (14.0, np.nan), (np.nan, np.nan)]
)
def test_a_percentage_is_a_count_or_nothing(percentage, count):
    assert attainable_count(percentage, 84) == pytest.approx(count, nan_ok=True)


def test_a_score_that_is_no_count_gives_nan_not_a_guess():
    frame = arena_shares(pd.DataFrame({"model": ["m"], "storyteller_pct": [14.0]}))
    assert frame[["rounds", "share", "low", "high"]].isna().all().all()


def test_rows_are_traced_to_their_lines():
    table = traced("dixitworld_arena")
    line = paths.data("published", "dixitworld_arena.csv").read_text().splitlines()[3]
    assert table["source"][2] == "dixitworld_arena.csv:4"
    assert line.startswith(table["model"][2])


def test_each_total_has_a_column_of_counts():
    table = attainable(pd.DataFrame({"pct": [50.0, 33.33]}), "pct", [2, 3])
    assert table["of_2"].tolist() == pytest.approx([1, np.nan], nan_ok=True)
    assert table["of_3"].tolist() == pytest.approx([np.nan, 1], nan_ok=True)


def test_luck_is_the_share_of_percentages_that_some_count_gives():
    # 0 and 100; 0, 50 and 100; all 10001 of them.
    assert attainable_by_luck(1) == pytest.approx(2 / 10001)
    assert attainable_by_luck(2) == pytest.approx(3 / 10001)
    assert attainable_by_luck(10000) == 1


def test_no_pair_of_storytellers_differs_after_holm():
    compared = pairs(PARTIAL, 84).set_index(["first", "second"])
    assert len(compared) == 15
    # Facts: smallest p about 0.15; 16/84 against 27/84 takes about 172 rounds an arm.
    assert compared["p_holm"].min() == pytest.approx(0.149, abs=5e-4)
    assert compared.loc[("27B", "GPT"), "needed"] == 172
    row = compared.loc[("27B", "7B")]
    assert row["difference"] == pytest.approx(15 / 84) and row["low"] < 15 / 84 < row["high"]
    assert (compared["needed"].dropna() > 84).all()


def test_equal_shares_are_never_told_apart():
    row = pairs({"a": 5, "b": 5}, 10).iloc[0]
    assert row["p"] == 1 and np.isnan(row["needed"])


def test_shares_beside_chance():
    row = beside_chance({"a": 0, "b": 2}, 2, 0.5).iloc[0]
    # Both of two tosses are tails, or both are heads: 1/4 + 1/4; twice that after Holm.
    assert (row["p"], row["p_holm"]) == pytest.approx((0.5, 1))


def test_the_printed_p_of_position_follows_from_its_statistic():
    assert chi_squared_p(1.83, 4) == pytest.approx(0.608, abs=5e-4)
    assert chi_squared_p(-2 * np.log(0.05), 3) == pytest.approx(0.05)  # 2 df: exp(-x / 2)


def test_leave_one_out_follows_from_the_partial_rate():
    # Three rounds, two of them partial: mean change of each round over its three drops.
    change = np.array([-1, -1, 0])
    assert leave_one_out(2 / 3) == pytest.approx((change.mean(), 1 - change.std() / 3))
    assert implied_partial(LeaveOneOut(-0.08, 0.908)) == [7]
    assert implied_partial(LeaveOneOut(-0.29, 0.849)) == [24]
    assert implied_partial(LeaveOneOut(-0.29, 0.908)) == []


def test_a_whole_is_the_mean_of_its_parts_by_items_or_not():
    table = pd.DataFrame({"a": [10.0] * 4, "b": [40.0] * 4, "all": [25.0, 20.0, 30.0, 25.01]})
    found = wholes(table, "all", {"a": 20, "b": 10})
    assert found["fits"].tolist() == ["plain", "weighted", "neither", "plain"]
    assert wholes(table, "all", {"a": 1, "b": 1})["fits"][0] == "plain and weighted"


def test_fixed_weights_are_found_or_missed():
    table = pd.DataFrame({"x": [1.0, 2.0, 5.0], "y": [3.0, 1.0, 4.0]})
    fit = fixed_weights(table.assign(z=2 * table["x"] + 3 * table["y"]), "z", ["x", "y"])
    assert fit.weights == pytest.approx({"x": 2, "y": 3}) and fit.miss == pytest.approx(0)
    assert np.isnan(fixed_weights(table.assign(z=1.0)[:2], "z", ["x", "y"]).miss)
    assert fixed_weights(load("dixitworld_arena"), "overall", SCORES).miss > 2


def test_orders_are_counted_and_gains_taken_within_cells():
    table = pd.DataFrame(
        {"cell": [1, 1, 2, 2, 3, 3], "who": list("abbaab"), "accuracy_pct": [5, 3, 2, 4, 1, 6.0]}
    )
    found = orders(table, ["cell"], "who", "accuracy_pct")
    assert found.to_dict("list") == {"order": ["a > b", "b > a"], "cells": [2, 1]}
    assert gains(table, ["cell"], "who", "b")["gain"].tolist() == [2, 2, -5]
