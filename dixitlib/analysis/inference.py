"""Intervals for data in which not everything is independent.

Three listeners hear one clue, twelve rounds share a match, a card comes back in every
tier: what belongs together is a cluster, and the clusters, not the rows, are the
observations. Intervals come from a jackknife that leaves out one cluster at a time, with
a t quantile. With the six matches a player has, a percentile bootstrap over matches
covers 84 to 88% where it promises 95%. The t interval covers 94 to 95% there, unless a
share is near 0 or 1 (91%); `share_interval`, made for shares, covers 95 to 98%, and
`match_share`, which knows that a match against oneself is none of a sample, 93 to 97%.

What cannot be said is NaN: everything without any observation, and the two ends of an
interval when there is only one cluster, since nothing then tells how clusters differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

Statistic = str | tuple[str, str] | Callable[[pd.DataFrame], float]


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    estimate: float
    low: float
    high: float


class Estimate(NamedTuple):
    """An estimate, its standard error and the degrees of freedom of its t."""

    value: float
    error: float
    df: float


UNDEFINED = Interval(np.nan, np.nan, np.nan)


def wilson(k: int, n: int, level: float = 0.95) -> Interval:
    """Return Wilson's interval of a proportion, for independent observations only.

    Parameters
    ----------
    k, n
        Successes and observations. Without observations everything is NaN.
    level
        Coverage aimed at.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} successes of {n} observations: it takes 0 <= k <= n")
    if n == 0:
        return UNDEFINED
    return _score(k / n, n, stats.norm.ppf((1 + level) / 2))


def cluster_interval(
    frame: pd.DataFrame, statistic: Statistic, cluster: str, level: float = 0.95
) -> Interval:
    """Return an estimate with a cluster-robust t interval.

    The variance is the delete-one-cluster jackknife about the full estimate (CV3),
    (G - 1) / G times the sum of squared deviations over the G clusters; the quantile is
    t's with G - 1 degrees of freedom. For a mean over clusters of one size this is the
    t interval of the clusters' means.

    Parameters
    ----------
    frame
        One row an observation.
    statistic
        A column, for its mean; two columns, for the ratio of their sums; or a function
        from a frame to a number. Rows without a value in those columns are left out.
    cluster
        Column that says what belongs together.
    level
        Coverage aimed at.

    Returns
    -------
    Interval
        Without observations all NaN; with one cluster only the estimate is a number.
    """
    return jackknife_interval(*_estimates(frame, statistic, cluster), level)


def cluster_estimate(frame: pd.DataFrame, statistic: Statistic, cluster: str) -> Estimate:
    """Return what `cluster_interval` is made of, for tests that need the error itself.

    With fewer than two clusters there is no error: it and the degrees of freedom are NaN.
    """
    full, without = _estimates(frame, statistic, cluster)
    if len(without) < 2:
        return Estimate(full, np.nan, np.nan)
    return Estimate(full, float(np.sqrt(_variance(full, without))), len(without) - 1)


def difference_interval(
    first: pd.DataFrame,
    second: pd.DataFrame,
    statistic: Statistic,
    cluster: str,
    level: float = 0.95,
) -> Interval:
    """Return the difference of a statistic between two frames, first minus second.

    The frames are paired by cluster: a cluster is left out of both at once, so what the
    two share (a match, a card) does not widen the interval. A cluster that only one of
    them has is left out of that one.

    Parameters
    ----------
    first, second
        What is compared.
    statistic, cluster, level
        As in `cluster_interval`.
    """
    (one, without_one), (other, without_other) = (
        _estimates(frame, statistic, cluster) for frame in (first, second)
    )
    clusters = without_one.index.union(without_other.index)
    left = without_one.reindex(clusters, fill_value=one)
    right = without_other.reindex(clusters, fill_value=other)
    return jackknife_interval(one - other, left - right, level)


def share_interval(
    frame: pd.DataFrame,
    statistic: str | tuple[str, str],
    cluster: str,
    level: float = 0.95,
    *,
    stratum: str | None = None,
) -> Interval:
    """Return a share between 0 and 1, with an interval that stays there.

    Wilson's interval for as many observations as the clusters are worth: n independent
    ones would give the jackknife's variance of `cluster_interval`. The quantile is t's
    with one degree of freedom less than there are clusters. If all clusters agree (no
    round of any match was partial), that variance is 0 and the rows themselves are
    counted; the interval is then too narrow if rows of a cluster resemble each other.

    Parameters
    ----------
    statistic
        A column of truth values or credits from 0 to 1, for its mean; or two columns, for
        the ratio of their sums, which must lie between 0 and 1.
    frame, cluster, level
        As in `cluster_interval`.
    stratum
        Column that says which clusters are of one kind, if there are several, each at least
        twice: what kinds differ in is no error. A cluster left out gives its weight to the
        others of its stratum (Rust and Rao 1996), and the degrees of freedom of several
        strata are Satterthwaite's.
    """
    sums = _sums(frame, statistic, cluster)
    kind = {} if stratum is None else dict(zip(frame[cluster], frame[stratum], strict=True))
    kinds = np.array([kind.get(each, 0) for each in sums.columns])
    parts, df = _by_stratum(sums.to_numpy(), kinds)
    share, variance = float(_ratio(*sums.to_numpy().sum(axis=1))), parts.sum()
    if not len(df) or df.min() < 1:
        return Interval(share, np.nan, np.nan)
    if variance == 0:
        known = frame.dropna(subset=_columns(statistic))
        return _score(share, len(known), _quantile(df.sum(), level))
    freedom = variance**2 / (parts**2 / df).sum()
    return _score(share, share * (1 - share) / variance, _quantile(freedom, level))


def match_share(
    frame: pd.DataFrame, statistic: str | tuple[str, str], level: float = 0.95
) -> Interval:
    """Return a player's share over its matches, as `share_interval` does.

    Opponents are a sample of many, and a match against one of them is a cluster. Against
    itself a player meets nobody new: a round, with the one that repeats its hands in the second
    phase, is a cluster of that match, and the match a stratum of its own. Where there are not
    two clusters of each kind, matches are the clusters, whoever played them.

    Parameters
    ----------
    frame
        One row an observation: match, round, cross (whether the match is between two).
    statistic, level
        As in `share_interval`.
    """
    known = frame[[*_columns(statistic), "match", "round", "cross"]].dropna()
    unit = known["round"].where(~known["cross"].astype(bool), 0)
    known = known.assign(cluster=known.groupby(["match", unit], sort=False).ngroup())
    clusters = known.groupby("cross")["cluster"].nunique()
    if clusters.get(True, 0) < 2 or clusters.get(False, 2) < 2:
        return share_interval(known, statistic, "match", level)
    return share_interval(known, statistic, "cluster", level, stratum="cross")


def ratio_interval(
    frame: pd.DataFrame, columns: tuple[str, str], cluster: str, level: float = 0.95
) -> Interval:
    """Return a ratio of two sums, with the ratios that the clusters do not contradict.

    If a ratio is true, each cluster's sum of the first column is that often the second's but
    for noise. Held against the noise that there would be then (Fieller 1954), and not against
    that about the estimate, ratios of sums of squares and products keep their level with
    few clusters. The quantile is t's with one degree of freedom less than there are clusters;
    if all clusters have the same second sum this is the t interval of their ratios.

    Parameters
    ----------
    columns
        The two whose sums make the ratio.
    frame, cluster, level
        As in `cluster_interval`.

    Returns
    -------
    Interval
        Without ends where any ratio might be true.
    """
    sums = frame.dropna(subset=list(columns)).groupby(cluster)[list(columns)].sum()
    whole = sums.sum().to_numpy()
    ratio = float(whole[0] / whole[1]) if whole[1] else np.nan
    if len(sums) < 2:
        return Interval(ratio, np.nan, np.nan)
    # Ratios r with (a - b r)^2 <= t^2 variance (a - b r) lie between the roots of a square.
    variance = len(sums) * sums.cov().to_numpy()
    (c, b), (_, a) = np.outer(whole, whole) - _quantile(len(sums) - 1, level) ** 2 * variance
    if a <= 0:
        return Interval(ratio, np.nan, np.nan)
    reach = np.sqrt(max(b * b - a * c, 0.0))
    return Interval(ratio, float((b - reach) / a), float((b + reach) / a))


def jackknife_interval(full: float, without: pd.Series, level: float = 0.95) -> Interval:
    """Return an estimate with its t interval, from the estimates without each cluster.

    Parameters
    ----------
    full
        The estimate from all clusters.
    without
        One estimate for each cluster left out. With fewer than two the ends are NaN.
    level
        Coverage aimed at.
    """
    if len(without) < 2:
        return Interval(full, np.nan, np.nan)
    reach = _quantile(len(without) - 1, level) * np.sqrt(_variance(full, without))
    return Interval(full, float(full - reach), float(full + reach))


def _score(share: float, n: float, quantile: float) -> Interval:
    """Return the shares that n observations do not contradict (Wilson 1927)."""
    q2 = quantile**2
    centre = (share + q2 / (2 * n)) / (1 + q2 / n)
    reach = np.sqrt(q2 * (share * (1 - share) / n + q2 / (4 * n * n))) / (1 + q2 / n)
    # At a share of 0 or 1 one end is 0 or 1 too, but for the last bit.
    low = 0.0 if share == 0 else float(centre - reach)
    high = 1.0 if share == 1 else float(centre + reach)
    return Interval(float(share), low, high)


def _variance(full: float, without: pd.Series) -> float:
    clusters = len(without)
    return (clusters - 1) / clusters * float(np.square(without.to_numpy() - full).sum())


def _by_stratum(sums: np.ndarray, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each stratum's part of the variance of a ratio, and its degrees of freedom."""
    total = sums.sum(axis=1, keepdims=True)
    parts, df = [], []
    for kind in np.unique(kinds):
        own = sums[:, kinds == kind]
        clusters, whole = own.shape[1], own.sum(axis=1, keepdims=True)
        # When one is left out the others weigh clusters / (clusters - 1). Both sums are taken
        # clusters - 1 times, so that they stay whole and equal ratios stay equal.
        without = (clusters - 1) * (total - whole) + clusters * (whole - own)
        apart = _ratio(*without) - _ratio(*total)
        parts.append((clusters - 1) / clusters * np.square(apart).sum())
        df.append(clusters - 1)
    return np.array(parts), np.array(df)


def _quantile(df: float, level: float) -> float:
    return float(stats.t.ppf((1 + level) / 2, df))


def _estimates(frame: pd.DataFrame, statistic: Statistic, cluster: str) -> tuple[float, pd.Series]:
    """Return the statistic, and the statistic without each cluster."""
    if callable(statistic):
        return _by_calling(frame, statistic, cluster)
    table = _sums(frame, statistic, cluster)
    sums, total = table.to_numpy(), table.to_numpy().sum(axis=1)
    without = _ratio(*(total[:, None] - sums))
    return float(_ratio(*total)), pd.Series(without, index=table.columns)


def _sums(frame: pd.DataFrame, statistic: str | tuple[str, str], cluster: str) -> pd.DataFrame:
    """Return the two sums of a ratio, one row each, by cluster."""
    parts = [frame[c].to_numpy(dtype=float, na_value=np.nan) for c in _columns(statistic)]
    parts.append(np.ones(len(frame)))  # a mean is a ratio to the number of rows
    known = ~np.isnan(parts).any(axis=0)
    codes, clusters = pd.factorize(frame[cluster].to_numpy()[known])
    sums = [np.bincount(codes, part[known], len(clusters)) for part in parts[:2]]
    return pd.DataFrame(sums, columns=clusters)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing over nothing is NaN
        return np.divide(part, whole)


def _columns(statistic: str | tuple[str, str]) -> list[str]:
    return [statistic] if isinstance(statistic, str) else list(statistic)


def _by_calling(
    frame: pd.DataFrame, statistic: Callable[[pd.DataFrame], float], cluster: str
) -> tuple[float, pd.Series]:
    if frame.empty:
        return np.nan, pd.Series(dtype=float)
    clusters = frame[cluster].unique()
    full = float(statistic(frame))
    if len(clusters) == 1:
        return full, pd.Series([np.nan], index=clusters)
    without = {c: float(statistic(frame[frame[cluster] != c])) for c in clusters}
    return full, pd.Series(without)
