"""A person's seat, pressed by a script instead of a hand."""

from __future__ import annotations

import re

import pytest

from dixitlib.players import board
from dixitlib.players.human import Human


@pytest.fixture
def seat():
    return Human()


@pytest.fixture
def moves():
    return []


def choose(seat, index):
    seat._board._places[index].button.click()


def press(seat):
    seat._go_on.click()


def said(seat):
    return seat._note.value


def test_a_clue_and_a_card_make_a_move(seat, moves, toy_deck):
    seat.tell(toy_deck[:4], moves.append)
    choose(seat, 2)
    seat._clue.value = "  a door that remembers "
    press(seat)
    assert [(move.choice, move.clue, move.status) for move in moves] == [
        (2, "a door that remembers", "ok")
    ]


@pytest.mark.parametrize("clue", ["", "   ", "\t"])
def test_an_empty_clue_is_told_beside_the_field_and_nothing_is_lost(seat, moves, toy_deck, clue):
    seat.tell(toy_deck[:4], moves.append)
    choose(seat, 1)
    seat._clue.value = clue
    press(seat)
    assert moves == [] and "Write a clue first" in said(seat)
    assert seat._board.chosen == 1
    seat._clue.value = "found"
    press(seat)
    assert moves[0].choice == 1 and moves[0].clue == "found"


@pytest.mark.parametrize("step", ["submit", "vote"])
def test_a_card_must_be_chosen(seat, moves, toy_deck, step):
    getattr(seat, step)("a clue", toy_deck[:3], moves.append)
    press(seat)
    assert moves == [] and "Choose a card first" in said(seat)
    choose(seat, 0)
    press(seat)
    assert moves[0].choice == 0 and moves[0].clue is None


def test_a_second_press_makes_no_second_move(seat, moves, toy_deck):
    seat.vote("a clue", toy_deck[:3], lambda move: (moves.append(move), seat.resolve("", "", None)))
    choose(seat, 0)
    press(seat)
    press(seat)
    assert len(moves) == 1


def test_pictures_tell_a_screen_reader_a_letter_and_never_the_caption(seat, moves, toy_deck):
    seat.vote("a clue", toy_deck[:3], moves.append)
    places = seat._board._places
    alts = [re.findall(r'alt="([^"]*)"', place._picture.value) for place in places]
    assert alts == [["card A"], ["card B"], ["card C"], [], [], []]
    page = "".join(place._picture.value for place in places) + seat._prompt.value
    assert not any(card.caption in page or card.id in page for card in toy_deck[:3])
    hidden = [place.layout.display == "none" for place in places]
    assert hidden == [False] * 3 + [True] * 3


def test_what_is_chosen_can_be_read_and_changed(seat, moves, toy_deck):
    seat.submit("a clue", toy_deck[:4], moves.append)
    choose(seat, 0)
    choose(seat, 3)
    labels = [place.button.description for place in seat._board._places[:4]]
    assert labels == ["Choose card A", "Choose card B", "Choose card C", "✓ card D chosen"]


def test_a_hostile_clue_is_shown_not_run(seat, moves, toy_deck):
    seat.submit("<script>alert(1)</script> & <b>", toy_deck[:4], moves.append)
    assert "<script" not in seat._prompt.value and "<b>" not in seat._prompt.value
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;" in seat._prompt.value


def test_a_code_is_asked_for_and_handed_on(seat):
    taken = []
    seat.greet("Who are you?", taken.append)
    seat._code.value = " owl-7 "
    press(seat)
    assert taken == ["owl-7"] and "Who are you?" in seat._prompt.value
    assert seat._code.layout.display is None and seat._clue.layout.display == "none"


def test_a_second_press_of_the_vote_does_not_leaf_past_the_result(seat, toy_deck):
    went = []
    seat.vote("a clue", toy_deck[:3], lambda _: seat.resolve("", "", lambda: went.append(1)))
    choose(seat, 0)
    press(seat)
    press(seat)
    assert went == []
    seat._next.click()
    assert went == [1]


def test_what_is_waited_for_is_said_as_a_status_not_an_alarm(seat):
    seat.wait("a moment")
    assert said(seat) == '<div role="status">a moment</div>'


def test_every_field_has_a_label(seat):
    assert (seat._code.description, seat._clue.description) == ("Your code", "Your clue")
    assert board.field("Your code", "owl-7").description == "Your code"


def test_a_seat_that_nobody_takes_is_a_line_of_text(seat):
    assert repr(seat) == "A seat at the table: run this notebook in JupyterLab or Voila to take it."
