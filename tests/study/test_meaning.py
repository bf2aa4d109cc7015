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


def test_similarity_and_margin_are_cosines_to_the_captions(rounds):
    played = rounds[0]
    captions = dict.fromkeys(played.submissions, "150")
    nearest = next(card for card in played.submissions if card != played.target)
    captions |= {played.target: "90", nearest: "0"}
    frame = measure([played], captions, Axes())
    # cos 30 = 0.866025 to the target; cos 60 = 0.5 to the nearest distractor, others 0.
    assert frame.loc[0, ["similarity", "nearest", "margin", "words"]].tolist() == pytest.approx(
        [0.866025, 0.5, 0.366025, 1]
    )
    assert frame.loc[0, ["match", "phase", "round"]].tolist() == [0, 1, 1]


def test_void_rounds_have_no_meaning(toy_deck, scripted):
    silent = scripted("a", {"tell": Move(status="refused")})
    frame = measure(play_match(silent, silent, toy_deck), {"000": "1"}, Axes())
    assert frame.empty and "similarity" in frame
