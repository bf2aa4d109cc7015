"""Kappas and alpha by hand and from their authors' examples, intervals, and coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import agreement

# Fleiss's own kind of table: counts of five values by fourteen raters on ten items
# (Fleiss 1971, as worked through on Wikipedia): kappa 0.210.
COUNTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# Krippendorff (2011), four observers, twelve units: nominal 0.743, ordinal 0.815,
# interval 0.849, ratio 0.797.
NAN = np.nan
RELIABILITY = pd.DataFrame(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T


def test_cohen_by_hand():
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: seen 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4.
    ratings = pd.DataFrame(
        [["yes", "yes"]] * 20 + [["yes", "no"]] * 5 + [["no", "yes"]] * 10 + [["no", "no"]] * 15
    )
    estimate, low, high = agreement.cohen(ratings)
    assert estimate == pytest.approx(0.4)
    # Near the error for large samples, sqrt(0.7 * 0.3 / 50) / 0.5 = 0.1296.
    assert high - low == pytest.approx(2 * 2.01 * 0.1296, rel=0.05)


def test_weighted_cohen_by_hand():
    # Ranks (0,0), (1,2), (2,1), (2,2): squared distances 1 + 1 over 4 items; by chance the
    # mean of (i - j)^2 over all 16 pairs: both sides hold 0, 1, 2, 2, variance 11/16 each,
    # equal means: 22/16. Kappa 1 - (2/4) / (22/16) = 7/11.
    ratings = pd.DataFrame([[1, 1], [2, 3], [3, 2], [3, 3]])
    assert agreement.cohen(ratings, weights="quadratic").estimate == pytest.approx(7 / 11)


def test_fleiss_is_the_published_example():
    rows = [np.repeat(range(5), counts) for counts in COUNTS]
    assert agreement.fleiss(pd.DataFrame(rows)).estimate == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize(
    ("measurement", "value"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_is_the_published_example(measurement, value):
    found = agreement.alpha(RELIABILITY, measurement=measurement)
    assert found.estimate == pytest.approx(value, abs=5e-4)
    assert found.low < value < found.high


def test_names_do_not_matter_to_nominal_alpha():
    named = RELIABILITY.replace(dict(zip(range(1, 6), "vwxyz", strict=True)))
    assert agreement.alpha(named) == pytest.approx(agreement.alpha(RELIABILITY))


def test_the_interval_covers():
    # 120 studies: two raters say the truth (one of three) with chance 0.8, else anything:
    # kappa 0.64. Monte Carlo error 2 points.
    rng, covered = np.random.default_rng(0), []
    for _ in range(120):
        truth = rng.integers(0, 3, (60, 1))
        ratings = np.where(rng.random((60, 2)) < 0.8, truth, rng.integers(0, 3, (60, 2)))
        _, low, high = agreement.cohen(pd.DataFrame(ratings))
        covered.append(low <= 0.64 <= high)
    assert 0.91 < np.mean(covered) < 0.99


def test_a_table_of_all_that_fits():
    found = agreement.agreement(RELIABILITY[[0, 1]]).set_index("coefficient")
    assert found["items"].tolist() == [9, 9, 9]
    assert found.index[0] == "Cohen's kappa"
    assert (found["note"] == "").all()
    three = agreement.agreement(RELIABILITY, measurement="ordinal")
    assert three["items"].tolist() == [8, 11]


def test_what_cannot_be_said_is_nan_with_a_reason():
    same = agreement.agreement(pd.DataFrame([[1, 1]] * 5))
    assert same[["estimate", "low"]].isna().all(axis=None)
    assert same["note"].str.contains("nothing can disagree").all()
    none = agreement.agreement(pd.DataFrame([[1, None], [None, 2]], dtype=float))
    assert none["estimate"].isna().all()
    assert (none["note"] == "no item was rated twice").all()
    one = agreement.agreement(pd.DataFrame([[1, 1]] * 5 + [[0, 0]]))
    assert one["estimate"].eq(1).all()
    assert one["note"].str.startswith("too few").all()


def test_the_number_of_raters_is_checked():
    with pytest.raises(ValueError, match="two raters, not 4"):
        agreement.cohen(RELIABILITY)
    with pytest.raises(ValueError, match="two raters or more"):
        agreement.fleiss(RELIABILITY[[0]])
