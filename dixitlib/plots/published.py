"""Figures of what published tables can show."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import BLUE, GREY, intervals, name_rows, reference


def plot_differences(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the difference of every two shares with its interval, and 0 as a line.

    Parameters
    ----------
    frame
        From `published.pairs`. Pairs that differ after Holm are drawn in colour.
    ax
        Where to draw.
    """
    for rows, colour in ((frame["p_holm"] < 0.05, BLUE), (frame["p_holm"] >= 0.05, GREY)):
        intervals(frame[rows], "difference", frame.index[rows], ax, color=colour, fmt="o")
    reference(0, ax)
    ax.set_xlabel("difference of partial shares\n(blue: differs after Holm)")
    name_rows(frame["first"] + " \N{MINUS SIGN} " + frame["second"], ax)
    return ax
