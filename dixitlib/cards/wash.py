"""The underpainting: the sky's colours, glow, clouds and northern lights, in one raster.

It is soft all over, so a small raster holds it; the crisp things of the sky are drawn on
top of it as vectors.
"""

from __future__ import annotations

import numpy as np

from dixitlib.cards.canvas import HEIGHT, WIDTH, Canvas
from dixitlib.cards.noise import Field, address, fractal
from dixitlib.cards.palettes import mix, rgb

ROWS, COLUMNS = 180, 120
_UNIT = HEIGHT / ROWS
_BELOW = 130


def image(canvas: Canvas) -> str:
    """Return the whole sky as one SVG image element."""
    sky = _gradient(canvas)
    sky = _blend(
        sky, canvas.palette.glow, _glow(canvas, 330) * (0.5 if canvas.palette.dark else 0.8)
    )
    for effect in canvas.palette.weather:
        if effect in _EFFECTS:
            sky = _EFFECTS[effect](canvas, sky)
    sky = _clouds(canvas, sky)
    rows = min(int((canvas.horizon + _BELOW) / _UNIT), ROWS)  # the rest is behind the land
    step = 1 if canvas.fine else 2
    return (
        f'<image href="{address(sky[:rows:step, ::step])}" x="-5" y="-5" width="{WIDTH + 10}" '
        f'height="{rows * _UNIT:.0f}" '
        'preserveAspectRatio="none" style="image-rendering:smooth"/>'
    )


def _colour(colour: str) -> Field:
    return np.array(rgb(colour), np.float32)


def _blend(under: Field, colour: str | Field, share: Field) -> Field:
    over = _colour(colour) if isinstance(colour, str) else colour
    return under + (over - under) * np.clip(share, 0, 1)[..., None]


def _gradient(canvas: Canvas) -> Field:
    top, middle, low = (_colour(c) for c in canvas.palette.sky)
    marks = np.array([0, 0.55, 1.0]) * canvas.horizon / _UNIT
    rows = np.arange(ROWS)
    channels = [np.interp(rows, marks, [top[k], middle[k], low[k]]) for k in range(3)]
    column = np.stack(channels, -1).astype(np.float32)
    return np.repeat(column[:, None], COLUMNS, 1)


def _glow(canvas: Canvas, reach: float) -> Field:
    y, x = np.mgrid[:ROWS, :COLUMNS].astype(np.float32) * np.float32(_UNIT)
    away = np.hypot(x - canvas.light[0], y - canvas.light[1]) / reach
    return 1 / (1 + (2.2 * away) ** 2) - 0.06


def _clouds(canvas: Canvas, sky: Field) -> Field:
    """Heap up clouds, lit from where the light stands, thinning at the horizon."""
    p, rows = canvas.palette, int(canvas.horizon / _UNIT) + 12
    cells = (canvas.between(3, 6), canvas.between(1.2, 2.6))
    dense = fractal(canvas.rng, (rows, COLUMNS), cells, 5)
    edge = np.quantile(dense, 1 - canvas.between(0.28, 0.55))
    side = 1 if canvas.light[0] > WIDTH / 2 else -1
    light = np.clip(0.5 + (dense - np.roll(dense, (4, -3 * side), (0, 1))) * 3, 0, 1)[..., None]
    lit = _colour(mix(p.sky[2], p.glow, 0.6))
    shaded = _colour(mix(p.sky[1], p.sky[0], 0.35))
    fade = np.clip((rows - np.arange(rows)) / 26, 0, 1)[:, None]
    share = np.clip((dense - edge) / 0.26, 0, 1) ** 0.8 * fade * (0.72 if p.dark else 0.88)
    sky[:rows] = _blend(sky[:rows], light * lit + (1 - light) * shaded, share)
    return sky


def _aurora(canvas: Canvas, sky: Field) -> Field:
    """Hang curtains of light, each brightest at its wavy hem and fading upward."""
    rows = np.arange(ROWS, dtype=np.float32)[:, None]
    total = np.zeros((ROWS, COLUMNS), np.float32)
    for curtain in range(3):
        wave = fractal(canvas.rng, (4, COLUMNS), (2, 2.5), 3)[1]
        folds = fractal(canvas.rng, (4, COLUMNS), (2, 14), 3)[1]
        above = 34 + 20 * curtain + (wave - 0.5) * 46 - rows
        total += (
            np.where(above > 0, np.exp(-np.abs(above) / 24), np.exp(-np.abs(above) / 2.5)) * folds
        )
    share = np.clip(1 - rows / 62, 0, 1)[..., None]
    hue = _colour("#7dffb8") * (1 - share) + _colour(canvas.palette.accent) * share
    return _blend(sky, np.broadcast_to(hue, sky.shape), total * 0.85)


def _milky_way(canvas: Canvas, sky: Field) -> Field:
    dense = fractal(canvas.rng, (ROWS, COLUMNS), (7, 5))
    y, x = np.mgrid[:ROWS, :COLUMNS].astype(np.float32)
    across = (x - 60) * 0.75 + canvas.side * (y - 55) * 0.66
    band = np.exp(-((across / 17) ** 2)) * np.clip(1.5 * dense - 0.3, 0, 1)
    return _blend(sky, mix(canvas.palette.glow, canvas.palette.sky[2], 0.35), band * 0.65)


def _rays(canvas: Canvas, sky: Field) -> Field:
    """Fan broad beams out of the light."""
    y, x = np.mgrid[:ROWS, :COLUMNS].astype(np.float32) * np.float32(_UNIT)
    angle = np.arctan2(y - canvas.light[1], x - canvas.light[0])
    phase = canvas.between(0, 6)
    fan = np.clip(np.sin(angle * 9 + phase) + 0.6 * np.sin(angle * 17 + 2 * phase), 0, 2)
    return _blend(sky, canvas.palette.glow, fan * _glow(canvas, 560) * 0.34)


_EFFECTS = {"aurora": _aurora, "milky way": _milky_way, "beams": _rays}
