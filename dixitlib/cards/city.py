"""Where a scene takes place: above the rooftops of a city."""

from __future__ import annotations

from dixitlib.cards import terrain
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def rooftops(canvas: Canvas) -> None:
    """Paint rows of gables in haze, and the near roof on which the scene stands."""
    p, y = canvas.palette, canvas.horizon
    terrain.range_of_hills(canvas, "far", y - 10, 60, 2, 0.4, 0.95)
    for row in range(4):
        hue = mix(mix(p.far, p.ink, 0.2 * row), p.sky[2], 0.55 - 0.17 * row)
        _street(canvas, "far" if row < 2 else "ground", y + 10 + 62 * row, 30 + 16 * row, hue)
    _near_roof(canvas)


def _street(canvas: Canvas, layer: str, y: float, size: float, hue: str) -> None:
    x = -20.0
    while x < 620:
        wide, tall = size * canvas.between(0.9, 1.7), size * canvas.between(0.8, 2.6)
        _house(canvas, layer, x, y, wide, tall, hue)
        x += wide * 0.94


def _house(
    canvas: Canvas, layer: str, x: float, y: float, wide: float, tall: float, hue: str
) -> None:
    p, top = canvas.palette, y - tall
    roof = mix(hue, p.accent, 0.2) if canvas.chance(0.5) else mix(hue, p.ink, 0.25)
    steep = wide * canvas.between(0.35, 1.0)
    wall = canvas.across(mix(hue, p.glow, 0.12), hue)
    canvas.add(
        layer,
        f'<rect x="{x:.0f}" y="{top:.0f}" width="{wide:.0f}" height="900" fill="{wall}"/>',
        filled(polygon([(x - 3, top), (x + wide / 2, top - steep), (x + wide + 3, top)]), roof),
    )
    glow = p.accent if p.dark else mix(hue, p.ink, 0.5)
    for k in range(6):
        if canvas.chance(0.4):
            wx, wy = x + wide * (0.18 + 0.4 * (k % 2)), top + 8 + wide * 0.42 * (k // 2)
            canvas.add(
                layer,
                f'<rect x="{wx:.0f}" y="{wy:.0f}" width="{wide * 0.2:.0f}" '
                f'height="{wide * 0.27:.0f}" '
                f'fill="{glow}" opacity="0.85"/>',
            )


def _near_roof(canvas: Canvas) -> None:
    """Paint a tiled roof seen from its ridge: courses of tiles and two chimneys."""
    p, y = canvas.palette, canvas.floor - 24
    tile = mix(mix(p.near, p.accent, 0.28), p.ink, 0.1)
    for edge in (-1, 1):
        x = 300 + edge * canvas.between(215, 262)
        brick = canvas.across(mix(tile, p.glow, 0.2), mix(tile, p.ink, 0.4))
        canvas.add(
            "ground",
            (
                f'<rect x="{x - 26:.0f}" y="{y - canvas.between(50, 120):.0f}" width="52" '
                f'height="300" fill="{brick}"/>'
            ),
        )
    canvas.add(
        "ground",
        (
            f'<rect x="-10" y="{y:.0f}" width="620" height="300" '
            f'fill="{canvas.vertical(mix(tile, p.glow, 0.22), mix(tile, p.ink, 0.55))}"/>'
        ),
    )
    top, gap, row = y, 20.0, 0
    while top < 905:
        step = gap * 1.5
        arcs = "".join(
            f"q{step / 2:.1f},{gap * 0.75:.1f} {step:.1f},0 " for _ in range(int(660 / step) + 2)
        )
        start = -30 - (row % 2) * step / 2
        canvas.add("ground", stroke(f"M{start:.0f},{top + gap * 0.6:.0f} {arcs}", p.ink, 2.2, 0.4))
        top, gap, row = top + gap, gap * 1.14, row + 1
    canvas.add(
        "ground",
        (
            f'<rect x="-10" y="{y - 9:.0f}" width="620" height="15" rx="6" '
            f'fill="{mix(tile, p.glow, 0.4)}"/>'
        ),
    )
