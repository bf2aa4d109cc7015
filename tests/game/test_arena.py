from __future__ import annotations

import multiprocessing
import threading
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.game import arena, rules, seeds
from dixitlib.game.rules import CORRECTED, OFFICIAL, PAPER, PRESETS, RELEASED_CODE
from dixitlib.records import Card, Move

presets = pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
refused = Move(status="refused")


@pytest.fixture
def players(scripted):
    return [scripted(name) for name in ("ann", "bob", "cat")]


def play_one(table, moves):
    """Play a round with given moves by step; return its record and the requests."""
    play, asked = arena.play_round(table), []
    requests = next(play)
    while True:
        asked.append(requests)
        step = requests[0].step
        try:
            requests = play.send([moves[step][request.seat] for request in requests])
        except StopIteration as over:
            return over.value, asked


def all_first(**failing):
    """Return moves that take the first card at every seat, but for some that fail."""
    steps = {step: {seat: Move(choice=0) for seat in rules.SEATS} for step in ("submit", "vote")}
    steps["tell"] = {seat: Move(choice=0, clue="a clue") for seat in rules.SEATS}
    for step, seats in failing.items():
        steps[step] |= dict.fromkeys(seats, refused)
    return steps


@pytest.fixture
def table(toy_deck):
    return arena.open_phase(("ann", "ann", "bob", "bob"), toy_deck)


# The tournament


def test_six_players_play_the_papers_tournament(scripted, toy_deck):
    played = arena.round_robin([scripted(name) for name in "abcdef"], toy_deck)
    assert len(played) == 504
    places = [(r.match, r.phase, r.round) for r in played]
    assert places == sorted(places)
    matches = {r.match: (r.players[0], r.players[3]) for r in played}
    assert len(matches) == 21
    assert list(matches.values())[:7] == [*(("a", x) for x in "abcdef"), ("b", "b")]
    # facts: 60 in five cross matches and 24 in self-play
    assert set(Counter(r.players[r.storyteller] for r in played).values()) == {84}


def test_a_match_alone_is_the_match_in_the_tournament(players, toy_deck):
    tournament = arena.round_robin(players, toy_deck, seed=7)
    alone = arena.play_match(players[0], players[2], toy_deck, seed=7, match=2)
    assert alone == [r for r in tournament if r.match == 2]


def test_another_seed_or_match_is_another_game(players, toy_deck):
    a, b, _ = players
    base = arena.play_match(a, b, toy_deck)
    for other in ({"seed": 43}, {"match": 1}):
        assert [r.hands for r in arena.play_match(a, b, toy_deck, **other)] != [
            r.hands for r in base
        ]


def test_executors_change_nothing(players, toy_deck):
    serial = arena.round_robin(players, toy_deck)
    fork = multiprocessing.get_context("fork")  # the players live in conftest.py
    for executor in (ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=fork)):
        with executor:
            assert arena.round_robin(players, toy_deck, executor=executor) == serial


def test_names_and_ids_must_differ(scripted, players, toy_deck):
    with pytest.raises(ValueError, match="repeat: bob"):
        arena.round_robin([*players, scripted("bob")], toy_deck)
    with pytest.raises(ValueError, match="repeats '005'"):
        arena.round_robin(players, [*toy_deck, toy_deck[5]])
    with pytest.raises(ValueError, match="needs 60 cards"):
        arena.round_robin(players, toy_deck[:59])


class Shelf(dict):
    """A sink that keeps units in memory."""

    finished = dict.keys
    write = dict.__setitem__


def test_a_sink_gets_each_phase_once_and_in_order(players, toy_deck):
    full, rest = Shelf(), Shelf()
    played = arena.round_robin(players, toy_deck, sink=full)
    assert list(full) == [(match, phase) for match in range(6) for phase in (1, 2)]
    assert list(chain(*full.values())) == played

    rest |= {unit: full[unit] for unit in list(full)[:5]}
    bar = []
    now = arena.round_robin(
        players, toy_deck, sink=rest, progress=lambda phases: bar.append(len(phases)) or phases
    )
    assert (now, bar) == (played[5 * 12 :], [7])
    assert list(rest.items()) == list(full.items())


class Work(Future):
    """A future that works when it is asked for its result."""

    def __init__(self, fn, args):
        super().__init__()
        self.job = fn, args

    def result(self, timeout=None):
        fn, args = self.job
        self.set_running_or_notify_cancel()  # from here on it can't be cancelled
        return fn(*args)


class Lazy(Executor):
    """An executor that begins nothing before it must."""

    def __init__(self):
        self.futures = []

    def submit(self, fn, /, *args):
        self.futures.append(Work(fn, args))
        return self.futures[-1]


def test_a_players_exception_stops_the_run_and_cancels_the_rest(players, toy_deck):
    broken = replace(players[1], moves={"tell": Move(choice=0, clue=" ")})
    shelf, executor = Shelf(), Lazy()
    with pytest.raises(ValueError, match="player 'bob' at seat 2, asked to tell, gave the clue"):
        arena.round_robin([players[0], broken], toy_deck, sink=shelf, executor=executor)
    assert list(shelf) == [(0, 1), (0, 2)]  # ann against herself
    assert [f.cancelled() for f in executor.futures] == [False] * 3 + [True] * 3


def test_a_sink_that_fails_cancels_the_rest(players, toy_deck):
    class Full(Shelf):
        def write(self, unit, records):
            raise OSError("disk full")

    executor = Lazy()
    with pytest.raises(OSError, match="disk full") as held:  # as a traceback is, while it rises
        arena.round_robin(players, toy_deck, sink=Full(), executor=executor)
    assert held.value
    assert [f.cancelled() for f in executor.futures] == [False] + [True] * 11


# Cards and hands


def assert_no_card_twice(played):
    held = [card for hand in played.hands for card in hand]
    assert len(set(held)) == len(held)
    for hand, card in zip(played.hands, played.submissions, strict=True):
        assert card is None or card in hand


@settings(max_examples=40, deadline=None)
@given(
    preset=st.sampled_from(list(PRESETS.values())),
    seed=st.integers(0, 2**32),
    failing=st.sampled_from([None, "tell", "submit", "vote"]),
)
def test_no_card_is_held_twice(scripted, toy_deck, preset, seed, failing):
    faulty = scripted("bob", {failing: refused} if failing else {})
    match = arena.play_match(scripted("ann"), faulty, toy_deck, preset=preset, seed=seed)
    for played in match:
        assert_no_card_twice(played)
    for phase in rules.PHASES:  # and a card that was laid does not come back
        laid = Counter(c for r in match if r.phase == phase for c in r.submissions if c)
        assert not preset.refill or set(laid.values()) <= {1}


@presets
def test_hands_are_refilled_where_the_preset_says_so(preset, players, toy_deck):
    phase = arena.play_match(*players[:2], toy_deck, preset=preset)[:12]
    for before, after in pairwise(phase):
        for seat in rules.SEATS:
            lost = set(before.hands[seat]) - set(after.hands[seat])
            gained = set(after.hands[seat]) - set(before.hands[seat])
            assert lost == ({before.submissions[seat]} if preset.refill else set())
            assert len(gained) == len(lost)
            assert len(after.hands[seat]) == preset.hand


@pytest.mark.parametrize("preset", [CORRECTED, PAPER, OFFICIAL])
def test_the_hand_swap_really_swaps(preset, players, toy_deck):
    match = arena.play_match(*players[:2], toy_deck, preset=preset)
    first, second = match[0], match[12]
    assert second.hands == (*first.hands[2:], *first.hands[:2])
    assert second.streams == (2, 3, 0, 1)
    told = [[r.streams[r.storyteller] for r in match if r.phase == p] for p in rules.PHASES]
    assert told[0] == told[1]
    names = [[r.players[r.storyteller] for r in match if r.phase == p] for p in rules.PHASES]
    assert all(a != b for a, b in zip(*names, strict=True))


def test_the_same_stream_meets_the_same_cards_under_both_owners(table, toy_deck):
    # Whoever owns a stream draws the same cards in the same order if it lays the same.
    again = arena.open_phase(table.players, toy_deck, phase=2)
    for _ in range(rules.ROUNDS):
        assert again.hands == (*table.hands[2:], *table.hands[:2])
        (one, _), (two, _) = play_one(table, all_first()), play_one(again, all_first())
        assert one.target == two.target
        table, again = table.after(one), again.after(two)


def test_the_released_code_deals_anew(players, toy_deck):
    match = arena.play_match(*players[:2], toy_deck, preset=RELEASED_CODE)
    assert match[12].streams == match[0].streams
    assert set(chain(*match[12].hands)) != set(chain(*match[0].hands))


# What players see


def test_a_listener_votes_on_the_others_cards_in_its_own_order(players, toy_deck):
    match = arena.play_match(*players[:2], toy_deck)
    for played in match:
        for seat in rules.listeners(played.storyteller):
            others = {c for s, c in enumerate(played.submissions) if s != seat}
            assert set(played.candidates[seat]) == others
        assert played.candidates[played.storyteller] == ()


def test_each_listener_sees_an_order_of_its_own(players, toy_deck):
    # Seat 0 tells in 60 of these rounds, so each of the six orders should show ten times.
    told = [
        r
        for match in range(10)
        for r in arena.play_match(*players[:2], toy_deck, match=match)
        if r.storyteller == 0
    ]
    for seat in (1, 2, 3):
        orders = Counter(tuple(map(r.submissions.index, r.candidates[seat])) for r in told)
        assert len(orders) == 6
        assert max(orders.values()) <= 20
    # Do seats 1 and 2 see the target on the same side of seat 3's card? Half the time.
    sides = [
        r.candidates[seat].index(r.target) < r.candidates[seat].index(r.submissions[3])
        for seat in (1, 2)
        for r in told
    ]
    agree = sum(one == two for one, two in zip(sides[:60], sides[60:], strict=True))
    assert 20 <= agree <= 40


def test_the_released_code_shows_the_own_card_too(players, toy_deck):
    for played in arena.play_match(*players[:2], toy_deck, preset=RELEASED_CODE):
        for seat in rules.listeners(played.storyteller):
            assert sorted(played.candidates[seat]) == sorted(played.submissions)


def test_players_see_cards_and_the_clue_and_nothing_else(players, toy_deck):
    match = arena.play_match(*players[:2], toy_deck)
    clues = {played.clue for played in match}
    ids = {card.id for card in toy_deck}
    for step, clue, cards in players[0].calls + players[1].calls:
        assert (clue is None) if step == "tell" else (clue in clues)
        assert all(isinstance(card, Card) for card in cards)
    assert not any(id in clue for clue in clues for id in ids)


def test_ids_decide_nothing(players, toy_deck):
    renamed = [replace(card, id=f"x{83 - k:02d}") for k, card in enumerate(toy_deck)]
    names = {old.id: new.id for old, new in zip(toy_deck, renamed, strict=True)}
    for a, b in zip(
        arena.play_match(*players[:2], toy_deck),
        arena.play_match(*players[:2], renamed),
        strict=True,
    ):
        assert [names[card] for card in a.submissions] == list(b.submissions)
        assert (a.clue, a.outcome, a.points) == (b.clue, b.outcome, b.points)


def test_the_decoy_bonus_is_paid(table):
    # Seat 0 tells, all take the first card they see; the bonus makes 9, 8, 10 or 9 points.
    played, _ = play_one(table, all_first())
    correct = played.votes.count(played.target)
    assert sum(played.points) == (9, 8, 10, 9)[correct]
    decoys = [played.votes.count(card) for card in played.submissions]
    assert sum(decoys[1:]) == 3 - correct


# Failed and illegal moves


def test_simultaneous_steps_ask_all_and_in_seat_order(table):
    played, asked = play_one(table, all_first())
    assert [[(r.step, r.seat) for r in step] for step in asked] == [
        [("tell", 0)],
        [("submit", 1), ("submit", 2), ("submit", 3)],
        [("vote", 1), ("vote", 2), ("vote", 3)],
    ]
    assert [r.clue for step in asked for r in step] == [None] + ["a clue"] * 6
    assert (played.status, played.failed) == ("ok", ())


@pytest.mark.parametrize(
    ("failing", "steps", "laid"),
    [
        ({"tell": [0]}, 1, (False, False, False, False)),
        ({"submit": [2, 3]}, 2, (True, True, False, False)),
        ({"vote": [1]}, 3, (True, True, True, True)),
    ],
)
def test_a_failed_move_voids_the_round(table, failing, steps, laid):
    played, asked = play_one(table, all_first(**failing))
    assert len(asked) == steps
    (seats,) = failing.values()
    assert (played.status, played.failed) == ("refused", tuple(seats))
    assert (played.outcome, played.points) == (None, (0, 0, 0, 0))
    assert tuple(card is not None for card in played.submissions) == laid

    following = table.after(played)  # who laid a card draws, the others keep their hands
    for seat in rules.SEATS:
        kept = set(following.hands[seat]) & set(table.hands[seat])
        assert len(kept) == (3 if laid[seat] else 4)
        assert len(following.hands[seat]) == 4
    clean, _ = play_one(following, all_first())
    assert (clean.storyteller, clean.status) == (1, "ok")


def test_a_void_round_keeps_what_was_said(table):
    played, _ = play_one(table, all_first(vote=[3]))
    assert (played.clue, played.target) == ("a clue", table.hands[0][0])
    assert [vote is None for vote in played.votes] == [True, False, False, True]
    untold, _ = play_one(table, all_first(tell=[0]))
    assert (untold.clue, untold.target, untold.submissions) == (None, None, (None,) * 4)


def test_reply_keys_are_kept_in_order(table):
    moves = all_first()
    moves["tell"][0] = Move(choice=0, clue="a clue", replies=("k1", "k2"))
    moves["submit"][2] = Move(status="truncated", replies=("k3",))
    played, _ = play_one(table, moves)
    assert (played.status, played.replies) == ("truncated", ("k1", "k2", "k3"))


@pytest.mark.parametrize(
    ("step", "move", "complaint"),
    [
        ("tell", Move(choice=4, clue="x"), "'ann' at seat 0, asked to tell, chose 4: .* 0 to 3"),
        ("tell", Move(choice=0, clue=" \n"), "gave the clue .* needs at least one word"),
        ("tell", Move(choice=0), "gave the clue None"),
        ("submit", Move(choice=-1), "'ann' at seat 1, asked to submit, chose -1"),
        ("submit", Move(), "chose None: an index from 0 to 3"),
        ("vote", Move(choice=3), "asked to vote, chose 3: an index from 0 to 2"),
        ("vote", Move(choice=1.0), "chose 1.0"),
    ],
)
def test_an_illegal_move_is_the_players_fault(scripted, toy_deck, step, move, complaint):
    with pytest.raises(ValueError, match=complaint):
        arena.play_match(scripted("ann", {step: move}), scripted("bob"), toy_deck)


def test_numpy_indices_are_indices(scripted, toy_deck):
    ann = scripted("ann", {"submit": Move(choice=np.int64(2))})
    played = arena.play_match(ann, ann, toy_deck)[0]
    assert played.submissions[1] == played.hands[1][2]


def test_one_card_in_hand_forces_the_target(scripted, toy_deck):
    match = arena.play_match(
        scripted("ann"), scripted("bob"), toy_deck, preset=replace(CORRECTED, hand=1)
    )
    assert all(r.hands[r.storyteller] == (r.target,) for r in match)


def test_another_way_of_asking_can_be_given(players, toy_deck):
    steps = []

    def ask(players, requests):
        steps.append(len(requests))
        return arena.ask_in_turn(players, requests)

    assert arena.play_match(*players[:2], toy_deck, ask=ask) == arena.play_match(
        *players[:2], toy_deck
    )
    assert steps == [1, 3, 3] * 24


# Chance


def test_every_place_has_a_generator_of_its_own():
    def first_numbers(seed, match, phase):
        places = seeds.PhasePlaces(seed, match, phase)
        return {
            places.generator(round, seat, step).integers(2**63)
            for round in range(1, 13)
            for seat in rules.SEATS
            for step in seeds.STEPS
        }

    numbers = [first_numbers(*key) for key in ((42, 0, 1), (42, 0, 2), (42, 1, 1), (43, 0, 1))]
    assert [len(some) for some in numbers] == [144] * 4
    assert len(set.union(*numbers)) == 4 * 144
    assert numbers[0] == first_numbers(42, 0, 1)


def test_drawing_more_numbers_disturbs_nobody(scripted, toy_deck):
    class Greedy(scripted):
        def submit(self, clue, hand, rng):
            move = super().submit(clue, hand, rng)
            rng.random(1000)
            return move

    plain = arena.play_match(scripted("ann"), scripted("bob"), toy_deck)
    assert arena.play_match(Greedy("ann"), scripted("bob"), toy_deck) == plain


def test_seats_asked_together_give_the_same_rounds_and_wait_for_one_another(toy_deck, scripted):
    meeting = threading.Barrier(3, timeout=10)  # breaks unless three seats are asked at once

    class Patient(scripted):
        def vote(self, clue, candidates, rng):
            meeting.wait()
            return super().vote(clue, candidates, rng)

    alone = arena.play_match(scripted("a"), scripted("b"), toy_deck)
    with ThreadPoolExecutor(3) as seats:
        ask = arena.ask_together(seats)
        assert arena.play_match(Patient("a"), Patient("b"), toy_deck, ask=ask) == alone
