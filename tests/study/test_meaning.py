from dataclasses import replace

import numpy as np
import pytest

from dixitlib.game.arena import play_match
from dixitlib.records import Move
from dixitlib.study.meaning import measure


class Axes:
    """An encoder whose texts are numbers: the angle of a vector in the plane, in degrees."""

    def encode(self, texts):
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)


@pytest.fixture
def rounds(toy_deck, scripted):
    told = Move(choice=0, clue="60")
    return play_match(scripted("a", {"tell": told}), scripted("b", {"tell": told}), toy_deck)


def captioned(toy_deck, captions):
    return {
        card.id: replace(card, caption=captions[card.id])
        for card in toy_deck
        if card.id in captions
    }


def test_similarity_and_margin_are_cosines_to_the_captions(rounds, toy_deck):
    played = rounds[0]
    captions = dict.fromkeys(played.submissions, "150")
    nearest = next(card for card in played.submissions if card != played.target)
    captions |= {played.target: "90", nearest: "0"}
    frame = measure([played], captioned(toy_deck, captions), Axes())
    # cos 30 = 0.866025 to the target; cos 60 = 0.5 to the nearest distractor, others 0.
    assert frame.loc[0, ["similarity", "nearest", "margin", "words"]].tolist() == pytest.approx(
        [0.866025, 0.5, 0.366025, 1]
    )
    assert frame.loc[0, ["match", "phase", "round"]].tolist() == [0, 1, 1]
    assert np.isnan(frame.loc[0, "novelty"])  # its only clue


def test_novelty_is_the_mean_distance_to_the_storytellers_other_clues(rounds, toy_deck):
    clues = ["0", "60", "90", "0"]
    told = [replace(played, clue=clue) for played, clue in zip(rounds[:4], clues, strict=True)]
    tellers = [played.players[played.storyteller] for played in told]
    assert tellers == ["a", "a", "b", "b"]
    cards = captioned(toy_deck, {card.id: "0" for card in toy_deck})
    # a: 1 - cos 60 = 0.5 from one to the other; b: 1 - cos 90 = 1.
    assert measure(told, cards, Axes())["novelty"].tolist() == pytest.approx([0.5, 0.5, 1, 1])


def test_void_rounds_have_no_meaning(toy_deck, scripted):
    silent = scripted("a", {"tell": Move(status="refused")})
    cards = captioned(toy_deck, {"000": "1"})
    frame = measure(play_match(silent, silent, toy_deck), cards, Axes())
    assert frame.empty and "similarity" in frame and "leaks" in frame
