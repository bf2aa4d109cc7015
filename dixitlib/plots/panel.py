"""Figures of panels: weights as a debate goes, what parts gain, sweeps, cost, calibration."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLACK,
    BLUE,
    GREY,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)


def plot_trajectory(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how weights and the system's uncertainty moved from round to round.

    Parameters
    ----------
    frame
        One row a round, 0 being the first answers: U_sys, conflict, and one column for the
        weight of each expert.
    ax
        Where to draw.
    """
    measures = ["U_sys", "conflict"]
    experts = [name for name in frame.columns if name not in measures]
    for name, _, colour, marker in styled(experts, np.zeros(len(experts))):
        ax.plot(frame.index, frame[name], color=colour, marker=marker, label=f"weight: {name}")
    for name, dashes in zip(measures, ("--", ":"), strict=True):
        ax.plot(frame.index, frame[name], color=BLACK, linestyle=dashes, label=name)
    ax.set(xlabel="round", ylabel="value", ylim=(0, 1), xticks=list(frame.index))
    return legend_above(ax)


def plot_gains(frame: pd.DataFrame, ax: Axes, against: str) -> Axes:
    """Draw what systems gain over one of them, with intervals; 0 is no gain.

    Parameters
    ----------
    frame
        From `analysis.panel.compared`.
    ax
        Where to draw.
    against
        Name of what they are compared with.
    """
    intervals(frame, "gain", range(len(frame)), ax, color=BLUE, fmt="o")
    reference(0, ax)
    name_rows(frame["system"], ax)
    ax.set(xlabel=f"gain over {against}")
    return ax


def plot_sweep(
    frame: pd.DataFrame, ax: Axes, published: pd.DataFrame, label: str, chance: float | None = None
) -> Axes:
    """Draw accuracy over a parameter's values, and how the published accuracy moved.

    The two have different scales, as they are of different questions: published values are
    drawn as their change from the first of them, added to the first value of ours.

    Parameters
    ----------
    frame
        value, accuracy, low, high, in order of value.
    ax
        Where to draw.
    published
        value and accuracy_pct; may be empty.
    label
        Name of the parameter.
    chance
        Accuracy by chance, where it is near enough to be drawn.
    """
    marks = {"color": BLUE, "fmt": "o", "label": "local experts"}
    intervals(frame, "accuracy", frame["value"], ax, upright=True, **marks)
    ax.plot(frame["value"], frame["accuracy"], color=BLUE, linewidth=0.7)
    if len(published):
        moved = (published["accuracy_pct"] - published["accuracy_pct"].iloc[0]) / 100
        at = frame["accuracy"].iloc[0] + moved
        ax.plot(published["value"], at, color=VERMILION, marker="s", label="published, moved")
    if chance is not None:
        reference(chance, ax, upright=False)
    ax.set(xlabel=label, ylabel="accuracy")
    return ax


def plot_frontier(frame: pd.DataFrame, ax: Axes, cost: str, label: str, chance: float) -> Axes:
    """Draw accuracy against cost; a line joins what nothing else beats in both.

    What costs about the same is moved apart sideways, so that intervals can be told apart.

    Parameters
    ----------
    frame
        system, accuracy, low, high, the cost, and frontier (whether nothing beats it).
    ax
        Where to draw.
    cost, label
        Column of the cost, and what the axis calls it.
    chance
        Accuracy by chance.
    """
    frame = frame.assign(at=_apart(frame[cost]))
    for name, _, colour, marker in styled(list(frame["system"]), np.zeros(len(frame))):
        row = frame[frame["system"] == name]
        marks = {"color": colour, "fmt": marker, "label": name}
        intervals(row, "accuracy", row["at"], ax, upright=True, **marks)
    best = frame[frame["frontier"]].sort_values("at")
    ax.plot(best["at"], best["accuracy"], color=GREY, linewidth=0.8, zorder=0)
    reference(chance, ax, upright=False)
    ax.set(xscale="log", xlabel=label, ylabel="accuracy", ylim=(0, None))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return ax


def _apart(costs: pd.Series) -> pd.Series:
    """Return costs, those within a few hundredths of each other moved apart by a tenth each."""
    alike = costs.groupby(np.round(np.log(costs) * 20))
    place = alike.cumcount() - (alike.transform("size") - 1) / 2
    return costs * 1.1**place


def plot_reliability(frame: pd.DataFrame, ax: Axes, chance: float) -> Axes:
    """Draw accuracy by confidence, the size of a mark growing with the answers in it.

    Parameters
    ----------
    frame
        system, and the columns of `analysis.panel.reliability`.
    ax
        Where to draw.
    chance
        Accuracy by chance.
    """
    names = list(frame["system"].unique())
    for name, _, colour, marker in styled(names, np.zeros(len(names))):
        rows = frame[frame["system"] == name]
        size = 4 + 60 * rows["n"] / rows["n"].sum()
        ax.scatter(
            rows["confidence"], rows["accuracy"], size, color=colour, marker=marker, label=name
        )
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, zorder=0)
    reference(chance, ax, upright=False)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="confidence, 1 - U_sys", ylabel="accuracy")
    return legend_above(ax)
