"""What clues are like, by numbers that stand in for what is meant.

None of these is what its name promises; each is a proxy, and named as one:

- *length*, in words;
- *lexical diversity*: how many different words 42 words of a player's clues hold, as a
  share (HD-D of McCarthy and Jarvis 2010, the mean over all samples of 42 words). Unlike
  the share of different words in everything said, it does not fall as one says more;
- *semantic diversity*: mean cosine distance between two clues of a player;
- *creativity*: cosine distance of a clue from its card's literal caption. It is 1 minus the
  similarity by which a clue counts as vague, so it can't tell a poet from a babbler.

A clue *leaks* if it holds a word that names what its card shows (see `study.leaks`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import hypergeom

from dixitlib.analysis.inference import Interval, cluster_interval, match_share

SAMPLE = 42  # words, as McCarthy and Jarvis draw
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
MEASURES = {"length": "words", "semantic diversity": "novelty", "creativity": "creativity"}


def proxies(rounds: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the measures of each storyteller's clues; see the module for what they are.

    The semantic diversity's interval takes the clues that one is compared with as given.

    Parameters
    ----------
    rounds
        One row a round, with the run's measures of meaning.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, measure, clues, mean, low, high; clustered by match. Lexical diversity is
        missing where fewer than 42 words were said.
    """
    told = _measured(rounds, ["words", "novelty", "similarity"])
    told = told.assign(creativity=1 - told["similarity"])
    rows = [
        (player, measure, len(own), *interval)
        for player, own in told.groupby("storyteller", sort=False)
        for measure, interval in _of_player(own, level)
    ]
    return pd.DataFrame(rows, columns=["player", "measure", "clues", "mean", "low", "high"])


def lexical_diversity(clues: Sequence[str], sample: int = SAMPLE) -> float:
    """Return the share of different words that a sample of the clues' words holds on average.

    NaN if there are fewer words than the sample takes.
    """
    counts = Counter(word.lower() for clue in clues for word in WORD.findall(clue))
    total = counts.total()
    if total < sample:
        return np.nan
    absent = hypergeom.pmf(0, total, np.array(list(counts.values())), sample)
    return float((1 - absent).sum() / sample)


def leakage(rounds: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return how often each storyteller's clues leak.

    Returns
    -------
    DataFrame
        player, clues, leaking, share, low, high; clustered by match.
    """
    told = _measured(rounds, ["leaks"])
    told = told.assign(leaking=told["leaks"] > 0)
    rows = [
        (player, len(own), int(own["leaking"].sum()), *match_share(own, "leaking", level))
        for player, own in told.groupby("storyteller", sort=False)
    ]
    return pd.DataFrame(rows, columns=["player", "clues", "leaking", "share", "low", "high"])


def without_leaks(rounds: pd.DataFrame) -> pd.DataFrame:
    """Return the rounds whose clues do not leak; void rounds stay, and count in coverage."""
    _refuse_unmeasured(rounds, ["leaks"])
    return rounds[~(rounds["leaks"] > 0)]


def _of_player(own: pd.DataFrame, level: float) -> list[tuple[str, Interval]]:
    words = cluster_interval(own, lambda told: lexical_diversity(told["clue"]), "match", level)
    means = {
        measure: cluster_interval(own, column, "match", level)
        for measure, column in MEASURES.items()
    }
    return [*means.items(), ("lexical diversity", words)]


def _measured(rounds: pd.DataFrame, needed: Sequence[str]) -> pd.DataFrame:
    _refuse_unmeasured(rounds, needed)
    return rounds[rounds["status"] == "ok"]


def _refuse_unmeasured(rounds: pd.DataFrame, needed: Sequence[str]) -> None:
    missing = [name for name in needed if name not in rounds]
    if missing:
        raise ValueError(
            f"the rounds have no column {', '.join(missing)}: was the run's meaning "
            "measured (meaning.csv) when it was played?"
        )
