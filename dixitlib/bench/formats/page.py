"""A page of pictures and words, one below the other: what an option looks like.

The font holds Latin, Greek and Cyrillic letters and the signs of mathematics. Letters of
other scripts show as boxes; whoever needs them reads the card's caption.
"""

from __future__ import annotations

import functools
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

NARROWEST = 320  # pixels; below it words would not be legible
LETTERS_A_LINE = 44
FONT = Path(
    "fonts", "ttf", "DejaVuSans.ttf"
)  # ships with matplotlib; Latin, Greek, Cyrillic, signs


def stacked(parts: Sequence[Image.Image | str]) -> Image.Image:
    """Return pictures at full size, in the middle, and words in black, all on white."""
    pictures = [part for part in parts if isinstance(part, Image.Image)]
    width = max(NARROWEST, *(picture.width for picture in pictures))
    strips = [_written(part, width) if isinstance(part, str) else part for part in parts]
    page = Image.new("RGB", (width, sum(strip.height for strip in strips)), "white")
    top = 0
    for strip in strips:
        page.paste(strip, ((width - strip.width) // 2, top))
        top += strip.height
    return page


def grid(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one size in rows, in reading order, as square as can be."""
    columns = math.ceil(math.sqrt(len(pictures)))
    across, down = pictures[0].size
    page = Image.new("RGB", (columns * across, math.ceil(len(pictures) / columns) * down), "white")
    for place, picture in enumerate(pictures):
        row, column = divmod(place, columns)
        page.paste(picture, (column * across, row * down))
    return page


def _written(text: str, width: int) -> Image.Image:
    """Return a strip of the width given with the words on it, in lines."""
    size = round(1.6 * width / LETTERS_A_LINE)
    broken = [textwrap.wrap(line, LETTERS_A_LINE) or [""] for line in text.splitlines()]
    lines = "\n".join(line for group in broken for line in group)
    font, margin = _font(size), size // 2
    *_, right, bottom = ImageDraw.Draw(Image.new("RGB", (1, 1))).multiline_textbbox(
        (margin, margin), lines, font=font
    )
    strip = Image.new("RGB", (max(width, math.ceil(right)), math.ceil(bottom) + margin), "white")
    ImageDraw.Draw(strip).multiline_text((margin, margin), lines, fill="black", font=font)
    return strip.resize((width, strip.height)) if strip.width > width else strip


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / FONT, size)
