"""What is measured of each player, and how it goes together, on frames made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import bench_arena

ITEMS = pd.DataFrame({"item": range(24), "target": [k % 12 for k in range(24)]})
SKILLS = {"a": 3, "b": 6, "c": 9, "d": 11}  # of twelve items of a tier


def answers(control="own", hard=lambda skill: skill):
    rows = [
        {
            "player": player,
            "tier": tier,
            "item": 12 * (tier == "hard") + k,
            "credit": float(k < (skill if tier == "easy" else hard(skill))),
        }
        for player, skill in SKILLS.items()
        for tier in ("easy", "hard")
        for k in range(12)
    ]
    return pd.DataFrame(rows).assign(control=control, method="direct")


def votes(heard=lambda skill: skill):
    rows = [
        {"listener": player, "match": k // 3, "own_clue": own, "correct": own or k < heard(skill)}
        for player, skill in SKILLS.items()
        for own in (False, True)
        for k in range(12)
    ]
    return pd.DataFrame(rows).astype({"correct": "boolean"})


def test_measures_count_others_clues_and_all_tiers():
    both = pd.concat([answers(), answers("none", lambda skill: 2)])
    found = bench_arena.measures(both, ITEMS, votes(), {"a": 0.5}).set_index(["player", "measure"])
    assert found["value"]["a"][["listening", "easy", "all"]].tolist() == [0.25, 0.25, 0.25]
    assert found["value"]["c"]["clue-free"] == pytest.approx(11 / 24)  # 9 easy, 2 hard
    assert found["value"]["a"]["recall"] == 0.5
    assert np.isnan(found["value"]["b"]["recall"])
    # Matches of a, by threes: 1, 0, 0, 0.
    assert found["error"]["a"]["listening"] == pytest.approx(0.25)


def test_counterfactual_tables_are_listening_too():
    tables = votes().rename(columns={"match": "target"})
    measured = bench_arena.measures(answers(), ITEMS, votes(lambda skill: 14 - skill), None, tables)
    found = measured.set_index(["player", "measure"])["value"]
    assert found["a"][["listening", "crossed"]].tolist() == [11 / 12, 0.25]
    by_table = bench_arena.correlations(measured, "crossed").set_index(["measure", "kind"])
    assert by_table.loc[("all", "spearman"), "estimate"] == 1
    in_arena = bench_arena.correlations(measured).set_index(["measure", "kind"])
    assert in_arena.loc[("all", "spearman"), "estimate"] == -1


def test_what_orders_players_alike_correlates_perfectly():
    measured = bench_arena.measures(answers(), ITEMS, votes())
    found = bench_arena.correlations(measured).set_index(["measure", "kind"])
    # Of 24 orders the reversed one is as far off by ranks, but not by unevenly spread skills.
    for kind, orders in (("pearson", 1), ("spearman", 2)):
        assert found.loc[("all", kind), "estimate"] == pytest.approx(1)
        assert found.loc[("all", kind), "p"] == pytest.approx(orders / 24)
    assert found.loc[("recall", "pearson"), "note"] == "fewer than three points"
    assert found.loc[("clue-free", "pearson"), "points"] == 0
    assert 0 < found.loc[("all", "pearson"), "reliability"] < 1
    assert found.loc[("all", "pearson"), "disattenuated"] == 1


def test_one_measure_has_an_advantage_over_a_worse_one():
    measured = bench_arena.measures(answers(hard=lambda skill: 12 - skill), ITEMS, votes())
    found = bench_arena.advantage(measured, "easy", "hard")
    assert found == pytest.approx((2, 2, 2))  # correlations 1 and -1, whoever is left out
    assert np.isnan(bench_arena.advantage(measured, "easy", "recall")).all()


def test_chance_is_taken_out_of_both():
    found = bench_arena.gaps(bench_arena.measures(answers(), ITEMS, votes())).set_index("player")
    # 0.25 of six options and of three: (0.25 - 1/6) / (5/6) and (0.25 - 1/3) / (2/3).
    assert found.loc["a", ["bench_above_chance", "listening_above_chance"]].tolist() == (
        pytest.approx([0.1, -0.125])
    )


def test_a_run_with_one_player_says_nothing():
    one = votes().query("listener == 'a'")
    found = bench_arena.correlations(bench_arena.measures(answers(), ITEMS, one))
    assert found["estimate"].isna().all()
    assert (found["note"] == "fewer than three points").all()
