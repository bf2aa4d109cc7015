"""Scores by opponent, on tables that can be added up by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.opponents import match_scores, strength, variance_ratio, weaker_half

AABB, AACC, AAAA = tuple("aabb"), tuple("aacc"), tuple("aaaa")


@pytest.fixture
def played(make_frames):
    rounds, votes = make_frames(
        [
            (0, 1, AABB, 0, (1, 0, 0)),  # a tells: partial; heard by a, b, b
            (0, 2, AABB, 2, (1, 1, 1)),  # b tells: all correct; heard by a, a, b
            (0, 3, AABB, 0, None),  # void
            (1, 1, AACC, 2, (0, 0, 0)),  # c tells: all wrong; heard by a, a, c
            (2, 1, AAAA, 0, (1, 0, 0)),  # self-play
        ]
    )
    cross = {0: True, 1: True, 2: False}
    return tuple(f.assign(cross=f["match"].map(cross)) for f in (rounds, votes))


def test_scores_by_hand(played):
    found = match_scores(*played).set_index(["match", "player"])
    assert list(found.index) == [(0, "a"), (0, "b"), (1, "c"), (1, "a")]
    assert found.loc[(0, "a"), "opponent"] == "b"
    # a: told 1, partial; heard 1 + 2 votes, 3 correct. Listeners get 5/3 each, then 3 each.
    a = found.loc[(0, "a")]
    assert a[["told", "partial", "heard", "correct"]].tolist() == [1, 1, 3, 3]
    assert a["points"] == pytest.approx(3 + 5 / 3 + 6)
    assert a["possible"] == 3 + 3 * 5
    # c: told 1, all wrong; heard once, 9/3 points of consolation and bonus.
    assert found.loc[(1, "c"), "score"] == pytest.approx(3 / 8)
    assert found.loc[(1, "a"), "told"] == 0


def test_strengths_stand_beside(played):
    strengths = pd.Series({"a": 3.0, "b": 2.0, "c": 1.0})
    found = match_scores(*played, strengths)
    assert found["own"].tolist() == [3, 2, 1, 3]
    assert found["theirs"].tolist() == [2, 3, 3, 1]


def test_strength_is_given_or_measured(played):
    votes = played[1]
    given = strength(votes, {"a": 1, "b": 2, "c": 3, "d": 4})
    assert given.to_dict() == {"a": 1, "b": 2, "c": 3}
    # On others' clues a hits 2 of 4, b 0 of 2; c hears none but its own.
    measured = strength(votes, {"a": 1})
    assert measured["a"] == 1 and measured["b"] == -1 and np.isnan(measured["c"])


def test_the_weaker_half_leaves_the_odd_one_out():
    assert weaker_half(pd.Series({"a": 2, "b": 1, "c": 1, "d": 0, "e": 5})) == ["d", "b"]


def scores(values):
    """Scores of a full round robin of four players; `values` give a spread by match."""
    pairs = [(x, y) for k, x in enumerate("abcd") for y in "abcd"[k + 1 :]]
    rows = [
        (m, *(pair if side > 0 else pair[::-1]), 0.5 + side * values[m])
        for m, pair in enumerate(pairs)
        for side in (1, -1)
    ]
    return pd.DataFrame(rows, columns=["match", "player", "opponent", "score"])


def test_variance_ratio_by_hand():
    # Weak are a, b and c, whose matches are 0 (ab), 1 (ac), 3 (bc). Scores are 0.5 +- v:
    # variances sum v^2 * 2 / 5 each, so their ratio is that of the sums.
    found = variance_ratio(scores([0.3, 0.2, 0.1, 0.3, 0.1, 0.1]), list("abc"))
    assert found.estimate == pytest.approx((0.09 + 0.04 + 0.09) / 0.03)
    assert found.p == pytest.approx(1 / 20)  # the most extreme of C(6, 3) ways
    assert variance_ratio(scores([0.2] * 6), list("abc")).p == 1


def test_too_few_weak_matches_say_so():
    found = variance_ratio(scores([0.1] * 6), ["a", "b"])
    assert np.isnan(found.p)
    assert found.note == "1 of 6 matches between weak ones"


def test_random_ways_hold_the_observed_one():
    found = variance_ratio(scores([0.3, 0.2, 0.1, 0.3, 0.1, 0.1]), list("abc"), draws=10)
    assert found.p >= 1 / 11
