"""Ratings of many players from few matches, and how sure they are.

The model is Bradley's and Terry's, as in `analysis.ratings`: i beats j with odds
exp(rating i - rating j), a tie being half a win for each. With a thousand players nobody can
leave out every match in turn, so intervals are read off Fisher's information instead: a match
adds p (1 - p) to the weight of its pair, and the covariance of ratings is the inverse of the
Laplacian of these weights, prior included.

The prior is the field: normal, and as wide as the first, balanced matches say. That is no
nicety. If matches are chosen by what they would tell, near equals meet, and little but the prior
keeps the whole field from being stretched: with one half too wide, intervals of an active design
hold the truth in less than nine cases of ten.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import inv
from scipy.optimize import brentq
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import norm

STEPS = 50  # of Newton's method, which takes about six
SURE = 1e-9  # logits that ratings may still move by when they are taken as found
NARROW, WIDE = 0.05, 20.0  # logits; a field is taken to be no narrower or wider
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True, eq=False)
class Fitted:
    """Ratings in logits, which sum to 0, and what is known of them.

    Parameters
    ----------
    ratings
        Mode of the posterior, one a player.
    covariance
        Of the ratings as deviations from their mean.
    """

    ratings: np.ndarray
    covariance: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """Standard error of each rating."""
        return np.sqrt(np.diag(self.covariance))


def fit(
    pairs: np.ndarray,
    won: np.ndarray,
    players: int,
    prior_sd: float,
    *,
    start: np.ndarray | None = None,
) -> Fitted:
    """Rate players.

    Parameters
    ----------
    pairs
        Players' numbers, shape (matches, 2).
    won
        1 where the first won, 0 where the second did, 0.5 for a tie.
    players
        How many there are.
    prior_sd
        Standard deviation of the prior, in logits: see `field_sd`.
    start
        Ratings from earlier matches, which save time.
    """
    sides = _sides(pairs, players)
    ratings = np.zeros(players) if start is None else start
    for _ in range(STEPS):
        slope = sides.T @ (won - expit(sides @ ratings)) - ratings / prior_sd**2
        whole = inv(_curvature(sides, ratings, prior_sd), assume_a="pos")
        step = whole @ slope
        ratings = ratings + step
        if np.abs(step).max() < SURE:
            return Fitted(ratings, whole - prior_sd**2 / players)
    raise ArithmeticError(f"{len(pairs)} matches of {players} players gave no ratings")


def field_sd(pairs: np.ndarray, won: np.ndarray, players: int) -> float:
    """Return how wide the field is, in logits, by how much the shares of wins differ.

    Parameters
    ----------
    pairs, won, players
        As in `fit`, of a balanced design: opponents must not have been chosen by strength.
    """
    played = np.bincount(pairs.ravel(), minlength=players)
    wins = np.bincount(pairs.ravel(), np.stack([won, 1 - won], axis=1).ravel(), players)
    differ, opponents = (wins / played).var(), played.mean()

    def lacking(spread: float) -> float:
        skill = WEIGHTS @ (_won(spread * NODES, spread) - 0.5) ** 2
        luck = WEIGHTS @ information(spread * NODES, spread) / opponents
        return float(skill + luck - differ)

    if lacking(NARROW) >= 0:
        return NARROW
    return WIDE if lacking(WIDE) <= 0 else float(brentq(lacking, NARROW, WIDE))


def covariance(pairs: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """Return the covariance of ratings without any prior, as deviations from their mean.

    Parameters
    ----------
    pairs
        The matches, played or only planned.
    ratings
        Fitted or assumed.

    Raises
    ------
    ValueError
        If the players fall into groups that never meet.
    """
    _check_connected(pairs, len(ratings))
    # Nothing is known of the mean: a one in its place keeps the matrix regular, and is taken out.
    laplacian = _curvature(_sides(pairs, len(ratings)), ratings, np.inf)
    return inv(laplacian + 1 / len(ratings), assume_a="pos") - 1 / len(ratings)


def half_width(opponents: float, spread: float, *, level: float = 0.95) -> float:
    """Return, on paper, half the width of a rating's interval, averaged over the players.

    Players are drawn from a normal field, which is also the prior, and opponents from all of
    them. A player is then known to a variance of 1 / (opponents times information + prior).

    Parameters
    ----------
    opponents
        Of each player.
    spread
        Standard deviation of the field, in logits.
    level
        Of the interval.
    """
    known = opponents * information(spread * NODES, spread) + 1 / spread**2
    return float(norm.ppf((1 + level) / 2) * (WEIGHTS @ known**-0.5))


def opponents_needed(width: float, spread: float) -> int:
    """Return the even number of opponents from which half a 95% interval is so narrow."""
    opponents = 2
    while half_width(opponents, spread) > width:
        opponents += 2
    return opponents


def information(ratings: np.ndarray, spread: float) -> np.ndarray:
    """Return what a match against somebody of a normal field tells, by the own rating."""
    won = expit(np.subtract.outer(ratings, spread * NODES))
    return (won * (1 - won)) @ WEIGHTS


def _won(ratings: np.ndarray, spread: float) -> np.ndarray:
    """Return the expected share of wins in a normal field, by the own rating."""
    return expit(np.subtract.outer(ratings, spread * NODES)) @ WEIGHTS


def _sides(pairs: np.ndarray, players: int) -> csr_array:
    """Return a row a match, with 1 for the first player and -1 for the second."""
    matches = np.arange(len(pairs)).repeat(2)
    signs = np.tile([1.0, -1.0], len(pairs))
    return csr_array((signs, (matches, pairs.ravel())), shape=(len(pairs), players))


def _curvature(sides: csr_array, ratings: np.ndarray, prior_sd: float) -> np.ndarray:
    """Return the information of matches and prior on ratings: a weighted Laplacian."""
    won = expit(sides @ ratings)
    laplacian = (sides.T * (won * (1 - won))) @ sides
    return laplacian.toarray() + np.eye(len(ratings)) / prior_sd**2


def _check_connected(pairs: np.ndarray, players: int) -> None:
    met = csr_array((np.ones(len(pairs)), pairs.T), shape=(players, players))
    groups, _ = connected_components(met, directed=False)
    if groups > 1:
        raise ValueError(
            f"the {players} players fall into {groups} groups that never meet, so their ratings "
            "can't be compared: add matches between groups"
        )
