"""Figures of the benchmark beside the arena."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)


def plot_bench_arena(
    measured: pd.DataFrame, ax: Axes, chance: float, target: str = "listening"
) -> Axes:
    """Draw each player's listening against the benchmark, all tiers, with 95% intervals.

    Parameters
    ----------
    measured
        From `bench_arena.measures`.
    ax
        Where to draw.
    chance
        Vote accuracy of random voters; a dashed line, as is that of the benchmark, 1/6.
    target
        ``listening`` in the arena, or ``crossed`` on counterfactual tables.
    """
    found = measured.set_index(["player", "measure"])
    names = list(measured["player"].unique())
    for name, _, colour, marker in styled(names, np.zeros(len(names))):
        x, y = found.loc[(name, "all")], found.loc[(name, target)]
        reach = {"xerr": _reach(x), "yerr": _reach(y)}
        marks = {"color": colour, "fmt": marker, "elinewidth": 0.8, "label": name}
        ax.errorbar(x["value"], y["value"], **reach, **marks)
    reference(1 / 6, ax)
    reference(chance, ax, upright=False)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="accuracy on DixitBench")
    ax.set_ylabel(f"vote accuracy, others' clues ({target})")
    return legend_above(ax)


def _reach(measured: pd.Series) -> np.ndarray:
    """Return how far an interval reaches down and up, as `errorbar` takes it."""
    ends = measured[["low", "high"]].to_numpy(dtype=float)
    return np.abs(ends - measured["value"])[:, None]


def plot_correlations(frame: pd.DataFrame, ax: Axes, published: float, critical: float) -> Axes:
    """Draw correlations over players, the published one, and what so few cannot tell from 0.

    Parameters
    ----------
    frame
        From `bench_arena.correlations`, for one target.
    ax
        Where to draw.
    published
        Pearson's correlation as published.
    critical
        From `association.critical`: below it, points are too few to call it different from 0.
    """
    names = list(frame["measure"].unique())
    kinds = (("pearson", BLUE, "o", -0.13), ("spearman", ORANGE, "s", 0.13))
    for kind, colour, marker, offset in kinds:
        rows = frame[frame["kind"] == kind].set_index("measure").reindex(names)
        at = np.arange(len(names)) + offset
        intervals(rows, "estimate", at, ax, color=colour, fmt=marker, label=kind)
    ax.axvspan(-critical, critical, color=GREY, alpha=0.12, linewidth=0, zorder=0)
    reference(0, ax)
    reference(published, ax, color=BLACK, linestyle=":", label="published")
    ax.set(xlim=(-1.02, 1.02), xticks=np.linspace(-1, 1, 5))
    ax.set_xlabel("correlation over players (grey: not told from 0)")
    name_rows(names, ax)
    return legend_above(ax)
