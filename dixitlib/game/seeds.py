"""The random generators of the arena, one for every place in a tournament.

Every (match, phase, round, seat, step) has a generator of its own, derived from the one
seed, so a player that draws more numbers disturbs nobody else's (see `dixitlib.seeds`).
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.random.bit_generator import ISeedSequence

from dixitlib.game.rules import ROUNDS, SEATS

Step = Literal["tell", "submit", "vote"]
STEPS: tuple[Step, ...] = ("tell", "submit", "vote")
_SEED_WORDS = 4
"""64-bit words that seed a PCG64."""


class PhasePlaces:
    """The generators of one phase of a match.

    One seed sequence, of (seed, match, phase), gives a table of seed words, and each
    place reads its own four. A seed sequence for every place would say the same at ten
    times the cost. The generators can't be spawned from.
    """

    def __init__(self, seed: int, match: int, phase: int) -> None:
        shape = (ROUNDS, len(SEATS), len(STEPS), _SEED_WORDS)
        source = PCG64(SeedSequence(seed, spawn_key=(match, phase)))
        self._words = source.random_raw(math.prod(shape)).reshape(shape)

    def generator(self, round: int, seat: int, step: Step) -> Generator:
        """Return the generator of a step, new at every call (rounds count from 1)."""
        return Generator(PCG64(_Drawn(self._words[round - 1, seat, STEPS.index(step)])))


class _Drawn(ISeedSequence):
    """A seed whose words are drawn already: the four of 64 bits that PCG64 asks for."""

    def __init__(self, words: np.ndarray) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: type = np.uint32) -> np.ndarray:
        return self._words
