"""What hands, phases and seats do to points, told apart by who held what when.

Four streams of cards are fixed before a match. In phase two the models exchange theirs, and
the storytelling order shifts with them, so that each stream tells in the same rounds under
both models. Under a stream the models stand side by side, four pairs a match, and what the
hand is worth drops out. The player at seats 0 and 1 holds streams 0 and 1 in phase one and
2 and 3 in phase two, so over the four pairs the phase drops out as well.

A match is the cluster everywhere. Rounds of `store.read_rounds` in, with their votes where
seats are compared.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dixitlib.analysis.inference import Interval, cluster_interval, ratio_interval

PHASES = (1, 2)


def pairs(rounds: pd.DataFrame) -> pd.DataFrame:
    """Return each stream of each match under its two owners.

    Returns
    -------
    DataFrame
        match, stream, cross; player_1 and player_2 (owner in phase one and two), points_1
        and points_2 (mean storyteller points); phase (points_2 - points_1) and model (points
        of the player at seats 0 and 1 minus the other's; missing in self-play). Streams
        that told nothing in one phase are left out.

    Raises
    ------
    ValueError
        If a stream keeps its owner in a match between two players: its preset deals anew
        in phase two and swaps nothing.
    """
    played = rounds.dropna(subset=["storyteller_points"])
    told = played.groupby(["match", "stream", "phase"]).agg(
        player=("storyteller", "first"), points=("storyteller_points", "mean"),
        cross=("cross", "first"),
    )  # fmt: skip
    told = told.reset_index()
    one, two = (told[told["phase"] == phase].drop(columns="phase") for phase in PHASES)
    both = one.merge(two, on=["match", "stream"], suffixes=("_1", "_2"), validate="one_to_one")
    kept = both[both["cross_1"] & (both["player_1"] == both["player_2"])]
    if len(kept):
        raise ValueError(f"hands were not swapped in match {kept['match'].iloc[0]}: no pairs")
    phase = both["points_2"] - both["points_1"]
    # Streams 0 and 1 belong to seats 0 and 1 in phase one.
    model = phase.where(both["stream"] >= 2, -phase).where(both["cross_1"])
    frame = both.rename(columns={"cross_1": "cross"}).drop(columns="cross_2")
    return frame.assign(phase=phase, model=model)


def advantages(paired: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return by how much each player tells better than its opponents, hand by hand.

    Parameters
    ----------
    paired
        From `pairs`.

    Returns
    -------
    DataFrame
        player, matches, pairs, difference (its points minus its opponent's under the same
        streams), low, high.
    """
    cross = paired[paired["cross"]]
    sides = [
        cross.assign(player=cross["player_1"], difference=-cross["phase"]),
        cross.assign(player=cross["player_2"], difference=cross["phase"]),
    ]
    rows = [
        (
            player,
            own["match"].nunique(),
            len(own),
            *cluster_interval(own, "difference", "match", level),
        )
        for player, own in pd.concat(sides).groupby("player", sort=False)
    ]
    columns = ["player", "matches", "pairs", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def hand_correlation(paired: pd.DataFrame, *, level: float = 0.95) -> Interval:
    """Return whether the better of two hands stays the better under another owner.

    Streams 0 and 1 have one owner in each phase, and so have 2 and 3. Which of the two
    scores more, and by how much, is compared between the phases: the correlation of the
    two differences is the share of the variance of a stream's points that the hand makes.
    It is 0 if hands do not matter. Both differences have one variance, and a mean of 0, since
    which stream comes first is arbitrary: it is a ratio of sums, with an interval as such.
    """
    keyed = paired.assign(side=paired["stream"] // 2, other=paired["stream"] % 2)
    first, second = (
        keyed[keyed["other"] == other].set_index(["match", "side"])[["points_1", "points_2"]]
        for other in (0, 1)
    )
    ahead = (first - second).dropna().reset_index()
    one, two = ahead["points_1"], ahead["points_2"]
    parts = ahead[["match"]].assign(both=one * two, each=(one**2 + two**2) / 2)
    found = ratio_interval(parts, ("both", "each"), "match", level)
    low, high = np.clip(found[1:], -1, 1)
    return Interval(found.estimate, float(low), float(high))


def seats(rounds: pd.DataFrame, votes: pd.DataFrame) -> pd.DataFrame:
    """Return the mean points a round of each seat of each match, in both roles.

    Returns
    -------
    DataFrame
        match, seat, player, points.
    """
    roles = [
        (rounds, "storyteller_seat", "storyteller", "storyteller_points"),
        (votes, "listener_seat", "listener", "points"),
    ]
    names = ["match", "seat", "player", "points"]
    turns = pd.concat([frame[["match", *columns]].set_axis(names, axis=1)
                       for frame, *columns in roles])  # fmt: skip
    return turns.groupby(names[:3], as_index=False)["points"].mean()


def seat_pairs(seated: pd.DataFrame) -> pd.DataFrame:
    """Return what the first seat of each side scores more than the second.

    Parameters
    ----------
    seated
        From `seats`. Seats 0 and 1 are one player's, and 2 and 3.

    Returns
    -------
    DataFrame
        match, side (0 or 1), difference (points a round of the even seat minus the odd).
    """
    keyed = seated.assign(side=seated["seat"] // 2, other=seated["seat"] % 2)
    even, odd = (
        keyed[keyed["other"] == other].set_index(["match", "side"])["points"] for other in (0, 1)
    )
    return (even - odd).rename("difference").reset_index()
