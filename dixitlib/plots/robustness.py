"""Figures of what results survive: a listener less, another place, hand, rule or seed."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)

ALL = "all"
PASSES = {
    "coverage": ("95% intervals with the truth", (0.92, 0.97)),
    "rejected": ("rejected at 5% though true", (0.0, 0.065)),
}
LOOKS = ((BLUE, "o"), (VERMILION, "s"), (GREEN, "^"))


def plot_drops(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what storytellers lose without each listener, by two ways of leaving out.

    Parameters
    ----------
    frame
        From `robustness.named`; the row ``all``, which equals -p, becomes a line.
    ax
        Where to draw.
    """
    whole = frame[frame["listener"] == ALL]
    players = frame[frame["listener"] != ALL]
    names = list(players["listener"].unique())
    clusters = players["cluster"].unique()
    for offset, cluster, (colour, marker) in zip((-0.13, 0.13), clusters, LOOKS, strict=False):
        rows = players[players["cluster"] == cluster].set_index("listener").loc[names]
        at = np.arange(len(names)) + offset
        look = {"color": colour, "fmt": marker, "label": f"by {cluster}"}
        intervals(rows, "change", at, ax, **look)
    reference(whole["change"].iloc[0], ax, label="any: –p")
    ax.set_xlabel("change in storyteller points")
    name_rows(names, ax)
    return legend_above(ax)


def plot_places(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how much listeners like each place, against the first.

    Parameters
    ----------
    frame
        The tables of `position.preferences`, with listener; rows of ``target`` are left out.
    ax
        Where to draw.
    """
    places = frame[frame["term"] != "target"]
    names, terms = list(places["listener"].unique()), list(places["term"].unique())
    offsets = np.linspace(-0.2, 0.2, len(terms)) if len(terms) > 1 else [0.0]
    for term, offset, colour, marker in styled(terms, offsets):
        rows = places[places["term"] == term].set_index("listener").loc[names]
        at = np.arange(len(names)) + offset
        intervals(rows, "estimate", at, ax, color=colour, fmt=marker, label=term)
    reference(0, ax)
    ax.set_xlabel("log odds against the first place")
    name_rows(names, ax)
    return legend_above(ax)


def plot_equivalence(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw differences in units of the margin within which they would not matter.

    Parameters
    ----------
    frame
        check, difference, low, high, margin and equivalent: whether the test says so, which
        after a correction it may not though the interval lies in the margin.
    ax
        Where to draw. Filled marks are equivalent; the grey band is the margin.
    """
    scaled = frame[["difference", "low", "high"]].div(frame["margin"], axis=0)
    ax.axvspan(-1, 1, color="#eeeeee", zorder=0, label="margin")
    for equivalent, label in ((True, "equivalent"), (False, "not shown")):
        at = np.flatnonzero(frame["equivalent"] == equivalent)
        face = {"fmt": "o", "color": BLUE, "markerfacecolor": BLUE if equivalent else "white"}
        intervals(scaled.iloc[at], "difference", at, ax, label=label, **face)
    reference(0, ax)
    ax.set_xlabel("difference / margin")
    name_rows(frame["check"], ax)
    return legend_above(ax)


def plot_seeds(
    standing: pd.DataFrame, ax: Axes, measure: str, xlabel: str, chance: float | None = None
) -> Axes:
    """Draw each player's value in every tournament, and its mean.

    Parameters
    ----------
    standing
        From `sensitivity.standings`, of one preset.
    ax
        Where to draw; the player with the highest mean on top.
    measure
        Which measure.
    xlabel
        What it is.
    chance
        Its value for random voters, as a line.
    """
    values = standing[standing["measure"] == measure]
    means = values.groupby("player")["value"].mean().sort_values(ascending=False)
    for at, player in enumerate(means.index):
        each = values.loc[values["player"] == player, "value"]
        ax.plot(each, np.full(len(each), at), "|", color=GREY, markersize=7)
    ax.plot(means, range(len(means)), "D", color=BLACK, label="mean")
    ax.plot([], [], "|", color=GREY, markersize=7, label="one seed")
    if chance is not None:
        reference(chance, ax, label="chance")
    ax.set_xlabel(xlabel)
    name_rows(means.index, ax)
    return legend_above(ax)


def plot_effects(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw listening, telling and what pairs share, told apart.

    Parameters
    ----------
    frame
        From `crossed.effects`.
    ax
        Where to draw.
    """
    for (effect, rows), (colour, marker) in zip(frame.groupby("effect", sort=False), LOOKS,
                                                strict=True):  # fmt: skip
        at = np.flatnonzero(frame["effect"] == effect)
        intervals(rows, "estimate", at, ax, color=colour, fmt=marker, label=effect)
    reference(0, ax)
    ax.set_xlabel("votes that hit, from the mean of its kind")
    name_rows(frame["name"].str.replace("_", " "), ax)
    return legend_above(ax)


def plot_power(curves: pd.DataFrame, ax: Axes, level: float = 0.8) -> Axes:
    """Draw the power to see differences of several sizes against the number of rounds.

    Parameters
    ----------
    curves
        difference, rounds (that each player tells), power with low and high (in simulated
        tournaments) and predicted (by formula, a line).
    ax
        Where to draw.
    level
        Power to aim at, as a dashed line.
    """
    names = list(curves["difference"].unique())
    for name, _, colour, marker in styled(names, [0.0] * len(names)):
        curve = curves[curves["difference"] == name]
        ax.plot(curve["rounds"], curve["predicted"], color=colour)
        look = {"color": colour, "fmt": marker, "label": f"{100 * name:.0f} points"}
        intervals(curve, "power", curve["rounds"], ax, upright=True, **look)
    reference(level, ax, upright=False)
    counts = sorted(curves["rounds"].unique())
    ax.set(xscale="log", ylim=(0, 1.02), xlabel="rounds told by each player", ylabel="power")
    ax.set_xticks(counts, labels=map(str, counts))
    ax.minorticks_off()
    return legend_above(ax)


def plot_recovery(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what estimators say of a number that is known; on the line they are right.

    Parameters
    ----------
    frame
        setting, true, estimate, low and high, of one parameter.
    ax
        Where to draw.
    """
    settings = list(frame["setting"].unique())
    ends = [frame["true"].min(), frame["true"].max()]
    step = 0.03 * (ends[1] - ends[0])
    ax.plot(ends, ends, color=GREY, linewidth=0.8, zorder=0)
    offsets = np.linspace(-step, step, len(settings)) if len(settings) > 1 else [0.0]
    for setting, offset, colour, marker in styled(settings, offsets):
        rows = frame[frame["setting"] == setting]
        look = {"color": colour, "fmt": marker, "label": setting}
        intervals(rows, "estimate", rows["true"] + offset, ax, upright=True, **look)
    ax.set(xlabel="true", ylabel="estimate")
    ax.legend(loc="lower right", handletextpad=0.2)
    return ax


def plot_certificate(table: pd.DataFrame, ax: Axes, measure: str = "coverage") -> Axes:
    """Draw what simulated tournaments say of intervals, or of tests of what is true.

    Parameters
    ----------
    table
        Of the certificate: trial, statistic, coverage, null, rejected.
    ax
        Where to draw. The band is what passes.
    measure
        ``coverage`` (of 95% intervals), or ``rejected``, of the tests of true hypotheses.
    """
    known = table.dropna(subset=[measure])
    if measure == "rejected":
        known = known[known["null"].astype(bool)]
    names, trials = list(known["statistic"].unique()), list(known["trial"].unique())
    label, band = PASSES[measure]
    ax.axvspan(*band, color="#eeeeee", zorder=0)
    for trial, offset, colour, marker in styled(trials, np.linspace(-0.25, 0.25, len(trials))):
        rows = known[known["trial"] == trial].set_index("statistic").reindex(names)
        at = np.arange(len(names)) + offset
        ax.plot(rows[measure], at, marker, color=colour, label=trial, linestyle="none")
    ax.set_xlabel(label)
    name_rows(names, ax)
    return legend_above(ax)
