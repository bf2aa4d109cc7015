"""Figures of the arena: outcomes, independence, listening and what clues mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from dixitlib.plots.style import (
    BLACK,
    GREEN,
    GREY,
    OUTCOME_STYLE,
    SKY,
    VERMILION,
    intervals,
    legend_above,
    name_rows,
    reference,
)
from dixitlib.records import OUTCOMES

CHANCE = "chance"


def plot_outcomes(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw each player's shares of outcomes with intervals, and random voters' as lines.

    Parameters
    ----------
    frame
        From `outcomes.decomposition`; rows of the player ``chance`` become lines.
    ax
        Where to draw.
    """
    players = frame[frame["player"] != CHANCE]
    names = list(players["player"].unique())
    for offset, outcome in zip((-0.22, 0.0, 0.22), OUTCOMES, strict=True):
        label, colour, marker = OUTCOME_STYLE[outcome]
        rows = players[players["outcome"] == outcome].set_index("player").loc[names]
        at = np.arange(len(names)) + offset
        intervals(rows, "share", at, ax, color=colour, fmt=marker, label=label)
        for share in frame.loc[_is(frame, player=CHANCE, outcome=outcome), "share"]:
            reference(share, ax, color=colour)
    ax.set(xlim=(0, 1), xlabel="share of rounds told (dashed: random voters)")
    name_rows(names, ax)
    return legend_above(ax)


def plot_partial(frame: pd.DataFrame, ax: Axes, chance: float = 2 / 3) -> Axes:
    """Draw partial rounds as observed, and as independent listeners would make them.

    Parameters
    ----------
    frame
        From `outcomes.independence`. The interval is that of observed - expected, drawn
        about the observed share.
    ax
        Where to draw.
    chance
        Share of random voters; 2/3 if each has three candidates.
    """
    at = np.arange(len(frame))
    drawn = frame.assign(
        low=frame["expected"] + frame["low"], high=frame["expected"] + frame["high"]
    )
    intervals(drawn, "partial", at, ax, color=GREEN, fmt="o", label="observed")
    ax.plot(frame["expected"], at, "D", color=BLACK, fillstyle="none", label="if independent")
    reference(chance, ax, label="random voters")
    ax.set(xlim=(0, 1), xlabel="share of partial rounds")
    name_rows(frame["storyteller"], ax)
    return legend_above(ax)


def plot_listening(frame: pd.DataFrame, ax: Axes) -> Axes:
    """Draw vote accuracy on own and on others' clues, with random votes as a line.

    Parameters
    ----------
    frame
        From `scores.listening`.
    ax
        Where to draw.
    """
    names = [name for name in frame["listener"].unique() if name != CHANCE]
    kinds = (("others", "others' clues", VERMILION, "o"), ("own", "own clues", SKY, "s"))
    for offset, (clues, label, colour, marker) in zip((-0.13, 0.13), kinds, strict=True):
        rows = frame[frame["clues"] == clues].set_index("listener").loc[names]
        at = np.arange(len(names)) + offset
        intervals(rows, "accuracy", at, ax, color=colour, fmt=marker, label=label)
    for share in frame.loc[_is(frame, listener=CHANCE), "accuracy"]:
        reference(share, ax, label="random votes")
    ax.set(xlim=(0, 1), xlabel="vote accuracy")
    name_rows(names, ax)
    return legend_above(ax)


def plot_meaning(rounds: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how near clues are to the target against their margin over the nearest distractor.

    Parameters
    ----------
    rounds
        One row a round, with similarity, margin and outcome. Small marks are rounds; a
        large one is the mean of an outcome.
    ax
        Where to draw.
    """
    for outcome in OUTCOMES:
        label, colour, marker = OUTCOME_STYLE[outcome]
        ended = rounds[rounds["outcome"] == outcome]
        x, y = ended["margin"], ended["similarity"]
        ax.scatter(x, y, s=7, color=colour, marker=marker, alpha=0.35, linewidths=0)
        if len(ended):
            means = {"s": 46, "color": colour, "marker": marker, "edgecolors": "white"}
            ax.scatter(x.mean(), y.mean(), label=label, zorder=3, **means)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    ax.set(xlabel="margin to the nearest distractor", ylabel="similarity of clue and target")
    return legend_above(ax)


def _is(frame: pd.DataFrame, **values: str) -> pd.Series:
    return (frame[list(values)] == pd.Series(values)).all(axis=1)
