"""The one form in which pictures are shown: upright, RGB, on white.

Image files come in many modes, turned on their side by a camera, see-through, animated.
People and models must see the same thing, so everything is brought to one form here, and
a picture's identity is the hash of its pixels in that form.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import IO

import numpy as np
from PIL import Image, ImageOps

WHITES = (1, 255, 2**16 - 1, 2**32 - 1)


def normalised(path: str | Path | IO[bytes]) -> Image.Image:
    """Decode one file to the form in which cards are shown; see `upright_rgb`.

    Raises
    ------
    PIL.Image.DecompressionBombError
        If it has more pixels than `PIL.Image.MAX_IMAGE_PIXELS`.
    Exception
        Whatever else Pillow raises for a file that it can't decode.
    """
    with Image.open(path) as image:
        limit, pixels = Image.MAX_IMAGE_PIXELS, image.width * image.height
        if limit and pixels > limit:
            raise Image.DecompressionBombError(f"{pixels} pixels, more than {limit}")
        return upright_rgb(image)


def upright_rgb(image: Image.Image) -> Image.Image:
    """Return an upright RGB copy: the first frame, turned by EXIF, transparency on white.

    Grey of more than 8 bits is scaled, not clipped: white is 65,535 where the mode says
    so, else the smallest of 1, 255, 65,535 and 2^32 - 1 that no pixel exceeds.
    """
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith(("I", "F")):
        upright = _eight_bits(upright)
    if upright.mode == "La":  # Pillow knows no way from here but this
        upright = upright.convert("LA")
    if not upright.has_transparency_data:
        return upright.convert("RGB")
    rgba = upright.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    brightest = values.max()
    whites = WHITES[2:] if image.mode.startswith("I;16") else WHITES
    white = next((white for white in whites if brightest <= white), brightest)
    grey = Image.fromarray(np.rint(np.clip(values / white, 0, 1) * 255).astype(np.uint8))
    if "transparency" in image.info:
        grey.putalpha(Image.fromarray(values != image.info["transparency"]).convert("L"))
    return grey


def pixel_hash(image: Image.Image) -> str:
    """Return the SHA-256 of a picture's size and bytes."""
    return hashlib.sha256(f"{image.width}x{image.height}:".encode() + image.tobytes()).hexdigest()
