"""Whether raters agree, beyond what they would by chance.

Ratings come as a table with one row an item and one column a rater. Cohen's kappa is for two
raters who both rated everything, Fleiss' for any number of ratings an item so long as it is
the same, Krippendorff's alpha for whatever there is, gaps and orders included. Items, not
ratings, are the observations: every interval is a jackknife over items.

Where all ratings are the same nothing can disagree, and nothing can be said: NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import krippendorff
import numpy as np
import pandas as pd
from statsmodels.stats import inter_rater

from dixitlib.analysis.inference import UNDEFINED, Interval, jackknife_interval

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]


def cohen(
    ratings: pd.DataFrame,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    level: float = 0.95,
) -> Interval:
    """Return Cohen's kappa of two raters, on the items that both rated.

    Parameters
    ----------
    ratings
        One row an item, two columns.
    weights
        For ordered ratings: how a disagreement grows with the distance of the ranks of the
        values used; None counts all alike.
    level
        Coverage of the interval.

    Raises
    ------
    ValueError
        Unless there are two raters.
    """
    if ratings.shape[1] != 2:
        raise ValueError(f"Cohen's kappa takes two raters, not {ratings.shape[1]}")
    both = ratings.dropna()
    codes = _coded(both)
    values = int(codes.max(initial=-1)) + 1

    def kappa(part: np.ndarray) -> float:
        table = np.zeros((values, values))
        np.add.at(table, tuple(part.T), 1)
        return float(inter_rater.cohens_kappa(table, wt=weights, return_results=False))

    return _over_items(codes, kappa, level)


def fleiss(ratings: pd.DataFrame, *, level: float = 0.95) -> Interval:
    """Return Fleiss' kappa, on items that have all their ratings.

    Parameters
    ----------
    ratings
        One row an item, one column a rater.
    level
        Coverage of the interval.

    Raises
    ------
    ValueError
        If there is one rater only.
    """
    if ratings.shape[1] < 2:
        raise ValueError("Fleiss' kappa takes two raters or more")
    codes = _coded(ratings.dropna())
    values = np.arange(codes.max(initial=-1) + 1)

    def kappa(part: np.ndarray) -> float:
        counts = (part[:, :, None] == values).sum(axis=1)
        return float(inter_rater.fleiss_kappa(counts))

    return _over_items(codes, kappa, level)


def alpha(
    ratings: pd.DataFrame, *, measurement: Measurement = "nominal", level: float = 0.95
) -> Interval:
    """Return Krippendorff's alpha. Ratings may be missing; items with one count for nothing.

    Parameters
    ----------
    ratings
        One row an item, one column a rater; numbers unless the measurement is nominal.
    measurement
        How values compare: nominal, ordinal, interval or ratio.
    level
        Coverage of the interval.
    """
    paired = ratings[ratings.notna().sum(axis=1) > 1]
    if measurement == "nominal":
        values = np.where(paired.notna(), _coded(paired), np.nan)
    else:
        values = paired.to_numpy(dtype=float, na_value=np.nan)

    def coefficient(part: np.ndarray) -> float:
        return float(krippendorff.alpha(part.T, level_of_measurement=measurement))

    return _over_items(values, coefficient, level)


def agreement(
    ratings: pd.DataFrame, *, measurement: Measurement = "nominal", level: float = 0.95
) -> pd.DataFrame:
    """Return every coefficient that fits a table of ratings.

    Parameters
    ----------
    ratings, measurement, level
        As in `alpha`. The two kappas take the values as names, whatever the measurement.

    Returns
    -------
    DataFrame
        coefficient, items (that it uses), raters, estimate, low, high, note (why a number
        is missing).
    """
    whole, some = ratings.notna().all(axis=1), ratings.notna().sum(axis=1) > 1
    found = {"Fleiss' kappa": (whole, fleiss(ratings, level=level))}
    if ratings.shape[1] == 2:
        found = {"Cohen's kappa": (whole, cohen(ratings, level=level))} | found
    ours = alpha(ratings, measurement=measurement, level=level)
    found[f"Krippendorff's alpha, {measurement}"] = (some, ours)
    rows = [
        (name, int(used.sum()), ratings.shape[1], *interval, _note(int(used.sum()), interval))
        for name, (used, interval) in found.items()
    ]
    ends = ["estimate", "low", "high", "note"]
    return pd.DataFrame(rows, columns=["coefficient", "items", "raters", *ends])


def _over_items(
    items: np.ndarray, coefficient: Callable[[np.ndarray], float], level: float
) -> Interval:
    """Return a coefficient with its jackknife interval over items."""
    if not _varies(items):
        return UNDEFINED
    without = [np.delete(items, k, axis=0) for k in range(len(items))]
    estimates = [coefficient(part) if _varies(part) else np.nan for part in without]
    return jackknife_interval(coefficient(items), pd.Series(estimates), level)


def _varies(items: np.ndarray) -> bool:
    """Tell whether two ratings differ: else chance agreement is perfect too."""
    return items.size > 0 and bool(np.nanmin(items) < np.nanmax(items))


def _coded(ratings: pd.DataFrame) -> np.ndarray:
    """Return values as their ranks from 0, in the table's shape; -1 where missing."""
    codes, _ = pd.factorize(ratings.to_numpy().ravel(), sort=True)
    return codes.reshape(ratings.shape)


def _note(items: int, interval: Interval) -> str:
    if items == 0:
        return "no item was rated twice"
    if np.isnan(interval.estimate):
        return "all ratings are the same: nothing can disagree"
    return "" if np.isfinite(interval.high) else "too few items vary: no interval"
