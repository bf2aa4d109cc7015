"""Ranks and centrality worked by hand on four cards."""

from __future__ import annotations

import numpy as np
import pytest

from dixitlib.bench import nearness
from dixitlib.bench.nearness import measure, profile
from dixitlib.records import Item

# Four pictures at 0, 60, 60 and 90 degrees.
ANGLES = np.radians([0, 60, 60, 90])
VISION = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]) * 3  # length does not matter


@pytest.fixture
def near(encoder, deck, clues):
    return measure(deck[:4], clues, basis="image", vision=VISION, encoder=encoder)


def test_cosines_are_those_of_the_angles(near):
    assert near.cosine[0].tolist() == [1.0, 0.5, 0.5, 0.0]
    assert near.twins.tolist() == np.eye(4, dtype=bool).tolist()


def test_profile_gives_rank_and_centrality(near):
    cards = tuple(near.cards)
    frame = profile([Item("i", "hard", "clue", cards[0], cards)], near)
    assert frame["rank"].tolist() == [0, 1, 1, 3]  # equal cosines share the better rank
    assert frame["similarity"].tolist() == [1.0, 0.5, 0.5, 0.0]
    # Card 0: (0.5 + 0.5 + 0) / 3; card 1: (0.5 + 1 + cos 30) / 3; card 3: (0 + 2 cos 30) / 3.
    expected = [1 / 3, 2.366025 / 3, 2.366025 / 3, 1.732051 / 3]
    assert frame["centrality"].tolist() == pytest.approx(expected, abs=1e-6)
    assert frame["target"].tolist() == [True, False, False, False]


def test_the_default_encoder_is_the_projects(monkeypatch, deck, clues, encoder):
    monkeypatch.setattr(nearness, "default_encoder", lambda: encoder)
    assert np.array_equal(measure(deck, clues).cosine, measure(deck, clues, encoder=encoder).cosine)
