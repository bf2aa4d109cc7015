"""How clues fail: too literal, too vague or misleading.

Three signs, read off the similarity of a clue to the literal captions of the cards on the
table. A clue is

- *too literal* if it is very near its card and leads the other cards by a large margin;
- *too vague* if it is hardly nearer to its card than a clue drawn at random;
- *misleading* if another card on the table is nearer than its own.

A clue can be vague and misleading at once. The thresholds are parameters, and a share says
nothing without them. What the signs measure is a text encoder's reading of captions, which
need not be a listener's of pictures: set them beside how rounds ended (`endings`).
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from dixitlib.analysis.inference import match_share, share_interval
from dixitlib.records import OUTCOMES

MODES = ("too literal", "too vague", "misleading")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where similarity (a cosine) and margin (a difference of cosines) become a failure.

    Parameters
    ----------
    near, lead
        A clue is too literal from this similarity and this margin on.
    far
        A clue is too vague below this similarity. With all-MiniLM-L6-v2, clues drawn at
        random from the bank have 0.11 on average.
    """

    near: float = 0.3
    lead: float = 0.1
    far: float = 0.1


USUAL = Thresholds()


def marked(rounds: pd.DataFrame, thresholds: Thresholds = USUAL) -> pd.DataFrame:
    """Return the rounds played to their end, with a truth value for each mode.

    Raises
    ------
    ValueError
        If the rounds carry no similarity and margin.
    """
    missing = [name for name in ("similarity", "margin") if name not in rounds]
    if missing:
        raise ValueError(
            f"the rounds have no column {', '.join(missing)}: was the run's meaning "
            "measured (meaning.csv) when it was played?"
        )
    played = rounds[rounds["status"] == "ok"]
    near = played["similarity"] >= thresholds.near
    signs = {
        "too literal": near & (played["margin"] >= thresholds.lead),
        "too vague": played["similarity"] < thresholds.far,
        "misleading": played["margin"] < 0,
    }
    return played.assign(**signs)


def modes(
    rounds: pd.DataFrame, thresholds: Thresholds = USUAL, *, level: float = 0.95
) -> pd.DataFrame:
    """Return how often each storyteller's clues fail in each way.

    Returns
    -------
    DataFrame
        player, mode, rounds (with that sign), share, low, high; clustered by match.
    """
    rows = [
        (player, mode, int(told[mode].sum()), *match_share(told, mode, level))
        for player, told in marked(rounds, thresholds).groupby("storyteller", sort=False)
        for mode in MODES
    ]
    return pd.DataFrame(rows, columns=["player", "mode", "rounds", "share", "low", "high"])


def endings(
    rounds: pd.DataFrame, thresholds: Thresholds = USUAL, *, level: float = 0.95
) -> pd.DataFrame:
    """Return how rounds end whose clues bear the sign of a mode, or none of them.

    A sign is worth its name if too literal clues end all correct, and vague and misleading
    ones all wrong, more often than others.

    Returns
    -------
    DataFrame
        mode (``none`` for clues without any sign), outcome, rounds (with the sign), share,
        low, high; clustered by match.
    """
    told = marked(rounds, thresholds)
    told = told.assign(none=~told[list(MODES)].any(axis=1))
    rows = [
        (mode, outcome, int(told[mode].sum()), *_share(told[told[mode]], outcome, level))
        for mode in (*MODES, "none")
        for outcome in OUTCOMES
    ]
    return pd.DataFrame(rows, columns=["mode", "outcome", "rounds", "share", "low", "high"])


def _share(told: pd.DataFrame, outcome: str, level: float) -> tuple[float, float, float]:
    return share_interval(told.assign(ended=told["outcome"] == outcome), "ended", "match", level)
