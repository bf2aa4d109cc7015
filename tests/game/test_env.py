"""PettingZoo's own tests, and the rounds of the arena inside the environment."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from dixitlib.game import env as room
from dixitlib.game.env import ASKED, DixitEnv
from dixitlib.game.rules import OFFICIAL, PRESETS
from dixitlib.game.table import open_phase, play_round
from dixitlib.records import Move

BANK = ["a door ajar", "after the rain", "what the moon saw"]
HAND, CANDIDATES = 4, 3

# PettingZoo warns of observations that are dicts, its own games excepted by name, though
# masks have to stand in one; and of masks without a legal action, which is what an agent
# whose game is over has.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.fixture
def env(toy_deck):
    return DixitEnv(toy_deck, BANK, render_mode="ansi")


def legal(env):
    return np.flatnonzero(env.last()[0]["action_mask"]).tolist()


def asked(env):
    return ASKED[int(env.last()[0]["observation"][: len(ASKED)].argmax())]


def play(env, seed=0):
    """Play to the end at random; return each agent's sum of what it was paid."""
    rng, paid = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, *_ = env.last()
        paid[agent] += reward
        env.step(None if over else int(rng.choice(legal(env))))
    return paid


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_it_passes_pettingzoos_api_test(toy_deck, preset, capsys):
    api_test(DixitEnv(toy_deck, BANK, preset=preset, render_mode="ansi"), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_it_passes_pettingzoos_api_test_in_its_wrappers(env, capsys):
    wrapped = OrderEnforcingWrapper(TerminateIllegalWrapper(env, illegal_reward=-1))
    api_test(wrapped, num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_it_passes_pettingzoos_seed_test(toy_deck):
    seed_test(lambda: DixitEnv(toy_deck, BANK), num_cycles=60)


def test_the_storyteller_picks_a_card_and_then_a_clue(env):
    env.reset(seed=3)
    assert (env.agent_selection, asked(env), legal(env)) == ("seat_0", "tell", [0, 1, 2, 3])
    env.step(2)
    assert (env.agent_selection, asked(env)) == ("seat_0", "word")
    assert legal(env) == [HAND + CANDIDATES + k for k in range(3)]
    picked = env.last()[0]["observation"][len(ASKED) : len(ASKED) + HAND]
    assert picked.tolist() == [0, 0, 1, 0]
    env.step(HAND + CANDIDATES + 1)
    for seat in (1, 2, 3):
        assert (env.agent_selection, asked(env)) == (f"seat_{seat}", "submit")
        assert "after the rain" in env.render()
        env.step(0)
    for seat in (1, 2, 3):
        assert (env.agent_selection, asked(env)) == (f"seat_{seat}", "vote")
        assert legal(env) == [HAND, HAND + 1, HAND + 2]
        env.step(HAND)
    (played,) = env.rounds
    assert (played.clue, played.target) == ("after the rain", played.hands[0][2])
    assert list(env.rewards.values()) == list(played.points)
    assert (env.agent_selection, asked(env)) == ("seat_1", "tell")


def test_rounds_are_those_of_the_arenas_generator(env, toy_deck):
    # The same table, driven by hand with the first choice of everybody.
    table = open_phase(tuple(env.possible_agents), toy_deck, seed=3)
    play_by_hand = play_round(table)
    requests = next(play_by_hand)
    with pytest.raises(StopIteration) as over:
        while True:
            clue = BANK[0] if requests[0].step == "tell" else None
            requests = play_by_hand.send([Move(choice=0, clue=clue)] * len(requests))
    env.reset(seed=3)
    while not env.rounds:
        env.step(legal(env)[0])
    assert env.rounds == [over.value.value]


def test_a_phase_has_twelve_rounds_and_pays_every_point(env):
    env.reset(seed=5)
    paid = play(env)
    assert [played.round for played in env.rounds] == list(range(1, 13))
    assert list(paid.values()) == np.sum([r.points for r in env.rounds], axis=0).tolist()
    assert env.agents == []


def test_the_seed_decides_the_deal_and_resets_go_on_to_the_next(env):
    hands = []
    for seed in (5, None, 5, None):
        env.reset(seed=seed)
        play(env)
        hands.append(env.rounds[0].hands)
    assert hands[0] == hands[2] != hands[1] == hands[3]


def test_nobody_sees_what_others_do_in_the_same_step(env):
    env.reset(seed=3)
    env.step(0)
    env.step(HAND + CANDIDATES)
    before = env.observe("seat_3")
    env.step(1)
    assert all(np.array_equal(before[key], env.observe("seat_3")[key]) for key in before)


def test_who_is_not_asked_may_do_nothing_and_sees_no_card(env):
    env.reset(seed=3)
    seen = env.observe("seat_2")
    assert not seen["action_mask"].any()
    assert seen["observation"][ASKED.index("nothing")] == 1
    assert seen["observation"].sum() == 1


def test_cards_and_clues_are_seen_by_the_vectors_given(toy_deck):
    cards = np.linspace(-1, 1, len(toy_deck))[:, None]
    clues = np.array([[0.25], [0.5], [0.75]])
    env = DixitEnv(toy_deck, BANK, card_vectors=cards, clue_vectors=clues)
    env.reset(seed=3)
    env.step(0)
    env.step(HAND + CANDIDATES + 2)
    seen = env.last()[0]["observation"]
    hand = open_phase(tuple(env.agents), toy_deck, seed=3).hands[1]
    assert seen[len(ASKED) + HAND] == 0.75
    assert seen[-HAND:] == pytest.approx([cards[int(id), 0] for id in hand])


@pytest.mark.parametrize("action", [HAND, 99, -1, None])
def test_an_illegal_action_says_what_is_legal(env, action):
    env.reset(seed=3)
    with pytest.raises(ValueError, match=rf"seat_0, asked to tell, did {action}: 0 to 3 are legal"):
        env.step(action)


def test_bad_arguments_are_refused(toy_deck):
    with pytest.raises(ValueError, match="needs clues"):
        DixitEnv(toy_deck, [])
    with pytest.raises(
        ValueError, match=r"card vectors are of shape \(84, d\).*given: shape \(3, 2\)"
    ):
        DixitEnv(toy_deck, BANK, card_vectors=np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"clue vectors .* largest 2"):
        DixitEnv(toy_deck, BANK, clue_vectors=np.full((3, 2), 2.0))
    with pytest.raises(ValueError, match="needs 68 cards"):
        DixitEnv(toy_deck[:60], BANK, preset=OFFICIAL).reset()


def test_the_example_of_the_docstring_runs():
    done = doctest.testmod(room)
    assert (done.failed, done.attempted) == (0, 7)
