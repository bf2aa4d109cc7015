"""What became of the rounds: partial, all correct or all wrong, and why.

Frames of `store.read_rounds` and `store.read_votes` in, tidy frames out. Matches are the
clusters of every interval (`inference.match_share`). Void rounds are in no share; `coverage`
counts them. A share of nothing is NaN, and `coverage` says why.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import cluster_interval, match_share
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
    correlation is the covariance over the pairs of votes of a round, over the product of
    their standard deviations.

    Of three votes with k hits, k - k (k - 1) / 2 is 1 where the round is partial and else 0,
    so pairs of votes are all there is: what partial rounds exceed is the sum of the three
    pairs' covariances, with a minus. See `against_independence` for how these stay unbiased
    where a pair of players meets in twelve rounds only.

    Returns
    -------
    DataFrame
        storyteller, rounds, partial, expected, excess (partial - expected) with low and
        high, correlation with correlation_low and correlation_high (NaN if every p is
        0 or 1). Rounds of a listener that heard no other one of this storyteller are left out.
    """
    rows = [
        (storyteller, *_together(told.dropna(), level))
        for storyteller, told in against_independence(votes).groupby("storyteller", sort=False)
    ]
    columns = ["storyteller", "rounds", "partial", "expected", "excess", "low", "high"]
    correlation = ["correlation", "correlation_low", "correlation_high"]
    return pd.DataFrame(rows, columns=[*columns, *correlation])


def against_independence(votes: pd.DataFrame) -> pd.DataFrame:
    """Return for each round whether it was partial, and how likely independent votes made that.

    The chance that two independent listeners both hit is the product of their accuracies. It
    is estimated from pairs of votes in *different* rounds, which share no luck: with H hits
    of N votes in all, and h of n in a round, (H H' - sum h h') / (N N' - sum n n'). The plain
    product p p' would count each vote against itself, and be too large by what chance makes
    of it: p (1 - p) / n for one listener with n votes. Expected rates may leave 0 to 1.

    What a listener's luck adds to all its rounds with a storyteller cancels over them, and is
    taken out of every single one, lest intervals over matches count it.

    Returns
    -------
    DataFrame
        One row a round: match, phase, round, storyteller; partial, expected; together (hits
        in common beyond chance) and apart (products of standard deviations), summed over
        pairs of votes, whose ratio is the votes' correlation; excess (minus together, whose
        mean over a storyteller's rounds is that of partial - expected). All but partial is NaN
        where a listener heard no other round of this storyteller.
    """
    turns = _turns(votes)
    pairs = _pairs(turns)
    common = pairs["joint"] * (pairs["votes"] * pairs["votes_2"] - pairs["same"] * pairs["votes"])
    alone = pairs[pairs["same"]]
    spread = np.sqrt((alone["p"] - alone["joint"]).clip(lower=0))

    def over(rows: pd.DataFrame, values: pd.Series) -> np.ndarray:
        return np.bincount(rows["number"], values)  # unlike pandas, keeps what is NaN

    hits, chance = over(turns, turns["hits"]), over(pairs, common) / 2
    luck = over(turns, turns["others"] * (turns["hits"] - turns["votes"] * turns["p"]))
    together = hits * (hits - 1) / 2 - chance - luck
    squared = over(alone, alone["votes"] * spread) ** 2
    return turns.drop_duplicates(ROUND, ignore_index=True)[ROUND].assign(
        partial=((hits > 0) & (hits < over(turns, turns["votes"]))).astype(float),
        expected=over(turns, turns["votes"] * turns["p"]) - chance,
        together=together,
        apart=(squared - over(alone, alone["votes"] * spread**2)) / 2,
        excess=-together,
    )


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


def _together(told: pd.DataFrame, level: float) -> tuple[float, ...]:
    excess = cluster_interval(told, "excess", "match", level)
    correlation = cluster_interval(told, ("together", "apart"), "match", level)
    return len(told), *told[["partial", "expected"]].mean(), *excess, *correlation


def _turns(votes: pd.DataFrame) -> pd.DataFrame:
    """Return each listener's hits and votes in each round, and its p on all such clues.

    `others` is what the p of those who voted beside it sum to, in its mean vote.
    """
    known = votes.dropna(subset=["correct"]).astype({"correct": float})
    each = known.groupby([*ROUND, "listener"], sort=False)["correct"]
    turns = each.agg(hits="sum", votes="size").reset_index()
    turns["number"] = turns.groupby(ROUND, sort=False).ngroup()
    cell = ["storyteller", "listener"]
    turns[["all_hits", "all_votes"]] = turns.groupby(cell)[["hits", "votes"]].transform("sum")
    turns["p"] = turns["all_hits"] / turns["all_votes"]
    hoped = (turns["votes"] * turns["p"]).groupby(turns["number"]).transform("sum")
    beside = turns["votes"] * (hoped - turns["p"])
    summed = beside.groupby([turns[name] for name in cell]).transform("sum")
    return turns.assign(others=summed / turns["all_votes"])


def _pairs(turns: pd.DataFrame) -> pd.DataFrame:
    """Return all pairs of a round's listeners, and their chance that both hit (`joint`)."""
    pairs = turns.merge(turns, on=[*ROUND, "number"], suffixes=("", "_2"), validate="m:m")
    hits, votes = pairs["hits"] * pairs["hits_2"], pairs["votes"] * pairs["votes_2"]
    whom = [pairs[column] for column in ("storyteller", "listener", "listener_2")]
    hits, votes = hits.groupby(whom).transform("sum"), votes.groupby(whom).transform("sum")
    both = pairs["all_hits"] * pairs["all_hits_2"] - hits
    joint = both / (pairs["all_votes"] * pairs["all_votes_2"] - votes)
    return pairs.assign(joint=joint, same=pairs["listener"] == pairs["listener_2"])


def _covered(player: str, told: pd.DataFrame) -> tuple[object, ...]:
    played = told[told["status"] == "ok"]
    matches = played["match"].nunique()
    notes = {0: "all rounds void: no shares", 1: "one match: no intervals"}
    share = len(played) / len(told)
    return player, len(told), len(played), share, matches, notes.get(matches, "")


def _share(player: str, outcome: str, told: pd.DataFrame, level: float) -> tuple[object, ...]:
    ended = told.assign(ended=told["outcome"] == outcome)
    return player, outcome, ended["ended"].sum(), *match_share(ended, "ended", level)


def _mean(outcome: str, measure: str, ended: pd.DataFrame, level: float) -> tuple[object, ...]:
    interval = cluster_interval(ended, measure, "match", level)
    return outcome, measure, ended[measure].count(), *interval
