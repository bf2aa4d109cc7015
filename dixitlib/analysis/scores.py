"""What players won in the arena, and how well they listened.

Frames of `store.read_rounds` and `store.read_votes` in, tidy frames out. Matches are the
clusters of every interval (`inference.match_share`); void rounds are left out
(`outcomes.coverage` counts them).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import match_share
from dixitlib.analysis.outcomes import CHANCE, N_CANDIDATES

STORYTELLER_MAXIMUM = 3  # points in a round (facts: Scoring)
LISTENER_MAXIMUM = 5
HANDED_OUT = (9, 5, 7, 9)  # to the three listeners together when 0, 1, 2, 3 are correct
CLUES = {"all": [True, False], "own": [True], "others": [False]}
ROLES = {
    "storyteller": ["storyteller"],
    "listener": ["listener"],
    "overall": ["storyteller", "listener"],
    "vote_accuracy": ["voter"],
}


def listening(votes: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return how often each listener finds the target, on own and others' clues apart.

    A model hears its own clues in half its turns (facts: Own clues); comparisons between
    models use the clues of others.

    Returns
    -------
    DataFrame
        listener, clues (``all``, ``own``, ``others``), votes, accuracy, low, high; the last
        row is what random votes among the same candidates would give.
    """
    known = votes.dropna(subset=["correct"])
    rows = [
        _heard(listener, clues, turns, level)
        for listener, turns in known.groupby("listener", sort=False)
        for clues in CLUES
    ]
    rows.append((CHANCE, "all", len(known), (1 / known["n_candidates"]).mean(), np.nan, np.nan))
    return pd.DataFrame(rows, columns=["listener", "clues", "votes", "accuracy", "low", "high"])


def scores(
    rounds: pd.DataFrame,
    votes: pd.DataFrame,
    *,
    strict: bool = False,
    handed_out: Sequence[float] = HANDED_OUT,
    n_candidates: int = N_CANDIDATES,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return the points each player won, of those that the rules hold out to it.

    The storyteller's maximum is 3 points a round (36 a match), the listener's 5 (180 a
    match), which no tournament lets it reach (facts: Scoring). Overall is points won /
    points possible, ours: the published one follows from no fixed weights. A listener's
    points mix accuracy with consolation and bonus, so its vote accuracy stands beside.

    Parameters
    ----------
    rounds, votes
        One row a round, and one row a listener and round.
    strict
        Also count the moves that failed and made a round void: as 0 points of the maximum
        for the player whose move it was, and not at all for the others.
    handed_out
        What the preset's rules hand out to the listeners of a round together, by the
        number correct, for the rows of random voters at the end.
    n_candidates
        Cards that random voters choose from.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, measure (``storyteller``, ``listener``, ``overall``, ``vote_accuracy``), points,
        possible, score, low, high.
    """
    rows = [
        _scored(player, measure, turns[turns["role"].isin(roles)], level)
        for player, turns in _turns(rounds, votes, strict).groupby("player", sort=False)
        for measure, roles in ROLES.items()
    ]
    by_chance = _by_chance(handed_out, n_candidates)
    rows += [(CHANCE, m, np.nan, np.nan, score, np.nan, np.nan) for m, score in by_chance.items()]
    columns = ["player", "measure", "points", "possible", "score", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _heard(listener: str, clues: str, turns: pd.DataFrame, level: float) -> tuple[object, ...]:
    heard = turns[turns["own_clue"].isin(CLUES[clues])]
    return listener, clues, len(heard), *match_share(heard, "correct", level)


def _scored(player: str, measure: str, turns: pd.DataFrame, level: float) -> tuple[object, ...]:
    score = match_share(turns, ("points", "possible"), level)
    return player, measure, turns["points"].sum(), turns["possible"].sum(), *score


def _turns(rounds: pd.DataFrame, votes: pd.DataFrame, strict: bool) -> pd.DataFrame:
    """Return one row a turn of a player: player, role, match, round, cross, points and possible."""
    told, heard = (
        frame[(frame["status"] == "ok") | (strict & frame["failed"])] for frame in (rounds, votes)
    )
    kinds = [
        (told, "storyteller", "storyteller_points", "storyteller", STORYTELLER_MAXIMUM),
        (heard, "listener", "points", "listener", LISTENER_MAXIMUM),
        (heard, "listener", "correct", "voter", 1),
    ]
    parts = [
        frame[[who, "match", "round", "cross", won]]
        .set_axis(["player", "match", "round", "cross", "points"], axis=1)
        .astype({"points": float})
        .fillna({"points": 0})
        .assign(role=role, possible=maximum)
        for frame, who, won, role, maximum in kinds
    ]
    return pd.concat(parts, ignore_index=True)


def _by_chance(handed_out: Sequence[float], n_candidates: int) -> dict[str, float]:
    """Return the scores that random voters would give: 0.452 to listeners under CORRECTED."""
    hit, listeners = 1 / n_candidates, len(handed_out) - 1
    odds = [
        comb(listeners, k) * hit**k * (1 - hit) ** (listeners - k) for k in range(listeners + 1)
    ]
    partial, heard = 1 - odds[0] - odds[-1], float(np.dot(odds, handed_out))
    told_most, heard_most = STORYTELLER_MAXIMUM, listeners * LISTENER_MAXIMUM
    return {
        "storyteller": partial,
        "listener": heard / heard_most,
        "overall": (partial * told_most + heard) / (told_most + heard_most),
        "vote_accuracy": hit,
    }
