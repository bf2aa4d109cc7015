from dataclasses import replace

import pytest

from dixitlib.study.leaks import names, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A pair of Scissors, below the clouds", {"pair", "scissor", "cloud"}),
        ("It is what it was", set()),  # function words, and words of two letters
        ("the glass's edge", {"glass", "edge"}),
        ("été 42 dix-sept", {"été", "dix", "sept"}),
        ("", set()),
    ],
)
def test_content_words(text, expected):
    assert words(text) == expected


def test_a_card_is_named_by_its_caption_and_by_what_its_scene_is_made_of(toy_deck):
    card = replace(toy_deck[0], caption="An owl at dusk", aspects={"first": "crystal balls"})
    assert names(card) == {"owl", "dusk", "crystal", "ball"}


def test_a_clue_leaks_whatever_the_number(toy_deck):
    card = replace(toy_deck[0], caption="Two owls, and a crown")
    assert words("An owl without a crown") & names(card) == {"owl", "crown"}
