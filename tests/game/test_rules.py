from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dixitlib.game import rules
from dixitlib.game.rules import CORRECTED, OFFICIAL, PAPER, PRESETS, RELEASED_CODE, score

CARDS = ("a", "b", "c", "d")
presets = st.sampled_from(list(PRESETS.values()))


def ballots(preset, teller):
    """Return every legal way in which the three listeners can vote."""
    seats = rules.listeners(teller)
    choices = [rules.votable(preset, CARDS, seat) for seat in seats]
    return [dict(zip(seats, votes, strict=True)) for votes in product(*choices)]


# facts: points handed out in a round by the number of listeners correct.
@pytest.mark.parametrize(
    ("preset", "totals"),
    [
        (CORRECTED, (9, 8, 10, 9)),
        (PAPER, (9, 8, 10, 9)),
        (OFFICIAL, (9, 8, 10, 6)),
        (RELEASED_CODE, (6, 6, 9, 9)),
    ],
)
def test_points_handed_out_follow_from_the_number_of_listeners_correct(preset, totals):
    for teller in rules.SEATS:
        for votes in ballots(preset, teller):
            correct = list(votes.values()).count(CARDS[teller])
            outcome, points = score(preset, teller, CARDS, votes)
            assert sum(points) == totals[correct]
            assert outcome == ("all_wrong", "partial", "partial", "all_correct")[correct]


# facts: random listeners score 45.2% of 5 points (31.9% under RELEASED_CODE) and find a
# partial rate of 0.667 (0.5625 where the own card is votable).
@pytest.mark.parametrize(
    ("preset", "share", "partial"), [(CORRECTED, 0.452, 2 / 3), (RELEASED_CODE, 0.319, 0.5625)]
)
def test_random_listeners_score_what_the_facts_say(preset, share, partial):
    scored = [score(preset, 0, CARDS, votes) for votes in ballots(preset, 0)]
    listener_points = sum(sum(points[1:]) for _, points in scored)
    possible = len(scored) * 3 * rules.LISTENER_MAXIMUM
    assert listener_points / possible == pytest.approx(share, abs=0.0005)
    partials = [outcome for outcome, _ in scored].count("partial")
    assert partials / len(scored) == pytest.approx(partial)


def test_the_maxima_can_be_reached_and_not_passed():
    scored = [score(preset, 0, CARDS, v) for preset in PRESETS.values() for v in ballots(preset, 0)]
    assert max(points[0] for _, points in scored) == rules.STORYTELLER_MAXIMUM == 3
    assert max(max(points[1:]) for _, points in scored) == rules.LISTENER_MAXIMUM == 5


def test_a_partial_round_by_hand():
    # Seat 2 tells of c. Seat 0 finds it and draws both other votes: 3 + 2. The others
    # are wrong, and nobody took their cards: 0.
    assert score(CORRECTED, 2, CARDS, ("c", "a", None, "a")) == ("partial", (5, 0, 3, 0))
    # Nobody finds d: 2 each, and 2 more for a, 1 for b.
    votes = {0: "b", 1: "a", 2: "a"}
    assert score(CORRECTED, 3, CARDS, votes) == ("all_wrong", (4, 3, 2, 0))
    assert score(RELEASED_CODE, 3, CARDS, votes) == ("all_wrong", (2, 2, 2, 0))


def test_a_vote_for_the_own_card_never_pays_a_bonus():
    paying = replace(RELEASED_CODE, decoy_bonus=1)
    assert score(paying, 0, CARDS, (None, "b", "b", "a")) == ("partial", (3, 1, 0, 3))


@given(
    preset=presets,
    teller=st.sampled_from(rules.SEATS),
    chance=st.data(),
    order=st.permutations(range(4)),
)
def test_permuting_seats_permutes_points(preset, teller, chance, order):
    votes = chance.draw(st.sampled_from(ballots(preset, teller)))
    outcome, points = score(preset, teller, CARDS, votes)
    moved_cards = {order[seat]: card for seat, card in enumerate(CARDS)}
    moved_votes = {order[seat]: card for seat, card in votes.items()}
    moved_outcome, moved = score(preset, order[teller], moved_cards, moved_votes)
    assert moved_outcome == outcome
    assert [moved[order[seat]] for seat in rules.SEATS] == list(points)


@pytest.mark.parametrize(
    ("submissions", "votes", "complaint"),
    [
        ("abc", (None, "a", "a", "a"), "seat 3 laid no card"),
        ({0: "a", 1: "b", 3: "d"}, (None, "a", "a", "a"), "seat 2 laid no card"),
        ("abca", (None, "a", "a", "b"), "'a' was laid more than once"),
        (CARDS, (None, "a", "a"), "seat 3 did not vote"),
        (CARDS, {1: "a", 2: None, 3: "a"}, "seat 2 did not vote"),
        (CARDS, (None, "a", "x", "a"), "seat 2 voted for 'x', which is not on the table"),
        (CARDS, (None, "b", "a", "a"), "seat 1 voted for its own card 'b'"),
        (CARDS, ("b", "a", "a", "a"), "seat 0 tells and may not vote"),
        (CARDS, {1: "a", 2: "a", 4: "a"}, "seats are 0 to 3, not 4"),
        ("abcde", (None, "a", "a", "a"), "seats are 0 to 3, not 4"),
        ({-1: "a", 1: "b", 2: "c", 3: "d"}, (None, "a", "a", "a"), "seats are 0 to 3, not -1"),
    ],
)
def test_what_cannot_be_scored_is_refused(submissions, votes, complaint):
    with pytest.raises(ValueError, match=complaint):
        score(CORRECTED, 0, submissions, votes)


def test_a_storyteller_off_the_table_is_refused():
    with pytest.raises(ValueError, match="not 4"):
        score(CORRECTED, 4, CARDS, (None, "a", "a", "a"))


def test_one_error_names_every_offender():
    with pytest.raises(ValueError, match=r"seat 1 voted for its own.*seat 2 .* not on the table"):
        score(CORRECTED, 0, CARDS, (None, "b", "x", "a"))


def test_only_the_released_code_lets_a_listener_vote_for_its_own_card():
    assert rules.votable(CORRECTED, CARDS, 1) == ("a", "c", "d")
    assert rules.votable(RELEASED_CODE, CARDS, 1) == CARDS
    assert score(RELEASED_CODE, 0, CARDS, (None, "b", "a", "a"))[0] == "partial"


# Hands, and eleven draws a seat where the preset refills (nothing is drawn after round 12).
@pytest.mark.parametrize(
    ("preset", "needed"), [(CORRECTED, 60), (PAPER, 16), (RELEASED_CODE, 16), (OFFICIAL, 68)]
)
def test_a_deal_takes_the_cards_it_says(preset, needed):
    assert rules.cards_needed(preset) == needed
    dealt = rules.streams(preset, range(needed))
    assert sorted(card for stream in dealt for card in stream) == list(range(needed))
    with pytest.raises(ValueError, match=f"needs {needed} cards.*has {needed - 1}: add 1 more"):
        rules.streams(preset, range(needed - 1))


def test_a_deck_that_repeats_a_card_is_refused():
    with pytest.raises(ValueError, match="repeats 'a', 'b'"):
        rules.streams(PAPER, [*"abab", *map(str, range(20))])


@pytest.mark.parametrize("preset", [CORRECTED, PAPER, OFFICIAL])
def test_a_stream_tells_in_the_same_rounds_under_both_owners(preset):
    def told(phase):
        owners = rules.stream_owners(preset, phase)
        return [owners[rules.storyteller(preset, phase, r)] for r in range(1, rules.ROUNDS + 1)]

    assert told(1) == told(2) == [0, 1, 2, 3] * 3
    assert rules.stream_owners(preset, 2) == (2, 3, 0, 1)  # P1 with P3, P2 with P4


def test_the_released_code_swaps_nothing():
    assert rules.stream_owners(RELEASED_CODE, 2) == rules.stream_owners(RELEASED_CODE, 1)
    assert [rules.storyteller(RELEASED_CODE, 2, r) for r in (1, 2, 3, 4, 5)] == [0, 1, 2, 3, 0]


@given(preset=presets, laid=st.sampled_from([None, *range(4)]))
def test_a_card_that_was_laid_is_replaced_only_where_hands_are_refilled(preset, laid):
    hand, pile = rules.replenish(preset, (0, 1, 2, 3), (4, 5), laid)
    if laid is None or not preset.refill:
        assert (hand, pile) == ((0, 1, 2, 3), (4, 5))
    else:
        assert (set(hand), pile) == ({0, 1, 2, 3, 4} - {laid}, (5,))


def test_the_rules_import_the_standard_library_only():
    code = (
        "import sys; before = set(sys.modules); import dixitlib.game.rules; "
        "print({m.split('.')[0] for m in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "{'dixitlib'}"


def test_the_presets_differ_as_the_facts_say():
    assert list(PRESETS) == ["CORRECTED", "PAPER", "RELEASED_CODE", "OFFICIAL"]
    assert [PRESETS[name].hand for name in PRESETS] == [4, 4, 4, 6]
    assert [PRESETS[name].refill for name in PRESETS] == [True, False, False, True]
    assert all(a != b for a, b in permutations(PRESETS.values(), 2))
