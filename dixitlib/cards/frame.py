"""The paper frame of a card, with a small ornament in its corners that follows the mood."""

from __future__ import annotations

import zlib

from dixitlib.cards.canvas import HEIGHT, WIDTH, Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, ring, stroke

BORDER = 18
_CORNER = 30


def paint(canvas: Canvas) -> None:
    """Paint the frame over everything else."""
    p = canvas.palette
    paper = mix("#f6efdf", p.glow, 0.25)
    inner = _wobbling(canvas)
    outer = f"M-5,-5 H{WIDTH + 5} V{HEIGHT + 5} H-5 Z"
    canvas.add(
        "frame",
        filled(f"{outer} {inner}", paper, 'fill-rule="evenodd"'),
        stroke(inner, p.ink, 2.4, 0.55),
    )
    ornament = _ORNAMENTS[zlib.crc32(canvas.scene.mood.encode()) % len(_ORNAMENTS)]
    hue = mix(p.accent, p.ink, 0.3)
    for x in (BORDER / 2 + 1, WIDTH - BORDER / 2 - 1):
        for y in (BORDER / 2 + 1, HEIGHT - BORDER / 2 - 1):
            canvas.add("frame", filled(ornament(x, y), hue))


def _wobbling(canvas: Canvas) -> str:
    """Return the opening: a rounded rectangle cut by hand."""
    a, b, c, d = BORDER, BORDER, WIDTH - BORDER, HEIGHT - BORDER
    j = [canvas.between(-1.6, 1.6) for _ in range(8)]
    r = _CORNER
    return (
        f"M{a + r},{b} Q300,{b + j[0] * 2:.1f} {c - r},{b + j[1]:.1f} Q{c},{b} "
        f"{c + j[2]:.1f},{b + r} "
        f"Q{c + j[3] * 2:.1f},450 {c},{d - r} Q{c},{d} {c - r},{d + j[4]:.1f} "
        f"Q300,{d + j[5] * 2:.1f} {a + r},{d} "
        f"Q{a},{d} {a + j[6]:.1f},{d - r} Q{a + j[7] * 2:.1f},450 {a},{b + r} Q{a},{b} "
        f"{a + r},{b} Z"
    )


def _diamond(x: float, y: float) -> str:
    return polygon(ring(x, y, 5.5, 4))


def _star(x: float, y: float) -> str:
    pairs = zip(ring(x, y, 6.5, 5), ring(x, y, 2.7, 5, 0.628), strict=True)
    return polygon([point for pair in pairs for point in pair])


def _petals(x: float, y: float) -> str:
    return " ".join(
        f"M{a - 2.4:.1f},{b:.1f} a2.4,2.4 0 1 0 4.8,0 a2.4,2.4 0 1 0 -4.8,0 Z"
        for a, b in ring(x, y, 3.4, 4)
    )


def _moon(x: float, y: float) -> str:
    return f"M{x},{y - 5.5} A5.5,5.5 0 1 0 {x + 5.5},{y} A4.4,4.4 0 1 1 {x},{y - 5.5} Z"


_ORNAMENTS = (_diamond, _star, _petals, _moon)
