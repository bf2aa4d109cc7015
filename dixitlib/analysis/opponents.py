"""What a player's score owes to whom it met.

Two players meet in one match, so a score against an opponent is one match's, and the
matches are the clusters. *Strength* is given (a model's size, say) or, failing that, how
well a player listens to others' clues; the second is measured on the same rounds as the
scores, which ties them by chance too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from dixitlib.analysis.contrasts import Tested
from dixitlib.analysis.scores import LISTENER_MAXIMUM, STORYTELLER_MAXIMUM
from dixitlib.seeds import place

DRAWS = 9_999
PARTS = ["told", "partial", "heard", "correct", "points", "possible"]


def strength(votes: pd.DataFrame, given: Mapping[str, float] | None = None) -> pd.Series:
    """Return each player's strength, in steps.

    Parameters
    ----------
    votes
        One row a vote.
    given
        Steps by player. Unless it names every listener, strength is the share of others'
        clues that a player understood, in standard deviations over players.
    """
    players = votes["listener"].unique()
    if given and set(players) <= set(given):
        return pd.Series({player: float(given[player]) for player in players}, name="strength")
    others = votes[~votes["own_clue"]].dropna(subset=["correct"]).astype({"correct": float})
    heard = others.groupby("listener")["correct"].mean().reindex(players)
    return ((heard - heard.mean()) / heard.std(ddof=0)).rename("strength")


def weaker_half(strengths: pd.Series) -> list[str]:
    """Return the weaker half of the players; of equals the first, the odd one is left out."""
    return list(strengths.sort_values(kind="stable").index[: len(strengths) // 2])


def match_scores(
    rounds: pd.DataFrame, votes: pd.DataFrame, strengths: pd.Series | None = None
) -> pd.DataFrame:
    """Return what each player made of each match against another one.

    Parameters
    ----------
    rounds, votes
        One row a round, and one row a listener and round.
    strengths
        From `strength`, for the columns own and theirs.

    Returns
    -------
    DataFrame
        match, player, opponent; told, partial (rounds); heard, correct (votes); points,
        possible, score (points / possible, as in `scores.scores`); own and theirs (strength).
        Void rounds are left out.
    """
    told, heard = (frame[frame["cross"] & (frame["status"] == "ok")] for frame in (rounds, votes))
    turns = pd.concat([_told(told), _heard(heard)])
    sums = turns.groupby(["match", "player"], sort=False)[PARTS].sum().reset_index()
    others = sums[["match", "player"]]
    met = sums.merge(others, on="match", suffixes=("", "_met"), validate="many_to_many")
    found = met[met["player"] != met["player_met"]].rename(columns={"player_met": "opponent"})
    found = found[["match", "player", "opponent", *PARTS]].reset_index(drop=True)
    found["score"] = found["points"] / found["possible"]
    if strengths is None:
        return found
    return found.assign(own=found["player"].map(strengths), theirs=found["opponent"].map(strengths))


def variance_ratio(scores: pd.DataFrame, weak: list[str], *, draws: int = DRAWS) -> Tested:
    """Test whether scores vary more in matches between weak players than in all others.

    The labels of matches are exchanged: all ways to call as many matches weak are tried, or
    `draws` random ones. What varies are the scores of one match each; how a pair would vary
    if it met again is another question, and takes other seeds.

    Parameters
    ----------
    scores
        From `match_scores`.
    weak
        Players that count as weak.
    draws
        Most ways to try.

    Returns
    -------
    Tested
        The variance among weak pairs over that among the others, and the share of ways in
        which it would be as large or larger.
    """
    of_match = dict(list(scores.groupby("match", sort=False)["score"]))
    both = scores["player"].isin(weak) & scores["opponent"].isin(weak)
    matches, among = list(of_match), set(scores.loc[both, "match"])
    if len(among) < 2 or len(matches) - len(among) < 2:
        return Tested(np.nan, np.nan, f"{len(among)} of {len(matches)} matches between weak ones")
    values = np.stack([of_match[match].to_numpy(dtype=float) for match in matches])
    chosen = np.array([match in among for match in matches])
    observed = _ratio(values, chosen)
    ratios = np.array([_ratio(values, way) for way in _ways(chosen, draws)])
    return Tested(observed, float((ratios >= observed * (1 - 1e-9)).mean()))


def _told(told: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "match": told["match"],
            "player": told["storyteller"],
            "told": 1,
            "partial": told["outcome"] == "partial",
            "points": told["storyteller_points"],
            "possible": STORYTELLER_MAXIMUM,
        }
    )


def _heard(heard: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "match": heard["match"],
            "player": heard["listener"],
            "heard": 1,
            "correct": heard["correct"].astype(float),
            "points": heard["points"],
            "possible": LISTENER_MAXIMUM,
        }
    )


def _ratio(values: np.ndarray, chosen: np.ndarray) -> float:
    return float(values[chosen].var(ddof=1) / values[~chosen].var(ddof=1))


def _ways(observed: np.ndarray, draws: int) -> np.ndarray:
    """Return ways to choose as many matches as observed: all, or it and random ones."""
    matches, among = len(observed), int(observed.sum())
    if comb(matches, among) > draws:
        rng = place(0, "weak pairs")
        return np.stack([observed, *(rng.permutation(observed) for _ in range(draws))])
    ways = np.zeros((comb(matches, among), matches), dtype=bool)
    chosen = np.array(list(combinations(range(matches), among)))
    np.put_along_axis(ways, chosen, True, axis=1)
    return ways
