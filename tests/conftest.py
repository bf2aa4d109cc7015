"""A deck of plain colours and a player that does as it is told, for every test."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from PIL import Image

from dixitlib.records import Card, Move

# No test is timed: how fast a busy machine draws examples says nothing of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, or one process would wait for another at the end."""
    marks = {item: item.get_closest_marker("takes") for item in items}
    items.sort(key=lambda item: -marks[item].args[0] if marks[item] else 0)


@pytest.fixture(scope="module", autouse=True)
def quiet_afterwards() -> Iterator[None]:
    """Refuse threads that compute on when the tests of a file are done: they slow down the rest."""
    yield
    tries = 100  # what is closed takes a moment to end
    if all(_someone_computes() for _ in range(tries)):
        stacks = (traceback.format_stack(frame)[-3:] for frame in sys._current_frames().values())
        pytest.fail("A thread goes on:\n\n" + "\n".join("".join(stack) for stack in stacks))


def _someone_computes(seconds: float = 0.02) -> bool:
    """Tell whether this process needs more than half a processor while it sleeps."""
    begun = time.process_time()
    time.sleep(seconds)
    return time.process_time() - begun > seconds / 2


@dataclass
class Scripted:
    """A player that draws at random, or gives the same move whenever asked for a step.

    `calls` keeps what it was shown: (step, clue, cards).
    """

    name: str
    moves: Mapping[str, Move] = field(default_factory=dict)
    calls: list[tuple[str, str | None, tuple[Card, ...]]] = field(default_factory=list)

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._move("tell", None, hand, rng)

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._move("submit", clue, hand, rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._move("vote", clue, candidates, rng)

    def _move(
        self, step: str, clue: str | None, cards: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        self.calls.append((step, clue, tuple(cards)))
        if step in self.moves:
            return self.moves[step]
        words = f"a dream of {rng.integers(1000)}" if step == "tell" else None
        return Move(choice=int(rng.integers(len(cards))), clue=words)


def plain_card(number: int) -> Card:
    """Return a card of one colour, far from its neighbours', for a number below 256."""
    colour = tuple(number * step % 256 for step in (37, 101, 173))
    return Card(
        id=f"{number:03d}",
        load=partial(Image.new, "RGB", (96, 144), colour),
        sha256=f"{number:064x}",
        caption=f"a plain card of colour {number}",
    )


@pytest.fixture(scope="session")
def toy_deck() -> list[Card]:
    """84 plain cards, without any file."""
    return [plain_card(number) for number in range(84)]


@pytest.fixture(scope="session")
def scripted() -> type[Scripted]:
    """Give the class `Scripted` to tests, which can't import this file."""
    return Scripted
