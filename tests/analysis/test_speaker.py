"""Speakers whose alpha and assumed noise are known, and the arithmetic by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax

from dixitlib.analysis import speaker
from dixitlib.store.fits import Fits, View

CARDS, BANK = 24, 120
MATCHES = np.repeat(range(6), 14)  # 84 rounds told, as in a tournament of six


def unit(rng, n):
    vectors = rng.normal(size=(n, 12))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def random_view(seed, clues=BANK):
    rng = np.random.default_rng(seed)
    words = unit(rng, clues)
    fit, decoys = unit(rng, CARDS) @ words.T, unit(rng, 24) @ words.T
    tau = 0.7 * fit.std()
    bare = View(fit, decoys, tau, dict.fromkeys(speaker.GOALS, 1.0))
    spread = {goal: speaker._score(bare, goal, HANDS, 1.0).std() for goal in speaker.GOALS}
    return View(fit, decoys, tau, spread)


HANDS = np.stack([np.random.default_rng(k).permutation(24)[:12].reshape(3, 4) for k in range(8)])
FITS = Fits(
    tuple(f"clue {k}" for k in range(BANK)),
    BANK,
    tuple(f"{k:03d}" for k in range(CARDS)),
    HANDS,
    {"a": random_view(1), "b": random_view(2)},
)


def simulated(players, alpha, goal="partial", noise=1.0, eyes="a", seed=0):
    """Rounds of speakers that draw clues as the model says."""
    rng = np.random.default_rng(seed)
    odds = softmax(alpha / 0.7 * speaker.worths(FITS, eyes, goal, [noise])[0], axis=1)
    cards = rng.integers(CARDS, size=(players, len(MATCHES)))
    drawn = (np.cumsum(odds, axis=1)[cards] < rng.random(cards.shape)[..., None]).sum(axis=2)
    return pd.DataFrame(
        {
            "storyteller": np.repeat([f"p{k}" for k in range(players)], len(MATCHES)),
            "match": np.tile(MATCHES, players),
            "clue": np.array(FITS.clues)[drawn.ravel()],
            "target": np.array(FITS.cards)[cards.ravel()],
        }
    )


@pytest.mark.parametrize(("goal", "alpha"), [("literal", 1.0), ("partial", 1.0), ("partial", 3.0)])
def test_alpha_is_recovered_and_its_interval_covers(goal, alpha):
    found = speaker.estimate(simulated(80, alpha, goal), FITS, "a", goal, noises=[1.0])
    error = found["alpha"].std() / 9
    # The maximum of 84 choices may lie a little too high; 3% of alpha at most.
    assert found["alpha"].mean() == pytest.approx(alpha, abs=0.03 * alpha + 2 * error)
    covered = found["low"].le(alpha) & found["high"].ge(alpha)
    assert covered.mean() >= 0.9  # 0.95, less 2 standard errors of 0.024


@pytest.mark.parametrize("noise", [0.5, 1.0, 2.0])
def test_alpha_and_noise_are_recovered_together(noise):
    found = speaker.estimate(simulated(12, 3.0, noise=noise), FITS, "a")
    inner = found[found["note"] == ""]
    assert len(inner) >= 8
    assert found["alpha"].median() == pytest.approx(3, abs=0.35)
    assert np.log2(found["noise"]).median() == pytest.approx(np.log2(noise), abs=0.15)
    covered = inner["noise_low"].le(noise) & inner["noise_high"].ge(noise)
    assert covered.mean() >= 0.75


def test_who_tells_anything_has_an_alpha_of_nothing():
    found = speaker.estimate(simulated(1, 0.0), FITS, "a", noises=[1.0]).iloc[0]
    assert found["low"] < 0 < found["high"]
    assert found["bits"] == pytest.approx(0, abs=0.05)


def test_likelihood_tells_whose_eyes_and_which_goal():
    rounds = simulated(1, 3.0, "literal", eyes="b")
    bits = {
        (eyes, goal): speaker.estimate(rounds, FITS, eyes, goal, noises=[1.0])["bits"].iloc[0]
        for eyes in FITS.views
        for goal in speaker.GOALS
    }
    assert max(bits, key=bits.get) == ("b", "literal")


def test_the_peak_is_the_one_that_scipy_finds():
    rounds = simulated(1, 2.0)
    z = speaker.worths(FITS, "a", "partial", [1.0])[0]
    cards = pd.Index(FITS.cards).get_indexer(rounds["target"])
    clues = pd.Index(FITS.clues).get_indexer(rounds["clue"])

    def surprise(alpha):
        logits = alpha / 0.7 * z[cards]
        return (logsumexp(logits, axis=1) - logits[np.arange(len(cards)), clues]).sum()

    best = minimize_scalar(surprise, bounds=(0, 8), method="bounded")
    found = speaker.estimate(rounds, FITS, "a", noises=[1.0]).iloc[0]
    assert found["alpha"] == pytest.approx(best.x, abs=2e-3)
    expected = (len(cards) * np.log(BANK) - best.fun) / len(cards) / np.log(2)
    assert found["bits"] == pytest.approx(expected, abs=1e-4)


def test_a_clue_of_its_own_competes_with_the_bank():
    # Two clues of the bank worth 0 and a third, its own, worth 1 at T = 0.7: the chance of
    # telling it is e^(alpha/0.7) / (2 + e^(alpha/0.7)); at alpha = 0.7 that is 0.5761.
    worth = np.array([[[0.0, 0.0, 1.0]]])
    total = np.full((len(speaker.ALPHAS), 1, 1), np.log(2))
    grid = speaker.Likelihood(worth, total, np.ones(1), bank=2)
    e = np.exp(speaker.ALPHAS / 0.7)
    assert np.exp(grid.of(0, 2)[0]) == pytest.approx(e / (2 + e))
    assert np.exp(grid.of(0, 0)[0]) == pytest.approx(0.5)


def test_worth_is_measured_in_the_units_of_the_players(monkeypatch):
    # At a noise of 1 the scale is the stored one; at others the standard deviation stays.
    z = speaker.worths(FITS, "a", "partial", [1.0, 4.0])
    assert z.std(axis=(1, 2)) == pytest.approx(1.0)
    raw = speaker._score(FITS.views["a"], "partial", HANDS, 1.0)
    assert np.diff(z[0].ravel()) == pytest.approx(np.diff(raw.ravel() / raw.std()))


def test_scores_are_those_of_the_players():
    # Analysis may not import players, so the formula stands twice; here they must agree.
    from dixitlib.players import rational

    view = FITS.views["a"]
    laid = view.decoys[HANDS].max(axis=2)
    for goal in speaker.GOALS:
        theirs = [rational.score(goal, fit, laid, 2 * view.tau) for fit in view.fit]
        assert speaker._score(view, goal, HANDS, 2.0) == pytest.approx(np.stack(theirs))


def test_what_can_not_be_said_is_missing_with_a_reason():
    rounds = simulated(4, 3.0)
    rounds.loc[rounds["storyteller"] == "p1", ["clue", "target"]] = np.nan
    rounds = rounds[(rounds["storyteller"] != "p2") | (rounds["match"] == 0)]
    best = speaker.worths(FITS, "a", "partial", [1.0])[0].argmax(axis=1)
    flawless = rounds["storyteller"] == "p3"
    cards = pd.Index(FITS.cards).get_indexer(rounds.loc[flawless, "target"])
    rounds.loc[flawless, "clue"] = np.array(FITS.clues)[best[cards]]
    found = speaker.estimate(rounds, FITS, "a", noises=[1.0]).set_index("player")
    assert found["note"].to_dict() == {
        "p0": "",
        "p1": "no clue told",
        "p2": "one match: no intervals",
        "p3": "alpha at the edge of the grid: no interval",
    }
    assert found.loc["p1", ["alpha", "noise", "bits"]].isna().all()
    assert found.loc[["p1", "p2", "p3"], ["low", "high"]].isna().all().all()


def test_a_noise_at_the_edge_has_no_interval_but_alpha_has():
    found = speaker.estimate(simulated(1, 3.0), FITS, "a", noises=[0.25, 0.35, 0.5]).iloc[0]
    assert found["note"] == "noise at the edge of the grid: no interval"
    assert found["noise"] == 0.5
    assert np.isnan(found["noise_low"])
    assert found["low"] < found["alpha"] < found["high"]


def test_everything_unknown_is_named():
    rounds = simulated(1, 1.0).iloc[:3].assign(clue=["new", "clue 1", "other"], target="x")
    with pytest.raises(ValueError, match="no eyes 'q', no clue 'new', no clue 'other', no card"):
        speaker.estimate(rounds, FITS, "q")
    with pytest.raises(ValueError, match="no goal 'fame'"):
        speaker.estimate(simulated(1, 1.0), FITS, "a", "fame")
