"""Cases worked by hand, an independent library, and coverage by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from dixitlib.analysis.inference import (
    cluster_interval,
    difference_interval,
    match_share,
    ratio_interval,
    share_interval,
    wilson,
)


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    match = np.repeat(range(6), [10, 12, 12, 8, 12, 24])
    correct = rng.random(len(match)) < np.linspace(0.2, 0.7, 6)[match]
    return pd.DataFrame({"match": match, "correct": correct, "player": rng.choice(["a", "b"], 78)})


# --- Wilson -----------------------------------------------------------------------------


def test_wilson_by_hand():
    # 8 of 10, z^2 = 3.841459: centre (0.8 + z^2/20) / (1 + z^2/10) = 0.992073 / 1.384146
    # = 0.716740; reach sqrt(z^2 * 0.016 + z^4/400) / 1.384146 = 0.313616 / 1.384146 = 0.226577.
    assert wilson(8, 10) == pytest.approx((0.8, 0.490163, 0.943317), abs=2e-6)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (7, 7), (1, 84), (27, 84), (500, 1000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_is_that_of_statsmodels(k, n, level):
    low, high = proportion_confint(k, n, alpha=1 - level, method="wilson")
    assert wilson(k, n, level) == pytest.approx((k / n, low, high), abs=1e-12)


def test_wilson_without_observations_and_with_impossible_ones():
    assert np.isnan(wilson(0, 0)).all()
    for k, n in [(3, 2), (-1, 4), (1, 0)]:
        with pytest.raises(ValueError, match=f"{k} successes of {n} observations"):
            wilson(k, n)


# --- clusters ---------------------------------------------------------------------------


def test_equal_clusters_by_hand():
    # Cluster means 0, 1 and 0.5: mean 0.5, standard error sqrt(0.25 / 3) = 0.288675,
    # t(0.975, 2) = 4.302653, reach 1.242068.
    frame = pd.DataFrame({"y": [0, 0, 1, 1, 0, 1], "m": [1, 1, 2, 2, 3, 3]})
    assert cluster_interval(frame, "y", "m") == pytest.approx((0.5, -0.742068, 1.742068), abs=1e-6)


def test_unequal_clusters_by_hand():
    # Sums 1/1, 1/3: mean 2/4. Without the first 1/3, without the second 1:
    # variance 1/2 * ((1/3 - 1/2)^2 + (1 - 1/2)^2) = 0.138889, t(0.975, 1) = 12.706205.
    frame = pd.DataFrame({"y": [1, 1, 0, 0], "m": [1, 2, 2, 2]})
    reach = 12.706205 * np.sqrt(5 / 36)
    assert cluster_interval(frame, "y", "m") == pytest.approx(
        (0.5, 0.5 - reach, 0.5 + reach), abs=1e-5
    )


def test_equal_clusters_are_those_of_statsmodels(votes):
    # For the mean of equal clusters CR1 and the jackknife coincide; for others they do not.
    even = votes.groupby("match").head(8)
    fit = sm.OLS(even["correct"].astype(float), np.ones(len(even))).fit(
        cov_type="cluster", cov_kwds={"groups": even["match"]}, use_t=True
    )
    low, high = np.ravel(fit.conf_int())
    assert cluster_interval(even, "correct", "match") == pytest.approx(
        (fit.params.iloc[0], low, high)
    )
    uneven = sm.OLS(votes["correct"].astype(float), np.ones(len(votes))).fit(
        cov_type="cluster", cov_kwds={"groups": votes["match"]}, use_t=True
    )
    _, low, high = cluster_interval(votes, "correct", "match")
    assert high - low > np.ptp(np.ravel(uneven.conf_int()))


def test_a_column_a_ratio_and_a_function_agree(votes):
    votes["one"] = 1
    mean = cluster_interval(votes, "correct", "match")
    assert cluster_interval(votes, ("correct", "one"), "match") == pytest.approx(mean)
    assert cluster_interval(votes, lambda f: f["correct"].mean(), "match") == pytest.approx(mean)


def test_clusters_of_one_row_give_the_plain_t_interval():
    y = np.random.default_rng(1).normal(size=20)
    frame = pd.DataFrame({"y": y, "m": range(20)})
    low, high = stats.t.interval(0.95, 19, y.mean(), stats.sem(y))
    assert cluster_interval(frame, "y", "m") == pytest.approx((y.mean(), low, high))


def test_rows_without_a_value_are_left_out(votes):
    voided = votes.astype({"correct": object})
    voided.loc[::5, "correct"] = None
    kept = votes.drop(index=votes.index[::5])
    assert cluster_interval(voided, "correct", "match") == pytest.approx(
        cluster_interval(kept, "correct", "match")
    )


@pytest.mark.parametrize(
    "statistic", ["correct", ("correct", "correct"), lambda f: f["correct"].mean()]
)
def test_what_cannot_be_said_is_nan(votes, statistic):
    assert np.isnan(cluster_interval(votes.iloc[:0], statistic, "match")).all()
    estimate, low, high = cluster_interval(votes.query("match == 3"), statistic, "match")
    assert estimate > 0
    assert np.isnan([low, high]).all()
    voided = votes.assign(correct=np.nan)
    assert np.isnan(cluster_interval(voided, "correct", "match")).all()


# --- shares -----------------------------------------------------------------------------


def test_shares_by_hand():
    # As above the mean is 0.5 and its variance 0.25 / 3: worth 0.25 / (0.25 / 3) = 3
    # observations. With q = 4.302653 the ends are 0.5 -+ 0.5 sqrt(q^2 / (3 + q^2)).
    frame = pd.DataFrame({"y": [0, 0, 1, 1, 0, 1], "m": [1, 1, 2, 2, 3, 3]})
    reach = 0.5 * np.sqrt(18.512820 / 21.512820)
    assert share_interval(frame, "y", "m") == pytest.approx((0.5, 0.5 - reach, 0.5 + reach))


def test_what_strata_differ_in_is_no_error():
    # Rows 0, 0 | 1, 1 | 0, 1 of one stratum, 1, 1 | 0, 1 of another: 6 of 10. Without a cluster of
    # the first the others count 3 / 2 times, so 4.5, 1.5 and 3 hits of 6 rows are left, with 3 of
    # 4 of the second: shares 0.75, 0.45, 0.6, and 2/3 (2 x 0.15^2) = 0.03. Without a cluster of the
    # second its other counts twice, 2 or 4 of 4: 0.5, 0.7, and 1/2 (2 x 0.1^2) = 0.01. In all 0.04,
    # worth 0.24 / 0.04 = 6 rows, with 0.04^2 / (0.03^2 / 2 + 0.01^2 / 1) = 2.909091 degrees.
    hits = [0, 0, 1, 1, 0, 1, 1, 1, 0, 1]
    frame = pd.DataFrame({"y": hits, "m": np.arange(10) // 2, "s": [0] * 6 + [1] * 4})
    found = share_interval(frame, "y", "m", stratum="s")
    q2 = stats.t.ppf(0.975, 2.909091) ** 2
    centre = (0.6 + q2 / 12) / (1 + q2 / 6)
    reach = np.sqrt(q2 * (0.24 / 6 + q2 / 144)) / (1 + q2 / 6)
    assert found == pytest.approx((0.6, centre - reach, centre + reach), abs=1e-6)


@pytest.mark.parametrize("hits", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("clusters", [3, 6, 7, 11])
def test_clusters_that_agree_are_worth_their_rows_whatever_they_agree_on(hits, clusters):
    frame = pd.DataFrame({"y": ([1] * hits + [0] * (9 - hits)) * clusters})
    frame["m"] = frame.index // 9
    n, q2 = 9 * clusters, stats.t.ppf(0.975, clusters - 1) ** 2
    reach = np.sqrt(q2 * (hits / 9 * (1 - hits / 9) / n + q2 / (4 * n * n))) / (1 + q2 / n)
    _, low, high = share_interval(frame, "y", "m")
    assert (high - low) / 2 == pytest.approx(reach)


def test_one_stratum_is_none():
    frame = pd.DataFrame({"y": [0, 0, 1, 1, 0, 1, 1], "m": [1, 1, 2, 2, 3, 3, 3], "s": "all"})
    assert share_interval(frame, "y", "m", stratum="s") == share_interval(frame, "y", "m")


def test_a_match_against_oneself_is_a_stratum_of_rounds():
    """Two matches against others, one of two rounds, played twice, against oneself."""
    frame = pd.DataFrame(
        {
            "match": [1, 1, 2, 2, 3, 3, 3, 3],
            "round": [1, 2, 1, 2, 1, 2, 1, 2],
            "cross": [True] * 4 + [False] * 4,
            "y": [0, 1, 1, 1, 0, 1, 0, 1],
        }
    )
    by_hand = frame.assign(m=[1, 1, 2, 2, 31, 32, 31, 32])
    assert match_share(frame, "y") == share_interval(by_hand, "y", "m", stratum="cross")
    for few in (frame[frame["match"] != 2], frame[(frame["match"] < 3) | (frame["round"] == 1)]):
        assert match_share(few, "y") == share_interval(few, "y", "match")
    others = frame[frame["cross"]]
    assert match_share(others, "y") == share_interval(others, "y", "match")
    assert np.isnan(match_share(frame[frame["match"] == 3], "y")[1:]).all()


def test_a_share_without_variation_has_an_interval_of_some_width():
    # Nothing in 12 rounds of three matches: 0 to q^2 / (12 + q^2).
    frame = pd.DataFrame({"y": [0] * 12, "m": [1, 2, 3] * 4})
    assert share_interval(frame, "y", "m") == pytest.approx((0, 0, 18.512820 / 30.512820))
    assert share_interval(frame.assign(y=1), "y", "m") == pytest.approx((1, 12 / 30.512820, 1))


def test_independent_successes_get_nearly_wilsons_interval():
    frame = pd.DataFrame({"y": np.arange(252) % 4 == 0, "m": range(252)})
    assert share_interval(frame, "y", "m") == pytest.approx(wilson(63, 252), abs=2e-3)


def test_a_share_of_one_match_or_none_has_no_interval():
    frame = pd.DataFrame({"y": [0, 1], "m": [4, 4]})
    estimate, low, high = share_interval(frame, "y", "m")
    assert estimate == 0.5
    assert np.isnan([low, high]).all()
    assert np.isnan(share_interval(frame.iloc[:0], "y", "m")).all()


# --- differences ------------------------------------------------------------------------


def test_differences_are_paired_by_cluster():
    # Two players in the same three matches: differences 0.5, 0, 0.25 -> mean 0.25,
    # standard error 0.25 / sqrt(3) = 0.144338, reach 4.302653 * 0.144338 = 0.621034.
    one = pd.DataFrame({"y": [0.5, 1.0, 0.75], "m": [1, 2, 3]})
    other = pd.DataFrame({"y": [0.0, 1.0, 0.5], "m": [1, 2, 3]})
    assert difference_interval(one, other, "y", "m") == pytest.approx(
        (0.25, 0.25 - 0.621034, 0.25 + 0.621034), abs=1e-6
    )


def test_what_clusters_share_cancels():
    rng = np.random.default_rng(2)
    hardness = rng.normal(size=12)
    one = pd.DataFrame({"y": hardness + 1, "m": range(12)})
    other = pd.DataFrame({"y": hardness + 0.01 * rng.normal(size=12), "m": range(12)})
    difference = difference_interval(one, other, "y", "m")
    alone = cluster_interval(one, "y", "m")
    assert difference.high - difference.low < 0.05 * (alone.high - alone.low)
    assert difference.low < 1 < difference.high


def test_clusters_of_one_side_only_count_as_independent():
    # No cluster in common: (G-1)/G sum over both sides' deviations.
    rng = np.random.default_rng(3)
    one = pd.DataFrame({"y": rng.normal(size=8), "m": range(8)})
    other = pd.DataFrame({"y": rng.normal(size=8), "m": range(8, 16)})
    interval = difference_interval(one, other, "y", "m")
    variance = 15 / 16 * 8 / 7 * (stats.sem(one["y"]) ** 2 + stats.sem(other["y"]) ** 2)
    assert interval.high - interval.estimate == pytest.approx(
        stats.t.ppf(0.975, 15) * np.sqrt(variance)
    )


def test_a_difference_from_nothing_is_nan(votes):
    assert np.isnan(difference_interval(votes, votes.iloc[:0], "correct", "match")).all()


# --- coverage ---------------------------------------------------------------------------


@pytest.mark.parametrize("matches", [6, 21])
@pytest.mark.parametrize("base", [-2.5, 0.0])
def test_coverage_of_shares_is_what_is_promised(matches, base):
    # 400 studies of 14 rounds a match whose chance of success differs between matches
    # (logit-normal). Monte Carlo error of a coverage of 95% is 1.1 points.
    covered = coverage(share_interval, matches, base)
    assert 0.92 < covered < 0.995


@pytest.mark.parametrize("matches", [6, 21])
def test_coverage_of_the_t_interval_is_what_is_promised(matches):
    assert coverage(cluster_interval, matches, base=0.0) == pytest.approx(0.95, abs=0.033)


def coverage(interval, matches, base, studies=400, rounds=14, spread=0.8):
    rng = np.random.default_rng(2024)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    truth = (weights / (1 + np.exp(-base - spread * nodes))).sum() / weights.sum()
    chances = 1 / (1 + np.exp(-base - spread * rng.normal(size=(studies, matches))))
    outcomes = rng.random((studies, matches, rounds)) < chances[..., None]
    match = np.repeat(range(matches), rounds)
    found = [interval(pd.DataFrame({"y": o.ravel(), "m": match}), "y", "m") for o in outcomes]
    return np.mean([low <= truth <= high for _, low, high in found])


# --- ratios -----------------------------------------------------------------------------


def test_a_ratio_by_hand():
    # Two matches, (1, 1) and (2, 3), and the same again four times over: 12/16. Variances over 8
    # matches 2/7 and 8/7, covariance 4/7, times 8; t^2 = 2.3646^2 = 5.5915. The roots of
    # (256 - 64 t^2 / 7) r^2 - 2 (192 - 32 t^2 / 7) r + 144 - 16 t^2 / 7.
    frame = pd.DataFrame({"a": [1, 2] * 4, "b": [1.0, 3] * 4, "m": range(8)})
    found = ratio_interval(frame, ("a", "b"), "m")
    a, b, c = 256 - 64 * 5.5915 / 7, 192 - 32 * 5.5915 / 7, 144 - 16 * 5.5915 / 7
    reach = np.sqrt(b * b - a * c)
    assert found == pytest.approx((0.75, (b - reach) / a, (b + reach) / a), abs=1e-4)


def test_a_ratio_to_equal_sums_has_the_t_interval_of_a_mean():
    frame = pd.DataFrame({"a": [1.0, 3, 2, 7], "b": 1.0, "m": range(4)})
    assert ratio_interval(frame, ("a", "b"), "m") == pytest.approx(
        cluster_interval(frame, "a", "m")
    )


def test_a_ratio_may_be_certain_or_have_no_ends():
    frame = pd.DataFrame({"a": [2.0, 4, 6, 8], "b": [1.0, 2, 3, 4], "m": range(4)})
    assert ratio_interval(frame, ("a", "b"), "m") == pytest.approx((2, 2, 2))
    any_ratio = ratio_interval(frame.assign(b=[1.0, -2, 3, -1]), ("a", "b"), "m")
    assert any_ratio.estimate == 20 and np.isnan(any_ratio.low) and np.isnan(any_ratio.high)
    assert np.isnan(ratio_interval(frame[:0], ("a", "b"), "m").estimate)
    assert np.isnan(ratio_interval(frame[:1], ("a", "b"), "m").low)
