"""How simulated matches vary, which the choice of intervals rests on."""

from __future__ import annotations

import numpy as np
import pytest

from dixitlib.analysis import opponents, scores
from dixitlib.study import trials
from dixitlib.study.simulator import play


def test_scores_of_one_match_are_near_opposite():
    """Which is why the slope on opponents' strength has the wild bootstrap, not CR2."""
    played = play(trials.ALIKE, 40, seed=3, pairs=[(0, 1)])
    scored = [opponents.match_scores(played.rounds(k), played.votes(k))["score"] for k in range(40)]
    assert np.corrcoef(np.array(scored).T)[0, 1] == pytest.approx(-0.9, abs=0.1)


def test_a_player_scores_alike_against_itself():
    """Which is why a match against oneself is a stratum of its own.

    In twice the turns a score varies by 0.7 of what it does against others, were turns alike.
    """
    spread = {}
    for pair in ((0, 0), (0, 1)):
        played = play(trials.ALIKE, 40, seed=3, pairs=[pair])
        tables = (scores.scores(played.rounds(k), played.votes(k)) for k in range(40))
        spread[pair] = np.std([t[t["measure"] == "overall"].iloc[0]["score"] for t in tables])
    assert spread[0, 0] < 0.4 * spread[0, 1]
