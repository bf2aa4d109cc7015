"""What a storyteller's points would be with one listener less, as published and by name.

The published check drops each of the three votes in turn, rescores the round with two
listeners and averages. In a partial round one of the three is alone with its vote: without
it the other two agree and the three points are lost; without either of the others nothing
changes. Dropped at random that costs one point, always; in any other round all agree and
nothing is lost. So the mean change is -p and the "stability" 1 - sd / 3 is
1 - sqrt(p (1 - p)) / 3, p being the share of partial rounds: both say p over again, and
nothing about robustness (facts: Robustness as published).

Which listener is dropped is what carries information. Without one that has a name the
change is -3 times the share of rounds in which its vote stood alone, and that p does not
fix. Votes of `store.read_votes` in; void rounds are left out.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import cluster_interval
from dixitlib.analysis.outcomes import ROUND
from dixitlib.analysis.scores import STORYTELLER_MAXIMUM as FOUND

ALL = "all"
CLUSTERS = {"match": "match", "card": "target"}


def drops(votes: pd.DataFrame) -> pd.DataFrame:
    """Return what dropping each vote would do to the round's storyteller.

    Returns
    -------
    DataFrame
        `votes` of rounds in which all votes are known, with change (storyteller points
        without this vote minus those with it) and pivotal (whether that is not 0).
    """
    heard = votes.groupby(ROUND)["correct"]
    known = votes[heard.transform("count") == heard.transform("size")].astype({"correct": float})
    rounds = known.groupby(ROUND)["correct"]
    hits, listeners = rounds.transform("sum"), rounds.transform("size")
    change = _points(hits - known["correct"], listeners - 1) - _points(hits, listeners)
    return known.assign(change=change, pivotal=change != 0)


def leave_one_out(votes: pd.DataFrame) -> pd.DataFrame:
    """Return the published statistic of each storyteller, and of all, beside its identity.

    Returns
    -------
    DataFrame
        storyteller, rounds, partial (share p), change (mean over rounds of the mean over
        the three drops), stability (1 - sd / 3, population sd over rounds), minus_p and
        identity (what p alone says they are).
    """
    dropped = drops(votes)
    rounds = dropped.groupby(ROUND).agg(
        change=("change", "mean"), hits=("correct", "sum"), listeners=("correct", "size")
    )
    rounds["partial"] = rounds["hits"].between(0, rounds["listeners"], inclusive="neither")
    rounds = rounds.reset_index()
    named = [(ALL, rounds), *rounds.groupby("storyteller", sort=False)]
    rows = [(name, *_published(told)) for name, told in named]
    columns = ["storyteller", "rounds", "partial", "change", "stability", "minus_p", "identity"]
    return pd.DataFrame(rows, columns=columns)


def named(votes: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return what storytellers lose without one named listener.

    Returns
    -------
    DataFrame
        listener (and ``all``), turns, pivotal (share of its turns in which its vote stood
        alone), change (-3 times that), cluster (``match`` or ``card``), low, high: a
        jackknife that leaves out one match, or one card, at a time.
    """
    dropped = drops(votes)
    parts = [(ALL, dropped), *dropped.groupby("listener", sort=False)]
    rows = [
        (name, len(turns), turns["pivotal"].mean(), *_left_out(turns, cluster, level))
        for name, turns in parts
        for cluster in CLUSTERS
    ]
    columns = ["listener", "turns", "pivotal", "cluster", "change", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def identity(partial: float) -> float:
    """Return the "stability" of a storyteller whose share of partial rounds is given."""
    return 1 - np.sqrt(partial * (1 - partial)) / FOUND


def _points(hits: pd.Series, listeners: pd.Series) -> pd.Series:
    return FOUND * hits.between(0, listeners, inclusive="neither").astype(float)


def _published(told: pd.DataFrame) -> tuple[float, ...]:
    partial = told["partial"].mean()
    stability = 1 - told["change"].std(ddof=0) / FOUND
    return len(told), partial, told["change"].mean(), stability, -partial, identity(partial)


def _left_out(turns: pd.DataFrame, cluster: str, level: float) -> tuple[object, ...]:
    return cluster, *cluster_interval(turns, "change", CLUSTERS[cluster], level)
