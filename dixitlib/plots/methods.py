"""Figures of how clues are answered: choosing or rating, alone or together, and calibration."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLUE,
    GREY,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)

CELLS = (
    ("direct", "choose, together", BLUE, "o", -0.27),
    ("choose_alone", "choose, alone", BLUE, "s", -0.09),
    ("rate_together", "rate, together", VERMILION, "^", 0.09),
    ("entailment", "rate, alone", VERMILION, "D", 0.27),
)


def plot_two_by_two(frame: pd.DataFrame, ax: Axes, chance: float) -> Axes:
    """Draw each player's accuracy by format (colour) and context (mark), and chance.

    Parameters
    ----------
    frame
        From `entailment.two_by_two`. Methods that nobody was asked by are left out.
    ax
        Where to draw.
    chance
        One over the number of options.
    """
    names = list(frame["player"].unique())
    for method, label, colour, marker, offset in CELLS:
        rows = frame[frame["method"] == method].set_index("player").reindex(names)
        if rows["accuracy"].notna().any():
            at = np.arange(len(names)) + offset
            hollow = {} if method in ("direct", "rate_together") else {"mfc": "white"}
            marks = {"color": colour, "fmt": marker, "label": label, **hollow}
            intervals(rows, "accuracy", at, ax, **marks)
    reference(chance, ax, label="chance")
    ax.set(xlim=(0, 1), xlabel="accuracy on DixitBench")
    name_rows(names, ax)
    return legend_above(ax)


def plot_rounding(frame: pd.DataFrame, ax: Axes, chance: float) -> Axes:
    """Draw what ratings are worth as they get coarser; shades reach from ties lost to ties won.

    Parameters
    ----------
    frame
        From `entailment.rounded`.
    ax
        Where to draw.
    chance
        One over the number of options.
    """
    names, steps = list(frame["player"].unique()), list(frame["step"].unique())
    for name, offset, colour, marker in styled(names, np.linspace(-0.2, 0.2, len(names))):
        rows = frame[frame["player"] == name]
        at = np.arange(len(rows)) + offset
        ax.vlines(at, rows["lost"], rows["won"], color=colour, alpha=0.35, linewidth=2.5)
        ax.plot(at, rows["accuracy"], color=colour, marker=marker, linewidth=0.7, label=name)
    reference(chance, ax, upright=False)
    ticks = {"xticks": range(len(steps)), "xticklabels": ["none", *steps[1:]]}
    ax.set(ylim=(0, 1.02), xlabel="ratings rounded to (points)", ylabel="accuracy", **ticks)
    return legend_above(ax)


def plot_calibration(frame: pd.DataFrame, ax: Axes, chance: float) -> Axes:
    """Draw how often options are the target against how they were rated.

    Parameters
    ----------
    frame
        From `entailment.calibration`. On the diagonal ratings would be chances.
    ax
        Where to draw.
    chance
        Share of options that are the target, whatever they are rated.
    """
    names = list(frame["player"].unique())
    for name, offset, colour, marker in styled(names, np.linspace(-0.012, 0.012, len(names))):
        rows = frame[frame["player"] == name]
        at = rows["rating"].to_numpy() + offset
        intervals(rows, "share", at, ax, upright=True, color=colour, fmt=marker, label=name)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, zorder=0)
    reference(chance, ax, upright=False)
    ax.set(xlim=(-0.02, 1.02), ylim=(0, 1.02), xlabel="rating / 100", ylabel="share of targets")
    return legend_above(ax)
