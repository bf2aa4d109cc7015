"""Choosing or rating, together or alone: which of the two costs accuracy.

Direct choice and entailment scoring differ in two things at once. *Format*: one names a card,
the other gives numbers. *Context*: one sees all cards, the other one at a time. Four methods,
two by two, tell them apart:

========  ====================  ======================
format    alone                 together
========  ====================  ======================
choose    ``choose_alone``      ``direct``
rate      ``entailment``        ``rate_together``
========  ====================  ======================

Frames in, tidy frames out. A card is the target once in every tier, so target cards are the
clusters of every interval. A method that was not run is a row of NaN with a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.analysis.contrasts import paired_permutation
from dixitlib.analysis.inference import cluster_interval, share_interval
from dixitlib.analysis.regression import logistic
from dixitlib.records import Answer

CELLS: Mapping[str, tuple[str, str]] = {
    "direct": ("choose", "together"),
    "choose_alone": ("choose", "alone"),
    "rate_together": ("rate", "together"),
    "entailment": ("rate", "alone"),
}
CONTRASTS: Mapping[str, Mapping[str, float]] = {
    "choosing-beats-rating": {"direct": 1, "entailment": -1},
    "format-matters": {
        "direct": 0.5,
        "choose_alone": 0.5,
        "rate_together": -0.5,
        "entailment": -0.5,
    },
    "context-matters": {
        "direct": 0.5,
        "rate_together": 0.5,
        "choose_alone": -0.5,
        "entailment": -0.5,
    },
    "format-and-context-interact": {
        "direct": 1,
        "choose_alone": -1,
        "rate_together": -1,
        "entailment": 1,
    },
}
"""Hypotheses of the analysis plan with the weight of each method's credit."""
STEPS = (0, 1, 5, 10, 25, 50)
EDGES = (0, 20, 40, 50, 60, 80, 100)
LEAST = 0.005  # a rating of 0 or 100 has no log odds; this is half a point


def credits(answers: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """Return the credit of each player and item by the four methods, side by side.

    Parameters
    ----------
    answers
        From `store.read_answers`. Controls are left out.
    items
        One row an item, with item and target.

    Returns
    -------
    DataFrame
        player, tier, item, target, and a column for each method of the two by two, NaN
        where it was not run or not answered.
    """
    own = answers[(answers["control"] == "own") & answers["method"].isin(CELLS)]
    found = own.merge(items[["item", "target"]], on="item", validate="many_to_one")
    keys = ["player", "tier", "item", "target"]
    # By unstacking, so that an answer given twice is refused and not averaged.
    wide = found.set_index([*keys, "method"])["credit"].unstack()  # noqa: PD010
    wide = wide.reindex(pd.MultiIndex.from_frame(found[keys].drop_duplicates()))
    return wide.reindex(columns=list(CELLS)).rename_axis(columns=None).reset_index()


def two_by_two(credit: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the accuracy of each player by format and context.

    Parameters
    ----------
    credit
        From `credits`.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, method, format, context, answered, accuracy, low, high, note.
    """
    rows = []
    for player, given in credit.groupby("player", sort=False):
        for method, cell in CELLS.items():
            answered = int(given[method].notna().sum())
            interval = share_interval(given, method, "target", level)
            rows.append((player, method, *cell, answered, *interval, _note([method], given)))
    columns = ["player", "method", "format", "context", "answered", "accuracy", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, "note"])


def differences(
    credit: pd.DataFrame, by: Sequence[str] = ("player",), *, level: float = 0.95, seed: int = 0
) -> pd.DataFrame:
    """Return what choosing gains over rating, and how that divides into format and context.

    Parameters
    ----------
    credit
        From `credits`.
    by
        Columns to tell apart, such as player and tier.
    level
        Coverage of the intervals.
    seed
        Of the permutations.

    Returns
    -------
    DataFrame
        `by`, hypothesis (a key of `CONTRASTS`), items (answered by every method needed),
        difference, low, high, p (signs of target cards flipped), note.
    """
    rows = []
    for names, given in credit.groupby(list(by), sort=False):
        for hypothesis, weights in CONTRASTS.items():
            known = given.assign(d=sum(w * given[m] for m, w in weights.items()))
            tested = paired_permutation(known, "d", "target", seed=seed)
            interval = cluster_interval(known, "d", "target", level)
            note = _note(weights, given) or tested.note
            counted = int(known["d"].notna().sum())
            rows.append((*names, hypothesis, counted, *interval, tested.p, note))
    columns = [*by, "hypothesis", "items", "difference", "low", "high", "p", "note"]
    return pd.DataFrame(rows, columns=columns)


def ratings(
    answers: Iterable[Answer], items: pd.DataFrame, method: str = "entailment"
) -> pd.DataFrame:
    """Return one row a rated option.

    Parameters
    ----------
    answers
        From `store.iter_answers`, which has the ratings.
    items
        One row an item: item, target, option_1, option_2, ...
    method
        ``entailment`` or ``rate_together``.

    Returns
    -------
    DataFrame
        player, tier, item, target, option, rating (0 to 100), hit (whether the option is
        the target).
    """
    options = items.set_index("item").filter(regex=r"^option_\d+$")
    shown = {item: row.dropna().tolist() for item, row in options.iterrows()}
    rows = [
        (answer.player, answer.tier, answer.item, option, score)
        for answer in answers
        if answer.method == method and answer.control == "own"
        for option, score in zip(shown[answer.item], answer.scores, strict=False)
    ]
    frame = pd.DataFrame(rows, columns=["player", "tier", "item", "option", "rating"])
    frame = frame.merge(items[["item", "target"]], on="item", validate="many_to_one")
    return frame.assign(hit=frame["option"] == frame["target"])


def rounded(
    rated: pd.DataFrame, steps: Sequence[int] = STEPS, *, level: float = 0.95
) -> pd.DataFrame:
    """Return what ratings would be worth if they were coarser.

    Parameters
    ----------
    rated
        From `ratings`.
    steps
        Points to round to; 0 leaves the ratings alone, 50 leaves three of them.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, step, accuracy (ties share the credit), low, high, ties (share of items whose
        highest rating is shared), and what the accuracy would be if a tie that holds the target
        were always won (`won`) or always lost (`lost`).
    """
    rows = []
    for step in steps:
        coarse = rated.assign(rating=_to_step(rated["rating"], step))
        for player, outcome in _resolved(coarse).groupby("player", sort=False):
            interval = share_interval(outcome, "credit", "target", level)
            rows.append((player, step, *interval, *outcome[["tied", "won", "lost"]].mean()))
    ends = ["accuracy", "low", "high", "ties", "won", "lost"]
    return pd.DataFrame(rows, columns=["player", "step", *ends])


def calibration(
    rated: pd.DataFrame, edges: Sequence[float] = EDGES, *, level: float = 0.95
) -> pd.DataFrame:
    """Return how often options are the target, by how they were rated.

    Returns
    -------
    DataFrame
        player, low_edge, high_edge, options, rating (their mean, as a share of 100),
        share (of them that are the target), low, high; bins without options are left out.
    """
    bins = pd.cut(rated["rating"], edges, include_lowest=True)
    rows = [
        (player, max(bin.left, 0), bin.right, len(part), part["rating"].mean() / 100, *share)
        for (player, bin), part in rated.groupby(["player", bins], sort=False, observed=True)
        for share in [share_interval(part, "hit", "target", level)]
    ]
    columns = ["player", "low_edge", "high_edge", "options", "rating", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def slopes(rated: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the slope of being the target on the log odds of the rating.

    A calibrated rater has a slope of 1. Below, its ratings are too extreme, above, too
    timid; 0 is a rating that says nothing. `p` is that of the slope being 1.

    Returns
    -------
    DataFrame
        player, slope, low, high, p, note.
    """
    rows = []
    for player, part in rated.groupby("player", sort=False):
        chance = part["rating"].clip(100 * LEAST, 100 * (1 - LEAST)) / 100
        known = part.assign(odds=np.log(chance / (1 - chance)), hit=part["hit"].astype(float))
        if known["odds"].nunique() < 2:
            rows.append((player, *[np.nan] * 4, "all ratings are the same"))
            continue
        found = logistic(known, "hit ~ odds", "target", level=level).set_index("term").loc["odds"]
        off = abs(found["estimate"] - 1) / found["error"]
        ends = found[["estimate", "low", "high"]]
        rows.append((player, *ends, 2 * stats.t.sf(off, found["df"]), found["note"]))
    return pd.DataFrame(rows, columns=["player", "slope", "low", "high", "p", "note"])


def _note(methods: Iterable[str], given: pd.DataFrame) -> str:
    absent = [method for method in methods if given[method].isna().all()]
    return f"not run: {', '.join(absent)}" if absent else ""


def _to_step(rating: pd.Series, step: int) -> pd.Series:
    return (rating / step).round() * step if step else rating


def _resolved(rated: pd.DataFrame) -> pd.DataFrame:
    """Return one row a player and item: credit, tied, won, lost."""
    keys = ["player", "item", "target"]
    best = rated["rating"] == rated.groupby(keys, sort=False)["rating"].transform("max")
    counted = rated.assign(best=best, right=best & rated["hit"])
    found = counted.groupby(keys, sort=False)[["best", "right"]].sum().reset_index()
    right, alone = found["right"] > 0, found["best"] == 1
    return found.assign(credit=right / found["best"], tied=~alone, won=right, lost=right & alone)
