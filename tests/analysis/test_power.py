"""Power beside statsmodels' formula for large samples, and beside what simulated studies find."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import power_proportions_2indep

from dixitlib.analysis import power


def test_many_independent_rounds_are_those_of_the_normal_formula():
    expected = power_proportions_2indep(0.04, 0.14, 1000, return_results=False)
    assert power.power(0.18, 0.14, 1000) == pytest.approx(expected, abs=0.005)
    assert 0.6 < expected < 0.8


def test_clusters_count_for_their_worth():
    # Perfectly correlated rounds of a match are one round.
    assert power.power(0.6, 0.3, 240, size=12, rho=1) == pytest.approx(power.power(0.6, 0.3, 20))
    assert power.power(0.6, 0.3, 240, size=12, rho=0.2) < power.power(0.6, 0.3, 240, size=12)


@pytest.mark.parametrize("first", [0.3, 0.5])
def test_simulated_studies_find_as_often(first):
    # 4,000 studies of 14 matches a player, 12 rounds each, chances beta-distributed between
    # matches with correlation 0.1, compared by a t test of match means. The formula takes
    # the means as normal, which costs it up to three points.
    rng, rho = np.random.default_rng(0), 0.1
    means = [
        rng.binomial(12, rng.beta(p * 9, (1 - p) * 9, size=(4000, 14))) / 12 for p in (first, 0.3)
    ]
    p = stats.ttest_ind(*means, axis=1).pvalue
    expected = power.power(first, 0.3, 14 * 12, size=12, rho=rho)
    assert np.mean(p <= 0.05) == pytest.approx(expected, abs=0.035)


def test_the_three_questions_agree():
    rounds = power.rounds_needed(0.3, 0.5, size=12, rho=0.1)
    assert rounds % 12 == 0
    found = [power.power(0.3, 0.5, n, size=12, rho=0.1) for n in (rounds - 12, rounds)]
    assert found[0] < 0.8 <= found[1]
    rise = power.detectable(0.3, 84, size=12, rho=0.1)
    assert power.power(0.3, 0.3 + rise, 84, size=12, rho=0.1) == pytest.approx(0.8, abs=1e-4)


def test_no_difference_is_found_as_often_as_alpha():
    assert power.power(0.3, 0.3, 84, alpha=0.01) == pytest.approx(0.01)
    assert np.isnan(power.rounds_needed(0.3, 0.3))


def test_out_of_reach_is_nan():
    assert np.isnan(power.power(0.3, 0.5, 12, size=12))
    assert np.isnan(power.detectable(0.9, 24, size=12))


def test_shares_without_variance():
    assert power.power(0, 1, 4) == 1
    assert power.power(1, 1, 4) == 0


@pytest.mark.parametrize("bad", [{"first": 1.2}, {"rho": -0.1}, {"size": 0}])
def test_impossible_designs_are_refused(bad):
    with pytest.raises(ValueError, match="lie between 0 and 1"):
        power.power(**({"first": 0.3, "second": 0.5, "rounds": 84} | bad))
