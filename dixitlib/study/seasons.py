"""Seasons of many players of known rating, of which only who won is drawn.

Where `simulator` plays rounds, here a match is one throw of a coin with the odds of Bradley and
Terry: enough to ask what a sparse design tells about a thousand players, and whether intervals
hold what they should.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit
from scipy.stats import norm, spearmanr

from dixitlib.analysis import pairing, sparse
from dixitlib.analysis.inference import wilson
from dixitlib.analysis.sparse import Fitted
from dixitlib.seeds import place

BEYOND = norm.ppf(0.975)  # standard errors, of a 95% interval


@dataclass(frozen=True, eq=False)
class Season:
    """Who played whom and won, among players of known rating."""

    truth: np.ndarray
    pairs: np.ndarray
    won: np.ndarray

    def then(self, pairs: np.ndarray, rng: np.random.Generator) -> Season:
        """Return the season with more matches."""
        ahead = self.truth[pairs[:, 0]] - self.truth[pairs[:, 1]]
        won = (rng.random(len(pairs)) < expit(ahead)).astype(float)
        return Season(
            self.truth, np.concatenate([self.pairs, pairs]), np.concatenate([self.won, won])
        )


def field(players: int, spread: float, seed: int = 42) -> np.ndarray:
    """Draw ratings from a normal field, as deviations from their mean, in logits."""
    ratings = spread * place(seed, "field").standard_normal(players)
    return ratings - ratings.mean()


def balanced(truth: np.ndarray, opponents: int, seed: int = 42) -> Season:
    """Play a balanced design: everybody has as many opponents, whoever they are."""
    offsets = pairing.spread_out(len(truth), opponents, seed=seed)
    nobody = Season(truth, np.empty((0, 2), int), np.empty(0))
    return nobody.then(pairing.circle(len(truth), offsets), place(seed, "season", opponents))


def active(season: Season, opponents: int, steps: int, seed: int = 42) -> tuple[Season, Fitted]:
    """Go on with a balanced season by the matches that would tell most.

    Parameters
    ----------
    season
        What was played, balanced.
    opponents
        More, for everybody, in each step.
    steps
        After each of which ratings are worked out anew.
    seed
        Of who wins.
    """
    rng, players = place(seed, "active", opponents, steps), len(season.truth)
    width = sparse.field_sd(season.pairs, season.won, players)
    known = sparse.fit(season.pairs, season.won, players, width)
    for _ in range(steps):
        chosen = pairing.informative(known.ratings, known.covariance, opponents)
        season = season.then(chosen, rng)
        known = sparse.fit(season.pairs, season.won, players, width, start=known.ratings)
    return season, known


def rated(season: Season) -> Fitted:
    """Rate the players of a balanced season."""
    players = len(season.truth)
    width = sparse.field_sd(season.pairs, season.won, players)
    return sparse.fit(season.pairs, season.won, players, width)


def judged(season: Season, known: Fitted) -> dict[str, float]:
    """Return how wide the 95% intervals are, and how many hold the truth.

    Returns
    -------
    dict
        opponents (a player's, on average) and matches; half_width, with low and high, between
        which nine players of ten have theirs; coverage with its own interval; order (Spearman's
        correlation of ratings with the truth).
    """
    reach = BEYOND * known.errors
    held = np.abs(known.ratings - season.truth) < reach
    _, least, most = wilson(int(held.sum()), len(held))
    low, high = np.quantile(reach, [0.05, 0.95])
    matches, players = len(season.pairs), len(season.truth)
    widths = {"half_width": reach.mean(), "low": low, "high": high}
    covered = {"coverage": held.mean(), "coverage_low": least, "coverage_high": most}
    order = spearmanr(known.ratings, season.truth).statistic
    return {"opponents": 2 * matches / players, "matches": matches, **widths, **covered,
            "order": order}  # fmt: skip
