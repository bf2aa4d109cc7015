"""Small pictures, a chooser that knows the right words, and how refusals are read."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from dixitlib.bench.formats.rows import FormatError
from dixitlib.records import Move


class Knower:
    """A chooser that takes the first option whose words it knows to be right, else the first."""

    name = "knower"

    def __init__(self, *right: str) -> None:
        self.right, self.asked = right, []

    def choose(self, clue, candidates, rng):
        captions = [card.caption for card in candidates]
        self.asked.append((clue, captions))
        known = [place for place, caption in enumerate(captions) if caption in self.right]
        return Move(choice=known[0] if known else 0)

    def rate(self, clue, card, rng):
        return Move(rating=100.0 if card.caption in self.right else 0.0)


@pytest.fixture
def knower() -> type[Knower]:
    return Knower


@pytest.fixture
def png() -> Callable[..., bytes]:
    def encode(colour: str, size: tuple[int, int] = (40, 30)) -> bytes:
        picture, file = Image.new("RGB", size, colour), io.BytesIO()
        noise = np.random.default_rng(0).integers(0, 256, (8, 8, 3), dtype=np.uint8)
        picture.paste(Image.fromarray(noise), (size[0] - 8, size[1] - 8))
        picture.save(file, "PNG")  # with its noise it is longer than a reference may be
        return file.getvalue()

    return encode


@pytest.fixture
def base64_png(png) -> Callable[..., str]:
    return lambda *about: base64.b64encode(png(*about)).decode()


@pytest.fixture
def refusal() -> Callable[..., list[str]]:
    """Return what a loader says is wrong, one fault a line."""

    def faults(load, *given, **named) -> list[str]:
        with pytest.raises(FormatError) as caught:
            load(*given, **named)
        first, *found = str(caught.value).splitlines()
        assert str(given[0]) in first
        return [fault.removeprefix("- ") for fault in found]

    return faults
