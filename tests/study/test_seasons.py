"""Seasons of known rating: intervals hold the truth and are as wide as on paper."""

import numpy as np
import pytest

from dixitlib.analysis import sparse
from dixitlib.study import seasons

PLAYERS, OPPONENTS = 240, 40


@pytest.fixture(scope="module")
def truth():
    return seasons.field(PLAYERS, 1.0)


def test_a_balanced_season_is_as_the_formula_says(truth):
    season = seasons.balanced(truth, OPPONENTS)
    made = seasons.judged(season, seasons.rated(season))
    assert made["opponents"] == OPPONENTS and made["matches"] == PLAYERS * OPPONENTS / 2
    assert made["half_width"] == pytest.approx(sparse.half_width(OPPONENTS, truth.std()), rel=0.03)
    assert made["low"] < made["half_width"] < made["high"]
    # 240 intervals at 95%: 0.014 is the standard error, three of them are allowed.
    assert made["coverage"] == pytest.approx(0.95, abs=0.042)
    assert made["coverage_low"] < made["coverage"] < made["coverage_high"]
    assert made["order"] > 0.9


def test_chosen_matches_tell_more_and_intervals_still_hold():
    truth = seasons.field(PLAYERS, 2.0)
    start = seasons.balanced(truth, 16)
    season, known = seasons.active(start, 8, 3)
    made = seasons.judged(season, known)
    assert OPPONENTS - 1 < made["opponents"] <= OPPONENTS
    assert (season.pairs[: len(start.pairs)] == start.pairs).all()
    assert made["half_width"] < 0.9 * sparse.half_width(made["opponents"], truth.std())
    assert made["coverage"] == pytest.approx(0.95, abs=0.042)


def test_the_same_seed_plays_the_same_season(truth):
    first, again, other = (seasons.balanced(truth, 6, seed) for seed in (1, 1, 2))
    assert (first.won == again.won).all() and (first.pairs == again.pairs).all()
    assert not np.array_equal(first.won, other.won)
    assert truth.sum() == pytest.approx(0) and truth.std() == pytest.approx(1, abs=0.15)
