"""What the notebooks report of counterfactual tables and of the benchmark, as `reported` does."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from dixitlib.analysis import crossed, inference, regression
from dixitlib.analysis.skill import skill_and_clarity
from dixitlib.study.reported import Found, strengths_of


def effects(votes: pd.DataFrame) -> Iterator[Found]:
    """Report what listeners, storytellers and hearing oneself add, as shares."""
    for row in crossed.effects(votes).itertuples():
        yield Found(f"effect, {row.effect}", row.name, row.estimate, row.low, row.high)


def pairs(votes: pd.DataFrame) -> Iterator[Found]:
    """Report how often each listener finds each storyteller's target."""
    for row in crossed.matrix(votes)[:-1].itertuples():
        whom = f"{row.listener} of {row.storyteller}"
        yield Found("accuracy of a pair", whom, row.accuracy, row.low, row.high)


def by_card(votes: pd.DataFrame) -> Iterator[Found]:
    """Report accuracy over items that share cards, as the benchmark's."""
    for name, heard in votes.groupby("listener", sort=False):
        interval = inference.share_interval(heard, "correct", "target")
        yield Found("accuracy, by card", name, *interval)


def skills(votes: pd.DataFrame) -> Iterator[Found]:
    """Report the crossed model of listeners and storytellers, with cards for clusters."""
    table = skill_and_clarity(votes, "table")
    for row in table[table["term"] != "mean"].itertuples():
        who = row.player if isinstance(row.player, str) else "all"
        yield Found(f"rating, {row.term}", who, row.estimate, row.low, row.high)


def slopes(votes: pd.DataFrame) -> Iterator[Found]:
    """Report how clarity changes with a storyteller's strength."""
    told = votes.assign(theirs=votes["storyteller"].map(strengths_of(votes["storyteller"])))
    formula = "correct ~ theirs + own_clue + C(listener)"
    table = regression.two_way(told, formula, ("target", "listener"))
    row = table.set_index("term").loc["theirs"]
    yield Found("stronger-clues-are-clearer", "all", *row[["estimate", "low", "high", "p"]])


REPORTS = (effects, pairs, by_card, skills, slopes)
