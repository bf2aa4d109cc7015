"""Tests of differences whose pairs come in clusters, and what many tests at once may claim.

Two players answer the same items, two methods are put to the same cards: the difference of
each pair is what is tested, and pairs that share a card or a match are one observation.
What cannot be tested gives a p-value of NaN and a note that says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats import contingency_tables
from statsmodels.stats.multitest import multipletests

from dixitlib.analysis.inference import Statistic, cluster_estimate
from dixitlib.seeds import place

DRAWS = 9999


class Tested(NamedTuple):
    """An estimate, its p-value, and a note on what the test could not do."""

    estimate: float
    p: float
    note: str = ""


class Equivalence(NamedTuple):
    """A difference, the interval that decides, the p-value, and whether it lies in the margin."""

    estimate: float
    low: float
    high: float
    p: float
    equivalent: bool
    note: str = ""


def paired(
    first: pd.DataFrame, second: pd.DataFrame, value: str, on: Sequence[str]
) -> pd.DataFrame:
    """Return the differences of a value, first minus second, of what both frames hold.

    Parameters
    ----------
    first, second
        One row a thing, such as the answers of two methods.
    value
        Column to compare. Pairs in which one side is missing are left out.
    on
        Columns that name a thing; the cluster is best among them.

    Returns
    -------
    DataFrame
        The columns `on`, first, second, difference.

    Raises
    ------
    ValueError
        If a frame holds a thing twice: which one should be compared?
    """
    keys = list(on)
    for name, frame in (("first", first), ("second", second)):
        twice = frame.loc[frame.duplicated(keys), keys]
        if len(twice):
            raise ValueError(
                f"{len(twice)} rows of the {name} frame are not told apart by "
                f"{', '.join(keys)}, such as {twice.iloc[0].to_dict()}"
            )
    sides = [
        frame[keys].assign(**{name: frame[value].to_numpy(dtype=float, na_value=np.nan)})
        for name, frame in (("first", first), ("second", second))
    ]
    both = sides[0].merge(sides[1], on=keys, validate="one_to_one").dropna()
    return both.assign(difference=both["first"] - both["second"])


def paired_permutation(
    frame: pd.DataFrame, column: str, cluster: str, *, draws: int = DRAWS, seed: int = 0
) -> Tested:
    """Test a mean difference of 0 by flipping the sign of whole clusters.

    If the two sides are exchangeable, a cluster's sum is as likely as its negative. All
    flips are tried if there are at most `draws` of them, so that the test is exact; else
    `draws` random ones beside the observed one.

    Parameters
    ----------
    frame
        One row a pair. Pairs without a difference are left out.
    column
        The differences, such as those of `paired`.
    cluster
        Column that says which pairs belong together.
    draws
        Most flips to try.
    seed
        Decides which, if not all.

    Returns
    -------
    Tested
        The mean difference and its p-value, two-sided. With five clusters or fewer no p
        is as low as 0.05, which is noted.
    """
    known = frame.dropna(subset=[column])
    if known.empty:
        return Tested(np.nan, np.nan, "no pairs")
    sums = known.groupby(cluster)[column].sum().to_numpy(dtype=float)
    flipped = np.abs(_signs(len(sums), draws, seed) @ sums)
    as_far = flipped >= abs(sums.sum()) - 1e-9 * np.abs(sums).sum()
    least = 2.0 ** (1 - len(sums))
    note = f"{len(sums)} clusters: no p below {least:g}" if least >= 0.05 else ""
    return Tested(float(known[column].mean()), float(as_far.mean()), note)


def mcnemar(first: Sequence[float], second: Sequence[float]) -> Tested:
    """Compare two sides, right or wrong on the same items, by McNemar's exact test.

    Items are taken as independent: give it one pair a cluster, or use `paired_permutation`.

    Parameters
    ----------
    first, second
        0 or 1 an item, in the same order. Items that one side lacks are left out.

    Returns
    -------
    Tested
        The difference of the two shares, and the p-value, two-sided.

    Raises
    ------
    ValueError
        If the sides differ in length, or if a credit is neither 0 nor 1: a shared credit is
        not half a success, and such items are for `paired_permutation`.
    """
    pairs = pd.DataFrame({"first": _floats(first), "second": _floats(second)}).dropna()
    fractions = sorted(set(np.unique(pairs)) - {0.0, 1.0})
    if fractions:
        raise ValueError(
            f"McNemar's test counts items right or wrong, not credits of "
            f"{', '.join(f'{value:g}' for value in fractions)}: use paired_permutation"
        )
    if pairs.empty:
        return Tested(np.nan, np.nan, "no pairs")
    table = pd.crosstab(pairs["first"], pairs["second"])
    table = table.reindex(index=[0, 1], columns=[0, 1], fill_value=0)
    difference = float((pairs["first"] - pairs["second"]).mean())
    if table.loc[0, 1] + table.loc[1, 0] == 0:
        return Tested(difference, 1.0, "the sides never differ")
    return Tested(difference, float(contingency_tables.mcnemar(table, exact=True).pvalue))


def equivalence(
    frame: pd.DataFrame,
    statistic: Statistic,
    cluster: str,
    margin: float,
    *,
    alpha: float = 0.05,
) -> Equivalence:
    """Test whether a difference is smaller than a margin, by two one-sided tests (TOST).

    Parameters
    ----------
    frame, statistic, cluster
        As in `inference.cluster_interval`; the statistic is a difference.
    margin
        Greatest difference, up or down, that would not matter; above 0.
    alpha
        Level of the test: the interval, 1 - 2 alpha wide, must lie within the margin.

    Returns
    -------
    Equivalence
        Undefined, and never equivalent, with fewer than two clusters.

    Raises
    ------
    ValueError
        Unless the margin is above 0.
    """
    if not margin > 0:
        raise ValueError(f"a margin of {margin}: it takes a difference above 0")
    estimate, error, df = cluster_estimate(frame, statistic, cluster)
    if np.isnan(error):
        note = "nothing observed" if np.isnan(estimate) else "one cluster: no error"
        return Equivalence(estimate, np.nan, np.nan, np.nan, False, note)
    reach = float(stats.t.ppf(1 - alpha, df) * error)
    room = margin - abs(estimate)
    # Without any error the difference is what it is: inside the margin, or not.
    p = float(stats.t.sf(room / error, df)) if error > 0 else float(room <= 0)
    note = "" if error > 0 else "all clusters alike: no error"
    return Equivalence(estimate, estimate - reach, estimate + reach, p, p < alpha, note)


def holm(p: Sequence[float]) -> np.ndarray:
    """Return p-values corrected for being several, by Holm's method.

    A test that could not be made (NaN) stays NaN and counts in the number of tests, so that
    a missing one makes no other look better.
    """
    given = _floats(p)
    if not given.size:
        return given
    corrected = multipletests(np.nan_to_num(given, nan=1.0), method="holm")[1]
    return np.where(np.isnan(given), np.nan, corrected)


def _signs(clusters: int, draws: int, seed: int) -> np.ndarray:
    """Return rows of signs: all there are, or the observed one and random ones."""
    if 2.0**clusters <= draws + 1:
        numbers = np.arange(2**clusters)[:, None]
        return 1.0 - 2.0 * (numbers >> np.arange(clusters) & 1)
    drawn = place(seed, "flips").choice([-1.0, 1.0], size=(draws, clusters))
    return np.vstack([np.ones(clusters), drawn])


def _floats(values: Sequence[float]) -> np.ndarray:
    return pd.Series(values).to_numpy(dtype=float, na_value=np.nan)
