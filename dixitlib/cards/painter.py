"""From a scene to a card: one SVG picture, rendered, then finished as if with a brush."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import resvg_py
from PIL import Image

from dixitlib.cards import finish, frame, landscapes, sky, twists
from dixitlib.cards.canvas import HEIGHT, LAYERS, WIDTH, Canvas, canvas_for
from dixitlib.cards.scenes import Scene


def svg(scene: Scene, width: int = WIDTH) -> str:
    """Return a scene as one SVG picture.

    Parameters
    ----------
    scene
        What to paint.
    width
        Pixels for which it is meant: what would not show is left out.
    """
    canvas = canvas_for(scene, width)
    sky.paint(canvas)
    landscapes.paint(canvas)
    twists.paint(canvas)
    frame.paint(canvas)
    return _assembled(canvas, width)


def _assembled(canvas: Canvas, width: int) -> str:
    body = "".join(element for name in LAYERS for element in canvas.layers[name])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{width}" height="{width * 3 // 2}"><defs>{"".join(canvas.defs)}</defs>{body}</svg>'
    )


def paint(scene: Scene, width: int = WIDTH) -> Image.Image:
    """Paint a scene.

    Parameters
    ----------
    scene
        What to paint.
    width
        Pixels across; an even number. The card is half as high again.

    Returns
    -------
    PIL.Image.Image
        RGB, the same pixels every time.
    """
    png = resvg_py.svg_to_bytes(svg_string=svg(scene, width), width=width, skip_system_fonts=True)
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return finish.finish(picture)


def painted(them: Sequence[Scene], width: int) -> np.ndarray:
    """Paint scenes as small as eyes see them: uint8, shape (n, height, width, 3)."""
    return np.stack([np.asarray(paint(scene, width)) for scene in them])
