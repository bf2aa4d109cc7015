"""Figures of the benchmark and of the local models."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import intervals, legend_above, reference, styled


def plot_accuracy(frame: pd.DataFrame, ax: Axes, lifts: pd.DataFrame | None = None) -> Axes:
    """Draw accuracy by tier with intervals, chance as a line and clue-free marks.

    Parameters
    ----------
    frame
        Rows of `accuracy.accuracy` for one method and control: player, tier, accuracy,
        low, high, chance.
    ax
        Where to draw.
    lifts
        From `accuracy.clue_lift`: what the same player reaches without the clue becomes a
        bar beside its accuracy.
    """
    tiers, names = list(frame["tier"].unique()), list(frame["player"].unique())
    offsets = np.linspace(-0.36, 0.36, len(names)) if len(names) != 1 else [0.0]
    for name, offset, colour, marker in styled(names, offsets):
        rows = frame[frame["player"] == name].set_index("tier").reindex(tiers)
        at = np.arange(len(tiers)) + offset
        intervals(rows, "accuracy", at, ax, upright=True, color=colour, fmt=marker, label=name)
        if lifts is not None:
            free = lifts[lifts["player"] == name].set_index("tier").reindex(tiers)["clue_free"]
            ax.plot(at, free, "_", color=colour, markersize=6, markeredgewidth=1.1)
    reference(frame["chance"].mean(), ax, upright=False)
    ax.set_xlabel("dashed: chance" + ("; bars: best without the clue" if lifts is not None else ""))
    ax.set(ylim=(0, 1.02), ylabel="accuracy", xticks=range(len(tiers)), xticklabels=tiers)
    ax.grid(visible=False, axis="x")
    return legend_above(ax)


def plot_learning_curves(curves: pd.DataFrame, ax: Axes) -> Axes:
    """Draw recall@1 among unseen cards against the cards seen in training.

    Parameters
    ----------
    curves
        size, cards_seen and recall_at_1, one row an epoch.
    ax
        Where to draw.
    """
    names = list(curves["size"].unique())
    for name, _, colour, marker in styled(names, [0.0] * len(names)):
        curve = curves[curves["size"] == name]
        ax.plot(curve["cards_seen"], curve["recall_at_1"], color=colour, marker=marker, label=name)
    ax.set(xscale="log", ylim=(0, 1.02), xlabel="cards seen", ylabel="recall@1 of 1,000")
    return legend_above(ax)


def plot_ranks(profile: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how near the distractors of each tier are to their targets, by rank.

    Parameters
    ----------
    profile
        From `bench.nearness.profile`: tier, target, rank, similarity.
    ax
        Where to draw.
    """
    distractors = profile[~profile["target"].astype(bool)]
    names = list(distractors["tier"].unique())
    # Later tiers lie behind: the blocks, which reach over all ranks, hide no window.
    for name, depth, colour, marker in styled(names, np.linspace(2, 1, len(names))):
        rows = distractors[distractors["tier"] == name]
        marks = {"color": colour, "marker": marker, "label": name, "linewidths": 0}
        ax.scatter(rows["rank"], rows["similarity"], s=6, alpha=0.5, zorder=depth, **marks)
    ax.set(xlabel="rank of the distractor", ylabel="cosine to the target")
    return legend_above(ax)
