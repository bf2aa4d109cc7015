"""The last hour of a painting: brush strokes, uneven edges, grain and a darkened rim.

The strokes come from a Kuwahara filter, which replaces each pixel by the mean of the
calmest of four windows that touch it: flat colour with a little noise breaks into dabs.
All of it is done in whole numbers, so that machines agree to the last bit.

Reference
---------
M. Kuwahara et al. (1976), in Digital Processing of Biomedical Images, 187-203.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dixitlib.cards.noise import fractal

BRUSH = 3  # side of a window at full size, in pixels
FINE = 240  # narrower cards show no strokes
FULL = 600

Planes = NDArray[np.int32]  # whole numbers, (channel,) row, column


def finish(picture: Image.Image) -> Image.Image:
    """Return the picture as if painted by hand on paper."""
    planes = np.moveaxis(np.asarray(picture, np.int32), 2, 0)
    if picture.width >= FINE:
        planes = _dabs(_uneven(planes), max(2, round(BRUSH * picture.width / FULL)))
        planes += _canvas_grain(picture.size)
    planes = (planes * _rim(picture.size)) >> 8
    return Image.fromarray(np.moveaxis(np.clip(planes, 0, 255).astype(np.uint8), 0, 2).copy())


def _uneven(planes: Planes) -> Planes:
    """Shift pixels a little along a smooth field, and vary their colour in streaks."""
    moved, streaks = _fields((planes.shape[2], planes.shape[1]))
    return np.clip(planes.reshape(3, -1)[:, moved] + streaks, 0, 255)


@cache
def _fields(size: tuple[int, int]) -> tuple[Planes, Planes]:
    width, height = size
    rng = np.random.default_rng(1976)
    reach = 4 * width / FULL
    y, x = np.mgrid[:height, :width]
    rows, columns = (
        np.round((fractal(rng, (height, width), (60, 40), 2) - 0.5) * reach).astype(np.int32)
        for _ in range(2)
    )
    shared = _streaks(rng, size)
    streaks = [0.8 * shared + 0.3 * _streaks(rng, size) for _ in range(3)]
    rows, columns = np.clip(y + rows, 0, height - 1), np.clip(x + columns, 0, width - 1)
    return rows * width + columns, np.round(np.stack(streaks)).astype(np.int32)


def _streaks(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """Noise drawn out along a slant, as a flat brush leaves it; about -9 to 9."""
    width, height = size
    long = fractal(rng, (height, width), (150, 34), 2)
    tall = fractal(rng, (height, width), (50, 100), 2)
    patch = fractal(rng, (height, width), (6, 4), 2) > 0.5
    return (np.where(patch, long, tall) - 0.5) * 24


def _dabs(planes: Planes, side: int) -> Planes:
    """Apply a Kuwahara filter with four windows of the given side."""
    red, green, blue = planes
    grey = (2 * red + 5 * green + blue) >> 3
    stack = np.stack([red, green, blue, grey, grey * grey])
    reach = side - 1
    sums = _box(np.pad(stack, ((0, 0), (reach, reach), (reach, reach)), mode="edge"), side)
    restless = sums[4] * side**2 - sums[3] ** 2
    height, width = grey.shape
    corners = [np.s_[y : y + height, x : x + width] for y in (0, reach) for x in (0, reach)]
    best, calmest = sums[:3, *corners[0]].copy(), restless[corners[0]].copy()
    for corner in corners[1:]:
        calmer = restless[corner] < calmest
        np.copyto(best, sums[:3, *corner], where=calmer)
        np.copyto(calmest, restless[corner], where=calmer)
    return best // side**2


def _box(stack: Planes, side: int) -> Planes:
    """Return sums over every window of side x side."""
    height, width = stack.shape[1] - side + 1, stack.shape[2] - side + 1
    down = sum((stack[:, k : k + height] for k in range(1, side)), start=stack[:, :height])
    return sum((down[..., k : k + width] for k in range(1, side)), start=down[..., :width])


@cache
def _canvas_grain(size: tuple[int, int]) -> Planes:
    """Woven threads and speckle of the paper, about -5 to 5."""
    width, height = size
    rng = np.random.default_rng(14)
    speckle = rng.integers(-3, 4, (height, width))
    weave = np.round((fractal(rng, (height, width), (220, 150), 1) - 0.5) * 9)
    return (speckle + weave).astype(np.int32)


@cache
def _rim(size: tuple[int, int]) -> Planes:
    """Brightness in 256ths: full in the middle and on the frame, less toward the edges."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    u, v = (x + 0.5) / width * 2 - 1, (y + 0.5) / height * 2 - 1
    away = np.clip(u**2 * 0.8 + v**2 * 0.9 - 0.55, 0, None)
    edge, corner = 17 * width / FULL, 30 * width / FULL
    dx = np.clip(np.abs(x + 0.5 - width / 2) - (width / 2 - edge - corner), 0, None)
    dy = np.clip(np.abs(y + 0.5 - height / 2) - (height / 2 - edge - corner), 0, None)
    framed = dx**2 + dy**2 > corner**2  # outside a rounded opening
    return np.round(256 * np.where(framed, 1, 1 - 0.42 * away / (away + 0.55))).astype(np.int32)
