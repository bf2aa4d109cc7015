"""What is overhead: the sky, its light, and the weather between it and the viewer."""

from __future__ import annotations

import math
from collections.abc import Callable

from dixitlib.cards import wash
from dixitlib.cards.canvas import WIDTH, Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke

OWN_LIGHT = frozenset({"moon house", "moon fishing", "eclipse"})  # twists that bring a moon or sun
INDOORS = frozenset({"room"})


def paint(canvas: Canvas) -> None:
    """Paint the sky, what shines in it, and the mood's weather."""
    canvas.add("sky", wash.image(canvas))
    if canvas.scene.twist not in OWN_LIGHT:
        _LIGHTS[canvas.palette.light](canvas)
    for effect in canvas.palette.weather:
        if effect in WEATHER:
            WEATHER[effect](canvas)


def _moon(canvas: Canvas) -> None:
    (x, y), p = canvas.light, canvas.palette
    r = canvas.between(52, 92)
    canvas.glow("sky", x, y, r * 1.7, p.glow, 0.8)
    face = canvas.radial(p.glow, p.glow, mix(p.glow, p.sky[2], 0.45))
    canvas.add("sky", f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{face}"/>')
    for _ in range(6):
        angle, far = canvas.between(0, 2 * math.pi), canvas.between(0, 0.7) * r
        size = canvas.between(0.06, 0.22) * r
        canvas.add(
            "sky",
            f'<ellipse cx="{x + far * math.cos(angle):.1f}" cy="{y + far * math.sin(angle):.1f}" '
            f'rx="{size:.1f}" ry="{size * 0.8:.1f}" fill="{p.sky[1]}" opacity="0.16"/>',
        )


def _crescent(canvas: Canvas) -> None:
    (x, y), p = canvas.light, canvas.palette
    r = canvas.between(38, 58)
    canvas.glow("sky", x, y, r * 2.6, p.glow, 0.55)
    lean = canvas.between(-40, 40)
    canvas.add(
        "sky",
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({lean:.0f}) scale({r:.1f})">'
        + filled("M0,-1 A1,1 0 1 1 0,1 A0.78,1.05 0 0 0 0,-1 Z", p.glow)
        + "</g>",
    )


def _sun(canvas: Canvas) -> None:
    (x, y), p = canvas.light, canvas.palette
    r = canvas.between(46, 84)
    canvas.glow("sky", x, y, r * 2, p.glow, 0.9)
    face = canvas.radial("#ffffff", p.glow, p.glow)
    canvas.add("sky", f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{face}"/>')


_LIGHTS: dict[str, Callable[[Canvas], None]] = {
    "moon": _moon,
    "crescent": _crescent,
    "sun": _sun,
}


def _air(canvas: Canvas) -> str:
    return "sky" if canvas.scene.landscape in INDOORS else "air"


def _stars(canvas: Canvas) -> None:
    glow = canvas.palette.glow
    x = canvas.rng.uniform(0, WIDTH, 90)
    y = canvas.rng.uniform(0, canvas.horizon, 90) ** 1.08 * 0.6
    r = canvas.rng.uniform(0.5, 1.0, 90) ** 3 * 2.4
    canvas.add(
        "sky",
        *(
            f'<circle cx="{a:.0f}" cy="{b:.0f}" r="{c:.2f}" fill="{glow}" opacity="0.85"/>'
            for a, b, c in zip(x, y, r, strict=True)
        ),
    )
    for _ in range(7):
        spark(canvas, "sky", canvas.between(30, 570), canvas.between(30, 330), canvas.between(5, 9))


def spark(canvas: Canvas, layer: str, x: float, y: float, size: float) -> None:
    """Paint a star of four rays."""
    thin = size * 0.13
    points = [(0, -size), (thin, -thin), (size, 0), (thin, thin)]
    points += [(-a, -b) for a, b in points]
    path = polygon((x + a, y + b) for a, b in points)
    canvas.add(layer, filled(path, canvas.palette.glow))


def _mist(canvas: Canvas) -> None:
    pale = mix(canvas.palette.sky[2], canvas.palette.glow, 0.3)
    fill = canvas.radial((pale, 0.75), (pale, 0.35), (pale, 0))
    for layer, low in (("far", 0), ("ground", 60), ("figures", 190)):
        for _ in range(2):
            x, y = canvas.between(0, WIDTH), canvas.horizon + low + canvas.between(-10, 50)
            rx, ry = canvas.between(220, 400), canvas.between(22, 50)
            canvas.add(
                layer,
                f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="{rx:.0f}" ry="{ry:.0f}" fill="{fill}"/>',
            )


def _birds(canvas: Canvas) -> None:
    x, y = canvas.between(120, 480), canvas.between(90, 260)
    for k in range(7):
        a, b = x + canvas.between(-90, 90), y + canvas.between(-60, 60)
        s = 4 + k
        path = (
            f"M{a - s:.1f},{b - s * 0.4:.1f} Q{a - s * 0.4:.1f},{b - s * 0.6:.1f} {a:.1f},{b:.1f} "
        )
        path += f"Q{a + s * 0.4:.1f},{b - s * 0.6:.1f} {a + s:.1f},{b - s * 0.4:.1f}"
        canvas.add("sky", stroke(path, canvas.palette.ink, 1.8, 0.65))


def _snow(canvas: Canvas) -> None:
    for layer, count, low, high in (("far", 60, 1, 2.2), (_air(canvas), 70, 2, 5)):
        for _ in range(count):
            x, y = canvas.between(10, 590), canvas.between(10, 890)
            r = canvas.between(low, high)
            canvas.add(
                layer,
                f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.1f}" fill="#ffffff" opacity="0.85"/>',
            )


def _rain(canvas: Canvas) -> None:
    pale = mix(canvas.palette.glow, canvas.palette.sky[2], 0.3)
    for layer, count, longest in (("far", 60, 24), (_air(canvas), 60, 46)):
        for _ in range(count):
            x, y, long = canvas.between(0, 620), canvas.between(0, 880), canvas.between(12, longest)
            path = f"M{x:.0f},{y:.0f} l{-long * 0.22:.1f},{long:.1f}"
            canvas.add(layer, stroke(path, pale, 1.5, 0.45))


def _fireflies(canvas: Canvas) -> None:
    for _ in range(30):
        x, y = canvas.between(20, 580), canvas.between(canvas.horizon - 120, 880)
        size = canvas.between(5, 15)
        canvas.glow(_air(canvas), x, y, size, canvas.palette.accent, 0.7)
        canvas.add(
            _air(canvas),
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{size * 0.17:.1f}" fill="#fffde0"/>',
        )


def _petals(canvas: Canvas) -> None:
    for _ in range(26):
        x, y = canvas.between(10, 590), canvas.between(60, 880)
        size, turn = canvas.between(3, 7), canvas.between(0, 180)
        canvas.add(
            _air(canvas),
            f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="{size:.1f}" ry="{size * 0.45:.1f}" '
            f'fill="{canvas.palette.accent}" opacity="0.75" '
            f'transform="rotate({turn:.0f} {x:.0f} {y:.0f})"/>',
        )


def _lightning(canvas: Canvas) -> None:
    x, y = canvas.between(80, 520), 20.0
    canvas.glow("sky", x, canvas.horizon * 0.5, 300, canvas.palette.glow, 0.5)
    points = [(x, y)]
    while y < canvas.horizon:
        x, y = x + canvas.between(-34, 34), y + canvas.between(18, 46)
        points.append((x, y))
    path = "M" + " L".join(f"{a:.0f},{b:.0f}" for a, b in points)
    branch = points[len(points) // 2]
    fork = (
        f"M{branch[0]:.0f},{branch[1]:.0f} l{30 * canvas.side},40 "
        f"l{-12 * canvas.side},30 l{26 * canvas.side},44"
    )
    canvas.add(
        "sky",
        stroke(path, canvas.palette.accent, 9, 0.25),
        stroke(path, "#ffffff", 3, 0.95),
        stroke(fork, "#ffffff", 1.8, 0.8),
    )


WEATHER: dict[str, Callable[[Canvas], None]] = {
    "stars": _stars,
    "mist": _mist,
    "birds": _birds,
    "snow": _snow,
    "rain": _rain,
    "fireflies": _fireflies,
    "petals": _petals,
    "lightning": _lightning,
}
