"""Figures of clues: how they fail, and what their speakers were after."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import BLUE, intervals, legend_above, name_rows, reference, styled


def plot_modes(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how often each storyteller's clues fail in each way.

    Parameters
    ----------
    frame
        From `failures.modes`.
    ax
        Where to draw.
    """
    names, modes = list(frame["player"].unique()), list(frame["mode"].unique())
    for mode, offset, colour, marker in styled(modes, np.linspace(-0.22, 0.22, len(modes))):
        rows = frame[frame["mode"] == mode].set_index("player").loc[names]
        at = np.arange(len(names)) + offset
        intervals(rows, "share", at, ax, color=colour, fmt=marker, label=mode)
    ax.set(xlim=(0, 1), xlabel="share of clues told")
    name_rows(names, ax)
    return legend_above(ax)


def plot_speakers(frame: pd.DataFrame, ax: Axes, known: float | None = None) -> Axes:
    """Draw estimated alphas with intervals; 0 is a speaker who says anything.

    Parameters
    ----------
    frame
        From `speaker.estimate`.
    ax
        Where to draw.
    known
        The alpha that speakers have in truth, where that is known.
    """
    at = np.arange(len(frame))
    intervals(frame, "alpha", at, ax, color=BLUE, fmt="o")
    reference(0, ax)
    if known is not None:
        reference(known, ax, linestyle="solid")
    truth = "" if known is None else "; line: the truth"
    ax.set_xlabel(f"alpha (dashed: says anything{truth})")
    name_rows(frame["player"] + " (" + frame["goal"] + ")", ax)
    return ax
