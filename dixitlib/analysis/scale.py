"""What many matches cost: calls, hours, money and bytes, from what one was measured to take.

Everything grows with the number of matches, but not all of it can be bought off. More
connections shorten the wait for replies until the endpoint's limit of requests a minute, or this
machine's processor, is what takes longest; and no connection shortens a match below its own
turns, each of which waits for the one before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

HOUR = 3600.0
WAITING, RATE, PROCESSOR, TURNS = (
    "waiting for replies",
    "requests a minute",
    "our processor",
    "turns of a match",
)


@dataclass(frozen=True, slots=True)
class Match:
    """What one match takes.

    Parameters
    ----------
    rounds, calls
        How many, of both players together.
    turns
        Replies that wait for one another.
    """

    rounds: int
    calls: int
    turns: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast models answer and are asked.

    Parameters
    ----------
    latency
        Seconds from a request to its reply.
    per_minute
        Requests that the endpoint takes in a minute; None for no limit.
    processor
        Seconds that one call keeps one of our processors busy; NaN where nobody measured it.
    cores
        How many processors ask.
    """

    latency: float
    per_minute: float | None
    processor: float
    cores: int = 1


def work(designs: Mapping[str, int], match: Match) -> pd.DataFrame:
    """Return what designs ask for: design, matches, rounds and calls."""
    frame = pd.DataFrame({"design": list(designs), "matches": list(designs.values())})
    return frame.assign(
        rounds=frame["matches"] * match.rounds, calls=frame["matches"] * match.calls
    )


def hours(matches: int, match: Match, pace: Pace, connections: Sequence[int]) -> pd.DataFrame:
    """Return how long matches take at least, by each of the things that can hold them up.

    Parameters
    ----------
    matches
        How many; all of them may be under way at once.
    match, pace
        What each takes.
    connections
        Numbers of requests in flight at once.

    Returns
    -------
    DataFrame
        connections, limit and hours, a row each. The longest of a number of connections is
        what the matches take; a limit that there is not, or is not known, is left out.
    """
    calls, many = matches * match.calls, np.asarray(connections, dtype=float)
    each = {
        WAITING: calls * pace.latency / many,
        RATE: np.full(len(many), 60 * calls / (pace.per_minute or np.nan)),
        PROCESSOR: np.full(len(many), calls * pace.processor / pace.cores),
        TURNS: np.full(len(many), match.turns * pace.latency),
    }
    frames = [
        pd.DataFrame({"connections": list(connections), "limit": limit, "hours": seconds / HOUR})
        for limit, seconds in each.items()
    ]
    return pd.concat(frames, ignore_index=True).dropna(ignore_index=True)


def longest(limits: pd.DataFrame) -> pd.DataFrame:
    """Return, for each number of connections, the row of what takes longest."""
    return limits.loc[limits.groupby("connections")["hours"].idxmax()].reset_index(drop=True)
