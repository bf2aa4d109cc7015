"""Looking at cards part by part: whole, in close-up, or with a patch hidden; each look once.

A card is kept at three times the size that the network sees, so that a close-up of half
its width shows what a glimpse of the whole can't. Vectors are kept by the card's hash and
the view. Whoever looks names its looks, and the budget of an answer is the number of
different ones: what is encoded twice for one question is encoded once, but what an earlier
question left behind is no saving, or budgets would depend on the order of the questions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from dixitlib.models.glimpse import HEIGHT, WIDTH, Glimpse, shrunk
from dixitlib.models.sentences import Encoder
from dixitlib.records import Card, Region
from dixitlib.seeds import place

DECIMALS = 6
WHOLE: Region = (0.0, 0.0, 1.0, 1.0)
KEPT = 3  # times the network's size at which cards are kept
COLUMNS, ROWS = 3, 4
SPAN = 0.5  # of the card's width and height, that a close-up shows
JITTER = 0.08  # of the card's width and height, that another glance may miss at an edge

PATCHES: tuple[Region, ...] = tuple(
    (column / COLUMNS, row / ROWS, (column + 1) / COLUMNS, (row + 1) / ROWS)
    for row in range(ROWS)
    for column in range(COLUMNS)
)
"""The windows that occlusion hides one by one."""


class View(NamedTuple):
    """What is looked at: a part of a card, in a mirror or not, a patch of it hidden or not.

    A tuple, since whatever was seen is found by it, millions of times a run.
    """

    region: Region = WHOLE
    mirrored: bool = False
    hidden: Region | None = None


OCCLUSIONS: tuple[View, ...] = tuple(View(hidden=patch) for patch in PATCHES)
"""The whole card, with each of these patches hidden."""


@cache
def glance(repeat: int) -> View:
    """Return one sample of a look at a whole card; sample 0 is the card as it is.

    Others miss up to 8% at each edge, and half of them are in a mirror, which no caption of
    the training minds.
    """
    if repeat == 0:
        return View()
    rng = place(0, "glance", repeat)
    left, top, right, bottom = (round(float(x), 4) for x in rng.uniform(0, JITTER, 4))
    return View((left, top, 1 - right, 1 - bottom), bool(rng.integers(2)))


@cache
def close_up(region: Region) -> View:
    """Return a view of half the card's width and height around a region, within the card."""
    left = min(max((region[0] + region[2] - SPAN) / 2, 0.0), 1 - SPAN)
    top = min(max((region[1] + region[3] - SPAN) / 2, 0.0), 1 - SPAN)
    return View((left, top, left + SPAN, top + SPAN))


class Prints:
    """Cards as pixels, each view made once; several eyes may share them."""

    def __init__(self) -> None:
        self._cards: dict[str, Image.Image] = {}
        self._made: dict[tuple[str, View], np.ndarray] = {}

    def pixels(self, card: Card, view: View) -> np.ndarray:
        """Return a view at the size the network sees, shape (144, 96, 3)."""
        if view.hidden is not None:
            return covered(self.pixels(card, view._replace(hidden=None)), view.hidden)
        if (card.sha256, view) not in self._made:
            self._made[card.sha256, view] = cut(self._card(card), view)
        return self._made[card.sha256, view]

    def _card(self, card: Card) -> Image.Image:
        if card.sha256 not in self._cards:
            size = KEPT * WIDTH, KEPT * HEIGHT
            self._cards[card.sha256] = card.image().resize(size, Image.Resampling.LANCZOS)
        return self._cards[card.sha256]


class Sight:
    """Eyes that read, with a memory for what they saw and read.

    Parameters
    ----------
    eyes
        What encodes pixels, and reads sentences into the same space.
    encoder
        What turns texts into sentence vectors.
    prints
        Where cards' pixels come from.
    """

    def __init__(self, eyes: Glimpse, encoder: Encoder, prints: Prints | None = None) -> None:
        self._eyes, self._encoder, self._prints = eyes, encoder, prints or Prints()
        self._seen: dict[tuple[str, View], np.ndarray] = {}
        self._read: dict[str, np.ndarray] = {}
        self._means: dict[tuple[str, tuple[View, ...]], np.ndarray] = {}
        self._explained: dict[tuple[str, tuple[str, ...]], float] = {}

    def see(self, looks: Sequence[tuple[Card, View]]) -> np.ndarray:
        """Return one unit vector a look, shape (n, 384), those that are new encoded together."""
        keys = [(card.sha256, view) for card, view in looks]
        new = {key: look for key, look in zip(keys, looks, strict=True) if key not in self._seen}
        if new:
            pixels = np.stack([self._prints.pixels(*look) for look in new.values()])
            self._seen.update(zip(new, self._eyes.encode(pixels), strict=True))
        return np.array([self._seen[key] for key in keys])

    def looks(self, card: Card, views: Iterable[View]) -> frozenset[Hashable]:
        """Return the names of looks at a card; the same look of the same eyes has one name."""
        return frozenset((id(self._eyes), card.sha256, view) for view in views)

    def read(self, texts: Sequence[str]) -> np.ndarray:
        """Return each text as a direction, shape (n, 384)."""
        new = [text for text in dict.fromkeys(texts) if text not in self._read]
        if new:
            self._read.update(zip(new, self._eyes.read(self._encoder.encode(new)), strict=True))
        return np.stack([self._read[text] for text in texts])

    def likeness(self, text: str, looks: Sequence[tuple[Card, tuple[View, ...]]]) -> np.ndarray:
        """Return the cosine of a text with the mean of what some views of each card show, (n,)."""
        return np.round(self._mean(looks) @ self.read([text])[0], DECIMALS)

    def _mean(self, looks: Sequence[tuple[Card, tuple[View, ...]]]) -> np.ndarray:
        """Return the direction of what some views of each card show, shape (n, 384)."""
        keys = [(card.sha256, views) for card, views in looks]
        new = {key: look for key, look in zip(keys, looks, strict=True) if key not in self._means}
        self.see([(card, view) for card, views in new.values() for view in views])  # together
        for key, (card, views) in new.items():
            mean = self.see([(card, view) for view in views]).mean(axis=0)
            self._means[key] = mean / np.linalg.norm(mean)
        return np.stack([self._means[key] for key in keys])

    def explained(self, text: str, others: tuple[str, ...]) -> float:
        """Return the squared length of a text's projection on the span of others, 0 to 1."""
        if (text, others) not in self._explained:
            meant, claims = self.read([text])[0], self.read(others)
            weights, *_ = np.linalg.lstsq(claims.T, meant, rcond=None)
            share = float(meant @ claims.T @ weights)
            self._explained[text, others] = round(share, DECIMALS)
        return self._explained[text, others]

    def region(self, card: Card, text: str) -> Region:
        """Return the patch without which a card is least like a text; all `PATCHES` are tried."""
        hidden = self.see([(card, view) for view in OCCLUSIONS])
        return PATCHES[int(np.argmin(np.round(hidden @ self.read([text])[0], DECIMALS)))]


def cut(picture: Image.Image, view: View) -> np.ndarray:
    """Return the pixels of a part of a picture at the size the network sees."""
    part = picture if view.region == WHOLE else picture.crop(_box(view.region, picture.size))
    return shrunk(ImageOps.mirror(part) if view.mirrored else part)


def covered(pixels: np.ndarray, patch: Region) -> np.ndarray:
    """Return pixels with a patch in their mean colour."""
    left, top, right, bottom = _box(patch, (WIDTH, HEIGHT))
    hidden = pixels.copy()
    hidden[top:bottom, left:right] = pixels.mean(axis=(0, 1)).round()
    return hidden


def _box(region: Region, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return a region in whole pixels."""
    width, height = size
    left, top, right, bottom = region
    return round(left * width), round(top * height), round(right * width), round(bottom * height)
