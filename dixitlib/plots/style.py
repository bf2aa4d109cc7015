"""The house style: sizes, colours and marks that every figure shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ONE_COLUMN, TWO_COLUMNS = 3.35, 6.9  # inches
LEGEND_ENTRY = 0.85  # inches that a mark and its name take

# Okabe and Ito's colours, told apart by colour-blind readers too.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    *("#000000", "#E69F00", "#56B4E9", "#009E73"),
    *("#F0E442", "#0072B2", "#D55E00", "#CC79A7"),
)
GREY = "#777777"
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK, GREY)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
OUTCOME_STYLE = {
    "partial": ("partial", GREEN, "o"),
    "all_correct": ("all correct", ORANGE, "s"),
    "all_wrong": ("all wrong", BLUE, "^"),
}
STYLE = {
    "figure.dpi": 110,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # ships with matplotlib: the same on every machine
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.1,
    "lines.markersize": 4,
    "pdf.fonttype": 42,  # text stays text
}


def subplots(
    rows: int = 1,
    columns: int = 1,
    *,
    width: float = ONE_COLUMN,
    height: float = 2.4,
    **keywords: Any,
) -> tuple[Figure, Any]:
    """Return a figure in the house style and its axes, as `matplotlib.pyplot.subplots` does.

    Parameters
    ----------
    rows, columns
        Of axes.
    width, height
        Of the figure, in inches: `ONE_COLUMN` or `TWO_COLUMNS` wide.
    **keywords
        For `matplotlib.pyplot.subplots`.
    """
    plt.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **keywords)


def intervals(
    rows: pd.DataFrame,
    value: str,
    at: Sequence[float],
    ax: Axes,
    *,
    upright: bool = False,
    **marks: Any,
) -> None:
    """Draw values with the ends low and high; a missing interval leaves the mark alone."""
    values = rows[value].to_numpy(dtype=float)
    reach = np.abs(rows[["low", "high"]].to_numpy(dtype=float).T - values)
    marks = {"elinewidth": 1.0, "linestyle": "none", **marks}
    if upright:
        ax.errorbar(at, values, yerr=reach, **marks)
    else:
        ax.errorbar(values, at, xerr=reach, **marks)


def styled(names: Sequence[str], offsets: Iterable[float]) -> Iterator[tuple[str, float, str, str]]:
    """Give each name its place, colour and marker; both change, for readers of grey prints."""
    for k, (name, offset) in enumerate(zip(names, offsets, strict=True)):
        yield name, offset, COLOURS[k % len(COLOURS)], MARKERS[(k + k // len(COLOURS)) % 8]


def reference(value: float, ax: Axes, *, upright: bool = True, **line: Any) -> None:
    """Draw a dashed line to compare with, such as chance."""
    draw = ax.axvline if upright else ax.axhline
    draw(value, **{"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 0.8, "zorder": 0, **line})


def name_rows(names: Iterable[str], ax: Axes) -> None:
    """Give each row of a figure its name, the first on top."""
    names = list(names)
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.5))
    ax.grid(visible=False, axis="y")


def legend_above(ax: Axes) -> Axes:
    """Put the legend above the axes, where it hides nothing, and return the axes."""
    inches = ax.get_position().width * ax.figure.get_figwidth()
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=max(1, int(inches / LEGEND_ENTRY)),
        borderaxespad=0.3,
        handletextpad=0.4,
        columnspacing=1.0,
    )
    return ax
