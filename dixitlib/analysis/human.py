"""What people made of the clues, beside what models did.

Answers of `store.people.read_people` and the study's tables in, tidy frames out. Each
frame says in `origin` whether people answered or local models in their place (simulated).

Several raters hear one clue, so cases are the clusters of accuracies. Storytellers are
compared over cases that share matches, so there matches are the clusters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from dixitlib.analysis.agreement import agreement
from dixitlib.analysis.inference import cluster_interval, difference_interval, share_interval

SCALE = (1, 2, 3, 4, 5)
RATED = ("clarity", "creativity")
ANNOTATED = ("coherence", "plausibility", "difficulty")
PROXIES = ("similarity", "margin", "words", "models")


def votes(answers: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return people's votes: rater, case, correct, match, storyteller, origin.

    Raises
    ------
    ValueError
        If answers are to cases that `cases` lacks; each is named.
    """
    given = answers[answers["step"] == "vote"]
    _refuse_unknown(given, cases)
    facts = cases[["case", "match", "storyteller", "target"]]
    found = given.merge(facts, on="case", validate="many_to_one")
    found["correct"] = (found["choice"] == found["target"]).astype(float)
    return found[["rater", "case", "correct", "match", "storyteller", "origin"]]


def accuracy(found: pd.DataFrame, options: int = 4, *, level: float = 0.95) -> pd.DataFrame:
    """Return people's accuracy, with an interval for other cases and one for other raters.

    Parameters
    ----------
    found
        From `votes`.
    options
        Cards among which they chose.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        clusters (``case`` or ``rater``), number (of those), votes, accuracy, low, high,
        chance, origin. With few raters the second is the wider and the honest one for
        what other people would do.
    """
    rows = [
        (
            cluster,
            found[cluster].nunique(),
            len(found),
            *share_interval(found, "correct", cluster, level),
            1 / options,
            _origin(found),
        )
        for cluster in ("case", "rater")
    ]
    names = ["clusters", "number", "votes", "accuracy", "low", "high", "chance", "origin"]
    return pd.DataFrame(rows, columns=names)


def against_models(
    found: pd.DataFrame, models: pd.DataFrame, options: int = 4, *, level: float = 0.95
) -> pd.DataFrame:
    """Set people against each model, on the same cases, none of them told by that model.

    Parameters
    ----------
    found
        From `votes`.
    models
        One row a model and case: case, listener, own_clue, correct.
    options
        Cards among which all chose.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        listener, cases, accuracy, low, high (the model's); people (their accuracy on
        those cases); difference (people - model), difference_low, difference_high, paired
        by case; chance; origin.
    """
    others = models[~models["own_clue"]].dropna(subset=["correct"])
    others = others.assign(correct=others["correct"].astype(float))
    rows = [
        _beside(listener, others[others["listener"] == listener], found, options, level)
        for listener in models["listener"].unique()
    ]
    ends = ["difference", "difference_low", "difference_high", "chance", "origin"]
    names = ["listener", "cases", "accuracy", "low", "high", "people", *ends]
    return pd.DataFrame(rows, columns=names)


def clarity(ratings: Sequence[float]) -> float:
    """Return the clarity of one clue, 0 to 1, from ratings of 1 to 5.

    The formula is ours (facts: People): (1) the median over raters, (2) less their median
    absolute deviation from it, but not below 1, (3) rescaled to 0..1. If all say 5 it is
    1, if half say 1 and half 5 it is 0. NaN without a rating.
    """
    if len(ratings) == 0:
        return math.nan
    middle = np.median(ratings)
    spread = np.median(np.abs(np.asarray(ratings) - middle))
    return float((max(1.0, middle - spread) - 1) / 4)


def random_clarity(raters: int) -> float:
    """Return the mean clarity that raters who answer at random would give, exactly."""
    total = 0.0
    for ratings in combinations_with_replacement(SCALE, raters):
        orders = math.factorial(raters)
        for times in Counter(ratings).values():
            orders //= math.factorial(times)
        total += orders * clarity(ratings)
    return total / len(SCALE) ** raters


def scores(answers: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return `cases` with what raters gave each: raters, clarity (0..1), creativity (1..5).

    Creativity is the mean over raters. Cases that nobody rated are left out.
    """
    given = answers[answers["step"] == "rating"]
    _refuse_unknown(given, cases)
    by_case = given.groupby("case", sort=False).agg(
        raters=("rater", "nunique"), clarity=("clarity", clarity), creativity=("creativity", "mean")
    )
    rated = cases.merge(by_case.reset_index(), on="case", validate="one_to_one")
    return rated.assign(origin=_origin(given))


def by_storyteller(rated: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return how raters found each storyteller's clues.

    Returns
    -------
    DataFrame
        storyteller, measure (``clarity`` or ``creativity``), cases, mean, low, high, chance
        (what raters who answer at random would give), origin.
    """
    raters = int(rated["raters"].median())
    chance = {"clarity": random_clarity(raters), "creativity": float(np.mean(SCALE))}
    rows = [
        (
            teller,
            measure,
            len(told),
            *cluster_interval(told, measure, "match", level),
            chance[measure],
            _origin(rated),
        )
        for measure in chance
        for teller, told in rated.groupby("storyteller", sort=False)
    ]
    names = ["storyteller", "measure", "cases", "mean", "low", "high", "chance", "origin"]
    return pd.DataFrame(rows, columns=names)


def agreements(answers: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return how far raters agree on each thing they were asked.

    Returns
    -------
    DataFrame
        measure, and the columns of `agreement.agreement`; origin. The vote is nominal, the
        scores are ordinal. 0 is agreement by chance.
    """
    asked = {"vote": ("vote", "choice", "nominal")}
    asked |= {measure: ("rating", measure, "ordinal") for measure in RATED}
    asked |= {measure: ("annotation", measure, "ordinal") for measure in ANNOTATED}
    parts = []
    for measure, (step, column, measurement) in asked.items():
        given = answers[answers["step"] == step]
        table = given.pivot_table(column, "case", "rater", aggfunc="first", observed=True)
        if table.shape[1] > 1:
            found = agreement(table, measurement=measurement, level=level)
            parts.append(found.assign(measure=measure, origin=_origin(given)))
    if not parts:
        return pd.DataFrame(columns=["measure", "coefficient", "estimate", "low", "high", "origin"])
    whole = pd.concat(parts, ignore_index=True)
    return whole[["measure", *(name for name in whole if name != "measure")]]


def proxies(rated: pd.DataFrame, models: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return Spearman's correlation of what raters say with what is measured without them.

    Parameters
    ----------
    rated
        From `scores`, with similarity, margin and words of the run's ``meaning.csv``.
    models
        As in `against_models`; the proxy ``models`` is the share of them, but the
        storyteller, that find the card.
    level
        Coverage of the intervals, which have matches as clusters.

    Returns
    -------
    DataFrame
        measure, proxy, cases, correlation, low, high, origin.
    """
    others = models[~models["own_clue"]].dropna(subset=["correct"])
    share = others["correct"].astype(float).groupby(others["case"]).mean().rename("models")
    known = rated.merge(share.reset_index(), on="case", how="left", validate="one_to_one")
    rows = [
        (
            measure,
            proxy,
            int(known[[measure, proxy]].notna().all(axis=1).sum()),
            *cluster_interval(known, _spearman(measure, proxy), "match", level),
            _origin(rated),
        )
        for measure in RATED
        for proxy in PROXIES
    ]
    names = ["measure", "proxy", "cases", "correlation", "low", "high", "origin"]
    return pd.DataFrame(rows, columns=names)


def annotations(answers: pd.DataFrame, items: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return what raters made of DixitBench's items, by tier; items are the clusters.

    Returns
    -------
    DataFrame
        tier, measure, items, mean, low, high, origin.
    """
    given = answers[answers["step"] == "annotation"]
    _refuse_unknown(given, items)
    known = given.merge(items[["case", "tier"]], on="case", validate="many_to_one")
    rows = [
        (
            tier,
            measure,
            part["case"].nunique(),
            *cluster_interval(part, measure, "case", level),
            _origin(given),
        )
        for measure in ANNOTATED
        for tier, part in known.groupby("tier", sort=False)
    ]
    return pd.DataFrame(rows, columns=["tier", "measure", "items", "mean", "low", "high", "origin"])


def _beside(
    listener: str, heard: pd.DataFrame, found: pd.DataFrame, options: int, level: float
) -> tuple[object, ...]:
    people = found[found["case"].isin(heard["case"])]
    same = heard[heard["case"].isin(people["case"])]
    return (
        listener,
        len(same),
        *share_interval(same, "correct", "case", level),
        people["correct"].mean(),
        *difference_interval(people, same, "correct", "case", level),
        1 / options,
        _origin(people),
    )


def _spearman(first: str, second: str) -> Callable[[pd.DataFrame], float]:
    """Return what correlates two columns of a frame; NaN where one of them does not vary."""

    def correlation(frame: pd.DataFrame) -> float:
        known = frame[[first, second]].dropna()
        if (known.nunique() < 2).any():
            return math.nan
        return float(known[first].corr(known[second], method="spearman"))

    return correlation


def _origin(frame: pd.DataFrame) -> str:
    """Return who answered; the loader lets nobody mix them."""
    return frame["origin"].iloc[0] if len(frame) else ""


def _refuse_unknown(given: pd.DataFrame, cases: pd.DataFrame) -> None:
    if unknown := sorted(set(given["case"]) - set(cases["case"])):
        raise ValueError(f"answers to cases that the study's table lacks: {', '.join(unknown)}")
