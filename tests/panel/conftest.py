"""A question of three plain cards, and speakers that say what they were told to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from dixitlib.models.base import Scripted
from dixitlib.panel.agents import Speaker
from dixitlib.panel.said import Question
from dixitlib.records import Card


@pytest.fixture
def question(toy_deck: Sequence[Card]) -> Question:
    return Question("hush", dict(zip("ABC", toy_deck, strict=False)))


@pytest.fixture
def speaker() -> Callable[..., Speaker]:
    """Make a speaker by its name and what it will say."""
    return lambda name, *script: Speaker(name, f"You are {name}.", Scripted(script, name))


@pytest.fixture
def saw() -> Callable[[Speaker, int], str]:
    """Tell all words that a speaker was shown in one of its turns, persona left out."""

    def words(speaker: Speaker, turn: int) -> str:
        _, user = speaker.model.calls[turn]
        return "\n".join(part for part in user.parts if isinstance(part, str))

    return words


@pytest.fixture
def votes() -> Callable[[str, str], str]:
    """Write words that end in a choice."""
    return lambda words, label: f"{words} {json.dumps({'choice': label})}"
