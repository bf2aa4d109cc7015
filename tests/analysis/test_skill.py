"""Skill and clarity: beside statsmodels, and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit

from dixitlib.analysis.skill import skill_and_clarity

NAMES = list("abcdef")
SKILL = dict(zip(NAMES, (-0.75, -0.45, -0.15, 0.15, 0.45, 0.75), strict=True))
CLARITY = dict(zip(NAMES, (0.2, -0.4, 0.5, -0.5, 0.4, -0.2), strict=True))


def simulated(seed, own=0.5, mean=0.2, each=14, clusters=12):
    """Every player hears every other, and itself, in every cluster."""
    rng = np.random.default_rng(seed)
    rows = [(m, x, y) for m in range(clusters) for x in NAMES for y in NAMES for _ in range(each)]
    votes = pd.DataFrame(rows, columns=["match", "listener", "storyteller"])
    votes["own_clue"] = votes["listener"] == votes["storyteller"]
    eta = votes["listener"].map(SKILL) + votes["storyteller"].map(CLARITY)
    votes["correct"] = rng.random(len(votes)) < expit(mean + eta + own * votes["own_clue"])
    return votes.astype({"correct": "boolean"})


def test_the_terms_of_the_simulation_are_recovered():
    found = skill_and_clarity(simulated(1)).set_index(["term", "player"])
    assert found.loc[("mean", None), "estimate"].item() == pytest.approx(0.2, abs=0.15)
    assert found.loc[("own_clue", None), "estimate"].item() == pytest.approx(0.5, abs=0.2)
    # 1,008 votes a player put the standard error near 0.07.
    assert found.loc["skill", "estimate"].to_dict() == pytest.approx(SKILL, abs=0.25)
    assert found.loc["clarity", "estimate"].to_dict() == pytest.approx(CLARITY, abs=0.25)
    assert found.loc["skill", "votes"].eq(12 * 6 * 14).all()


def test_skill_and_clarity_sum_to_nothing_but_for_the_prior_of_the_mean():
    # A constant moved from skill to mean leaves the likelihood alone, so at the mode the
    # slopes of the two priors agree: sum / prior_sd^2 = mean / 10^2.
    found = skill_and_clarity(simulated(2, each=3, clusters=4), prior_sd=0.5)
    sums = found.groupby("term")["estimate"].sum()
    assert sums[["skill", "clarity"]].tolist() == pytest.approx([sums["mean"] / 400] * 2, abs=1e-6)


def test_intervals_cover_what_was_simulated():
    truth = pd.Series(SKILL)
    covered = []
    for seed in range(15):
        frame = skill_and_clarity(simulated(seed, each=4, clusters=10), prior_sd=2.0)
        rows = frame[frame["term"] == "skill"].set_index("player")
        covered += list(rows["low"].le(truth) & rows["high"].ge(truth))
    assert 0.87 <= np.mean(covered) <= 1  # 90 intervals, hardly shrunk


def test_the_mode_is_that_of_statsmodels_ridge():
    votes = simulated(3, each=2, clusters=3)
    found = skill_and_clarity(votes, prior_sd=0.8)
    x = np.column_stack(
        [np.ones(len(votes)), votes["own_clue"]]
        + [votes["listener"] == name for name in NAMES]
        + [votes["storyteller"] == name for name in NAMES]
    ).astype(float)
    model = sm.GLM(votes["correct"].to_numpy(float), x, family=sm.families.Binomial())
    # statsmodels penalises the mean log likelihood.
    weights = np.array([1 / 100, *[1 / 0.64] * 13]) / len(votes)
    fit = model.fit_regularized(alpha=weights, L1_wt=0.0, opt_method="newton-cg")
    assert found["estimate"].to_numpy() == pytest.approx(fit.params, abs=1e-4)


def test_one_kind_of_clue_has_no_own_clue_term():
    votes = simulated(4, each=2, clusters=3)
    terms = skill_and_clarity(votes[~votes["own_clue"]])["term"].unique()
    assert terms.tolist() == ["mean", "skill", "clarity"]


def test_votes_that_say_little_have_a_finite_answer_or_none():
    votes = simulated(5, each=1, clusters=3).assign(correct=True)
    found = skill_and_clarity(votes.astype({"correct": "boolean"}))
    assert np.isfinite(found["estimate"]).all()
    assert found["estimate"].iloc[0] > 3
    alone = skill_and_clarity(votes[votes["match"] == 0].astype({"correct": "boolean"}))
    assert alone[["low", "high"]].isna().all().all()  # one match
    assert skill_and_clarity(votes.assign(correct=pd.NA)).empty
