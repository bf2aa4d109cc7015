"""What became of the rounds: partial, all correct or all wrong, and why.

Frames of `store.read_rounds` and `store.read_votes` in, tidy frames out. Matches are the
clusters of every interval. Void rounds are in no share; `coverage` counts them. A share
of nothing is NaN, and `coverage` says why.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import cluster_interval, share_interval
from dixitlib.records import OUTCOMES

CHANCE = "chance"
LISTENERS = 3
N_CANDIDATES = 3  # the own card may not be voted for
ROUND = ["match", "phase", "round", "storyteller"]


def coverage(rounds: pd.DataFrame) -> pd.DataFrame:
    """Count what each storyteller was to tell and what was played to its end.

    Returns
    -------
    DataFrame
        player, told, played, coverage (played / told), matches (in which it played a
        round to its end) and note: why its shares or their intervals are missing, or
        nothing.
    """
    rows = [_covered(player, told) for player, told in rounds.groupby("storyteller", sort=False)]
    return pd.DataFrame(rows, columns=["player", "told", "played", "coverage", "matches", "note"])


def decomposition(
    rounds: pd.DataFrame, *, n_candidates: int | None = N_CANDIDATES, level: float = 0.95
) -> pd.DataFrame:
    """Return the share of each outcome among the rounds a player told.

    Parameters
    ----------
    rounds
        One row a round, with storyteller, match, outcome and status.
    n_candidates
        Cards a listener chooses from, for the rows of random voters at the end (see
        `chance`); None leaves these out.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, outcome, rounds (that ended so), share, low, high; players in order of
        appearance, three rows each.
    """
    rows = [
        _share(player, outcome, told[told["status"] == "ok"], level)
        for player, told in rounds.groupby("storyteller", sort=False)
        for outcome in OUTCOMES
    ]
    columns = ["player", "outcome", "rounds", "share", "low", "high"]
    frame = pd.DataFrame(rows, columns=columns).astype({"rounds": "Int64"})
    if n_candidates is None:
        return frame
    return pd.concat([frame, chance(n_candidates)], ignore_index=True)


def chance(n_candidates: int = N_CANDIDATES, listeners: int = LISTENERS) -> pd.DataFrame:
    """Return the shares that listeners who vote at random would give, as in `decomposition`.

    With three candidates: partial 2/3, all correct 1/27, all wrong 8/27 (facts: Chance).
    Rounds and intervals are missing, since nothing was played.
    """
    hit = 1 / n_candidates
    shares = {"all_correct": hit**listeners, "all_wrong": (1 - hit) ** listeners}
    shares["partial"] = 1 - sum(shares.values())
    rows = [(CHANCE, outcome, pd.NA, shares[outcome], np.nan, np.nan) for outcome in OUTCOMES]
    columns = ["player", "outcome", "rounds", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns).astype({"rounds": "Int64"})


def independence(votes: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Set each storyteller's partial rounds against independent listeners as accurate.

    A listener's accuracy p is its share of hits on this storyteller's clues, over the whole
    run. Independent listeners would make a round partial with probability
    1 - prod p - prod (1 - p). What is missing to that is due to listeners that are right
    and wrong together: one clue and one table make a round easy or hard for all. Their
    correlation is that of the deviations from p, over the pairs of votes of a round.

    The same votes give p and the deviations from it, which puts the correlation of
    independent votes a little below 0 and the expected rate a little too low: by 0.01 to
    0.02 each where a pair of players meets in twelve rounds.

    Returns
    -------
    DataFrame
        storyteller, rounds, partial, expected, excess (partial - expected) with low and
        high, correlation with correlation_low and correlation_high (NaN if every p is
        0 or 1).
    """
    rows = [
        (
            storyteller,
            len(told),
            *told[["partial", "expected"]].mean(),
            *cluster_interval(told, "excess", "match", level),
            *cluster_interval(told, ("together", "apart"), "match", level),
        )
        for storyteller, told in against_independence(votes).groupby("storyteller", sort=False)
    ]
    columns = ["storyteller", "rounds", "partial", "expected", "excess", "low", "high"]
    correlation = ["correlation", "correlation_low", "correlation_high"]
    return pd.DataFrame(rows, columns=[*columns, *correlation])


def against_independence(votes: pd.DataFrame) -> pd.DataFrame:
    """Return for each round whether it was partial, and how likely independent votes made that.

    Returns
    -------
    DataFrame
        One row a round: match, phase, round, storyteller; partial, expected, excess (partial -
        expected); together (products of deviations) and apart (products of standard
        deviations), summed over pairs of votes, whose ratio is the votes' correlation.
    """
    known = votes.dropna(subset=["correct"])
    hit = known["correct"].astype(float)
    p = hit.groupby([known["storyteller"], known["listener"]]).transform("mean")
    terms = pd.DataFrame({"hit": hit, "off": hit - p, "spread": np.sqrt(p * (1 - p))})
    terms = terms.assign(off2=terms["off"] ** 2, spread2=terms["spread"] ** 2)
    of_round = [known[column] for column in ROUND]
    sums = terms.groupby(of_round, sort=False).sum()
    products = pd.DataFrame({"p": p, "q": 1 - p}).groupby(of_round, sort=False).prod()
    partial = sums["hit"].between(0, hit.groupby(of_round, sort=False).size(), inclusive="neither")
    rounds = pd.DataFrame(
        {
            "partial": partial.astype(float),
            "expected": 1 - products["p"] - products["q"],
            "together": (sums["off"] ** 2 - sums["off2"]) / 2,
            "apart": (sums["spread"] ** 2 - sums["spread2"]) / 2,
        }
    )
    return rounds.assign(excess=rounds["partial"] - rounds["expected"]).reset_index()


def failures(
    rounds: pd.DataFrame,
    *,
    measures: Sequence[str] = ("similarity", "margin"),
    level: float = 0.95,
) -> pd.DataFrame:
    """Return what clues were like in rounds that ended partial, all correct and all wrong.

    Parameters
    ----------
    rounds
        One row a round, with the run's measures of meaning.
    measures
        Columns to average: by default how near the clue is to the target's caption, and
        how much nearer than to the nearest distractor's. A clue that gives the target away
        has both high, a vague one a low similarity, a misleading one a negative margin.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        outcome, measure, rounds, mean, low, high.

    Raises
    ------
    ValueError
        If the rounds carry no such measures.
    """
    missing = [measure for measure in measures if measure not in rounds]
    if missing:
        raise ValueError(
            f"the rounds have no column {', '.join(missing)}: was the run's meaning "
            "measured (meaning.csv) when it was played?"
        )
    rows = [
        _mean(outcome, measure, rounds[rounds["outcome"] == outcome], level)
        for outcome in OUTCOMES
        for measure in measures
    ]
    return pd.DataFrame(rows, columns=["outcome", "measure", "rounds", "mean", "low", "high"])


def _covered(player: str, told: pd.DataFrame) -> tuple[object, ...]:
    played = told[told["status"] == "ok"]
    matches = played["match"].nunique()
    notes = {0: "all rounds void: no shares", 1: "one match: no intervals"}
    share = len(played) / len(told)
    return player, len(told), len(played), share, matches, notes.get(matches, "")


def _share(player: str, outcome: str, told: pd.DataFrame, level: float) -> tuple[object, ...]:
    ended = told.assign(ended=told["outcome"] == outcome)
    return player, outcome, ended["ended"].sum(), *share_interval(ended, "ended", "match", level)


def _mean(outcome: str, measure: str, ended: pd.DataFrame, level: float) -> tuple[object, ...]:
    interval = cluster_interval(ended, measure, "match", level)
    return outcome, measure, ended[measure].count(), *interval
