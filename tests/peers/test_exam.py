"""An exam is whole, and its canary belongs to its deck."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from PIL import Image

from dixitlib.cards.deck import Deck
from dixitlib.paths import REPOSITORY
from dixitlib.peers import exam as exams


def test_a_canary_belongs_to_the_pixels_of_a_deck(toy_deck):
    deck = Deck(tuple(toy_deck))
    renamed = Deck(tuple(replace(card, id=f"x{card.id}") for card in toy_deck))
    assert exams.canary(deck) == exams.canary(renamed)
    assert exams.canary(deck) != exams.canary(deck[1:])
    assert re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", exams.canary(deck))


def test_items_of_another_deck_are_refused_by_the_cards_they_lack(exam, toy_deck):
    with pytest.raises(ValueError, match="no card 000, 029: give the items' own deck"):
        exams.make(exam.items, Deck(tuple(c for c in toy_deck if c.id not in ("000", "029"))))


def test_a_picture_is_scaled_down_and_never_up(exam):
    card = exam.cards["000"]  # 96 x 144
    sizes = [Image.open(io.BytesIO(exams.jpeg(card, n))).size for n in (72, 512)]
    assert sizes == [(48, 72), (96, 144)]


def test_the_letter_is_that_of_the_targets_place(exam):
    assert [exams.letter(item) for item in exam.items[:6]] == list("ABCDEF")


def test_the_readme_of_the_data_has_the_canary_of_the_committed_deck():
    deck = Deck.load(REPOSITORY / "data" / "cards")
    assert exams.canary(deck) in (REPOSITORY / "data" / "README.md").read_text()
