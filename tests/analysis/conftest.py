"""Small tournaments as frames, made without playing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

HANDED_OUT = {0: 9, 1: 5, 2: 7, 3: 9}  # to the three listeners together, CORRECTED


def frames(rows):
    """Rounds and votes from rows (match, round, players by seat, storyteller seat, hits).

    `hits` are the three listeners' in order of seat, or None for a round that is void
    since the storyteller failed.
    """
    rounds, votes = [], []
    for match, number, players, seat, hits in rows:
        teller = players[seat]
        place = {"match": match, "phase": 1, "round": number, "storyteller": teller}
        place["cross"] = len(set(players)) > 1
        void = hits is None
        correct = np.nan if void else sum(hits)
        outcome = None if void else {0: "all_wrong", 3: "all_correct"}.get(correct, "partial")
        status = "refused" if void else "ok"
        points = np.nan if void else 3.0 * (outcome == "partial")
        rounds.append(
            place
            | {
                "correct": correct,
                "outcome": outcome,
                "storyteller_points": points,
                "status": status,
                "failed": void,
            }
        )
        for k, listener in enumerate(s for s in range(4) if s != seat):
            name = players[listener]
            votes.append(
                place
                | {
                    "listener": name,
                    "own_clue": name == teller,
                    "correct": pd.NA if void else bool(hits[k]),
                    "n_candidates": 3.0,
                    "points": np.nan if void else HANDED_OUT[correct] / 3,
                    "status": status,
                    "failed": False,
                }
            )
    return pd.DataFrame(rounds), pd.DataFrame(votes).astype({"correct": "boolean"})


def tournament(seed, skill, names=("a", "b", "c"), rounds=12, shared=0.0):
    """Every pair meets and each meets itself; `shared` is the chance that a round is common."""
    rng = np.random.default_rng(seed)
    pairs = [(x, y) for k, x in enumerate(names) for y in names[k:]]
    rows = []
    for match, (x, y) in enumerate(pairs):
        players = (x, x, y, y)
        for number in range(1, 2 * rounds + 1):
            seat = (number - 1) % 4
            draws = np.where(rng.random() < shared, rng.random(), rng.random(3))
            listeners = [players[s] for s in range(4) if s != seat]
            hits = draws < [skill[name] for name in listeners]
            rows.append((match, number, players, seat, hits.tolist()))
    return frames(rows)


@pytest.fixture
def make_frames():
    return frames


@pytest.fixture
def make_tournament():
    return tournament
