"""The proofs that the certificate names: why some intervals have to hold the truth too often."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dixitlib.analysis import opponents, ratings, regression
from dixitlib.analysis.inference import cluster_estimate
from dixitlib.study import trials
from dixitlib.study.reported import strengths_of
from dixitlib.study.simulator import play


def test_five_matches_tell_no_equals_apart():
    # 5 of 5, or 0 of 5, happens to one in 16 equals, and such a player has no interval.
    assert stats.binomtest(5, 5).pvalue == pytest.approx(1 / 16)
    won = pd.DataFrame({"match": range(5), "first": "a", "second": list("bcdef"), "result": 1.0})
    rated = ratings.bradley_terry(won).set_index("player")
    assert np.isnan(rated.loc["a", "low"])


def jackknife(means):
    """The variance of a share over a match of 24 rounds and five of 12, by these matches' means."""
    rounds = np.array([24, 12, 12, 12, 12, 12])
    frame = pd.DataFrame({"match": range(6), "hits": rounds * np.array(means), "rounds": rounds})
    return cluster_estimate(frame, ("hits", "rounds"), "match").error ** 2


def test_a_long_match_unlike_the_others_makes_the_jackknife_cautious():
    # The jackknife is a square form of the matches' means: its mean is its value at what is
    # expected of them, plus each mean's variance times its value where that mean alone is 1.
    against_itself, other = jackknife([1, 0, 0, 0, 0, 0]), jackknife([0, 1, 0, 0, 0, 0])
    assert against_itself == pytest.approx(5 / 6 * (0.4**2 * 25 / 49 + 5 / 6**2 * 4 / 49))
    # Of a match against itself the mean varies half as much as of one half as long, or less.
    for ratio in (0.0, 0.5, 1.0):
        true = (4 * ratio + 5) / 49
        assert against_itself * ratio + 5 * other > true


def test_what_weak_players_win_of_each_other_makes_cr2_cautious():
    rounds, votes = trials.tournament(trials.ALIKE, 0, seed=1, setting=trials.Setting())
    strength = strengths_of(rounds["storyteller"])
    matches = opponents.match_scores(rounds, votes, pd.Series(strength))
    weak = matches[matches["player"].isin(list("abc"))]
    design = regression.design_of(weak, "score ~ theirs + C(player)")
    codes = regression.codes_of(weak, "match", design)
    form, slope = square_form(design, codes, design.terms.index("theirs"))
    together = (codes[:, None] == codes) - np.eye(len(codes))
    for correlation, excess, df in ((0.0, 1.0, 5.1), (-0.9, 1.13, 6.9)):
        noise = np.eye(len(codes)) + correlation * together
        seen = form @ noise
        assert np.trace(seen) / (slope @ noise @ slope) == pytest.approx(excess, abs=0.01)
        freedom = np.trace(seen) ** 2 / np.trace(seen @ seen)
        assert freedom == pytest.approx(df, abs=0.05)


def test_few_matches_that_carry_a_term_make_cv3_cautious():
    # Of a linear model with equal noise: without a match m, estimates change by
    # inv(X'X - X_m'X_m) X_m'r_m, and residuals r vary with 1 - X inv(X'X) X'.
    _, votes = trials.tournament(trials.ALIKE, 0, seed=1, setting=trials.Setting())
    design = regression.design_of(votes, "hit ~ own + listener + storyteller")
    x, codes = design.x, regression.codes_of(votes, "match", design)
    bread, term = np.linalg.inv(x.T @ x), design.terms.index("own")
    expected = 0.0
    for part in (x[codes == match] for match in range(21)):
        change = (np.linalg.inv(x.T @ x - part.T @ part) @ part.T)[term]
        expected += 20 / 21 * (change @ change - change @ part @ bread @ part.T @ change)
    assert expected / bread[term, term] == pytest.approx(1.2, abs=0.01)


def test_scores_of_one_match_are_near_opposite():
    played = play(trials.ALIKE, 40, seed=3, pairs=[(0, 1)])
    scored = [opponents.match_scores(played.rounds(k), played.votes(k))["score"] for k in range(40)]
    assert np.corrcoef(np.array(scored).T)[0, 1] == pytest.approx(-0.9, abs=0.1)


def square_form(design, codes, term):
    """CR2 of a term as a square form of the outcome, and the term as a linear one."""
    bread = np.linalg.inv(design.x.T @ design.x)
    left = np.eye(len(codes)) - design.x @ bread @ design.x.T
    ones = np.eye(len(codes))
    plus, minus = (
        (ones[:, :, None] + sign * ones[:, None, :]).reshape(len(codes), -1) for sign in (1, -1)
    )
    both = [regression.cr2(design.x, left @ y, codes)[0][term] ** 2 for y in (plus, minus)]
    return ((both[0] - both[1]) / 4).reshape(len(codes), -1), (bread @ design.x.T)[term]
