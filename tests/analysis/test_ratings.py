"""Match ratings: by hand, beside statsmodels, and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit

from dixitlib.analysis.ratings import bradley_terry, davidson, match_results

NAMES = list("abcdef")
SKILL = dict(zip(NAMES, (-0.75, -0.45, -0.15, 0.15, 0.45, 0.75), strict=True))


def results(*rows):
    frame = pd.DataFrame(rows, columns=["first", "second", "result"])
    return frame.assign(match=range(len(frame)))


def test_points_of_both_roles_decide_a_match(make_frames):
    rows = [(0, 1, ("a", "a", "b", "b"), 0, (1, 0, 0)), (1, 1, ("a",) * 4, 0, (1, 0, 0))]
    rounds, votes = make_frames(rows)
    votes["points"] = [4.0, 1.0, 0.0, 3.0, 1.0, 1.0]
    found = match_results(rounds, votes)
    # a: 3 for telling and its other seat's 4; b: 1 + 0. The self-play has no winner.
    assert found.to_numpy().tolist() == [[0, "a", "b", 7.0, 1.0, 1.0]]


def test_void_matches_have_no_result(make_frames):
    assert match_results(*make_frames([(0, 1, ("a", "a", "b", "b"), 0, None)])).empty
    assert bradley_terry(match_results(*make_frames([(0, 1, ("a",) * 4, 0, None)]))).empty


def test_two_players_by_hand():
    # 3 wins of 4 and a wide prior: odds 3, log 3 apart. Ties count half: 2.5 of 4 is 5/3.
    won = bradley_terry(results(*[("a", "b", r) for r in (1, 1, 1, 0)]), prior_sd=100)
    assert np.diff(won["rating"])[0] == pytest.approx(-np.log(3), abs=1e-3)
    tied = bradley_terry(results(*[("a", "b", r) for r in (1, 1, 0.5, 0)]), prior_sd=100)
    assert np.diff(tied["rating"])[0] == pytest.approx(-np.log(5 / 3), abs=1e-3)
    assert tied[["matches", "wins", "ties", "losses"]].to_numpy().tolist() == [
        [4, 2, 1, 1],
        [4, 1, 1, 2],
    ]


def test_davidson_by_hand():
    # Two wins, one loss, three ties: w_a / w_b = 2 and nu = 3 / sqrt(2) (maximum likelihood
    # meets the observed shares: w_a : w_b : nu sqrt(w_a w_b) = 2 : 1 : 3).
    frame = davidson(results(*[("a", "b", r) for r in (1, 1, 0, 0.5, 0.5, 0.5)]), prior_sd=100)
    rating = frame.set_index("player")["rating"]
    assert rating["a"] - rating["b"] == pytest.approx(np.log(2), abs=1e-2)
    assert rating["ties"] == pytest.approx(3 / np.sqrt(2), rel=0.02)


def test_davidson_without_ties_is_bradley_and_terry():
    played = results(("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("c", "a", 1), ("b", "a", 0))
    one, other = bradley_terry(played), davidson(played)
    assert other["rating"].iloc[-1] == 0
    assert one["rating"].to_numpy() == pytest.approx(other["rating"].to_numpy()[:-1], abs=1e-4)


def test_a_player_that_wins_all_is_rated_finitely_and_ratings_sum_to_nothing():
    frame = bradley_terry(results(("a", "b", 1), ("a", "c", 1), ("b", "c", 1)))
    assert frame["rating"].is_monotonic_decreasing
    assert frame["rating"].sum() == pytest.approx(0, abs=1e-6)
    assert (frame["low"] < frame["rating"]).all() and (frame["rating"] < frame["high"]).all()
    assert bradley_terry(results(("a", "b", 1)))[["low", "high"]].isna().all().all()


def test_ratings_order_players_as_their_odds():
    rng = np.random.default_rng(7)
    pairs = [(x, y) for x in NAMES for y in NAMES if x < y] * 2
    rows = [(x, y, float(rng.random() < expit(4 * (SKILL[x] - SKILL[y])))) for x, y in pairs]
    rating = bradley_terry(results(*rows)).set_index("player")["rating"]
    assert np.corrcoef(rating[NAMES], list(SKILL.values()))[0, 1] > 0.8


def test_an_interval_of_two_players_is_where_the_binomial_likelihood_ratio_says():
    # Half a rating apart on each side of 0; at each end twice the fall of the log likelihood
    # of 3 wins of 4 is the 95% quantile of chi-squared, 3.8415.
    played = results(*[("a", "b", r) for r in (1, 1, 1, 0)])
    for rate in (bradley_terry, davidson):
        found = rate(played, prior_sd=1e3).set_index("player").loc["a"]
        for end in (found["low"], found["high"]):
            fall = stats.binom.logpmf(3, 4, 0.75) - stats.binom.logpmf(3, 4, expit(2 * end))
            assert 2 * fall == pytest.approx(3.8415, abs=1e-3)


def test_equals_are_told_apart_only_if_one_wins_all_or_loses_all():
    # So intervals of equals who meet once and never tie hold the truth in 15 of 16 cases.
    rng = np.random.default_rng(5)
    pairs = [(x, y) for x in NAMES for y in NAMES if x < y]
    for _ in range(4):
        won = rng.integers(2, size=len(pairs)).astype(float)
        frame = bradley_terry(results(*[(*p, w) for p, w in zip(pairs, won, strict=True)]))
        held = (frame["low"] <= 0) & (frame["high"] >= 0)
        assert held.tolist() == frame["wins"].between(1, 4).tolist()


def test_davidson_is_the_poisson_model_of_statsmodels():
    # Each match has three ends, counted 0 or 1: a log-linear model with a level for each match
    # (Fienberg 1979). The prior is too wide to matter.
    rng = np.random.default_rng(6)
    pairs = [(x, y) for x in range(3) for y in range(x)] * 20
    won = rng.choice([0, 0.5, 1], p=[0.3, 0.3, 0.4], size=len(pairs))
    up, down = np.eye(3)[np.array(pairs).T]
    parts = [
        np.column_stack([np.eye(len(pairs)), w, t * np.ones(len(pairs))])
        for w, t in ((up[:, 1:], 0), (down[:, 1:], 0), ((up + down)[:, 1:] / 2, 1))
    ]
    counts = np.concatenate([won == 1, won == 0, won == 0.5]).astype(float)
    *_, one, two, tie = sm.GLM(counts, np.vstack(parts), family=sm.families.Poisson()).fit().params
    played = results(*[("abc"[x], "abc"[y], r) for (x, y), r in zip(pairs, won, strict=True)])
    found = davidson(played, prior_sd=1e3).set_index("player")["rating"]
    assert found["b"] - found["a"] == pytest.approx(one, abs=1e-3)
    assert found["c"] - found["a"] == pytest.approx(two, abs=1e-3)
    assert found["ties"] == pytest.approx(np.exp(tie), rel=1e-2)
