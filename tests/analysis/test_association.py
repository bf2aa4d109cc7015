"""Correlations beside scipy, permutations by hand, and what few points cover."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dixitlib.analysis.association import (
    associate,
    critical,
    disattenuated,
    leave_one_out,
    reliability,
)

X, Y = [1, 2, 3, 4, 5, 6], [2.0, 1, 4, 3, 6, 5.5]


@pytest.mark.parametrize(
    ("kind", "of_scipy"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_coefficients_are_those_of_scipy_and_p_is_that_of_all_orders(kind, of_scipy):
    found = associate(X, Y, kind)
    assert found.estimate == pytest.approx(of_scipy(X, Y)[0])
    expected = stats.permutation_test(
        (Y,), lambda y: of_scipy(X, y)[0], permutation_type="pairings", n_resamples=np.inf
    )
    assert found.p == pytest.approx(expected.pvalue)


def test_pearsons_interval_is_fishers():
    expected = stats.pearsonr(X, Y).confidence_interval()
    assert associate(X, Y)[1:3] == pytest.approx(tuple(expected))


def test_a_perfect_order_of_six_is_two_in_720():
    for kind in ("pearson", "spearman", "kendall"):
        assert associate(X, X, kind).p == pytest.approx(2 / 720)


def test_a_perfect_correlation_has_no_interval():
    found = associate(X, X)
    assert np.isnan(found[1:3]).all()
    assert found.note == "perfect: no interval"


def test_many_points_are_permuted_at_random_and_alike():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 30))
    found = associate(x, y, draws=1999, seed=1)
    assert found.p == pytest.approx(stats.pearsonr(x, y)[1], abs=0.04)
    assert found == associate(x, y, draws=1999, seed=1)


def test_six_points_cover():
    # 400 studies of six players, true correlation 0.8; Monte Carlo error 1.1 points.
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 6))
    y = 0.8 * x + 0.6 * rng.normal(size=(400, 6))
    found = [associate(*pair, draws=1) for pair in zip(x, y, strict=True)]
    assert 0.92 < np.mean([f.low <= 0.8 <= f.high for f in found]) < 0.98


def test_permutations_err_as_often_as_they_say():
    # 200 studies of six unrelated measures; Monte Carlo error 1.5 points.
    rng = np.random.default_rng(2)
    p = [associate(*rng.normal(size=(2, 6))).p for _ in range(200)]
    assert np.mean(np.array(p) <= 0.05) < 0.08


def test_what_cannot_be_said_is_nan_with_a_reason():
    few = associate([1, 2, np.nan], [1, 2, 3])
    assert np.isnan(few[:4]).all()
    assert few[4:] == (2, "fewer than three points")
    flat = associate([1, 1, 1, 1], [1, 2, 3, 4])
    assert np.isnan(flat[:4]).all()
    assert flat.note == "a measure does not vary"
    assert np.isnan(associate([1, 2, 3], [1, 3, 2])[1:3]).all()


def test_leaving_one_out_finds_the_point_that_makes_it():
    frame = pd.DataFrame({"who": list("abcde"), "x": [0, 1, 0, 1, 9], "y": [0, 0, 1, 1, 9]})
    found = leave_one_out(frame, "who", "x", "y", "pearson").set_index("without")["estimate"]
    assert found["e"] == pytest.approx(0)
    assert found.drop("e").min() > 0.9


def test_reliability_and_attenuation_by_hand():
    # Variance 1 (sd of 1, 2, 3), noise 0.25: 0.75. Observed 0.6 from 0.6 / sqrt(0.75 * 0.48).
    assert reliability([1, 2, 3], [0.5, 0.5, 0.5]) == pytest.approx(0.75)
    assert disattenuated(0.6, 0.75, 0.48) == pytest.approx(1.0)
    assert reliability([1, 2, 3], [5, 5, 5]) == 0
    assert np.isnan(reliability([1, 2, 3], [0.5, np.nan, 0.5]))
    assert np.isnan(
        [reliability([1, 1], [1, 1]), reliability([], []), disattenuated(1, 0, 1)]
    ).all()


def test_six_points_need_a_correlation_above_0_81():
    # t(0.975, 4) = 2.776445: 2.776445 / sqrt(2.776445^2 + 4) = 0.811401.
    assert critical(6) == pytest.approx(0.811401, abs=1e-6)
    assert np.isnan(critical(2))
