"""Resampling whole clusters, for thirty of them or more.

A draw takes as many clusters as there are, with replacement. All draws are made at once:
a draw is a count of how often each cluster was taken, and whatever is a function of sums
over rows follows from one product of matrices. Below thirty clusters the draws vary too
little, and intervals are refused; `inference.cluster_interval` is for these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import UNDEFINED, Interval
from dixitlib.seeds import place

DRAWS = 1999
FEWEST = 30


def bootstrap_interval(
    frame: pd.DataFrame,
    columns: str | Sequence[str],
    cluster: str,
    statistic: Callable[..., np.ndarray] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """Return an estimate with a percentile interval over resampled clusters.

    Parameters
    ----------
    frame
        One row an observation. Rows without a value in the columns are left out.
    columns
        One column, for its mean; two, for the ratio of their sums; or, with a statistic,
        those whose sums it takes.
    cluster
        Column that says what belongs together.
    statistic
        From sums, one array a column in the order given and all of one shape, to
        estimates of that shape.
    draws, seed
        How many draws, and what decides them.
    level
        Coverage aimed at.

    Returns
    -------
    Interval
        Without observations all NaN. Draws in which the statistic is undefined are left out.

    Raises
    ------
    ValueError
        If there are fewer than thirty clusters.
    """
    named = [columns] if isinstance(columns, str) else list(columns)
    known = frame.dropna(subset=named).assign(_rows=1.0)
    if known.empty:
        return UNDEFINED
    if isinstance(columns, str) and statistic is None:
        named = [columns, "_rows"]
    sums = cluster_sums(known, named, cluster)
    if len(sums) < FEWEST:
        raise ValueError(
            f"{len(sums)} clusters of {cluster!r}: below {FEWEST} a bootstrap of clusters is "
            "too sure of itself; use inference.cluster_interval"
        )
    found = _evaluated(statistic or np.divide, resampled(sums, draws, seed))
    full = _evaluated(statistic or np.divide, sums.to_numpy().sum(axis=0, keepdims=True))[0]
    return Interval(float(full), *map(float, _ends(found, level)))


def cluster_sums(frame: pd.DataFrame, columns: Sequence[str], cluster: str) -> pd.DataFrame:
    """Return the sums of columns over each cluster, one row a cluster, as floats."""
    return frame.astype(dict.fromkeys(columns, float)).groupby(cluster)[list(columns)].sum()


def resampled(sums: pd.DataFrame, draws: int = DRAWS, seed: int = 0) -> np.ndarray:
    """Return the columns' sums over resampled clusters, shape (draws, columns)."""
    return taken(len(sums), draws, seed) @ sums.to_numpy(dtype=float)


def taken(clusters: int, draws: int = DRAWS, seed: int = 0) -> np.ndarray:
    """Return how often each draw takes each cluster, shape (draws, clusters)."""
    even = np.full(clusters, 1 / clusters)
    return place(seed, "clusters").multinomial(clusters, even, size=draws).astype(float)


def rank_intervals(
    frame: pd.DataFrame,
    who: str,
    value: str,
    cluster: str,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return each player's rank by its mean, and the ranks it holds in resampled clusters.

    The clusters are resampled for all players at once, so that what they share (a card, a
    table) moves none past another. With few clusters the intervals are rather too short.

    Parameters
    ----------
    frame
        One row an observation of a player. Rows without a value are left out.
    who, value
        Columns with the player and with what it is ranked by; the highest is first.
    cluster, draws, seed, level
        As in `bootstrap_interval`.

    Returns
    -------
    DataFrame
        The column `who`, estimate, rank, low, high, first (share of draws in which it was
        first, alone or tied), note. A player in one cluster has no interval.
    """
    known = frame.dropna(subset=[value]).astype({value: float})
    table = known.pivot_table(values=value, index=cluster, columns=who, aggfunc=["sum", "count"])
    sums, counts = (table[part].fillna(0.0) for part in ("sum", "count"))
    weights = taken(len(table), draws, seed)
    drawn = _places(weights @ sums.to_numpy(), weights @ counts.to_numpy())
    estimate = sums.sum() / counts.sum()
    few = (counts > 0).sum() < 2
    ends = np.where(few, np.nan, _ends(drawn, level))
    firsts = np.nanmean(np.where(np.isnan(drawn), np.nan, drawn == 1), axis=0)
    return pd.DataFrame(
        {
            who: estimate.index,
            "estimate": estimate.to_numpy(),
            "rank": estimate.rank(ascending=False, method="min").to_numpy(),
            "low": ends[0],
            "high": ends[1],
            "first": np.where(few, np.nan, firsts),
            "note": np.where(few, "one cluster: no interval", ""),
        }
    )


def _evaluated(statistic: Callable[..., np.ndarray], sums: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing over nothing is NaN
        return np.asarray(statistic(*sums.T), dtype=float)


def _places(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return ranks of the means of each draw, NaN for a player that the draw left out."""
    with np.errstate(invalid="ignore"):
        means = pd.DataFrame(sums / counts)
    return means.rank(axis=1, ascending=False, method="min").to_numpy()


def _ends(drawn: np.ndarray, level: float) -> np.ndarray:
    tails = [(1 - level) / 2, (1 + level) / 2]
    return np.nanquantile(drawn, tails, axis=0, method="closest_observation")
