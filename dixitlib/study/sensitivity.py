"""The same players under other rules and other seeds: how much a result owes to either.

One tournament is one draw of hands, clues and votes. Played again with another seed, its
standings move, and by how much is what any rank must be read against. Presets are played
on the same seeds, so that each round robin under one preset has its twin under another:
same players, same matches, same shuffles of the deck. How many of the shuffled cards a
stream holds is the preset's own, so the twins share their first hand and not every card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import product

import pandas as pd

from dixitlib.game import arena, rules
from dixitlib.records import Card, Player
from dixitlib.store import votes_of

FILE = "sensitivity.parquet"
KEPT = {
    "match": "int16",
    "phase": "int8",
    "round": "int8",
    "storyteller": "category",
    "listener": "category",
    "correct": "bool",
    "points": "int8",
    "n_candidates": "int8",
}
"""Columns of the votes that are stored, narrow since there are tens of thousands."""

Tournament = tuple[str, int]


def tournaments(presets: Sequence[str], seed: int, seeds: int, paired: int) -> list[Tournament]:
    """Return which tournaments to play, by preset and seed.

    Parameters
    ----------
    presets
        The first is played with every seed, the others with the first few.
    seed
        Of the study; the seeds are those that follow it.
    seeds, paired
        How many seeds in all, and how many under every preset.
    """
    first, *others = presets
    numbers = range(seed + 1, seed + 1 + seeds)
    return [*product([first], numbers), *product(others, numbers[:paired])]


def play(
    players: Sequence[Player],
    deck: Sequence[Card],
    planned: Sequence[Tournament],
    executor: Executor | None = None,
    progress: Callable[[Sequence[Tournament]], Iterable[Tournament]] = iter,
) -> pd.DataFrame:
    """Play whole round robins, and return their votes.

    Parameters
    ----------
    players, deck
        Who plays with which cards. No move may fail: a model belongs into a run, where its
        replies are kept.
    planned
        From `tournaments`.
    executor
        Where tournaments are played; None plays them here, one after another.
    progress
        Wraps `planned`, as ``tqdm`` does.

    Returns
    -------
    DataFrame
        One row a vote: preset, seed and the columns of `KEPT`.
    """
    each = (executor.map if executor else map)(partial(_votes, players, deck), planned)
    parts = [votes for _, votes in zip(progress(planned), each, strict=True)]
    return pd.concat(parts, ignore_index=True).astype(
        {"preset": "category", "seed": "int16", **KEPT}
    )


def _votes(players: Sequence[Player], deck: Sequence[Card], tournament: Tournament) -> pd.DataFrame:
    preset, seed = tournament
    played = arena.round_robin(players, deck, preset=rules.PRESETS[preset], seed=seed)
    votes = votes_of(played)[list(KEPT)]
    votes.insert(0, "preset", preset)
    votes.insert(1, "seed", seed)
    return votes
