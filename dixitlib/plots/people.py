"""Figures of the human study; one drawn from simulated raters carries the word SIMULATED."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
)

MEASURES = {"clarity": (BLUE, "o"), "creativity": (PURPLE, "s")}


def plot_against_models(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw each model's accuracy and people's on the same cases, and chance as a line.

    Parameters
    ----------
    frame
        From `human.against_models`. The interval at people's mark is that of people - model,
        paired by case, drawn about the people's accuracy: where it reaches the model's mark,
        the two may be the same.
    ax
        Where to draw.
    """
    at = np.arange(len(frame))
    paired = pd.DataFrame(
        {
            "people": frame["people"],
            "low": frame["accuracy"] + frame["difference_low"],
            "high": frame["accuracy"] + frame["difference_high"],
        }
    )
    ax.plot(frame["accuracy"], at - 0.12, "s", color=GREEN, linestyle="none", label="model")
    intervals(paired, "people", at + 0.12, ax, color=VERMILION, fmt="o", label="people")
    for share in frame["chance"].unique():
        reference(share, ax, label="chance")
    ax.set(xlim=(0, 1), xlabel="share of cases in which the card was found")
    name_rows(frame["listener"], ax)
    return _stamped(frame, legend_above(ax))


def plot_ratings(frame: pd.DataFrame, axes: Sequence[Axes]) -> Sequence[Axes]:
    """Draw clarity and creativity of each storyteller's clues, random raters as lines.

    Parameters
    ----------
    frame
        From `human.by_storyteller`.
    axes
        One for each measure.
    """
    limits = {"clarity": (0, 1), "creativity": (1, 5)}
    for ax, (measure, (colour, marker)) in zip(axes, MEASURES.items(), strict=True):
        rows = frame[frame["measure"] == measure]
        intervals(rows, "mean", np.arange(len(rows)), ax, color=colour, fmt=marker)
        for value in rows["chance"].unique():
            reference(value, ax, label="random raters")
        low, high = limits[measure]
        ax.set(xlim=limits[measure], xlabel=f"{measure} ({low} to {high})")
        name_rows(rows["storyteller"], ax)
        _stamped(frame, legend_above(ax))
    return axes


def plot_proxies(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the rank correlation of ratings with what is measured without raters.

    Parameters
    ----------
    frame
        From `human.proxies`.
    ax
        Where to draw.
    """
    names = list(frame["proxy"].unique())
    for offset, (measure, (colour, marker)) in zip((-0.13, 0.13), MEASURES.items(), strict=True):
        rows = frame[frame["measure"] == measure].set_index("proxy").loc[names]
        at = np.arange(len(names)) + offset
        intervals(rows, "correlation", at, ax, color=colour, fmt=marker, label=measure)
    reference(0, ax, color=GREY)
    ax.set(xlim=(-1, 1), xlabel="Spearman correlation (dashed: none)")
    name_rows(names, ax)
    return _stamped(frame, legend_above(ax))


def _stamped(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Write over axes that their numbers are no people's, where they are not."""
    if (frame["origin"] == "simulated").any():
        ax.text(
            *(0.5, 0.5, "SIMULATED"),
            transform=ax.transAxes,
            ha="center",
            va="center",
            rotation=20,
            fontsize=17,
            fontweight="bold",
            color=GREY,
            alpha=0.35,
            zorder=0.5,
        )
    return ax
