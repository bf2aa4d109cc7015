"""Figures of who met whom: accuracy by pair, scores by opponent, skill and clarity."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from dixitlib.plots.style import (
    BLACK,
    BLUE,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
    styled,
)

CHANCE = "chance"
DARK = 0.62  # accuracy from which letters are white


def plot_pairs(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how often each listener finds each storyteller's target, with intervals as text.

    Parameters
    ----------
    frame
        From `crossed.matrix`; pairs of the same player are framed.
    ax
        Where to draw.
    """
    chance = frame.loc[frame["listener"] == CHANCE, "accuracy"]
    pairs = frame[frame["listener"] != CHANCE]
    tellers, hearers = pairs["storyteller"].unique(), pairs["listener"].unique()
    table = pairs.pivot_table(index="listener", columns="storyteller", values="accuracy")
    ax.imshow(table.loc[hearers, tellers], cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row in pairs.itertuples():
        x, y = list(tellers).index(row.storyteller), list(hearers).index(row.listener)
        colour = "white" if row.accuracy > DARK else BLACK
        words = f"{row.accuracy:.2f}\n{row.low:.2f}–{row.high:.2f}".replace("\nnan–nan", "")
        ax.text(x, y, words, ha="center", va="center", color=colour, fontsize=5)
        if row.own_clue:
            ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, color=VERMILION))
    ax.set(xticks=range(len(tellers)), yticks=range(len(hearers)), yticklabels=hearers)
    ax.set_xticklabels(tellers, rotation=45, ha="right")
    by_chance = "".join(f"; chance {share:.2f}" for share in chance)
    ax.set(xlabel=f"storyteller (framed: own clues{by_chance})", ylabel="listener")
    ax.grid(visible=False)
    return ax


def plot_opponents(frame: pd.DataFrame, ax: Axes, chance: float | None = None) -> Axes:
    """Draw each player's match scores against the strength of whom it met.

    Parameters
    ----------
    frame
        From `opponents.match_scores`, with theirs; marks of equal strength stand side by side.
    ax
        Where to draw.
    chance
        Score of random voters, for a line.
    """
    names = list(frame["player"].unique())
    width = 1.0 if frame.empty else np.ptp(frame["theirs"].to_numpy()) or 1.0
    offsets = np.linspace(-0.05, 0.05, len(names)) * width
    for name, offset, colour, marker in styled(names, offsets):
        met = frame[frame["player"] == name].sort_values("theirs")
        ax.plot(met["theirs"] + offset, met["score"], marker, color=colour, label=name)
        means = met.groupby("theirs")["score"].mean()
        ax.plot(means.index + offset, means, color=colour, linewidth=0.8, alpha=0.6)
    if chance is not None:
        reference(chance, ax, upright=False, label="random voters")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="strength of the opponent", ylabel="points won / possible")
    return legend_above(ax)


def plot_skill_and_clarity(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw listeners' skill and storytellers' clarity with intervals; 0 is the mean player.

    Parameters
    ----------
    frame
        From `skill.skill_and_clarity`.
    ax
        Where to draw.
    """
    names = list(frame["player"].dropna().unique())
    kinds = (("skill", "skill as a listener", BLUE, "o"), ("clarity", "clarity", VERMILION, "s"))
    for offset, (term, label, colour, marker) in zip((-0.13, 0.13), kinds, strict=True):
        rows = frame[frame["term"] == term].set_index("player").reindex(names)
        at = np.arange(len(names)) + offset
        intervals(rows, "estimate", at, ax, color=colour, fmt=marker, label=label)
    reference(0, ax)
    ax.set_xlabel("logits (dashed: the mean player)")
    name_rows(names, ax)
    return legend_above(ax)
