"""Intraclass correlation by hand, beside a mixed model, and coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from dixitlib.analysis import variance


def rows(values):
    """A frame of a nested list, one inner list a cluster."""
    pairs = [(k, y) for k, group in enumerate(values) for y in group]
    return pd.DataFrame(pairs, columns=["table", "hit"])


def test_correlation_by_hand():
    # Means 1, 4, 4, grand mean 3: MSB = 2 (4 + 1 + 1) / 2 = 6; within squares 2 + 2 + 0 = 4,
    # MSW = 4/3: (6 - 4/3) / (6 + 4/3) = 14/22.
    found = variance.intraclass(rows([[0, 2], [3, 5], [4, 4]]), "hit", "table")
    assert found.estimate == pytest.approx(14 / 22)


def test_unequal_tables_by_hand():
    # Sizes 2, 1, 3 (m = (6 - 14/6) / 2 = 11/6), means 1, 3, 2, grand mean 11/6:
    # MSB = (2 * 25/36 + 49/36 + 3 * 1/36) / 2 = 17/12; within 2 + 0 + 2 = 4, MSW = 4/3.
    found = variance.intraclass(rows([[0, 2], [3], [1, 2, 3]]), "hit", "table")
    assert found.estimate == pytest.approx((17 / 12 - 4 / 3) / (17 / 12 + 5 / 6 * 4 / 3))


def test_equal_tables_are_those_of_a_mixed_model():
    rng = np.random.default_rng(0)
    frame = rows(rng.normal(size=(60, 1)) + rng.normal(size=(60, 5)))
    fit = smf.mixedlm("hit ~ 1", frame, groups=frame["table"]).fit(reml=True)
    between = float(fit.cov_re.iloc[0, 0])
    found = variance.intraclass(frame, "hit", "table")
    assert found.estimate == pytest.approx(between / (between + fit.scale), abs=1e-4)


def test_votes_that_always_agree_and_always_split():
    assert variance.intraclass(rows([[1, 1], [0, 0], [1, 1]]), "hit", "table").estimate == 1
    split = variance.intraclass(rows([[0, 1], [1, 0], [0, 1]]), "hit", "table")
    assert split == (-1, -1, -1)


def test_the_interval_covers():
    # 150 studies of 60 tables of three votes, correlated 0.25 by a shared draw (with
    # chance sqrt(rho) a vote is the table's own). Monte Carlo error 1.8 points.
    rng = np.random.default_rng(1)
    shared = rng.random((150, 60, 3)) < 0.5
    draws = rng.random((2, 150, 60, 3)) < 0.4
    votes = np.where(shared, draws[0][:, :, :1], draws[1])
    table, covered = np.repeat(range(60), 3), []
    for hits in votes.reshape(150, 180):
        frame = pd.DataFrame({"hit": hits, "table": table})
        _, low, high = variance.intraclass(frame, "hit", "table")
        covered.append(low <= 0.25 <= high)
    assert 0.91 < np.mean(covered) < 0.99


@pytest.mark.parametrize("values", [[], [[1, 0]], [[1], [0], [1]], [[1, 1], [1, 1]]])
def test_what_cannot_be_said_is_nan(values):
    assert np.isnan(variance.intraclass(rows(values), "hit", "table")).all()


def test_the_design_effect_is_what_clusters_cost():
    # Four tables of three votes that always agree are worth four votes.
    frame = rows([[1] * 3, [0] * 3, [1] * 3, [0] * 3]).assign(vote=range(12))
    found = variance.clustering(frame, "hit", ["table", "vote"]).set_index("cluster")
    assert found.loc["table", ["clusters", "rows", "size", "rho"]].tolist() == [4, 12, 3, 1]
    assert found.loc["table", ["design_effect", "worth"]].tolist() == [3, 4]
    assert found.loc["vote", ["rho", "low", "high", "worth"]].isna().all()
