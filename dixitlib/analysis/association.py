"""How two measures of the same few players go together, and how little few points can show.

Players are the observations. With six of them a correlation has a wide interval, and a
permutation of players has 720 outcomes; no more rounds or items help that. What more of
them do help is the noise in each measure, which draws correlations towards 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import factorial
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.seeds import place

Kind = Literal["pearson", "spearman", "kendall"]
DRAWS = 9999
FEWEST = 4  # points for an interval
_COEFFICIENTS: Mapping[str, Callable[..., tuple[float, float]]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


class Association(NamedTuple):
    """A correlation with its interval, the p-value of a permutation, and how many points."""

    estimate: float
    low: float
    high: float
    p: float
    points: int
    note: str = ""


def associate(
    x: Sequence[float],
    y: Sequence[float],
    kind: Kind = "pearson",
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Association:
    """Return the correlation of two measures of the same things.

    The interval is Fisher's, with the variance of Bonett and Wright (2000) for ranks and
    of Fieller, Hartley and Pearson (1957) for Kendall's tau. The p-value, two-sided, is
    that of permuting one measure: of all permutations if there are at most `draws`.

    Parameters
    ----------
    x, y
        One value each a thing. Things that lack one are left out.
    kind
        Pearson's r, Spearman's rho or Kendall's tau-b.
    level
        Coverage of the interval.
    draws, seed
        Most permutations, and what decides them if there are more.

    Returns
    -------
    Association
        All NaN, with a note, for fewer than three points or a measure that does not vary;
        the ends are NaN, with a note, for fewer than five points with Kendall's tau, four
        otherwise, and for a perfect correlation, where Fisher's interval has no width.
    """
    pairs = pd.DataFrame({"x": np.asarray(x, float), "y": np.asarray(y, float)}).dropna()
    points = len(pairs)
    if points < 3 or (pairs.nunique() < 2).any():
        note = "fewer than three points" if points < 3 else "a measure does not vary"
        return Association(np.nan, np.nan, np.nan, np.nan, points, note)
    estimate = _coefficient(pairs["x"], pairs["y"], kind)
    p = _permuted(pairs["x"].to_numpy(), pairs["y"].to_numpy(), kind, draws, seed)
    if abs(estimate) > 1 - 1e-9:
        return Association(estimate, np.nan, np.nan, p, points, "perfect: no interval")
    if points < FEWEST + (kind == "kendall"):
        return Association(estimate, np.nan, np.nan, p, points, "too few points for an interval")
    return Association(estimate, *_ends(estimate, points, kind, level), p, points)


def leave_one_out(frame: pd.DataFrame, who: str, x: str, y: str, kind: Kind) -> pd.DataFrame:
    """Return the correlation without each thing in turn: without, estimate."""
    rows = []
    for name in frame[who]:
        rest = frame[frame[who] != name]
        rows.append((name, associate(rest[x], rest[y], kind, draws=1).estimate))
    return pd.DataFrame(rows, columns=["without", "estimate"])


def reliability(values: Sequence[float], errors: Sequence[float]) -> float:
    """Return the share of the variance between things that is not the noise of measuring.

    Parameters
    ----------
    values
        One measured value a thing.
    errors
        Its standard error. Errors that all things share, such as those of an exam whose
        items all sit, are no noise between them: with these the reliability is too low.

    Returns
    -------
    float
        From 0, all noise, to 1; NaN for fewer than two things, without variance, or if an
        error is unknown.
    """
    if len(values) < 2 or len(errors) != len(values) or not np.var(values) > 0:
        return np.nan
    noise = np.mean(np.square(np.asarray(errors, float)))
    return float(np.maximum(0.0, 1 - noise / np.var(np.asarray(values, float), ddof=1)))


def disattenuated(r: float, first: float, second: float) -> float:
    """Return the correlation that measures without noise would have (Spearman 1904).

    Parameters
    ----------
    r
        Pearson's correlation as observed.
    first, second
        Reliabilities of the two measures, taken as having independent noise.

    Returns
    -------
    float
        Cut to -1 and 1; NaN if a reliability is 0 or unknown.
    """
    scale = np.sqrt(first * second)
    return float(np.clip(r / scale, -1, 1)) if scale > 0 else np.nan


def critical(points: int, alpha: float = 0.05) -> float:
    """Return the least Pearson correlation that so many points call different from 0."""
    if points < 3:
        return np.nan
    t = stats.t.ppf(1 - alpha / 2, points - 2)
    return float(t / np.sqrt(t**2 + points - 2))


def _coefficient(x: Sequence[float], y: Sequence[float], kind: Kind) -> float:
    return float(_COEFFICIENTS[kind](x, y)[0])


def _ends(estimate: float, points: int, kind: Kind, level: float) -> tuple[float, float]:
    variance = {
        "pearson": lambda: 1 / (points - 3),
        "spearman": lambda: (1 + estimate**2 / 2) / (points - 3),
        "kendall": lambda: 0.437 / (points - 4),
    }[kind]()
    reach = stats.norm.ppf((1 + level) / 2) * np.sqrt(variance)
    centre = np.arctanh(estimate)
    return float(np.tanh(centre - reach)), float(np.tanh(centre + reach))


def _permuted(x: np.ndarray, y: np.ndarray, kind: Kind, draws: int, seed: int) -> float:
    """Return the share of orders of y whose correlation with x is as far from 0."""
    orders = _orders(len(y), draws, seed)
    ways = _comparable(x, kind), _comparable(y, kind)
    # All three are products of what is compared, but for factors that no order changes.
    found = np.abs([_product(ways[0], ways[1], order) for order in orders])
    return float(np.mean(found >= found[0] * (1 - 1e-9) - 1e-12))


def _orders(points: int, draws: int, seed: int) -> np.ndarray:
    """Return orders of the points, the observed one first."""
    if factorial(points) <= draws + 1:
        return np.array(list(permutations(range(points))))
    chance = place(seed, "orders")
    drawn = [chance.permutation(points) for _ in range(draws)]
    return np.vstack([np.arange(points), *drawn])


def _comparable(values: np.ndarray, kind: Kind) -> np.ndarray:
    """Return deviations of values or of ranks, or for tau the signs of all differences."""
    if kind == "kendall":
        return np.sign(values[:, None] - values)
    used = stats.rankdata(values) if kind == "spearman" else values
    return used - used.mean()


def _product(x: np.ndarray, y: np.ndarray, order: np.ndarray) -> float:
    return float((x * (y[order] if y.ndim == 1 else y[np.ix_(order, order)])).sum())
