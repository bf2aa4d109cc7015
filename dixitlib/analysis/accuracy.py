"""How well choosers answer a benchmark, and how much of that the clue is worth.

Answers of `store.read_answers` and the benchmark's items in, tidy frames out. A card is
the target once in every tier, so target cards are the clusters of every interval. An
unanswered item is in no accuracy; it counts in coverage, and as wrong in `strict`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import share_interval

ALL = "all"
CELL = ["player", "method", "control", "tier"]
_NAMES = ["asked", "answered", "accuracy", "low", "high", "strict", "ties", "chance"]


def accuracy(answers: pd.DataFrame, items: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return each chooser's accuracy by method, control and tier, and over all tiers.

    Parameters
    ----------
    answers
        One row an answer.
    items
        One row an item: item, target and option_1, option_2, ... as in the benchmark's CSV.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, method, control, tier (``all`` for the tiers together); asked, answered,
        coverage; accuracy (mean credit of what was answered), low, high; strict (mean
        credit with unanswered items wrong); ties (share of answers that share the highest
        rating); chance (one over the number of options).

    Raises
    ------
    ValueError
        If answers are to items that `items` lacks; each is named.
    """
    known = _with_targets(answers, items)
    whole = pd.concat([known, known.assign(tier=ALL)])
    rows = [(*cell, *_cell(part, level)) for cell, part in whole.groupby(CELL, sort=False)]
    frame = pd.DataFrame(rows, columns=[*CELL, *_NAMES])
    frame.insert(6, "coverage", frame["answered"] / frame["asked"])
    return frame


def central_rules(profile: pd.DataFrame) -> pd.DataFrame:
    """Return what the rules "most central" and "least central option" score in each tier.

    Parameters
    ----------
    profile
        One row an option, with item, tier, target and centrality (`bench.nearness.profile`).

    Returns
    -------
    DataFrame
        tier (and ``all``), rule (``most central``, ``least central``), accuracy; options
        equally central share the credit.
    """
    rules = {"most central": False, "least central": True}
    parts = []
    for rule, ascending in rules.items():
        places = profile.groupby("item")["centrality"].rank(method="min", ascending=ascending)
        picked = profile.assign(rule=rule)[places == 1]
        parts.append(picked.groupby(["rule", "item", "tier"], as_index=False)["target"].mean())
    credit = pd.concat(parts)
    whole = pd.concat([credit, credit.assign(tier=ALL)])
    found = whole.groupby(["tier", "rule"], sort=False, as_index=False)["target"].mean()
    return found.rename(columns={"target": "accuracy"})


def clue_lift(accuracies: pd.DataFrame, rules: pd.DataFrame) -> pd.DataFrame:
    """Return what knowing the clue adds to the best that can be done without it.

    Clue-free accuracy is the highest of: the same chooser shown no clue or another item's
    (asked by the same method), and the two rules of `central_rules`. The highest of
    several estimates is on average too high, so the lift is rather too low.

    Parameters
    ----------
    accuracies
        From `accuracy`, with whatever controls were run.
    rules
        From `central_rules`.

    Returns
    -------
    DataFrame
        player, method, tier, accuracy, chance, clue_free, without (what gave it), lift.
    """
    named = {"none": "no clue", "permuted": "permuted clue"}
    keys = ["player", "method", "tier"]
    own = accuracies.loc[accuracies["control"] == "own", [*keys, "accuracy", "chance"]]
    controls = accuracies[accuracies["control"] != "own"].assign(
        without=lambda frame: frame["control"].map(named)
    )
    named_rules = rules.rename(columns={"rule": "without"})
    blind = own[keys].merge(named_rules, on="tier", validate="many_to_many")
    rivals = pd.concat([controls, blind])[[*keys, "without", "accuracy"]].dropna()
    ordered = rivals.sort_values("accuracy", ascending=False, kind="stable")
    best = ordered.drop_duplicates(keys).rename(columns={"accuracy": "clue_free"})
    found = own.merge(best, on=keys, how="left", validate="one_to_one")
    found["lift"] = found["accuracy"] - found["clue_free"]
    return found[[*keys, "accuracy", "chance", "clue_free", "without", "lift"]]


def consistency(answers: pd.DataFrame, items: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return how often a chooser is right under every rotation of an item's options.

    Returns
    -------
    DataFrame
        player, control, tier (and ``all``), items (answered under every rotation),
        consistent (share of them right each time), low, high.
    """
    turned = _with_targets(answers[answers["method"] == "circular"], items)
    keys = ["player", "control", "tier", "item", "target"]
    each = turned.groupby(keys, sort=False)["credit"].agg(least="min", known="count", asked="size")
    each = each[each["known"] == each["asked"]].reset_index()
    whole = pd.concat([each, each.assign(tier=ALL)])
    rows = [
        (*cell, len(part), *share_interval(part, "least", "target", level))
        for cell, part in whole.groupby(keys[:3], sort=False)
    ]
    return pd.DataFrame(rows, columns=[*keys[:3], "items", "consistent", "low", "high"])


def _with_targets(answers: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    missing = sorted(set(answers["item"]) - set(items["item"]))
    if missing:
        raise ValueError(f"answers to items that the benchmark lacks: {', '.join(missing)}")
    options = items.filter(regex=r"^option_\d+$").notna().sum(axis=1)
    facts = items[["item", "target"]].assign(chance=1 / options)
    return answers.merge(facts, on="item", validate="many_to_one")


def _cell(part: pd.DataFrame, level: float) -> tuple[object, ...]:
    answered = part.dropna(subset=["credit"])
    return (
        len(part),
        len(answered),
        *share_interval(answered, "credit", "target", level),
        part["credit"].fillna(0).mean(),
        (answered["tied"] > 1).mean() if len(answered) else np.nan,
        part["chance"].mean(),
    )
