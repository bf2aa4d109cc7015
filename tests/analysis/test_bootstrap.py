"""Resampled clusters: by hand, by the long way, and coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import bootstrap
from dixitlib.analysis.inference import cluster_interval


def frame(rng, clusters=40, rows=6, spread=1.0):
    card = np.repeat(range(clusters), rows)
    y = spread * rng.normal(size=clusters)[card] + rng.normal(size=len(card))
    return pd.DataFrame({"y": y, "card": card})


def test_draws_are_what_taking_clusters_gives():
    data = frame(np.random.default_rng(0))
    counts = bootstrap.taken(40, 50, seed=4)
    assert (counts.sum(axis=1) == 40).all()
    sums = bootstrap.resampled(bootstrap.cluster_sums(data, ["y"], "card"), 50, seed=4)
    first = np.repeat(np.arange(40), counts[0].astype(int))
    taken = pd.concat([data[data["card"] == card] for card in first])
    assert sums[0, 0] == pytest.approx(taken["y"].sum())


def test_it_agrees_with_the_jackknife_on_a_smooth_statistic():
    data = frame(np.random.default_rng(1), clusters=80)
    found = bootstrap.bootstrap_interval(data, "y", "card", draws=4999)
    assert found == pytest.approx(cluster_interval(data, "y", "card"), abs=0.03)


def test_a_ratio_and_a_statistic_of_sums_agree():
    data = frame(np.random.default_rng(2)).assign(one=1)
    ratio = bootstrap.bootstrap_interval(data, ("y", "one"), "card")
    assert ratio == bootstrap.bootstrap_interval(data, "y", "card")
    called = bootstrap.bootstrap_interval(data, ("y", "one"), "card", lambda y, n: 10 * y / n)
    assert called == pytest.approx(10 * np.array(ratio))


def test_it_covers_with_forty_clusters():
    # 1,000 studies, a column each, resampled by the same draws. Monte Carlo error 0.7 points.
    means = np.random.default_rng(3).normal(size=(40, 1000))
    drawn = bootstrap.resampled(pd.DataFrame(means), 999) / 40
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    assert 0.92 < np.mean((low <= 0) & (high >= 0)) < 0.97


def test_few_clusters_are_refused_and_none_say_nothing():
    data = frame(np.random.default_rng(4), clusters=29)
    with pytest.raises(ValueError, match=r"29 clusters of 'card'.*use inference.cluster_interval"):
        bootstrap.bootstrap_interval(data, "y", "card")
    assert np.isnan(bootstrap.bootstrap_interval(data.assign(y=np.nan), "y", "card")).all()


# --- ranks ------------------------------------------------------------------------------


def test_ranks_of_what_is_far_apart_do_not_move():
    rng = np.random.default_rng(5)
    rows = [
        {"who": who, "card": card, "y": skill + rng.normal()}
        for who, skill in (("b", 5), ("a", 0), ("c", 0.05))
        for card in range(50)
    ]
    found = bootstrap.rank_intervals(pd.DataFrame(rows), "who", "y", "card").set_index("who")
    assert found.loc["b", ["rank", "low", "high", "first"]].tolist() == [1, 1, 1, 1]
    assert found.loc[["a", "c"], ["low", "high"]].to_numpy().tolist() == [[2, 3], [2, 3]]


def test_what_all_share_moves_no_rank():
    hardness = np.random.default_rng(6).normal(size=40)
    rows = pd.DataFrame(
        {"who": [w] * 40, "card": range(40), "y": hardness + s} for w, s in (("a", 0), ("b", 0.01))
    )
    found = bootstrap.rank_intervals(rows.explode(["who", "card", "y"]), "who", "y", "card")
    assert found.set_index("who").loc["b", ["low", "high", "first"]].tolist() == [1, 1, 1]


def test_a_rank_interval_holds_the_true_rank():
    # 30 studies of four players 0.15 apart, 40 cards that move all of them.
    rng, skills = np.random.default_rng(7), np.array([0.45, 0.3, 0.15, 0.0])
    who, card = np.repeat(list("abcd"), 40), np.tile(range(40), 4)
    held = []
    for _ in range(30):
        y = np.repeat(skills, 40) + np.tile(rng.normal(size=40), 4) + 0.5 * rng.normal(size=160)
        data = pd.DataFrame({"who": who, "card": card, "y": y})
        found = bootstrap.rank_intervals(data, "who", "y", "card", draws=199)
        held.append(found["low"].le([1, 2, 3, 4]) & found["high"].ge([1, 2, 3, 4]))
    assert np.mean(held) > 0.92


def test_a_player_in_one_cluster_has_no_interval():
    data = pd.DataFrame({"who": list("aaab"), "card": [1, 2, 3, 3], "y": [1.0, 2, 3, 5]})
    found = bootstrap.rank_intervals(data, "who", "y", "card").set_index("who")
    assert found.loc["b", ["estimate", "rank"]].tolist() == [5, 1]
    assert found.loc["b", ["low", "high", "first"]].isna().all()
    assert found["note"].tolist() == ["", "one cluster: no interval"]
