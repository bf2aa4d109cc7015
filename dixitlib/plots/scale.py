"""Figures of what work costs: speed, widths of intervals, hours by what holds them up."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLACK,
    BLUE,
    GREY,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)


def plot_speed(speed: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how long each measured work takes, in multiples of one reference.

    Parameters
    ----------
    speed
        The table of ``data/bench_times``: what, references.
    ax
        Where to draw.
    """
    ax.plot(speed["references"], range(len(speed)), "o", color=BLUE)
    reference(1, ax)
    ax.set(xscale="log", xlabel="time / a million additions")
    name_rows(speed["what"].str.replace("_", " "), ax)
    return ax


def plot_widths(paper: pd.DataFrame, simulated: pd.DataFrame, ax: Axes, goal: float) -> Axes:
    """Draw how wide ratings' intervals are against the number of opponents.

    Parameters
    ----------
    paper
        opponents and half_width by formula, a line.
    simulated
        design, opponents, half_width, low and high (of nine players of ten): marks.
    ax
        Where to draw.
    goal
        The half width to reach, as a dashed line.
    """
    ax.plot(paper["opponents"], paper["half_width"], color=BLACK, label="on paper")
    _draw_designs(simulated, ax, "half_width", {"low": "low", "high": "high"})
    reference(goal, ax, upright=False)
    ax.set(xscale="log", yscale="log", xlabel="opponents of each model")
    ax.set_ylabel("half a 95% interval, logits")
    for set_ticks, at in (
        (ax.set_xticks, (10, 30, 100, 300, 1000)),
        (ax.set_yticks, (0.2, 0.5, 1)),
    ):
        set_ticks(at, labels=map(str, at))
    ax.minorticks_off()
    return legend_above(ax)


def plot_held(simulated: pd.DataFrame, ax: Axes, level: float = 0.95) -> Axes:
    """Draw how many intervals held the truth, against the number of opponents.

    Parameters
    ----------
    simulated
        design, opponents, coverage, coverage_low and coverage_high.
    ax
        Where to draw.
    level
        How many should, as a dashed line.
    """
    ends = {"coverage_low": "low", "coverage_high": "high"}
    _draw_designs(simulated, ax, "coverage", ends)
    reference(level, ax, upright=False)
    ax.set(xscale="log", ylim=(0.85, 1), xlabel="opponents of each model")
    ax.set_ylabel("intervals that held the truth")
    ax.set_xticks([10, 30, 100], labels=["10", "30", "100"])
    ax.minorticks_off()
    return legend_above(ax)


def plot_hours(hours: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how long matches take at least by each limit, against the connections.

    Parameters
    ----------
    hours
        From `scale.hours`: connections, limit, hours.
    ax
        Where to draw. The uppermost line is what the matches take, shaded below.
    """
    limits = list(hours["limit"].unique())
    for limit, _, colour, _ in styled(limits, [0.0] * len(limits)):
        rows = hours[hours["limit"] == limit]
        ax.plot(rows["connections"], rows["hours"], color=colour, label=limit)
    most = hours.groupby("connections")["hours"].max()
    ax.plot(most.index, most, color=GREY, linewidth=4, alpha=0.35, zorder=0, label="what it takes")
    for hour, name in ((24, "a day"), (24 * 7, "a week")):
        reference(hour, ax, upright=False)
        ax.annotate(name, (most.index[-1], hour), ha="right", va="bottom", fontsize=6, color=GREY)
    ax.set(xscale="log", yscale="log", xlabel="requests in flight", ylabel="hours")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 0.1))  # names too long to stand above
    return ax


def plot_shares(shares: pd.DataFrame, ax: Axes, chance: float) -> Axes:
    """Draw shares with their intervals against what is known of each player.

    Parameters
    ----------
    shares
        known, share, low and high, a player each.
    ax
        Where to draw.
    chance
        The share of storytellers whose listeners guess, as a dashed line.
    """
    look = {"fmt": ".", "color": BLUE, "elinewidth": 0.5, "markersize": 3}
    intervals(shares, "share", np.asarray(shares["known"]), ax, upright=True, **look)
    reference(chance, ax, upright=False, label="chance")
    ax.set(xlabel="plainness of its clues, logits", ylabel="share of partial rounds")
    return legend_above(ax)


def _draw_designs(simulated: pd.DataFrame, ax: Axes, value: str, ends: dict[str, str]) -> None:
    """Draw a value with its ends for every design, a little aside of one another."""
    designs = list(simulated["design"].unique())
    for design, aside, colour, marker in styled(designs, 1.08 ** np.arange(len(designs))):
        rows = simulated[simulated["design"] == design]
        ends_of = rows[[value, *ends]].rename(columns=ends)
        look = {"color": colour, "fmt": marker, "label": design}
        intervals(ends_of, value, aside * rows["opponents"], ax, upright=True, **look)
