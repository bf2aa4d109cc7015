"""Where a scene takes place, in made or closed worlds: stage, room, board, seabed."""

from __future__ import annotations

import math

from dixitlib.cards import terrain
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, smooth, stroke


def chequered_plain(canvas: Canvas) -> None:
    """Paint a board without end, under far mountains."""
    p, y = canvas.palette, canvas.horizon
    terrain.peaks(canvas, "far", y + 8, 120, 5, 0.95)
    dark, pale = mix(p.near, p.ink, 0.3), mix(p.far, p.glow, 0.55)
    path = terrain.land(canvas, "ground", terrain.level(y), mix(pale, p.sky[2], 0.6), pale)
    vanish = 300 + canvas.side * canvas.between(0, 120)
    for row in range(13):
        for column in range(-16, 17):
            if (row + column) % 2:
                canvas.add(
                    "ground",
                    filled(
                        _square(vanish, y, row, column),
                        dark,
                        f'opacity="{min(0.1 + row * 0.11, 0.92):.2f}"',
                    ),
                )
    terrain.mottle(canvas, "ground", path, mix(p.near, p.far, 0.5), (9, 4), y)
    haze = canvas.vertical((p.sky[2], 0.75), (p.sky[2], 0))
    canvas.add("ground", f'<rect x="-5" y="{y:.0f}" width="610" height="130" fill="{haze}"/>')


def _square(vanish: float, y: float, row: int, column: int) -> str:
    def at(c: float, r: float) -> tuple[float, float]:
        near = 13 / (13.6 - r) - 13 / 13.6  # distance below the horizon grows toward the viewer
        return vanish + c * (10 + 70 * near), y + near * 52

    return polygon(
        [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)]
    )


def theatre(canvas: Canvas) -> None:
    """Paint boards, footlights and curtains; the sky is the backdrop."""
    p, y = canvas.palette, min(canvas.horizon + 90, 660)
    terrain.range_of_hills(canvas, "far", y + 6, 90, 2, 0.3, 0.8)
    terrain.range_of_hills(canvas, "far", y + 10, 46, 3, 0.2, 0.55)
    wood = mix(mix(p.near, "#8a5a34", 0.45), p.glow, 0.1)
    canvas.add(
        "ground",
        (
            f'<rect x="-5" y="{y:.0f}" width="610" height="300" '
            f'fill="{canvas.vertical(mix(wood, p.glow, 0.3), mix(wood, p.ink, 0.5))}"/>'
        ),
    )
    for k in range(-14, 15):
        canvas.add(
            "ground", stroke(f"M{300 + k * 22},{y:.0f} L{300 + k * 68},905", p.ink, 1.6, 0.4)
        )
    light = canvas.radial((p.glow, 0.6), (p.glow, 0.22), (p.glow, 0))
    canvas.add(
        "ground", f'<ellipse cx="300" cy="{canvas.floor:.0f}" rx="270" ry="70" fill="{light}"/>'
    )
    beam = canvas.vertical((p.glow, 0.42), (p.glow, 0.06))
    canvas.add(
        "behind", filled(f"M{300 - canvas.side * 200},-10 h40 L520,{canvas.floor:.0f} H80 Z", beam)
    )
    for edge in (-1, 1):
        _curtain(canvas, edge)
    _valance(canvas)


def _curtain(canvas: Canvas, edge: int) -> None:
    p = canvas.palette
    red = mix("#a3202c", p.sky[1], 0.3)
    for k in range(4):
        a, b = 310 - 21 * k, 284 - 21 * k
        fold = canvas.across(mix(red, p.ink, 0.65), mix(red, p.glow, 0.18), mix(red, p.ink, 0.6))
        d = (
            f"M{300 + edge * a},-10 L{300 + edge * (b - 24 * (3 - k) / 3)},-10 "
            f"C{300 + edge * b},300 {300 + edge * (b + 34)},470 {300 + edge * (b + 28)},880 "
            f"L{300 + edge * (a + 30)},880 Z"
        )
        canvas.add("front", filled(d, fold))
    tie = f"M{300 + edge * 310},520 Q{300 + edge * 270},548 {300 + edge * 236},516"
    canvas.add("front", stroke(tie, p.accent, 7))


def _valance(canvas: Canvas) -> None:
    p = canvas.palette
    red = mix("#a3202c", p.sky[1], 0.3)
    fill = canvas.vertical(mix(red, p.ink, 0.7), mix(red, p.glow, 0.1))
    scallops = "".join("q37.5,52 75,0 " for _ in range(8))
    canvas.add(
        "front",
        filled(f"M0,-10 V52 {scallops} V-10 Z", fill),
        stroke(f"M0,54 {scallops}", p.accent, 4),
    )
    canvas.add(
        "front", f'<rect x="-5" y="868" width="610" height="40" fill="{mix(red, p.ink, 0.75)}"/>'
    )
    for k in range(9):
        canvas.glow("front", 50 + 62 * k, 866, 26, p.glow, 0.8)


def seabed(canvas: Canvas) -> None:
    """Paint light from far above, weed, rocks and rising bubbles."""
    p, y = canvas.palette, canvas.horizon
    deep = mix(p.sky[0], "#0b3350", 0.45)
    veil = canvas.vertical(
        (mix(p.sky[2], "#8fe0e0", 0.4), 0.25), (mix(p.sky[1], "#1c7a8c", 0.5), 0.8), (deep, 0.9)
    )
    canvas.add("sky", f'<rect width="600" height="900" fill="{veil}"/>')
    shaft = canvas.vertical((p.glow, 0.5), (p.glow, 0))
    for _ in range(6):
        x, wide = canvas.between(-60, 560), canvas.between(20, 70)
        canvas.add(
            "far",
            filled(
                f"M{x:.0f},-10 h{wide:.0f} l{canvas.side * 160},{y + 160:.0f} h{-wide * 2.2:.0f} Z",
                shaft,
                'opacity="0.5"',
            ),
        )
    terrain.range_of_hills(canvas, "far", y + 60, 150, 2.5, 0.7, 0.75)
    _weeds(canvas, "far", y + 60, 9, 200, mix(canvas.haze(0.6), "#1f6b5a", 0.4), 0, 600)
    top = terrain.profile(canvas, y + 110, 50, 1.6, 0.1)
    sand = mix(mix(p.far, "#d8c796", 0.4), p.near, 0.25)
    terrain.ground(canvas, top, sand, mix(sand, deep, 0.8), (16, 3))
    dark = mix(deep, p.ink, 0.5)
    for low, high in ((-10, 50), (550, 610)):
        _weeds(canvas, "front", 915, 4, 420, dark, low, high)
        terrain.rock(canvas, "front", (low + high) / 2, 910, 130, canvas.between(40, 90), dark)
    _bubbles(canvas)


def _weeds(
    canvas: Canvas,
    layer: str,
    y: float,
    count: int,
    tall: float,
    colour: str,
    low: float,
    high: float,
) -> None:
    for _ in range(count):
        x, h = canvas.between(low, high), tall * canvas.between(0.5, 1)
        sway, phase = canvas.between(8, 22), canvas.between(0, 6)
        line = [(x + sway * math.sin(phase + k * 0.9), y - h * k / 9) for k in range(10)]
        canvas.add(layer, stroke(smooth(line), colour, canvas.between(5, 11)))


def _bubbles(canvas: Canvas) -> None:
    x = canvas.between(150, 450)
    for _ in range(14):
        a, b = x + canvas.between(-40, 40), canvas.between(80, 800)
        r = canvas.between(2, 9)
        canvas.add(
            "air",
            f'<circle cx="{a:.0f}" cy="{b:.0f}" r="{r:.1f}" fill="{canvas.palette.glow}" '
            'fill-opacity="0.12" '
            f'stroke="{canvas.palette.glow}" stroke-width="1.3" opacity="0.75"/>',
        )


def room(canvas: Canvas) -> None:
    """Paint papered walls, and a tall window that lets light onto the boards."""
    p = canvas.palette
    y = canvas.horizon = max(canvas.horizon, 600)
    x, top = 300 - canvas.side * canvas.between(50, 110), 90.0
    wide, tall = 250.0, 430.0
    canvas.light = (x + canvas.between(-60, 60), min(canvas.light[1], top + 150))
    terrain.range_of_hills(canvas, "far", top + tall, 110, 2, 0.5, 0.8)
    wall = mix(mix(p.near, p.far, 0.35), p.accent, 0.08)
    opening = (
        f"M{x - wide / 2},{top + tall} V{top + 80} A{wide / 2},110 0 0 1 "
        f"{x + wide / 2},{top + 80} V{top + tall} Z"
    )
    canvas.add(
        "far",
        filled(
            f"M-5,-5 H605 V{y + 5:.0f} H-5 Z {opening}",
            canvas.vertical(mix(wall, p.ink, 0.35), wall),
            'fill-rule="evenodd"',
        ),
    )
    for k in range(13):
        if abs(k * 50 - x) > wide / 2 + 12:
            canvas.add("far", stroke(f"M{k * 50},0 V{y:.0f}", mix(wall, p.glow, 0.3), 9, 0.28))
    _window_bars(canvas, opening, x, top, wide, tall)
    _boards(canvas, y, x, wide)


def _window_bars(
    canvas: Canvas, opening: str, x: float, top: float, wide: float, tall: float
) -> None:
    frame = mix(mix("#efe3cf", canvas.palette.glow, 0.3), canvas.palette.near, 0.25)
    canvas.add("far", stroke(opening, canvas.palette.ink, 20, 0.5), stroke(opening, frame, 13))
    bars = (
        f"M{x},{top - 25} V{top + tall} M{x - wide / 2},{top + 80} h{wide} "
        f"M{x - wide / 2},{top + 255} h{wide}"
    )
    canvas.add("far", stroke(bars, frame, 6))
    canvas.add(
        "far",
        (
            f'<rect x="{x - wide / 2 - 24}" y="{top + tall}" width="{wide + 48}" '
            f'height="18" fill="{frame}"/>'
        ),
    )


def _boards(canvas: Canvas, y: float, x: float, wide: float) -> None:
    p = canvas.palette
    wood = mix(mix(p.near, "#7d5132", 0.5), p.glow, 0.08)
    canvas.add(
        "ground",
        (
            f'<rect x="-5" y="{y:.0f}" width="610" height="310" '
            f'fill="{canvas.vertical(mix(wood, p.glow, 0.2), mix(wood, p.ink, 0.5))}"/>'
        ),
    )
    for k in range(-12, 13):
        canvas.add(
            "ground", stroke(f"M{300 + k * 30},{y:.0f} L{300 + k * 64},905", p.ink, 1.8, 0.4)
        )
    canvas.add(
        "ground",
        f'<rect x="-5" y="{y - 22:.0f}" width="610" height="26" fill="{mix(wood, p.ink, 0.35)}"/>',
    )
    lean = canvas.side * 120
    patch = polygon(
        [
            (x - wide * 0.4, y + 16),
            (x + wide * 0.4, y + 16),
            (x + wide * 0.7 + lean, 880),
            (x - wide * 0.6 + lean, 880),
        ]
    )
    canvas.add("ground", filled(patch, canvas.vertical((p.glow, 0.55), (p.glow, 0.08))))
