"""Simulated tournaments look like played ones and hold what was put into them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dixitlib import store
from dixitlib.analysis import outcomes, scores
from dixitlib.game import rules
from dixitlib.paths import REPOSITORY
from dixitlib.study import expected
from dixitlib.study.robin import at
from dixitlib.study.simulator import Setting, SimulatedPlayer, play, policy_score

SIX = [SimulatedPlayer(name) for name in "abcdef"]
# Every number differs, so that none can take another's place unseen.
MIXED = [
    SimulatedPlayer("a", 1.0, 0.2, 0.9, own_bonus=0.5, position=(0.6,)),
    SimulatedPlayer("b", 0.0, 0.9, 0.3, position=(0.0, 0.5), policy="partial", alpha=5.0),
    SimulatedPlayer("c", -0.5, 0.1, 1.5, own_bonus=-0.3, policy="informative", alpha=1.0),
]
SETTINGS = {
    "plain": Setting(),
    "cards": Setting(card_spread=0.7),
    "policies": Setting(clues=6, card_spread=0.5),
    "official": Setting(preset=rules.OFFICIAL),
    "released": Setting(preset=rules.RELEASED_CODE),
}


def test_frames_are_those_of_a_run():
    run = REPOSITORY / "data/runs/offline"
    ((rounds, votes),) = play(SIX, seed=1)
    shape = store.read_rounds(run)
    pd.testing.assert_series_equal(rounds.dtypes, shape.dtypes[: rounds.shape[1]])
    pd.testing.assert_series_equal(votes.dtypes, store.read_votes(run).dtypes)
    places = ["match", "phase", "round", "storyteller_seat", "stream", "cross"]
    pd.testing.assert_frame_equal(rounds[places], shape[places])


def test_frames_agree_with_one_another():
    ((rounds, votes),) = play(MIXED, seed=1)
    heard = votes.groupby(["match", "phase", "round"])
    assert (heard["correct"].sum().to_numpy() == rounds["correct"]).all()
    assert ((votes["vote"] == votes["target"]) == votes["correct"]).all()
    assert ((votes["choice_position"] == votes["target_position"]) == votes["correct"]).all()
    assert (votes["own_clue"] == (votes["listener"] == votes["storyteller"])).all()
    # All points of a round: 9, 8, 10, 9 when 0, 1, 2, 3 are correct (facts: Scoring).
    total = heard["points"].sum().to_numpy() + rounds["storyteller_points"]
    assert total.tolist() == rounds["correct"].map({0: 9, 1: 8, 2: 10, 3: 9}).tolist()


def test_analyses_take_the_frames_as_they_are():
    ((rounds, votes),) = play(MIXED, seed=1)
    assert len(outcomes.decomposition(rounds)) == 12 and len(scores.scores(rounds, votes)) == 16
    assert outcomes.coverage(rounds)["told"].tolist() == [48, 48, 48]


@pytest.mark.parametrize("preset", rules.PRESETS.values(), ids=lambda preset: preset.name)
def test_cards_come_from_the_streams(preset):
    played = play(MIXED, seed=3, setting=Setting(preset=preset))
    laid, plan = played.laid[0], played.schedule
    assert all(len(set(table)) == 4 for table in laid)
    first = plan.match == 0
    owned = {
        (phase, stream): laid[first & (plan.phase == phase)][:, plan.streams[phase_row] == stream]
        for phase, phase_row in ((1, 0), (2, 12))
        for stream in range(4)
    }
    sizes = {key: len(np.unique(cards)) for key, cards in owned.items()}
    if preset.refill:
        assert set(sizes.values()) == {12}, "no card of a stream is laid twice"
    else:
        assert max(sizes.values()) <= 4, "the same four cards serve the phase"
    both = [np.union1d(owned[1, stream], owned[2, stream]) for stream in range(4)]
    if preset.phase_two == "swap":  # both owners play the same cards, and no stream another's
        assert max(map(len, both)) <= rules.cards_needed(preset) // 4
        assert len(np.unique(np.concatenate(both))) == sum(map(len, both))
    else:
        assert max(map(len, both)) > 4


def test_a_tournament_does_not_depend_on_its_company():
    many = play(MIXED, 3, seed=5)
    alone = play(MIXED, 1, seed=5, first=2)
    pd.testing.assert_frame_equal(many.rounds(2), alone.rounds(0))
    pd.testing.assert_frame_equal(many.votes(2), alone.votes(0))
    assert not many.votes(0)["vote"].equals(many.votes(1)["vote"])


@pytest.mark.parametrize("name", SETTINGS)
def test_shares_accuracies_and_points_are_what_the_numbers_say(name):
    setting = SETTINGS[name]
    played = play(MIXED, 300, seed=11, setting=setting)
    plan, (ended, points) = played.schedule, played.scored
    heard = expected.hearing(MIXED, setting)
    truth = expected.shares(heard)["share"].to_numpy().reshape(3, 3)
    told = [[(ended[:, plan.storyteller == k] == o).mean() for o in range(3)] for k in range(3)]
    # 300 tournaments of 48 rounds a player: standard errors of at most 0.004; four of them.
    assert np.abs(np.array(told) - truth).max() < 0.015
    accuracy = expected.accuracies(heard).drop(columns="listener").to_numpy()
    own, right = plan.own_clue, played.right
    turns = [
        [right[:, (plan.listeners == k) & kind].mean() for kind in (own | ~own, own, ~own)]
        for k in range(3)
    ]
    assert np.abs(np.array(turns) - accuracy).max() < 0.015
    won = np.take_along_axis(points, plan.listener_seats[None], axis=2)
    listener = [won[:, plan.listeners == k].mean() / 5 for k in range(3)]
    assert listener == pytest.approx(expected.scores(heard, setting)["listener"], abs=0.01)


def test_independent_listeners_have_no_correlation_and_no_excess():
    even = [replace(player, spread=0.0) for player in MIXED]
    truth = expected.independence(expected.hearing(even, Setting()))
    assert truth[["excess", "correlation"]].abs().to_numpy().max() < 1e-12
    spread = expected.independence(expected.hearing(MIXED, Setting()))
    assert (spread["excess"] < 0).all() and (spread["correlation"] > 0).all()


def test_players_who_guess_give_the_chance_row():
    guessing = [replace(player, listening=0.0, clarity=0.0, spread=0.0) for player in SIX]
    heard = expected.hearing(guessing, Setting())
    share = expected.shares(heard).set_index(["player", "outcome"])["share"]
    # 1 - 1/27 - 8/27 = 2/3 (facts: Chance), and 45.2% of a listener's points.
    assert share[0, "partial"] == pytest.approx(2 / 3)
    assert expected.scores(heard, Setting())["listener"][0] == pytest.approx(0.4519, abs=1e-4)


def test_a_pull_of_the_first_place_draws_votes_there():
    drawn = [replace(player, position=(1.0,)) for player in SIX[:2]]
    first = play(drawn, 100, seed=2).choice == 0
    plain = play(SIX[:2], 100, seed=2).choice == 0
    assert first.mean() > plain.mean() + 0.1 and abs(plain.mean() - 1 / 3) < 0.02


def test_a_policy_with_alpha_picks_the_clue_that_it_likes():
    plainness = np.array([-2.0, 0.69, 4.0])
    assert policy_score("literal", plainness).argmax() == 2
    assert policy_score("informative", plainness).argmax() == 2
    assert policy_score("partial", plainness).argmax() == 1  # half of the listeners find it
    keen = [replace(player, policy="partial", alpha=50.0) for player in SIX[:2]]
    for setting, above in ((Setting(clues=20), True), (Setting(clues=1), False)):
        share = expected.shares(expected.hearing(keen, setting))["share"][0]
        assert (share > 0.65) == above


def test_targets_are_laid_by_who_tells():
    played = play(MIXED, 2, seed=4)
    targets = at(played.laid, played.schedule.teller)
    names = played.rounds(1)["target"]
    assert names.tolist() == [played.ids[card] for card in targets[1]]


def test_a_small_deck_and_equal_names_are_refused():
    with pytest.raises(ValueError, match="CORRECTED needs 60 cards, not 59"):
        play(SIX, setting=Setting(cards=59))
    with pytest.raises(ValueError, match="different names, but there are: a, a"):
        play([SIX[0], SIX[0]])


def test_only_the_matches_asked_for_are_played():
    ((rounds, votes),) = play(MIXED, seed=1, pairs=[(2, 0), (1, 2)])
    met = rounds.groupby("match")["storyteller"].unique().map(set).tolist()
    assert met == [{"c", "a"}, {"b", "c"}] and rounds["cross"].all()
    assert len(rounds) == 2 * 24 and len(votes) == 3 * len(rounds)
