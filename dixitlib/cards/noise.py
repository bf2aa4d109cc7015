"""Fractal noise: the clouds, the ground's mottling, the brush.

Everything irregular on a card that is not a line comes from here, made small with numpy
and enlarged, since an SVG turbulence filter would take a second a card.
"""

from __future__ import annotations

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dixitlib.cards.palettes import rgb

Field = NDArray[np.float32]


def fractal(
    rng: np.random.Generator,
    shape: tuple[int, int],
    cells: tuple[float, float],
    octaves: int = 4,
) -> Field:
    """Return smooth noise in 0..1.

    Parameters
    ----------
    rng
        Where the randomness comes from.
    shape
        Rows and columns.
    cells
        How many blobs of the coarsest octave fit down and across.
    octaves
        Each is twice as fine and half as strong as the one before.
    """
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        rows, columns = (max(2, round(c * 2**octave) + 1) for c in cells)
        coarse = rng.random((min(rows, shape[0]), min(columns, shape[1])), np.float32)
        size = (shape[1], shape[0])
        fine = Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)
        total += np.asarray(fine) / 2**octave
    low, high = float(total.min()), float(total.max())
    return (total - low) / max(high - low, 1e-6)


def mottling(rng: np.random.Generator, lit: str, dark: str, cells: tuple[float, float]) -> str:
    """Return patches of two colours, of varying strength, as a PNG data address."""
    noise = (fractal(rng, (48, 48), cells, 3) - 0.5)[..., None]
    colour = np.where(noise > 0, np.array(rgb(lit), np.float32), np.array(rgb(dark), np.float32))
    return address(np.dstack([colour, np.clip(np.abs(noise) * 330, 0, 115)]))


def address(pixels: NDArray[np.floating]) -> str:
    """Return RGB or RGBA pixels as a PNG data address."""
    file = io.BytesIO()
    whole = np.round(np.clip(pixels, 0, 255)).astype(np.uint8)
    Image.fromarray(whole).save(file, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
