"""How much rows of one cluster resemble each other, and what that costs.

Votes of one table, rounds of one match, items of one card: the intraclass correlation is the
share of the variance that lies between clusters. With it, n rows are worth n / deff
independent ones, deff = 1 + (m - 1) rho for clusters of m rows.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import UNDEFINED, Interval, jackknife_interval


def intraclass(frame: pd.DataFrame, column: str, cluster: str, *, level: float = 0.95) -> Interval:
    """Return the intraclass correlation, by analysis of variance, with its interval.

    The estimate is that of the one-way random-effects model, with the mean cluster size
    that suits unequal clusters (Donner 1986); rho may come out below 0. The interval is a
    jackknife over clusters, since truth values are not normal.

    Parameters
    ----------
    frame
        One row an observation. Rows without a value are left out.
    column
        Numbers or truth values.
    cluster
        Column that says what belongs together.
    level
        Coverage aimed at.

    Returns
    -------
    Interval
        All NaN where nothing varies, where there is one cluster, or where no cluster has
        two rows; the ends are NaN with two clusters.
    """
    values = frame[column].to_numpy(dtype=float, na_value=np.nan)
    known = pd.DataFrame({"y": values, "cluster": frame[cluster].to_numpy()}).dropna(subset="y")
    parts = _parts(known)
    totals = parts.sum()
    full = float(_correlation(totals.to_frame().T).iloc[0])
    if np.isnan(full):
        return UNDEFINED
    return jackknife_interval(full, _correlation(totals - parts), level)


def clustering(
    frame: pd.DataFrame, column: str, clusters: list[str], *, level: float = 0.95
) -> pd.DataFrame:
    """Return, for each way of clustering, how alike the rows are and what they are worth.

    Parameters
    ----------
    clusters
        Columns, each one way of saying what belongs together.
    frame, column, level
        As in `intraclass`.

    Returns
    -------
    DataFrame
        cluster, clusters, rows, size (mean rows that a row's cluster has), rho, low, high,
        design_effect, worth (rows / design effect).
    """
    rows = []
    for cluster in clusters:
        sizes = frame.dropna(subset=[column]).groupby(cluster).size()
        rho = intraclass(frame, column, cluster, level=level)
        size = float((sizes**2).sum() / sizes.sum()) if len(sizes) else np.nan
        effect = design_effect(rho.estimate, size)
        counts = cluster, len(sizes), int(sizes.sum()), size
        rows.append((*counts, *rho, effect, sizes.sum() / effect))
    ends = ["rho", "low", "high", "design_effect", "worth"]
    return pd.DataFrame(rows, columns=["cluster", "clusters", "rows", "size", *ends])


def design_effect(rho: float, size: float) -> float:
    """Return by how much clusters of a size widen the variance of a mean.

    For unequal clusters the size is sum n^2 / sum n: how many rows a row's cluster has.
    """
    return 1 + (size - 1) * rho


def _parts(known: pd.DataFrame) -> pd.DataFrame:
    """Return, by cluster, what the correlation is a function of when summed."""
    groups = known.groupby("cluster")["y"]
    n, total = groups.size().astype(float), groups.sum()
    squares = known["y"].pow(2).groupby(known["cluster"]).sum()
    names = {"clusters": n**0, "n": n, "n2": n**2, "sum": total, "squares": squares}
    return pd.DataFrame({**names, "between": total**2 / n})


def _correlation(sums: pd.DataFrame) -> pd.Series:
    """Return (MSB - MSW) / (MSB + (m - 1) MSW) from sums over clusters."""
    k, n = sums["clusters"], sums["n"]
    with np.errstate(invalid="ignore", divide="ignore"):  # one cluster, or no pair: NaN
        size = (n - sums["n2"] / n) / (k - 1)
        between = (sums["between"] - sums["sum"] ** 2 / n) / (k - 1)
        within = (sums["squares"] - sums["between"]) / (n - k)
        found = (between - within) / (between + (size - 1) * within)
    return found.where(np.isfinite(found))
