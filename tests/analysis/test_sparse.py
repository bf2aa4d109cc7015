"""Ratings from few matches are those of choix, and their intervals those of the formula."""

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import pairing, sparse
from dixitlib.analysis.ratings import RATING_SD, bradley_terry


def test_ratings_are_those_of_the_small_model():
    rng = np.random.default_rng(3)
    pairs = pairing.circle(7, (1, 3))
    won = rng.choice([0.0, 0.5, 1.0], len(pairs))
    frame = pd.DataFrame({"first": pairs[:, 0], "second": pairs[:, 1], "result": won})
    small = bradley_terry(frame).set_index("player")["rating"].sort_index()
    known = sparse.fit(pairs, won, 7, RATING_SD)
    assert known.ratings == pytest.approx(small.to_numpy(), abs=1e-4)
    again = sparse.fit(pairs, won, 7, RATING_SD, start=known.ratings + 0.1)
    assert again.ratings == pytest.approx(known.ratings, abs=1e-8)


def test_errors_by_hand():
    # Two players, four matches, two won each, prior 1: the difference d has the precision
    # 4 * 1/4 + 1/2 (its prior variance is 2), and each rating is d / 2, so 1 / 1.5 / 4.
    known = sparse.fit(np.array([[0, 1]] * 4), np.array([1.0, 1, 0, 0]), 2, 1.0)
    assert known.ratings == pytest.approx([0, 0])
    assert known.errors**2 == pytest.approx([1 / 6, 1 / 6])
    # Three players, all pairs, no prior: see test_pairing.
    planned = sparse.covariance(pairing.round_robin(3), np.zeros(3))
    assert np.diag(planned) == pytest.approx([8 / 9] * 3)
    assert planned.sum() == pytest.approx(0), "only differences are known"


def test_players_that_never_meet_can_not_be_compared():
    with pytest.raises(ValueError, match="5 players fall into 2 groups"):
        sparse.covariance(np.array([[0, 1], [2, 3], [3, 4]]), np.zeros(5))


def test_widths_on_paper():
    # Nearly equal players: information 1/4 a match and 1 / 0.1^2 by the prior, less what the
    # small spread takes: 1.96 / sqrt(1000 / 4 + 100).
    assert sparse.half_width(1000, 0.1) == pytest.approx(1.96 / np.sqrt(350), rel=0.005)
    # A field of sd 1: averaged over players, a match tells E p(1-p), about the density at 0 of
    # the sum of a logistic and a normal of variance 2; 0.18 by numerical integration.
    mean = sparse.WEIGHTS @ sparse.information(sparse.NODES, 1.0)
    grid = np.linspace(-12, 12, 20001)
    density = np.exp(-(grid**2) / 4) / np.sqrt(4 * np.pi) / (4 * np.cosh(grid / 2) ** 2)
    assert mean == pytest.approx(density.sum() * (grid[1] - grid[0]), abs=1e-4)
    needed = sparse.opponents_needed(0.5, 1.0)
    assert needed % 2 == 0
    assert sparse.half_width(needed, 1.0) <= 0.5 < sparse.half_width(needed - 2, 1.0)


def test_the_width_of_a_field_is_read_off_its_wins():
    rng = np.random.default_rng(5)
    pairs = pairing.circle(600, pairing.spread_out(600, 40))
    for spread in (0.5, 2.0):
        truth = rng.normal(0, spread, 600)
        ahead = truth[pairs[:, 0]] - truth[pairs[:, 1]]
        won = (rng.random(len(pairs)) < 1 / (1 + np.exp(-ahead))).astype(float)
        assert sparse.field_sd(pairs, won, 600) == pytest.approx(truth.std(), rel=0.1)
    ties = np.full(len(pairs), 0.5)
    assert sparse.field_sd(pairs, ties, 600) == sparse.NARROW
    order = (pairs[:, 0] < pairs[:, 1]).astype(float)
    two = np.array([[0, 1]])
    assert sparse.field_sd(two, order[:1], 2) == sparse.WIDE
