"""What a study can detect: power, the least difference, and the rounds that it takes.

Two shares are compared, each measured in as many rounds, which come in clusters. The error
of a share is that of independent rounds, widened by the design effect; the test is a t test
of the clusters, so that few clusters cost degrees of freedom too. The shares of clusters are
taken as normal: beside simulated studies of 14 matches that is right to three points. Rounds of
one match by one player are such clusters; if votes are counted, the votes of a round are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from statsmodels.stats.power import TTestIndPower

from dixitlib.analysis.variance import design_effect

MOST = 10_000_000  # rounds; what takes more is out of reach


def power(
    first: float,
    second: float,
    rounds: int,
    *,
    size: int = 1,
    rho: float = 0.0,
    alpha: float = 0.05,
) -> float:
    """Return the chance that a difference between two shares is found, two-sided.

    Parameters
    ----------
    first, second
        The true shares.
    rounds
        In which each share is measured: those of one player, not of both.
    size
        Rounds in a cluster.
    rho
        Intraclass correlation of the rounds of a cluster (see `variance.intraclass`).
    alpha
        Level of the test. For one of m differences under Holm, alpha / m is what the
        first has to pass.

    Returns
    -------
    float
        NaN with fewer than two clusters a share, where no test exists.

    Raises
    ------
    ValueError
        If a share is not between 0 and 1, or rho not between 0 and 1, or size below 1.
    """
    _check(first, second, size, rho)
    clusters = rounds / size
    if clusters < 2:
        return np.nan
    noise = (first * (1 - first) + second * (1 - second)) / 2
    spread = np.sqrt(noise * design_effect(rho, size) / size)  # of the shares of clusters
    if spread == 0:
        return float(first != second)
    found = TTestIndPower().power((first - second) / spread, clusters, alpha)
    # scipy has no digits for differences of eight errors and more, which are always found.
    return float(np.nan_to_num(found, nan=1.0))


def detectable(
    base: float,
    rounds: int,
    *,
    wanted: float = 0.8,
    size: int = 1,
    rho: float = 0.0,
    alpha: float = 0.05,
) -> float:
    """Return the least rise above a base share that is found with the wanted power.

    Parameters
    ----------
    base
        One of the two shares; the other lies above.
    wanted
        Power.
    rounds, size, rho, alpha
        As in `power`.

    Returns
    -------
    float
        NaN where even a share of 1 would not be found often enough.
    """

    def lacking(rise: float) -> float:
        found = power(base, base + rise, rounds, size=size, rho=rho, alpha=alpha)
        return found - wanted

    return _root(lacking, 1e-6, 1 - base)


def rounds_needed(
    first: float,
    second: float,
    *,
    wanted: float = 0.8,
    size: int = 1,
    rho: float = 0.0,
    alpha: float = 0.05,
) -> float:
    """Return how many rounds each share takes for a difference to be found.

    Parameters
    ----------
    first, second
        The true shares.
    wanted
        Power.
    size, rho, alpha
        As in `power`.

    Returns
    -------
    float
        Whole clusters' worth of rounds; NaN for equal shares, which no number tells apart.
    """

    def lacking(clusters: float) -> float:
        found = power(first, second, clusters * size, size=size, rho=rho, alpha=alpha)
        return found - wanted

    return float(np.ceil(_root(lacking, 2, MOST / size) - 1e-9) * size)


def _root(lacking: Callable[[float], float], low: float, high: float) -> float:
    """Return where power suffices: at once, from some point on, or never (NaN)."""
    if not lacking(high) >= 0:
        return np.nan
    return low if lacking(low) >= 0 else float(brentq(lacking, low, high, xtol=1e-6))


def _check(first: float, second: float, size: int, rho: float) -> None:
    if not (0 <= first <= 1 and 0 <= second <= 1 and 0 <= rho <= 1 and size >= 1):
        raise ValueError(
            f"shares {first:g} and {second:g}, correlation {rho:g}, clusters of {size:g}: "
            "shares and correlation lie between 0 and 1, and a cluster holds a round or more"
        )
