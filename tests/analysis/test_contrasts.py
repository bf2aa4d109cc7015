"""Paired tests by hand, beside scipy and statsmodels, and how often they err."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from dixitlib.analysis import contrasts

# --- pairs ------------------------------------------------------------------------------


def test_pairs_are_what_both_sides_hold():
    one = pd.DataFrame({"item": [1, 2, 3, 4], "card": list("aabb"), "credit": [1, 0, 0.5, None]})
    other = pd.DataFrame({"item": [4, 3, 2, 9], "card": list("bbac"), "credit": [1, 0, 1, 1]})
    found = contrasts.paired(one, other, "credit", ["item", "card"])
    assert found["item"].tolist() == [2, 3]
    assert found["difference"].tolist() == [-1, 0.5]


def test_pairs_that_are_not_unique_are_refused():
    frame = pd.DataFrame({"item": [1, 1], "credit": [0, 1]})
    with pytest.raises(ValueError, match=r"2?1 rows of the second frame .* such as {'item': 1}"):
        contrasts.paired(frame.head(1), frame, "credit", ["item"])


# --- permutation ------------------------------------------------------------------------


def test_flips_by_hand():
    # Cluster sums 3, 1, 2: of 8 flips only +++ and --- reach 6, so p = 2/8.
    frame = pd.DataFrame({"d": [1, 2, 1, 2], "m": [1, 1, 2, 3]})
    assert contrasts.paired_permutation(frame, "d", "m") == (
        1.5,
        0.25,
        "3 clusters: no p below 0.25",
    )


def test_flips_are_those_of_scipy():
    d = np.random.default_rng(0).normal(0.4, 1, 11)
    frame = pd.DataFrame({"d": d, "m": range(11)})
    expected = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert contrasts.paired_permutation(frame, "d", "m").p == pytest.approx(expected.pvalue)


def test_random_flips_come_near_all_flips():
    d = np.random.default_rng(1).normal(0.5, 1, 12)
    frame = pd.DataFrame({"d": d, "m": range(12)})
    exact = contrasts.paired_permutation(frame, "d", "m")
    drawn = contrasts.paired_permutation(frame, "d", "m", draws=3999, seed=3)
    assert drawn.p == pytest.approx(exact.p, abs=0.015)
    assert drawn == contrasts.paired_permutation(frame, "d", "m", draws=3999, seed=3)


def test_flips_err_as_often_as_they_say():
    # 600 studies of 10 matches of 6 alike pairs without a difference; Monte Carlo error 0.9.
    rng = np.random.default_rng(4)
    match = np.repeat(range(10), 6)
    shared = rng.normal(size=(600, 10))[:, match] + rng.normal(size=(600, 60))
    p = [
        contrasts.paired_permutation(pd.DataFrame({"d": d, "m": match}), "d", "m").p for d in shared
    ]
    assert 0.03 < np.mean(np.array(p) <= 0.05) <= 0.065


def test_no_pairs_no_test():
    found = contrasts.paired_permutation(pd.DataFrame({"d": [np.nan], "m": [1]}), "d", "m")
    assert np.isnan(found[:2]).all()
    assert found.note == "no pairs"


# --- McNemar ----------------------------------------------------------------------------


def test_mcnemar_by_hand():
    # 6 only the first, 1 only the second: p = 2 (1 + 7) / 2^7 = 0.125; difference 5/12.
    first, second = [1] * 6 + [0] + [1] * 3 + [0] * 2, [0] * 6 + [1] + [1] * 3 + [0] * 2
    found = contrasts.mcnemar(first, second)
    assert found == pytest.approx((5 / 12, 0.125, ""))
    assert contrasts.mcnemar(second, first).p == found.p


def test_mcnemar_leaves_out_what_one_side_lacks_and_says_when_nothing_differs():
    assert contrasts.mcnemar([1, 0, None], [1, 0, 1]) == (0, 1, "the sides never differ")
    found = contrasts.mcnemar(pd.array([True, None], dtype="boolean"), [None, 1])
    assert np.isnan(found[:2]).all()


def test_mcnemar_refuses_shared_credit():
    with pytest.raises(ValueError, match=r"not credits of 0.25, 0.5: use paired_permutation"):
        contrasts.mcnemar([1, 0.5, 0.25], [1, 0, 1])
    with pytest.raises(ValueError):
        contrasts.mcnemar([1, 0], [1])


# --- equivalence ------------------------------------------------------------------------


def test_equivalence_is_the_two_one_sided_tests_of_statsmodels():
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(2, 20))
    expected, _, _ = ttost_paired(one, other, -0.6, 0.6)
    frame = pd.DataFrame({"d": one - other, "m": range(20)})
    found = contrasts.equivalence(frame, "d", "m", 0.6)
    assert found.p == pytest.approx(expected)
    assert found.equivalent == (found.low > -0.6 and found.high < 0.6)


def test_equivalence_errs_as_often_as_it_says():
    # The true difference lies on the margin: it must not be called smaller.
    rng = np.random.default_rng(4)
    match = np.repeat(range(12), 4)
    d = 1 + rng.normal(size=(600, 12))[:, match] + rng.normal(size=(600, 48))
    found = [
        contrasts.equivalence(pd.DataFrame({"d": row, "m": match}), "d", "m", 1.0) for row in d
    ]
    assert 0.03 < np.mean([each.equivalent for each in found]) <= 0.065


def test_equivalence_without_error_or_without_data():
    frame = pd.DataFrame({"d": [0.1] * 4, "m": [1, 1, 2, 2]})
    assert contrasts.equivalence(frame, "d", "m", 0.2).equivalent
    assert not contrasts.equivalence(frame, "d", "m", 0.05).equivalent
    for part, note in ((frame[:2], "one cluster: no error"), (frame[:0], "nothing observed")):
        found = contrasts.equivalence(part, "d", "m", 0.2)
        assert not found.equivalent
        assert found.note == note
        assert np.isnan(found.p)
    with pytest.raises(ValueError, match="a margin of 0"):
        contrasts.equivalence(frame, "d", "m", 0)


# --- Holm -------------------------------------------------------------------------------


def test_holm_by_hand():
    # 3 * 0.01, then 2 * 0.02 and 1 * 0.035, which may not fall below it.
    assert contrasts.holm([0.02, 0.01, 0.035]) == pytest.approx([0.04, 0.03, 0.04])
    # A test that was not made counts: 4 * 0.01, 3 * 0.02, 2 * 0.035.
    found = contrasts.holm([0.02, 0.01, np.nan, 0.035])
    assert found == pytest.approx([0.06, 0.04, np.nan, 0.07], nan_ok=True)
    assert contrasts.holm([]).size == 0
