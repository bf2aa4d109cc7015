"""Every statistic that the notebooks report, as one call on one simulated tournament.

A finding is an estimate with its interval, a p-value, or both, under the name of the
statistic and of whom it is about. `truths` has what the players' numbers say it should be,
and `certify` sets one against the other, a thousand times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from dixitlib.analysis import (
    agreement,
    bootstrap,
    contrasts,
    inference,
    opponents,
    outcomes,
    position,
    ratings,
    regression,
    robustness,
    scores,
    swap,
    variance,
    wild,
)
from dixitlib.analysis.skill import skill_and_clarity

MARGIN = 0.3  # points, as the plan has it
ITEMS = 4  # one of so many rounds is an item to agree on


class Found(NamedTuple):
    """What an estimator said of one thing; what it does not give is NaN."""

    statistic: str
    who: str
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    p: float = np.nan


Report = Callable[..., Iterator[Found]]
"""From the frames of a study (rounds and votes, or votes over tables) to what is said of it."""


def strengths_of(players: pd.Series) -> dict[str, int]:
    """Return the strength of six players in steps, as the notebooks give it to the local ones."""
    return {name: 1 + place // 2 for place, name in enumerate(players.unique())}


def prepared(rounds: pd.DataFrame, votes: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames with the columns that regressions need."""
    table = votes.groupby(["match", "phase", "round"], sort=False).ngroup()
    hit = votes["correct"].astype(float)
    own = votes["own_clue"].astype(float)
    partial = (rounds["outcome"] == "partial").astype(float)
    return rounds.assign(partial=partial), votes.assign(table=table, hit=hit, own=own)


def shares(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report how rounds end, by storyteller."""
    table = outcomes.decomposition(rounds, n_candidates=None)
    for row in table.itertuples():
        yield Found(f"share {row.outcome}", row.player, row.share, row.low, row.high)


def listening(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report vote accuracy, by listener and clues."""
    for row in scores.listening(votes).itertuples():
        if row.listener != outcomes.CHANCE:
            name = f"accuracy, {row.clues} clues"
            yield Found(name, row.listener, row.accuracy, row.low, row.high)


def points(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report points won of those possible."""
    for row in scores.scores(rounds, votes).itertuples():
        if row.player != outcomes.CHANCE and row.measure != "vote_accuracy":
            yield Found(f"score, {row.measure}", row.player, row.score, row.low, row.high)


def together(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report what votes of one round have in common."""
    for row in outcomes.independence(votes).itertuples():
        yield Found("independence excess", row.storyteller, row.excess, row.low, row.high)
        ends = row.correlation_low, row.correlation_high
        yield Found("vote correlation", row.storyteller, row.correlation, *ends)


def differences(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report differences between players: as storytellers, and as listeners to others.

    Listeners are paired by whom they heard, so that what storytellers differ in drops out.
    """
    heard = votes[~votes["own_clue"]]
    told, listened = (
        dict(list(rounds.groupby("storyteller"))),
        dict(list(heard.groupby("listener"))),
    )
    for a, b in pairwise(told):
        telling = inference.difference_interval(told[a], told[b], "partial", "match")
        yield Found("difference of partial shares", f"{a} - {b}", *telling)
        hearing = inference.difference_interval(listened[a], listened[b], "hit", "storyteller")
        yield Found("difference of accuracies", f"{a} - {b}", *hearing)


def regressions(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report regressions with CR2 errors, and their p-values after Holm."""
    table = regression.linear(rounds, "partial ~ storyteller", "match")[1:]
    yield from _terms("CR2 linear, partial by storyteller", table)
    yield Found("Holm over five storytellers", "least", p=contrasts.holm(table["p"]).min())
    odds = regression.logistic(votes, "hit ~ own + listener + storyteller", "match")
    yield from _terms("CR2 logistic, own clue", odds[odds["term"] == "own"])


def wild_bootstrap(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the wild bootstrap's p-value of one storyteller against another."""
    second = rounds["storyteller"].unique()[1]
    p = wild.wild_p(rounds, "partial ~ storyteller", f"storyteller[T.{second}]", "match")
    yield Found("wild bootstrap, partial by storyteller", second, p=p)


def by_card(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report what takes cards for clusters; listeners are compared on the same storytellers."""
    others, clusters = votes[~votes["own_clue"]], ("match", "target")
    table = regression.two_way(others, "hit ~ listener + storyteller", clusters)
    listeners = table["term"].str.startswith("listener")
    yield from _terms("two-way, accuracy by listener", table[listeners])
    whole = bootstrap.bootstrap_interval(votes, "hit", "target")
    yield Found("bootstrap by card, accuracy", "all", *whole)


def alike(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the intraclass correlation of the votes of a table."""
    yield Found("intraclass correlation", "all", *variance.intraclass(votes, "hit", "table"))


def skills(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the crossed model of listeners and storytellers."""
    table = skill_and_clarity(votes)
    for row in table[table["term"] != "mean"].itertuples():
        who = row.player if isinstance(row.player, str) else "all"
        yield Found(f"rating, {row.term}", who, row.estimate, row.low, row.high)


def matches(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report match ratings."""
    results = ratings.match_results(rounds, votes)
    for name, rate in (("Bradley-Terry", ratings.bradley_terry), ("Davidson", ratings.davidson)):
        for row in rate(results).itertuples():
            if row.player != "ties":
                yield Found(f"rating, {name}", row.player, row.rating, row.low, row.high)


def left_out(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report what leaving out one named listener changes."""
    for row in robustness.named(votes).itertuples():
        name = f"one listener less, by {row.cluster}"
        yield Found(name, row.listener, row.change, row.low, row.high)


def places(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the tests of position: of the shuffler, and of the listeners."""
    yield Found("position, shuffler", "all", p=position.shuffler(votes)["p"].iloc[0])
    found = position.preferences(votes)
    yield Found("position, joint test", "all", p=found.joint.p)
    for row in found.table[1:].itertuples():
        yield Found(f"position, {row.term}", "all", row.estimate, row.low, row.high)


def swaps(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report hand swap, phase and seats."""
    paired = swap.pairs(rounds)
    for row in swap.advantages(paired).itertuples():
        yield Found("advantage within streams", row.player, row.difference, row.low, row.high)
    phase = inference.cluster_interval(paired, "phase", "match")
    flips = contrasts.paired_permutation(paired, "phase", "match")
    yield Found("phase", "all", *phase)
    yield Found("paired permutation, phase", "all", p=flips.p)
    seats = swap.seat_pairs(swap.seats(rounds, votes))
    yield Found("seat", "all", *inference.cluster_interval(seats, "difference", "match"))


def equivalences(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report equivalence tests of the phases: as they are, and moved onto the margin."""
    paired = swap.pairs(rounds)
    moved = paired.assign(phase=paired["phase"] + MARGIN)
    for name, frame in (("TOST, equal phases", paired), ("TOST, on the margin", moved)):
        yield Found(name, "all", p=contrasts.equivalence(frame, "phase", "match", MARGIN).p)


def hands(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report whether hands matter."""
    yield Found("hand correlation", "all", *swap.hand_correlation(swap.pairs(rounds)))


def variances(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the permutation test of variances among the first three players' matches."""
    weak = list(rounds["storyteller"].unique()[:3])
    scored = opponents.match_scores(rounds, votes)
    p = opponents.variance_ratio(scored, weak, draws=999).p
    yield Found("variance of weak pairs", "all", p=p)


def claims(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report the plan's claims about outcomes and opponents, under the plan's names."""
    strength = strengths_of(rounds["storyteller"])
    matches = opponents.match_scores(rounds, votes, pd.Series(strength))
    told = rounds.assign(own=rounds["storyteller"].map(strength))
    told["more"] = (1 - told["partial"]) - 1 / 3
    lost = told[told["outcome"] != "partial"]
    plain = lost.assign(plain=(lost["outcome"] == "all_correct").astype(float))
    weak = matches[matches["player"].isin(list(strength)[:3])]
    others = votes[~votes["own_clue"]].assign(own=votes["listener"].map(strength))
    excess = outcomes.against_independence(votes)
    linear, two_way = regression.linear, regression.two_way
    asked = {
        "most-rounds-score-nothing": (linear, told, "more ~ 1", "match", "Intercept"),
        "listeners-err-together": (linear, excess, "excess ~ 1", "match", "Intercept"),
        "failures-change-with-size": (linear, plain, "plain ~ own", "match", "own"),
        "stronger-lead-overall": (linear, matches, "score ~ own", "match", "own"),
        "listening-grows-with-strength": (
            *(two_way, others, "hit ~ own", ("target", "match"), "own"),
        ),
    }
    for name, (model, frame, formula, cluster, term) in asked.items():
        row = model(frame, formula, cluster).set_index("term").loc[term]
        yield Found(name, "all", *row[["estimate", "low", "high", "p"]])
    opponent = (weak, "score ~ theirs + C(player)", "theirs", "match")
    fall, p = wild.wild_interval(*opponent), wild.wild_p(*opponent)
    yield Found("stronger-opponents-lower-scores", "all", *fall, p)
    slope = inference.cluster_interval(told[["match", "partial", "own"]], _telling, "match")
    yield Found("telling-does-not-grow-with-strength", "all", *slope)


def two_seats(rounds: pd.DataFrame, votes: pd.DataFrame) -> Iterator[Found]:
    """Report whether two seats of one player, hearing the same clue, agree, and which is better."""
    others = votes[~votes["own_clue"]].assign(other=votes["listener_seat"] % 2)
    seats = others.pivot_table("hit", ["match", "phase", "round"], "other")
    yield Found("McNemar, two seats", "all", p=contrasts.mcnemar(seats[0], seats[1]).p)
    for row in agreement.agreement(seats[::ITEMS]).itertuples():
        yield Found(row.coefficient, "all", row.estimate, row.low, row.high)


def _telling(told: pd.DataFrame) -> float:
    return told["partial"].cov(told["own"]) / told["own"].var()


def _terms(name: str, table: pd.DataFrame) -> Iterator[Found]:
    for row in table.itertuples():
        yield Found(name, row.term, row.estimate, row.low, row.high, row.p)
