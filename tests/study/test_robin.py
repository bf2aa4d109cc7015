"""Seats, turns and points as arrays are those of the game."""

from itertools import product

import numpy as np
import pytest

from dixitlib.game import rules
from dixitlib.game.arena import round_robin
from dixitlib.records import OUTCOMES
from dixitlib.study.robin import Schedule, score

EVERY_VOTE = np.array(list(product(rules.SEATS, repeat=3)))


@pytest.mark.parametrize("teller", rules.SEATS)
@pytest.mark.parametrize("preset", rules.PRESETS.values(), ids=lambda preset: preset.name)
def test_every_legal_round_is_scored_as_the_rules_do(preset, teller):
    seats = rules.listeners(teller)
    own = (seats == EVERY_VOTE).any(axis=1)
    legal = EVERY_VOTE if preset.own_votable else EVERY_VOTE[~own]
    outcomes, points = score(preset, np.full(len(legal), teller), legal)
    expected = [
        rules.score(preset, teller, rules.SEATS, dict(zip(seats, votes.tolist(), strict=True)))
        for votes in legal
    ]
    assert len(legal) == (64 if preset.own_votable else 27)
    assert [OUTCOMES[o] for o in outcomes] == [outcome for outcome, _ in expected]
    assert points.tolist() == [list(p) for _, p in expected]


@pytest.mark.parametrize("preset", rules.PRESETS.values(), ids=lambda preset: preset.name)
def test_the_schedule_is_that_of_the_arena(preset, toy_deck, scripted):
    names = ("a", "b", "c")
    played = round_robin([scripted(name) for name in names], toy_deck, preset=preset)
    plan = Schedule(3, preset)
    assert [(r.match, r.phase, r.round) for r in played] == list(
        zip(plan.match, plan.phase, plan.round, strict=True)
    )
    assert [r.players for r in played] == [tuple(names[k] for k in row) for row in plan.seated]
    assert [r.storyteller for r in played] == plan.teller.tolist()
    assert [list(r.streams) for r in played] == plan.streams.tolist()
