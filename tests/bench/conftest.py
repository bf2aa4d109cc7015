"""An encoder without a model: fast, and known by construction."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np
import pytest

from dixitlib.bench.build import blocks, build


@dataclass
class FakeEncoder:
    """A text's vector is given, or drawn from a generator seeded with the text.

    Drawn vectors share one of a few themes, so that neighbours are mutual as in a real deck.
    """

    given: dict[str, np.ndarray] = field(default_factory=dict)

    def encode(self, texts):
        return np.array([self.given.get(text, self._drawn(text)) for text in texts])

    def _drawn(self, text):
        rng = np.random.default_rng(zlib.crc32(text.encode()))
        theme = np.random.default_rng(rng.integers(12)).normal(size=32)
        vector = 0.8 * theme + rng.normal(size=32)
        return vector / np.linalg.norm(vector)


@pytest.fixture
def encoder():
    return FakeEncoder()


@pytest.fixture
def deck(toy_deck):
    return list(toy_deck)


@pytest.fixture
def clues(deck):
    return _clues(deck)


@pytest.fixture(scope="session")
def tiered(toy_deck):
    return build(toy_deck, _clues(toy_deck), encoder=FakeEncoder())


@pytest.fixture(scope="session")
def block_items(toy_deck):
    return blocks(toy_deck, _clues(toy_deck), encoder=FakeEncoder())


@pytest.fixture(scope="session")
def items(tiered, block_items):
    return tiered + block_items


def _clues(deck):
    return {card.id: f"clue of {card.id}" for card in deck}
