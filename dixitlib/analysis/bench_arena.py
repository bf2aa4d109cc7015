"""DixitBench beside the arena: does the exam tell how well a player listens in the game?

One row a player, its accuracies on the benchmark beside its listening. Listening counts
clues of other players only: the half of the votes that are on own clues would measure
agreement with oneself. Players are the observations of every correlation, and they are few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.analysis.accuracy import ALL
from dixitlib.analysis.association import Kind, associate, disattenuated, reliability
from dixitlib.analysis.inference import (
    Estimate,
    Interval,
    cluster_estimate,
    jackknife_interval,
)

LISTENING = "listening"
CROSSED = "crossed"
CLUE_FREE = "clue-free"
RECALL = "recall"
KINDS: tuple[Kind, ...] = ("pearson", "spearman")


def measures(
    answers: pd.DataFrame,
    items: pd.DataFrame,
    votes: pd.DataFrame,
    recall: Mapping[str, float] | None = None,
    crossed: pd.DataFrame | None = None,
    *,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return what was measured of each player, a row a player and measure.

    Parameters
    ----------
    answers, items
        As in `accuracy.accuracy`; direct choices are used.
    votes
        From `store.read_votes`. Only who listens in them is kept.
    recall
        Plain recall@1 of a player's eyes, where it is known.
    crossed
        From `store.read_counterfactual`: everybody's votes on the same clues and tables.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, measure (``listening``; ``crossed``, the same on counterfactual tables; each
        tier and ``all``; ``clue-free``, the better of no clue and another item's;
        ``recall``), value, error, low, high. Errors are clustered by match in the arena and
        by target card elsewhere; those of the last two are NaN. What is not there is NaN.
    """
    heard = votes[~votes["own_clue"]]
    tables = None if crossed is None else crossed[~crossed["own_clue"]]
    direct = answers[answers["method"] == "direct"]
    direct = direct.merge(items[["item", "target"]], on="item", validate="many_to_one")
    rows = []
    for player in votes["listener"].unique():
        mine = direct[direct["player"] == player]
        listened = cluster_estimate(heard[heard["listener"] == player], "correct", "match")
        rows.append((player, LISTENING, *listened))
        rows.append((player, CROSSED, *_on_tables(tables, player)))
        own = mine[mine["control"] == "own"]
        for tier in [*own["tier"].unique(), ALL]:
            part = own[(own["tier"] == tier) | (tier == ALL)]
            rows.append((player, tier, *cluster_estimate(part, "credit", "target")))
        blind = mine[mine["control"] != "own"].groupby("control")["credit"].mean()
        rows.append((player, CLUE_FREE, blind.max(), np.nan, np.nan))
        rows.append((player, RECALL, (recall or {}).get(player, np.nan), np.nan, np.nan))
    found = pd.DataFrame(rows, columns=["player", "measure", "value", "error", "df"])
    reach = stats.t.ppf((1 + level) / 2, found.pop("df")) * found["error"]
    return found.assign(low=found["value"] - reach, high=found["value"] + reach)


def correlations(
    measured: pd.DataFrame, target: str = LISTENING, *, level: float = 0.95
) -> pd.DataFrame:
    """Return how each measure goes with listening over players.

    Parameters
    ----------
    measured
        From `measures`.
    target
        ``listening`` or ``crossed``.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        measure, kind (``pearson``, ``spearman``), estimate, low, high, p, points, note,
        reliability (of the measure), target_reliability and disattenuated: what Pearson's
        correlation would be if neither measure had noise. That is NaN where an error is
        unknown, and where a measure is all noise.
    """
    values, errors = _wide(measured, "value"), _wide(measured, "error")
    steady = {m: reliability(values[m], errors[m]) for m in values}
    rows = []
    for measure in values.columns.drop([LISTENING, CROSSED]):
        for kind in KINDS:
            found = associate(values[measure], values[target], kind, level=level)
            clean = disattenuated(found.estimate, steady[measure], steady[target])
            clean = clean if kind == "pearson" else np.nan
            rows.append((measure, kind, *found, steady[measure], steady[target], clean))
    ends = ["estimate", "low", "high", "p", "points", "note"]
    noise = ["reliability", "target_reliability", "disattenuated"]
    return pd.DataFrame(rows, columns=["measure", "kind", *ends, *noise])


def advantage(
    measured: pd.DataFrame,
    first: str,
    second: str,
    target: str = LISTENING,
    *,
    level: float = 0.95,
) -> Interval:
    """Return by how much one measure goes better with listening than another does.

    The difference of Pearson's correlations, with a jackknife over players.

    Parameters
    ----------
    measured
        From `measures`.
    first, second
        Two of its measures.
    target
        ``listening`` or ``crossed``.
    level
        Coverage of the interval.
    """
    values = _wide(measured, "value")[[first, second, target]].dropna()
    without = {player: _difference(values.drop(player)) for player in values.index}
    return jackknife_interval(_difference(values), pd.Series(without, dtype=float), level)


def gaps(measured: pd.DataFrame, tiers: Sequence[str] = ("easy", "hard")) -> pd.DataFrame:
    """Return each player's listening beside the benchmark, chance taken out of both.

    The arena has three candidates and the benchmark six, so that equal shares are not equal
    skill: (accuracy - chance) / (1 - chance) is 0 for guessing and 1 for no fault in both.

    Returns
    -------
    DataFrame
        player, bench, listening, bench_above_chance, listening_above_chance.
    """
    values = _wide(measured, "value")
    bench, heard = values[list(tiers)].mean(axis=1), values[LISTENING]
    return pd.DataFrame(
        {
            "bench": bench,
            "listening": heard,
            "bench_above_chance": above_chance(bench, 6),
            "listening_above_chance": above_chance(heard, 3),
        }
    ).reset_index()


def above_chance(accuracy: pd.Series, options: int) -> pd.Series:
    """Return accuracy on a scale from 0, guessing among the options, to 1."""
    return (accuracy - 1 / options) / (1 - 1 / options)


def _on_tables(tables: pd.DataFrame | None, player: str) -> Estimate:
    if tables is None:
        return Estimate(np.nan, np.nan, np.nan)
    mine = tables[tables["listener"] == player]
    return cluster_estimate(mine, "correct", "target")


def _difference(values: pd.DataFrame) -> float:
    """Return how much better the first column goes with the third than the second does."""
    if len(values) < 3 or (values.nunique() < 2).any():
        return np.nan
    first, second, _ = values.corr().iloc[:, 2]
    return float(first - second)


def _wide(measured: pd.DataFrame, column: str) -> pd.DataFrame:
    players, order = measured["player"].unique(), measured["measure"].unique()
    wide = measured.pivot_table(column, "player", "measure", dropna=False, sort=False)
    return wide.reindex(index=players, columns=order).rename_axis(columns=None)
