"""Who plays whom, when not everybody can play everybody.

A design is an array of pairs of players' numbers, shape (matches, 2). In a balanced one all
have the same number of opponents. It is laid on a circle: with the offsets 1 and 7 each player
meets those one and seven places on, and so those one and seven places back. What a circle tells
about ratings of players alike has a closed form, since the eigenvalues of its Laplacian,

    lambda_m = 2 sum over offsets d of (1 - cos(2 pi m d / n)),

are known. An active design asks, once some results are in, which matches would tell most.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from dixitlib.seeds import place

EVEN = 0.25
"""Information of a match on the difference of two ratings if both sides win as often."""


def round_robin(players: int) -> np.ndarray:
    """Return all pairs of different players."""
    return np.stack(np.triu_indices(players, 1), axis=1)


def circle(players: int, offsets: Sequence[int]) -> np.ndarray:
    """Return the design in which each player meets those so many places on.

    Everybody has two opponents an offset, and comes first as often as second.
    """
    first = np.tile(np.arange(players), len(offsets))
    second = (first + np.repeat(np.asarray(offsets, int), players)) % players
    return np.stack([first, second], axis=1)


def neighbours(opponents: int) -> tuple[int, ...]:
    """Return the offsets by which everybody meets the nearest on the circle."""
    return tuple(range(1, opponents // 2 + 1))


def spread_out(players: int, opponents: int, *, seed: int = 42, tries: int = 50) -> tuple[int, ...]:
    """Return offsets that tie the circle together well: the best of some random ones.

    Parameters
    ----------
    players, opponents
        How many there are, and how many each meets, an even number.
    seed, tries
        Of the random ones, and how many of them.

    Raises
    ------
    ValueError
        If so many opponents can't be had, or not on a circle.
    """
    most = players - 2 + players % 2
    if opponents % 2 or not 2 <= opponents <= most:
        raise ValueError(
            f"{players} players meet an even number of opponents from 2 to {most}, not {opponents}"
        )
    rng, steps = place(seed, "circle", players, opponents), np.arange(1, most // 2 + 1)
    drawn = [rng.choice(steps, opponents // 2, replace=False) for _ in range(tries)]
    best = min(drawn, key=lambda offsets: circle_variance(players, offsets))
    return tuple(sorted(best.tolist()))


def circle_variance(players: int, offsets: Sequence[int], information: float = EVEN) -> float:
    """Return the variance of a rating from its field's mean, if all are alike.

    Parameters
    ----------
    players, offsets
        The circle.
    information
        Of a match.

    Returns
    -------
    float
        In squared logits; infinite if the circle falls into parts that never meet.
    """
    turns = np.outer(np.arange(1, players), offsets) / players
    eigenvalues = 2 * (1 - np.cos(2 * np.pi * turns)).sum(axis=1)
    if eigenvalues.min() < 1e-9:
        return np.inf
    return float((1 / eigenvalues).sum() / players / information)


def least_variance(players: int, opponents: float, information: float = EVEN) -> float:
    """Return the variance that no design with so many opponents can go below.

    The eigenvalues sum to players times opponents, and equal ones are best.
    """
    return (players - 1) ** 2 / (players**2 * opponents * information)


def informative(ratings: np.ndarray, covariance: np.ndarray, opponents: int) -> np.ndarray:
    """Return the next matches: those that are expected to tell most.

    A match tells p (1 - p) times the variance of the difference of the two ratings, which is
    what it adds to the information on all ratings (the log of its determinant) if that is
    small. Pairs are taken greedily until everybody has its opponents.

    Parameters
    ----------
    ratings, covariance
        What is known so far, from `sparse.fit` and `sparse.covariance`.
    opponents
        Everybody's, in these matches; a last player may be left with fewer.
    """
    pairs = round_robin(len(ratings))
    first, second = pairs.T
    won, known = expit(ratings[first] - ratings[second]), np.diag(covariance)
    unsure = known[first] + known[second] - 2 * covariance[first, second]
    left, chosen = [opponents] * len(ratings), []
    for a, b in pairs[np.argsort(-won * (1 - won) * unsure, kind="stable")].tolist():
        if left[a] and left[b]:
            chosen.append((a, b))
            left[a] -= 1
            left[b] -= 1
    return np.array(chosen)
