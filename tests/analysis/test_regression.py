"""CR2 by hand and beside statsmodels, logistic and two-way errors, and coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster

from dixitlib.analysis import regression
from dixitlib.analysis.inference import cluster_interval


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    match = np.repeat(range(12), [10, 12, 12, 8, 12, 24, 9, 11, 12, 12, 6, 16])
    who = rng.choice(["a", "b", "c"], len(match))
    x = rng.normal(size=len(match))
    hit = rng.random(len(match)) < 1 / (1 + np.exp(-0.8 * x - rng.normal(size=12)[match]))
    card = rng.integers(0, 20, len(match))
    return pd.DataFrame({"match": match, "card": card, "who": who, "x": x, "hit": hit})


def row(table, term):
    return table.set_index("term").loc[term]


# --- linear -----------------------------------------------------------------------------


def test_the_mean_of_equal_clusters_is_the_t_interval_of_their_means(votes):
    even = votes.groupby("match").head(6)
    found = row(regression.linear(even, "hit ~ 1", "match"), "Intercept")
    expected = cluster_interval(even, "hit", "match")
    assert found[["estimate", "low", "high"]].tolist() == pytest.approx(expected)
    assert found["df"] == pytest.approx(11)


def test_single_rows_give_hc2_and_the_two_sample_degrees_of_freedom():
    # Groups of 3 and 6: CR2 is HC2, here s1^2/3 + s2^2/6, and under equal noise the degrees
    # of freedom are (1/3 + 1/6)^2 / (1/(9 * 2) + 1/(36 * 5)) = 0.25 / (11/180) = 45/11.
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"y": rng.normal(size=9), "g": [0] * 3 + [1] * 6, "k": range(9)})
    found = row(regression.linear(frame, "y ~ g", "k"), "g")
    one, other = frame["y"][:3], frame["y"][3:]
    assert found["error"] == pytest.approx(np.hypot(stats.sem(one), stats.sem(other)))
    assert found["df"] == pytest.approx(45 / 11)
    hc2 = smf.ols("y ~ g", frame).fit(cov_type="HC2")
    assert found["error"] == pytest.approx(hc2.bse["g"])


def test_two_kinds_of_equal_matches_by_hand():
    # Match means 0, 1 against 2, 4 and 3: difference 2.5, errors of means of two and three
    # matches: sqrt(0.5 / 2 + 1 / 3) = 0.763763; df (1/2 + 1/3)^2 / (1/4 + 1/18) = 25/11.
    means = pd.DataFrame({"m": range(5), "g": [0, 0, 1, 1, 1], "y": [0.0, 1, 2, 4, 3]})
    frame = pd.concat([means.assign(y=means["y"] - 0.2), means.assign(y=means["y"] + 0.2)])
    found = row(regression.linear(frame, "y ~ g", "m"), "g")
    assert found[["estimate", "error", "df"]].tolist() == pytest.approx(
        [2.5, np.sqrt(7 / 12), 25 / 11]
    )


def test_many_clusters_give_the_sandwich_of_statsmodels():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"m": np.repeat(range(400), 3), "x": rng.normal(size=1200)})
    frame["y"] = frame["x"] + rng.normal(size=400)[frame["m"]] + rng.normal(size=1200)
    found = row(regression.linear(frame, "y ~ x", "m"), "x")
    fit = smf.ols("y ~ x", frame).fit(cov_type="cluster", cov_kwds={"groups": frame["m"]})
    assert found["estimate"] == pytest.approx(fit.params["x"])
    assert found["error"] == pytest.approx(fit.bse["x"], rel=0.01)


def test_linear_covers_with_ten_uneven_clusters():
    # 1,000 studies of one design: five matches of one kind and five of another, of 8 to 26
    # rows. Monte Carlo error of a coverage of 95% is 0.7 points.
    rng = np.random.default_rng(3)
    codes = np.repeat(range(10), np.arange(8, 28, 2))
    x = np.column_stack([np.ones(len(codes)), codes % 2])
    y = 0.4 * rng.normal(size=(1000, 10))[:, codes] + rng.normal(size=(1000, len(codes)))
    estimates = np.linalg.lstsq(x, y.T)[0]
    errors, df = regression.cr2(x, y.T - x @ estimates, codes)
    covered = np.abs(estimates[1]) <= stats.t.ppf(0.975, df[1]) * errors[1]
    assert 0.92 < covered.mean() < 0.97
    # The usual sandwich, with as many degrees of freedom as clusters less one, covers less.
    usual = [np.sqrt(cov_cluster(sm.OLS(row, x).fit(), codes)[1, 1]) for row in y[:300]]
    reached = np.abs(estimates[1, :300]) <= stats.t.ppf(0.975, 9) * np.array(usual)
    assert reached.mean() < covered[:300].mean()


# --- logistic ---------------------------------------------------------------------------


def test_logistic_has_the_estimates_and_nearly_the_errors_of_statsmodels():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"m": np.repeat(range(300), 4), "x": rng.normal(size=1200)})
    logit = 0.5 * frame["x"] + rng.normal(size=300)[frame["m"]]
    frame["hit"] = rng.random(1200) < 1 / (1 + np.exp(-logit))
    found = row(regression.logistic(frame, "hit ~ x", "m"), "x")
    numbers = frame.assign(hit=frame["hit"].astype(float))
    kinds = {"groups": numbers["m"]}
    fit = smf.logit("hit ~ x", numbers).fit(disp=0, cov_type="cluster", cov_kwds=kinds)
    assert found["estimate"] == pytest.approx(fit.params["x"], abs=1e-6)
    assert found["error"] == pytest.approx(fit.bse["x"], rel=0.02)


def test_logistic_of_two_shares_is_their_log_odds_ratio(votes):
    # 8 of 20 against 12 of 16: log(12/4) - log(8/12) = log 4.5.
    frame = pd.DataFrame(
        {"y": [1] * 8 + [0] * 12 + [1] * 12 + [0] * 4, "g": [0] * 20 + [1] * 16, "k": range(36)}
    )
    found = row(regression.logistic(frame, "y ~ g", "k"), "g")
    assert found["estimate"] == pytest.approx(np.log(4.5))
    # CR2 of single rows is HC2: sum p q / (n p q)^2 * n / (n - 1) = 1 / (p q (n - 1)).
    assert found["error"] == pytest.approx(np.sqrt(1 / (0.24 * 19) + 1 / (0.1875 * 15)))


def test_logistic_covers():
    # 300 studies of 14 matches; Monte Carlo error 1.3 points. What an average slope is: 0.7
    # shrunk by the matches' spread (Zeger, Liang and Albert 1988).
    rng, truth = np.random.default_rng(5), 0.7 / np.sqrt(1 + 0.346 * 0.25)
    match = np.repeat(range(14), 12)
    x = np.column_stack([np.ones(168), rng.normal(size=168)])
    logit = 0.7 * x[:, 1] + 0.5 * rng.normal(size=(300, 14))[:, match]
    hits = rng.random((300, 168)) < 1 / (1 + np.exp(-logit))
    covered = []
    for hit in hits.astype(float):
        design = regression.Design(x, hit, ("1", "x"), pd.RangeIndex(168))
        estimates, errors, df = regression.fit_logistic(design, match)
        covered.append(abs(estimates[1] - truth) <= stats.t.ppf(0.975, df[1]) * errors[1])
    assert 0.92 < np.mean(covered) < 0.98


def test_a_separated_logistic_is_nan_with_a_reason():
    frame = pd.DataFrame({"y": [0, 0, 1, 1, 1, 1], "g": [0, 0, 0, 1, 1, 1], "m": range(6)})
    found = regression.logistic(frame, "y ~ g", "m")
    assert found[["estimate", "error", "low", "p"]].isna().all(axis=None)
    assert found["note"].str.startswith("separated").all()


def test_a_logistic_of_credits_is_refused(votes):
    with pytest.raises(ValueError, match="must be 0 or 1"):
        regression.logistic(votes.assign(hit=0.5), "hit ~ x", "match")


# --- two ways ---------------------------------------------------------------------------


def test_two_way_is_v1_plus_v2_minus_v12(votes):
    # x varies within matches; the card moves the outcome too, so that no floor is reached.
    moved = votes.assign(hit=votes["hit"] + 0.5 * np.sin(votes["card"]) * votes["x"])
    moved["both"] = moved["match"].astype(str) + " " + moved["card"].astype(str)
    found = row(regression.two_way(moved, "hit ~ x", ("match", "card")), "x")
    by = {c: row(regression.linear(moved, "hit ~ x", c), "x") for c in ("match", "card", "both")}
    first, second, both = (by[c]["error"] ** 2 for c in by)
    variance = first + second - both
    assert variance > min(first, second)
    assert found["error"] == pytest.approx(np.sqrt(variance))
    # Satterthwaite: the variance of a sum of independent mean squares is 2 sum v^2 / df.
    spread = first**2 / by["match"]["df"] + second**2 / by["card"]["df"]
    fewest = min(by["match"]["df"], by["card"]["df"])
    assert found["df"] == pytest.approx(max(variance**2 / spread, fewest))
    assert found["clusters"] == 12


def test_two_way_says_nothing_where_all_clusters_are_alike():
    # In every card and in every match the outcomes sum to 0: only V(both) is above 0.
    match, card = (part.ravel() for part in np.indices((4, 4)))
    y = np.where((match + card) % 2, 1.0, -1.0)
    design = regression.Design(np.ones((16, 1)), y, ("1",), pd.RangeIndex(16))
    fit = regression.fit_two_way(design, match, card)
    assert fit.errors == pytest.approx(0.0) and np.isnan(fit.df).all()


def test_two_way_covers_where_one_way_does_not():
    # 200 studies with every card in every match, both of which move the outcome.
    rng = np.random.default_rng(6)
    match, card = (part.ravel() for part in np.indices((10, 12)))
    parts = rng.normal(size=(200, 10))[:, match], rng.normal(size=(200, 12))[:, card]
    x, held = np.ones((120, 1)), []
    for y in sum(parts) + rng.normal(size=(200, 120)):
        design = regression.Design(x, y, ("1",), pd.RangeIndex(120))
        estimates, both, df = regression.fit_two_way(design, match, card)
        one, df_one = regression.cr2(x, y - estimates, match)
        reach = stats.t.ppf(0.975, [df[0], df_one[0]]) * [both[0], one[0]]
        held.append(abs(estimates[0]) <= reach)
    two_way, one_way = np.mean(held, axis=0)
    assert 0.92 < two_way < 0.975
    assert one_way < 0.9


# --- bad input --------------------------------------------------------------------------


def test_rows_that_miss_something_are_left_out(votes):
    holes = votes.astype({"hit": "boolean"})
    holes.loc[::7, "hit"] = pd.NA
    holes.loc[3::7, "x"] = np.nan
    whole = holes.dropna()
    for fit in (regression.linear, regression.logistic):
        one, other = fit(holes, "hit ~ who + x", "match"), fit(whole, "hit ~ who + x", "match")
        pd.testing.assert_frame_equal(one, other)


def test_one_cluster_has_estimates_and_no_errors(votes):
    alone = votes[votes["match"] == 5]
    for found in (
        regression.linear(alone, "hit ~ x", "match"),
        regression.logistic(alone, "hit ~ x", "match"),
        regression.two_way(alone, "hit ~ x", ("match", "card")),
    ):
        assert found["estimate"].notna().all()
        assert found[["error", "low", "high", "p"]].isna().all(axis=None)
        assert (found["note"] == "one cluster: no interval").all()


def test_what_the_rows_cannot_answer_is_refused(votes):
    with pytest.raises(ValueError, match=r"no row is complete for .*: no hit"):
        regression.linear(votes.assign(hit=np.nan), "hit ~ x", "match")
    with pytest.raises(ValueError, match=r"can't tell the terms .* apart \(rank 2 of 3\)"):
        regression.linear(votes.assign(z=2 * votes["x"]), "hit ~ x + z", "match")
    with pytest.raises(ValueError, match="12 rows have no match"):
        gone = votes["match"].where(votes["match"] != 2)
        regression.linear(votes.assign(match=gone), "hit ~ x", "match")
    with pytest.raises(ValueError, match="no column 'won'"):
        regression.linear(votes, "won ~ x", "match")
