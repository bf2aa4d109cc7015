"""Twists that leave the ground: tethers, stairs, islands, juggling, ropes, balloons."""

from __future__ import annotations

import math

from dixitlib.cards import props
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def tether(c: Canvas) -> None:
    """Let the subject drift like a kite on a rope held by an object."""
    s, y = c.scene, c.between(230, 290)
    anchor = c.draw(
        "figures", s.first, 300 - c.side * c.between(90, 170), c.floor + 40, 180, shadow=True
    )
    flyer = c.draw(
        "figures",
        s.subject,
        300 + c.side * c.between(30, 80),
        y,
        300,
        hold="centre",
        flip=c.side < 0,
        turn=c.side * c.between(-14, 4),
    )
    c.rope("figures", flyer.belly(0.5), (anchor.saddle()[0], anchor.saddle()[1] + 6), 46, 3)
    hook = flyer.belly(0.5 + c.side * 0.28)
    c.rope("figures", (hook[0], hook[1] - 8), (hook[0] + c.side * 10, flyer.bottom + 70), 0, 2)
    c.draw(
        "figures",
        s.second,
        hook[0] + c.side * 10,
        flyer.bottom + 66,
        96,
        hold="top",
        turn=c.between(-14, 14),
    )


def stairway(c: Canvas) -> None:
    """Lead steps without a house up to a shining object."""
    s, p, count = c.scene, c.palette, 13
    steps = []
    for k in range(count):
        t = k / (count - 1)
        x = 300 - c.side * (170 - 350 * t + 70 * math.sin(t * 6.3))
        steps.append((x, c.floor + 76 - (c.floor - 180) * t**0.92, 190 - 118 * t))
    goal = (steps[-1][0], steps[-1][1])
    c.glow("behind", goal[0], goal[1] - 60, 230, p.glow, 0.9)
    stone = mix(mix("#e4d8c4", p.glow, 0.3), p.sky[1], 0.3)
    for x, y, wide in reversed(steps):
        _step(c, x, y, wide, stone)
    c.draw("figures", s.first, goal[0], goal[1] + 2, 150)
    x, y, wide = steps[5]
    c.draw("figures", s.subject, x, y + 8, 205, flip=c.side > 0, shadow=True)
    x, y, wide = steps[1]
    c.draw("figures", s.second, x + c.side * 24, y + 8, 112, shadow=True)


def _step(c: Canvas, x: float, y: float, wide: float, stone: str) -> None:
    p, w, deep, tall = c.palette, wide / 2, wide * 0.2, wide * 0.16
    top = polygon([(x - w, y), (x + w, y), (x + w * 1.1, y + deep), (x - w * 1.1, y + deep)])
    front = polygon(
        [
            (x - w * 1.1, y + deep),
            (x + w * 1.1, y + deep),
            (x + w * 0.95, y + deep + tall),
            (x - w * 0.95, y + deep + tall),
        ]
    )
    c.add(
        "figures",
        filled(top, mix(stone, p.glow, 0.4)),
        filled(front, c.vertical(mix(stone, p.ink, 0.25), mix(stone, p.ink, 0.7))),
    )


def sky_island(c: Canvas) -> None:
    """Hang a piece of land with its two inhabitants in the air."""
    s, p = c.scene, c.palette
    x, y, w = 300 + c.side * c.between(0, 24), c.between(400, 440), 235.0
    c.add(
        "behind",
        (
            f'<ellipse cx="{x:.0f}" cy="{c.floor + 40:.0f}" rx="210" ry="34" '
            f'fill="{c.radial((p.ink, 0.6), (p.ink, 0.25), (p.ink, 0))}"/>'
        ),
    )
    _islet(c, 300 - c.side * 215, y - 200, 58)
    _islet(c, 300 + c.side * 225, y + 150, 44)
    _islet(c, x, y, w)
    fall = x - c.side * w * 0.72
    c.add(
        "figures",
        filled(
            f"M{fall - 14:.0f},{y + 12:.0f} h28 l10,300 h-48 Z",
            c.vertical((p.glow, 0.95), (mix(p.glow, p.sky[1], 0.3), 0.6), (p.glow, 0)),
        ),
    )
    c.draw("figures", s.first, x - c.side * 112, y + 6, 150, shadow=True)
    c.draw("figures", s.subject, x + c.side * 58, y + 22, 245, flip=c.side < 0, shadow=True)
    bx, by = x + c.side * 46, y + 165
    c.rope("figures", (bx, by - 20), (bx, by + 100), 0, 3)
    c.draw("figures", s.second, bx, by + 94, 125, hold="top", turn=c.between(-10, 10))


def _islet(c: Canvas, x: float, y: float, w: float) -> None:
    p = c.palette
    rock = mix(mix(p.near, "#7a5a44", 0.4), p.far, 0.2)
    turf = mix(mix(p.far, "#6f9a4c", 0.35), p.glow, 0.15)
    points = [(x - w, y)]
    for k in range(1, 12):
        t = k / 12
        points.append(
            (x - w + 2 * w * t, y + w * 0.95 * math.sin(math.pi * t) ** 1.3 * c.between(0.6, 1.0))
        )
    c.add(
        "figures",
        filled(
            polygon([*points, (x + w, y)]),
            c.vertical(mix(rock, p.glow, 0.15), rock, mix(rock, p.ink, 0.65)),
        ),
    )
    for k in range(2, 11, 2):
        a, b = points[k]
        c.add(
            "figures",
            stroke(
                f"M{a:.0f},{y + 14:.0f} L{a + (x - a) * 0.2:.0f},{b - w * 0.12:.0f}", p.ink, 3, 0.3
            ),
        )
    hem = "".join(
        f"q{w / 12:.1f},{c.between(0.05, 0.16) * w:.1f} {w / 6:.1f},0 " for _ in range(12)
    )
    c.add(
        "figures",
        filled(
            f"M{x - w * 1.0:.0f},{y:.0f} {hem} A{w:.0f},{w * 0.16:.0f} 0 0 0 {x - w:.0f},{y:.0f} Z",
            c.vertical(mix(turf, p.glow, 0.35), mix(turf, p.near, 0.35)),
        ),
    )


def juggling(c: Canvas) -> None:
    """Let the subject keep a ring of things in the air while standing on another."""
    s, p = c.scene, c.palette
    x = 300 + c.side * c.between(-10, 30)
    stand = c.draw("figures", s.second, x, c.floor + 50, 165, shadow=True)
    juggler = c.draw(
        "figures", s.subject, x, stand.saddle()[1] + 8, 235, flip=c.side < 0, turn=c.between(-5, 5)
    )
    cy, r = juggler.y - 60, 215.0
    arc = f"M{x - r:.0f},{cy:.0f} A{r},{r} 0 0 1 {x + r:.0f},{cy:.0f}"
    c.add(
        "behind",
        (
            f'<path d="{arc}" fill="none" stroke="{p.glow}" stroke-width="3" '
            'stroke-dasharray="3 13" stroke-linecap="round" opacity="0.8"/>'
        ),
    )
    for k in range(7):
        a = math.pi * (k + 0.5) / 7
        c.draw(
            "figures",
            s.first,
            x - r * math.cos(a),
            cy - r * math.sin(a),
            92,
            hold="centre",
            turn=(k - 3) * 24,
        )


def tightrope(c: Canvas) -> None:
    """Stretch a rope from one object to another, high over the land, and walk it."""
    s = c.scene
    left, right = c.between(400, 440), c.between(380, 440)
    for px, top in ((104, left), (496, right)):
        props.pillar(c, "figures", px, top, 905, 84)
    ends = (s.first, s.second) if c.side > 0 else (s.second, s.first)
    c.draw("figures", ends[0], 96, left, 145)
    c.draw("figures", ends[1], 504, right, 145)
    t, sag = 0.5 + 0.06 * c.side, 56
    y = (1 - t) * left + t * right + 2 * t * (1 - t) * sag
    c.rope("figures", (126, left + 2), (474, right + 2), sag, 5)
    c.draw("figures", s.subject, 126 + 348 * t, y + 10, 250, flip=c.side < 0, turn=c.between(-6, 6))


def airship(c: Canvas) -> None:
    """Swell an object to a balloon that carries the subject's basket."""
    s, p = c.scene, c.palette
    x = 300 + c.side * c.between(-20, 30)
    balloon = c.draw("behind", s.first, x, 380, 320)
    bx, by = x + c.side * 8, 610.0
    for share in (0.14, 0.36, 0.64, 0.86):
        start = balloon.belly(share)
        c.rope("behind", (start[0], start[1] - 10), (bx + (share - 0.5) * 150, by - 16), 0, 2.4)
    c.draw("figures", s.subject, bx, by + 6, 205, flip=c.side < 0)
    basket = f"M{bx - 84:.0f},{by - 20:.0f} h168 l-16,92 q-68,22 -136,0 Z"
    c.add("figures", filled(basket, props.wood(c), f'stroke="{p.ink}" stroke-width="3"'))
    for k in range(4):
        c.add(
            "figures",
            stroke(
                f"M{bx - 80 + 4 * k:.0f},{by + 20 * k:.0f} q{80 - 4 * k},14 {160 - 8 * k},0",
                p.ink,
                2.4,
                0.5,
            ),
        )
    c.add("figures", stroke(f"M{bx - 88:.0f},{by - 20:.0f} h176", mix("#c79a6b", p.glow, 0.3), 10))
    end = (bx - c.side * 150, by + 150)
    c.rope("figures", (bx - c.side * 70, by + 20), end, 40, 2.4)
    c.draw("figures", s.second, end[0], end[1] - 4, 120, hold="top", turn=c.side * 14)
    c.add(
        "ground",
        (
            f'<ellipse cx="{bx:.0f}" cy="{c.floor + 70:.0f}" rx="150" ry="24" '
            f'fill="{c.radial((p.ink, 0.5), (p.ink, 0))}"/>'
        ),
    )
