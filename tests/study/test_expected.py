"""What is true of simulated players, against very many of their tournaments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import robustness, swap
from dixitlib.study import expected
from dixitlib.study.simulator import Setting, SimulatedPlayer, play

MIXED = [
    SimulatedPlayer("a", 1.0, 0.2, 0.9, own_bonus=0.5, position=(0.6,)),
    SimulatedPlayer("b", 0.0, 0.9, 0.3, position=(0.0, 0.5)),
    SimulatedPlayer("c", -0.5, 0.1, 1.5, own_bonus=-0.3),
]


@pytest.fixture(scope="module")
def heard():
    return expected.hearing(MIXED, Setting())


@pytest.fixture(scope="module")
def many():
    """Rounds and votes of a hundred tournaments, each match with a number of its own."""
    frames = list(play(MIXED, 100, seed=6))
    return tuple(
        pd.concat([pair[k].assign(match=pair[k]["match"] + 6 * n) for n, pair in enumerate(frames)])
        for k in (0, 1)
    )


def test_a_round_robin_has_its_tables():
    tables = list(expected.tables(6))
    told = [sum(t.rounds for t in tables if t.storyteller == k) for k in range(6)]
    assert told == [84] * 6
    turns = expected.turns_of(6)
    # Facts: 132 of a model's 252 listening turns are on its own clues.
    assert turns.sum(axis=0).tolist() == [252] * 6 and turns.diagonal().tolist() == [132] * 6


def test_a_named_listener_matters_as_often_as_its_vote_stands_alone(heard, many):
    found = robustness.drops(many[1]).groupby("listener")["change"].mean()
    # 10,800 votes a listener; three standard errors.
    assert found.tolist() == pytest.approx(expected.alone(heard)["change"].tolist(), abs=0.05)


def test_players_are_ahead_of_those_they_meet(heard, many):
    truth = expected.advantages(heard)["difference"]
    assert truth.sum() == pytest.approx(0)
    found = swap.advantages(swap.pairs(many[0])).set_index("player")["difference"]
    # 2,400 rounds told a side; three standard errors.
    assert found[["a", "b", "c"]].tolist() == pytest.approx(truth.tolist(), abs=0.12)


def test_votes_go_to_places_as_pulls_say(many):
    chosen = expected.choices(MIXED, Setting())
    found = pd.crosstab(many[1]["target_position"], many[1]["choice_position"], normalize=True)
    assert chosen.sum() == pytest.approx(1)
    # 43,200 votes: a standard error of at most 0.002.
    assert found.to_numpy() == pytest.approx(chosen, abs=0.008)


def test_accuracy_by_hand():
    # One clue, no spread: e^a / (e^a + 2) of three cards.
    players = [SimulatedPlayer("a", np.log(2), 0.0, 0.0), SimulatedPlayer("b", np.log(6), 0, 0.0)]
    found, _ = expected.hearing(players, Setting())
    assert found[..., 0] == pytest.approx(np.array([[1 / 2, 3 / 4], [1 / 2, 3 / 4]]))
    # b tells: among three of b, or to one b and two of a, in 24 and 12 rounds.
    share = expected.shares(expected.Hearing(found, np.ones((2, 1)))).set_index(
        ["player", "outcome"]
    )["share"]
    alone, crossed = 1 - (3 / 4) ** 3 - (1 / 4) ** 3, 1 - 3 / 4 / 4 - 1 / 4 / 4
    assert share[1, "partial"] == pytest.approx((alone * 24 + crossed * 12) / 36)
