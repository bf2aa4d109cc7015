"""The filter that gives a flat drawing a lit and a dark side."""

from __future__ import annotations

from dixitlib.cards.palettes import Palette, mix
from dixitlib.cards.strokes import Point

HALO = 240  # larger drawings part from the ground well enough by themselves
REGION = 'x="-0.06" y="-0.06" width="1.12" height="1.12" color-interpolation-filters="sRGB"'


def steps(palette: Palette, size: float, lean: Point, fine: bool) -> str:
    """Return filter steps: a dark side, a lit rim and a soft halo behind.

    Parameters
    ----------
    palette
        Gives the colours of light and dark.
    size
        Longer side of the drawing.
    lean
        Direction of the light, of length 1 or less.
    fine
        Whether the halo would show.
    """
    x, y = lean[0] * size, lean[1] * size
    dark = _inner("dark", palette.ink, 0.55, x * 0.09, y * 0.09, size * 0.06)
    rim = _inner("rim", palette.glow, 0.85, -x * 0.022, -y * 0.022, size * 0.01)
    # By night a faint light behind a drawing parts it from the dark; by day, a shadow.
    halo = mix(palette.sky[2], palette.glow, 0.4) if palette.dark else palette.ink
    drop = (
        f'<feGaussianBlur in="SourceAlpha" stdDeviation="{size * 0.025:.2f}"/>'
        f'<feOffset dx="{-x * 0.03:.2f}" dy="{-y * 0.03:.2f}" result="soft"/>'
        f'<feFlood flood-color="{halo}" flood-opacity="0.36"/>'
        '<feComposite in2="soft" operator="in" result="drop"/>'
    )
    parted = fine and size < HALO
    order = [*(["drop"] if parted else []), "SourceGraphic", "dark", "rim"]
    merged = "".join(f'<feMergeNode in="{name}"/>' for name in order)
    return f"{drop if parted else ''}{dark}{rim}<feMerge>{merged}</feMerge>"


def _inner(name: str, colour: str, power: float, x: float, y: float, blur: float) -> str:
    """Return filter steps that colour the inside edge which an offset leaves bare."""
    return (
        f'<feOffset in="SourceAlpha" dx="{x:.2f}" dy="{y:.2f}"/>'
        f'<feGaussianBlur stdDeviation="{blur:.2f}" result="{name}-mask"/>'
        f'<feFlood flood-color="{colour}" flood-opacity="{power}"/>'
        f'<feComposite in2="{name}-mask" operator="out"/>'
        f'<feComposite in2="SourceAlpha" operator="in" result="{name}"/>'
    )
