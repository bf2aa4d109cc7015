"""Power curves: how many rounds does a question need?

They are simulated, not calculated: tournaments in which two players really differ are
played, pooled to as many rounds as asked for, and tested as the notebooks test. What the
formula of `analysis.power` promises stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from dixitlib.analysis import inference, power
from dixitlib.study import expected
from dixitlib.study.robin import Tournaments
from dixitlib.study.simulator import Setting, SimulatedPlayer, play

SETTING = Setting()
TOLD = 84  # rounds that each of six players tells in a tournament
HEARD = 120  # votes of each on others' clues
POOLED = (1, 2, 4, 8)  # tournaments
REPEATS = 200
BLOCK = 100  # tournaments played at once
NAMES = "abcdef"


@dataclass(frozen=True, slots=True)
class Question:
    """A difference between two players that a study may ask for.

    Parameters
    ----------
    share
        True value of what is compared, for a player that meets its like.
    attribute
        The number of a player that changes it, and between which values.
    rows
        From tournaments to match, player and value, one row a round told or a vote heard.
    base, differences
        The lower of the two shares, and the differences that are asked for.
    turns
        Rows of a player in one tournament.
    """

    share: Callable[[SimulatedPlayer], float]
    attribute: str
    between: tuple[float, float]
    rows: Callable[[Tournaments], pd.DataFrame]
    base: float
    differences: tuple[float, ...]
    turns: int


def partial_share(player: SimulatedPlayer) -> float:
    """Return a player's share of partial rounds among its like."""
    return float(expected.shares(expected.hearing([player], SETTING))["share"][0])


def accuracy(player: SimulatedPlayer) -> float:
    """Return a player's vote accuracy among its like."""
    found, weight = expected.hearing([player], SETTING)
    return float(found[0, 0] @ weight[0])


def told(played: Tournaments) -> pd.DataFrame:
    """Return who told which round, and whether it was partial."""
    plan, (outcomes, _) = played.schedule, played.scored
    return _rows(played, plan.match, plan.storyteller, outcomes == 0)


def heard(played: Tournaments) -> pd.DataFrame:
    """Return who heard whose clue but its own, and whether it found the target."""
    plan, others = played.schedule, ~played.schedule.own_clue
    matches = np.repeat(plan.match, 3).reshape(others.shape)[others]
    return _rows(played, matches, plan.listeners[others], played.right[:, others])


QUESTIONS = {
    # The published storytellers' shares are 0.14 to 0.32; plainer clues lower them.
    "partial share": Question(
        partial_share, "clarity", (1.0, 6.0), told, 0.2, (0.05, 0.1, 0.15, 0.2), TOLD
    ),
    "accuracy on others' clues": Question(
        accuracy, "listening", (-2.0, 3.0), heard, 0.55, (0.05, 0.1, 0.15), HEARD
    ),
}


def players_apart(question: Question, difference: float) -> tuple[SimulatedPlayer, ...]:
    """Return three pairs of players that differ by so much, and in nothing else."""
    low, high = (
        replace(SimulatedPlayer(""), **{question.attribute: _solve(question, share)})
        for share in (question.base, question.base + difference)
    )
    return tuple(replace((low, high)[k % 2], name=name) for k, name in enumerate(NAMES))


def curve(name: str, difference: float, repeats: int = REPEATS, *, seed: int = 7) -> pd.DataFrame:
    """Return how often a difference is found, by the rounds played.

    Parameters
    ----------
    name
        A key of `QUESTIONS`.
    difference
        The true one, for players among their like.
    repeats
        Studies to simulate for each number of rounds; three pairs of players in each.
    seed
        Of all chance.

    Returns
    -------
    DataFrame
        question, base, difference, tournaments, rounds (that each player tells), tests,
        power, low, high (Wilson), predicted (by `analysis.power`, as if rounds told, or
        votes heard, were independent).
    """
    question = QUESTIONS[name]
    rows = _many(question, players_apart(question, difference), repeats * max(POOLED), seed)
    points = []
    for pooled in POOLED:
        found = [
            result
            for first in range(0, repeats * pooled, pooled)
            for result in _tests(rows[rows["tournament"].between(first, first + pooled - 1)])
        ]
        high, turns = question.base + difference, question.turns * pooled
        ends = inference.wilson(sum(found), len(found)), power.power(question.base, high, turns)
        points.append((pooled, TOLD * pooled, len(found), *ends[0], ends[1]))
    columns = ["tournaments", "rounds", "tests", "power", "low", "high", "predicted"]
    whole = {"question": name, "base": question.base, "difference": difference}
    return pd.DataFrame(points, columns=columns).assign(**whole)[[*whole, *columns]]


def _many(
    question: Question, players: Sequence[SimulatedPlayer], tournaments: int, seed: int
) -> pd.DataFrame:
    """Return the rows of many tournaments, each match a cluster of its own."""
    parts = []
    for first in range(0, tournaments, BLOCK):
        played = play(players, min(BLOCK, tournaments - first), seed=seed, first=first)
        part = question.rows(played)
        part["cluster"] += played.schedule.matches * first
        parts.append(part.assign(tournament=part["tournament"] + first))
    return pd.concat(parts, ignore_index=True)


def _tests(rows: pd.DataFrame) -> Iterator[bool]:
    """Yield for each pair of players whether its difference was found."""
    by_player = dict(list(rows.groupby("player")))
    for k in range(0, len(NAMES), 2):
        sides = by_player[k], by_player[k + 1]
        found = inference.difference_interval(*sides, "value", "cluster")
        yield bool(found.low > 0 or found.high < 0)


def _solve(question: Question, share: float) -> float:
    """Return the number that gives a player a share."""

    def miss(value: float) -> float:
        player = replace(SimulatedPlayer(""), **{question.attribute: value})
        return question.share(player) - share

    return float(brentq(miss, *question.between))


def _rows(
    played: Tournaments, matches: Sequence[int], players: Sequence[int], values: np.ndarray
) -> pd.DataFrame:
    """Return one row a turn; matches of different tournaments are different clusters."""
    count, turns = values.shape
    tournament = np.repeat(np.arange(count), turns)
    return pd.DataFrame(
        {
            "tournament": tournament,
            "cluster": np.tile(matches, count) + played.schedule.matches * tournament,
            "player": np.tile(players, count),
            "value": values.ravel().astype(float),
        }
    )
