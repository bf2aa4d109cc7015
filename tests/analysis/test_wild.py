"""The wild cluster bootstrap: a case done the long way, its size, and its interval."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import wild
from dixitlib.analysis.regression import Design, linear
from dixitlib.seeds import place


def study(rng, clusters=8, rows=9, effect=0.0):
    match = np.repeat(range(clusters), rows)
    x = rng.normal(size=clusters)[match] + 0.5 * rng.normal(size=len(match))
    y = effect * x + rng.normal(size=clusters)[match] + rng.normal(size=len(match))
    return pd.DataFrame({"y": y, "x": x, "match": match})


def test_it_is_what_refitting_every_draw_gives():
    frame = study(np.random.default_rng(0), effect=0.4)
    x = np.column_stack([np.ones(len(frame)), frame["x"]])
    codes, y = frame["match"].to_numpy(), frame["y"].to_numpy()
    weights = place(5, "wild", 1).choice(np.r_[-wild.WEBB, wild.WEBB], size=(199, 8))

    def t(outcome):
        fit = np.linalg.lstsq(x, outcome)[0]
        scores = np.array([x[codes == g].T @ (outcome - x @ fit)[codes == g] for g in range(8)])
        bread = np.linalg.inv(x.T @ x)
        return fit[1] / np.sqrt((bread @ scores.T @ scores @ bread)[1, 1])

    restricted = y - y.mean()
    drawn = [t(y.mean() + restricted * w[codes]) for w in weights]
    expected = (1 + np.sum(np.abs(drawn) >= abs(t(y)))) / 200
    assert wild.wild_p(frame, "y ~ x", "x", "match", draws=199, seed=5) == pytest.approx(expected)


def test_it_rejects_as_often_as_it_says():
    # 1,000 studies of eight matches without an effect; Monte Carlo error 0.7 points.
    rng, p = np.random.default_rng(1), []
    for _ in range(1000):
        frame = study(rng)
        x = np.column_stack([np.ones(72), frame["x"]])
        design = Design(x, frame["y"].to_numpy(), ("1", "x"), frame.index)
        p.append(wild.wild_p_of(design, frame["match"].to_numpy(), 1, draws=199))
    assert 0.03 < np.mean(np.array(p) <= 0.05) <= 0.065


def test_the_interval_holds_what_is_not_rejected():
    frame = study(np.random.default_rng(2), effect=1.0)
    interval = wild.wild_interval(frame, "y ~ x", "x", "match", draws=499)
    fitted = linear(frame, "y ~ x", "match").set_index("term").loc["x"]
    assert interval.estimate == pytest.approx(fitted["estimate"])
    for end in interval[1:]:
        inward = 1e-3 * (interval.estimate - end)
        at = [
            wild.wild_p(frame, "y ~ x", "x", "match", null=null, draws=499)
            for null in (end + inward, end - inward)
        ]
        assert at[0] > 0.05 >= at[1]


def test_two_matches_exclude_nothing_and_one_has_no_test():
    frame = study(np.random.default_rng(3))
    few = frame[frame["match"] < 2]
    assert np.isinf(wild.wild_interval(few, "y ~ 1", "Intercept", "match")[1:]).all()
    one = frame[frame["match"] == 0]
    assert np.isnan(wild.wild_p(one, "y ~ 1", "Intercept", "match"))
    assert np.isnan(wild.wild_interval(one, "y ~ 1", "Intercept", "match")[1:]).all()


def test_an_unknown_term_is_named():
    frame = study(np.random.default_rng(4))
    with pytest.raises(ValueError, match="no term 'z'; it has Intercept, x"):
        wild.wild_p(frame, "y ~ x", "z", "match")
