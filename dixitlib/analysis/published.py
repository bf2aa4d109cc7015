"""What can be checked in a published table by whoever has nothing but the table.

The tables lie in ``data/published/`` as they were transcribed, one row a published row. A
percentage of a known total stands for a count, or for none; counts can be compared; parts
can be added up to the whole beside them; a printed statistic has a p-value. These checks
ask nothing of the authors and suit other papers' tables as well; `audit` puts them to two.

Counts from one table are compared as if all observations were independent, the most that
a table without its raw data allows. Rounds of one match resemble one another, so intervals
are rather too narrow and p-values rather too small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from dixitlib import paths
from dixitlib.analysis.contrasts import holm
from dixitlib.analysis.inference import UNDEFINED, wilson
from dixitlib.analysis.power import rounds_needed

ROUNDS_TOLD = 84  # by each model: 12 in each of five cross matches and 24 in self-play
HALF_A_DIGIT = 0.005  # percentages are printed with two decimals
FITS = 1e-9  # what the last bit of a division may add


class LeaveOneOut(NamedTuple):
    """Mean change in a storyteller's points, and the "stability index" 1 - sd / 3."""

    mean: float
    stability: float


class FixedWeights(NamedTuple):
    """Weights of the parts that come nearest to a whole, and the largest miss that is left."""

    weights: dict[str, float]
    rows: int
    miss: float


def load(name: str, folder: Path | None = None) -> pd.DataFrame:
    """Return a published table, such as ``dixitworld_arena``.

    Raises
    ------
    FileNotFoundError
        If there is no such table; those there are are named.
    """
    folder = folder or paths.data("published")
    path = folder / f"{name}.csv"
    if not path.exists():
        known = ", ".join(sorted(table.stem for table in folder.glob("*.csv"))) or "none"
        raise FileNotFoundError(f"no published table {name!r} in {folder}; there are: {known}")
    return pd.read_csv(path)


def traced(name: str, folder: Path | None = None) -> pd.DataFrame:
    """Return a published table with a column `source`: file and line of each row."""
    table = load(name, folder)
    return table.assign(source=[f"{name}.csv:{line + 2}" for line in range(len(table))])


def attainable_count(percentage: float, total: int) -> float:
    """Return the count of `total` that a percentage printed with two decimals stands for.

    NaN if no count rounds to it, or if nothing was printed.
    """
    if np.isnan(percentage):
        return np.nan
    count = round(percentage * total / 100)
    near = abs(100 * count / total - percentage) <= HALF_A_DIGIT + FITS
    return float(count) if near else np.nan


def attainable(table: pd.DataFrame, column: str, totals: Sequence[int]) -> pd.DataFrame:
    """Return a table with a column ``of_N`` for each total: the count printed, or NaN.

    Parameters
    ----------
    table
        One row a printed value.
    column
        Percentages with two decimals.
    totals
        Items or rounds that they may be shares of.
    """
    counts = {
        f"of_{total}": [attainable_count(value, total) for value in table[column]]
        for total in totals
    }
    return table.assign(**counts)


def attainable_by_luck(total: int) -> float:
    """Return the share of all percentages with two decimals that some count rounds to.

    Where it is small, a value that fits says that the total is right; near 1 (a total of
    thousands), fitting says nothing.
    """
    printed = {round(100 * count / total + FITS, 2) for count in range(total + 1)}
    return len(printed) / 10001


def beside_chance(counts: Mapping[str, int], total: int, chance: float) -> pd.DataFrame:
    """Return each share with its interval, and the exact p-value of being at chance.

    Returns
    -------
    DataFrame
        name, count, share, low, high (Wilson), chance, p (binomial, two-sided), p_holm.
    """
    rows = [
        (name, k, *wilson(k, total), chance, stats.binomtest(k, total, chance).pvalue)
        for name, k in counts.items()
    ]
    columns = ["name", "count", "share", "low", "high", "chance", "p"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(p_holm=holm(frame["p"]))


def pairs(counts: Mapping[str, int], total: int, *, wanted: float = 0.8) -> pd.DataFrame:
    """Compare every two shares of a table, and say how many rounds telling them apart takes.

    Parameters
    ----------
    counts
        Of each row, out of `total`.
    total
        Rounds or items of each row.
    wanted
        Power for `needed`.

    Returns
    -------
    DataFrame
        first, second, difference (of shares), low, high (Newcombe), p (Fisher's exact test),
        p_holm (over all pairs), needed (rounds a share takes if the printed shares are the
        true ones, rounds independent and the pair tested alone), needed_holm (if it is to be
        the first to pass of all pairs); by p. Of two, the first in `counts` is the first.
    """
    both = list(combinations(counts, 2))
    rows = [(a, b, *_compared(counts[a], counts[b], total)) for a, b in both]
    frame = pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high", "p"])
    frame["p_holm"] = holm(frame["p"])
    for name, tests in (("needed", 1), ("needed_holm", len(both))):
        frame[name] = [
            rounds_needed(counts[a] / total, counts[b] / total, wanted=wanted, alpha=0.05 / tests)
            for a, b in both
        ]
    return frame.sort_values("p", kind="stable", ignore_index=True)


def chi_squared_p(statistic: float, slots: int) -> float:
    """Return the p-value of a chi-squared statistic of equal counts over slots."""
    return float(stats.chi2.sf(statistic, slots - 1))


def leave_one_out(partial: float) -> LeaveOneOut:
    """Return what leaving out one of three listeners gives, which the partial rate decides.

    A partial round loses one point on average over the three listeners left out in turn, any
    other round none (facts: Robustness as published). So the mean is -p, and over rounds
    the standard deviation is that of a coin.
    """
    return LeaveOneOut(-partial, 1 - np.sqrt(partial * (1 - partial)) / 3)


def implied_partial(printed: LeaveOneOut, rounds: int = ROUNDS_TOLD) -> list[int]:
    """Return the numbers of partial rounds that both printed leave-one-out figures fit.

    The mean is printed with two decimals, the stability index with three.
    """
    possible = ((count, leave_one_out(count / rounds)) for count in range(rounds + 1))
    return [
        count
        for count, (mean, stability) in possible
        if abs(mean - printed.mean) <= 0.005 + FITS
        and abs(stability - printed.stability) <= 0.0005 + FITS
    ]


def wholes(table: pd.DataFrame, whole: str, parts: Mapping[str, int]) -> pd.DataFrame:
    """Set a printed whole beside the means of its printed parts.

    Parameters
    ----------
    table
        One row a printed whole with its parts, percentages with two decimals.
    whole
        Column of the whole.
    parts
        Columns of the parts, and how many items each has.

    Returns
    -------
    DataFrame
        The table with plain (mean of the parts), weighted (by items), and fits: the mean or
        means that the whole equals within rounding of all that was printed.
    """
    values = table[list(parts)].to_numpy(dtype=float)
    plain, weighted = values.mean(axis=1), np.average(values, axis=1, weights=[*parts.values()])
    near = {
        name: (table[whole] - mean).abs() <= 2 * HALF_A_DIGIT + FITS
        for name, mean in (("plain", plain), ("weighted", weighted))
    }
    fits = [" and ".join(name for name in near if near[name].iloc[k]) for k in range(len(table))]
    return table.assign(plain=plain, weighted=weighted, fits=[name or "neither" for name in fits])


def fixed_weights(table: pd.DataFrame, whole: str, parts: Sequence[str]) -> FixedWeights:
    """Return the weights that make the parts come nearest to the whole, over complete rows.

    Rounding can explain a miss of about 0.01. With as many weights as rows, or fewer rows,
    any table fits and the check says nothing: the miss is then NaN.
    """
    known = table.dropna(subset=[whole, *parts])
    x, y = known[list(parts)].to_numpy(dtype=float), known[whole].to_numpy(dtype=float)
    if len(known) <= len(parts):
        return FixedWeights({}, len(known), np.nan)
    weights = np.linalg.lstsq(x, y)[0]
    fitted = dict(zip(parts, weights.tolist(), strict=True))
    return FixedWeights(fitted, len(known), float(np.abs(x @ weights - y).max()))


def gains(table: pd.DataFrame, cell: Sequence[str], name: str, base: str) -> pd.DataFrame:
    """Return how much each row exceeds the row called `base` of the same cell.

    Parameters
    ----------
    table
        One row a value `accuracy_pct`.
    cell
        Columns within which rows are compared.
    name
        Column of what is compared.
    base
        Its value to compare with.
    """
    keys = list(cell)
    bases = table.loc[table[name] == base, [*keys, "accuracy_pct"]]
    both = table.merge(bases, on=keys, suffixes=("", "_base"), validate="many_to_one")
    others = both[both[name] != base]
    return others.assign(gain=others["accuracy_pct"] - others["accuracy_pct_base"])


def orders(table: pd.DataFrame, cell: Sequence[str], name: str, value: str) -> pd.DataFrame:
    """Count the orders in which a table ranks the same names, cell by cell.

    Independent measurements of close values would not all come in one order.

    Returns
    -------
    DataFrame
        order (best first), cells (that have it).
    """
    ranked = table.sort_values(value, ascending=False, kind="stable")
    strings = ranked.groupby(list(cell), sort=False)[name].agg(" > ".join)
    return strings.value_counts().rename_axis("order").reset_index(name="cells")


def arena_shares(arena: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the outcomes that a published storyteller score gives away.

    A storyteller wins its maximum in a partial round and nothing in any other, so its score
    is the share of partial rounds, a k/84. How the other rounds divide into all correct
    and all wrong does not follow from what was published.

    Parameters
    ----------
    arena
        The table ``dixitworld_arena``: model, storyteller_pct, ...
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, outcome (``partial``, ``not_partial``), rounds, share, low, high. The
        intervals are Wilson's, for independent rounds: matches are not published, so they
        are likely too narrow. A score that is no k/84 gives NaN.
    """
    rows = [
        row
        for model, percentage in arena[["model", "storyteller_pct"]].itertuples(index=False)
        for row in _shares(model, attainable_count(percentage, ROUNDS_TOLD), level)
    ]
    columns = ["player", "outcome", "rounds", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _shares(model: str, partial: float, level: float) -> Iterator[tuple[object, ...]]:
    for outcome, count in (("partial", partial), ("not_partial", ROUNDS_TOLD - partial)):
        interval = UNDEFINED if np.isnan(count) else wilson(int(count), ROUNDS_TOLD, level)
        yield model, outcome, count, *interval


def _compared(first: int, second: int, total: int) -> tuple[float, float, float, float]:
    """Return a difference of two shares, its interval and its p-value."""
    table = [[first, total - first], [second, total - second]]
    ends = confint_proportions_2indep(first, total, second, total, method="newcomb")
    p = stats.fisher_exact(table).pvalue
    return (first - second) / total, float(ends[0]), float(ends[1]), float(p)
