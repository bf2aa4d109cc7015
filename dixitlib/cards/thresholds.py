"""Twists with a way into somewhere else: roots, doors, trees, mirrors, night inside."""

from __future__ import annotations

import math

from dixitlib.cards import drawings, props, terrain
from dixitlib.cards.canvas import Canvas, code_of
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def roots(c: Canvas) -> None:
    """Cut the earth open: roots grow from the subject around the two objects."""
    s, p, y = c.scene, c.palette, c.floor - 190
    top = terrain.profile(c, y + 16, 26, 1.5, 0.2)
    soil = mix(mix(p.near, "#4a2f1d", 0.4), p.ink, 0.25)
    path = terrain.land(c, "figures", top, mix(soil, p.far, 0.25), mix(soil, p.ink, 0.6))
    terrain.mottle(c, "figures", path, soil, (16, 7), y)
    c.add(
        "figures",
        stroke(
            "M" + " L".join(f"{a:.0f},{b:.0f}" for a, b in top), mix(p.far, p.glow, 0.3), 10, 0.9
        ),
    )
    x = 300 + c.side * c.between(0, 60)
    a, b = (x - c.side * 130, y + 225), (x + c.side * c.between(100, 130), y + 180)
    for spot in (a, b):
        c.glow("figures", *spot, 105, p.accent, 0.55)
    grower = c.draw("front", s.subject, x, y + 18, min(330, y - 100), flip=c.side < 0)
    _roots_from(c, grower.foot, y + 8, (a, b))
    c.draw("figures", s.first, *a, 138, hold="centre")
    c.draw("figures", s.second, *b, 108, hold="centre")


def _roots_from(c: Canvas, x: float, y: float, spots: tuple[tuple[float, float], ...]) -> None:
    """Paint tapering roots: some hold the spots, the others wander."""
    bark = mix(mix("#d0a676", c.palette.sky[1], 0.2), c.palette.glow, 0.2)
    ends = [(ax + dx, ay + dy) for ax, ay in spots for dx, dy in ((-84, 40), (84, 20), (10, 92))]
    ends += [
        (x + k * 105 + c.between(-30, 30), c.between(y + 120, 870))
        for k in (-3, -2, -1, 0, 1, 2, 3)
    ]
    for ex, ey in ends:
        sway = c.between(-60, 60)
        points = []
        for k in range(13):
            t = k / 12
            px = x + (ex - x) * t**0.8 + sway * math.sin(math.pi * t) * (0.3 + 0.7 * t)
            points.append(
                (px + 5 * math.sin(9 * t + sway), y + (ey - y) * t, 11 * (1 - t) ** 0.8 + 1.4)
            )
        left = [(px - w, py) for px, py, w in points]
        right = [(px + w, py + w * 0.3) for px, py, w in points]
        shape = polygon([*left, *reversed(right)])
        c.add("figures", stroke(shape, c.palette.ink, 4, 0.6), filled(shape, bark))


def door(c: Canvas) -> None:
    """Stand a door alone, with light from elsewhere falling through it."""
    s, p, y = c.scene, c.palette, c.floor - 10
    x, w, h = 300 - c.side * c.between(40, 80), 170.0, 370.0
    spill = polygon(
        [(x - w / 2, y), (x + w / 2, y), (x + w + c.side * 90, 905), (x - w + c.side * 60, 905)]
    )
    c.glow("figures", x, y - h / 2, 330, p.glow, 0.55)
    c.add("figures", filled(spill, c.vertical((p.glow, 0.75), (p.glow, 0.08))))
    inside = c.vertical("#ffffff", p.glow, mix(p.accent, p.glow, 0.45))
    timber = props.wood(c)
    c.add(
        "figures",
        (
            f'<rect x="{x - w / 2 - 16}" y="{y - h - 16}" width="{w + 32}" '
            f'height="{h + 16}" fill="{timber}" stroke="{p.ink}" stroke-width="3"/>'
        ),
        f'<rect x="{x - w / 2}" y="{y - h}" width="{w}" height="{h}" fill="{inside}"/>',
    )
    edge = x - c.side * w / 2
    leaf = polygon(
        [(edge, y - h), (edge - c.side * 84, y - h + 34), (edge - c.side * 84, y + 40), (edge, y)]
    )
    c.add("figures", filled(leaf, timber, f'stroke="{p.ink}" stroke-width="3"'))
    c.add(
        "figures",
        f'<circle cx="{edge - c.side * 70:.0f}" cy="{y - h * 0.42:.0f}" r="6" fill="{p.accent}"/>',
    )
    c.draw("figures", s.first, x, y - h - 14, 130)
    c.draw("figures", s.subject, x + c.side * 45, y + 46, 255, flip=c.side > 0, shadow=True)
    c.draw("figures", s.second, 300 + c.side * c.between(165, 200), y + 30, 112, shadow=True)


def tree(c: Canvas) -> None:
    """Grow a tree whose fruit is no fruit."""
    s, p, y = c.scene, c.palette, c.floor
    x = 300 - c.side * c.between(50, 90)
    bark = mix(mix("#6b4a32", p.near, 0.4), p.ink, 0.1)
    d = (
        f"M{x - 60:.0f},{y + 16:.0f} Q{x - 22:.0f},{y - 60:.0f} "
        f"{x - 26:.0f},{y - 300:.0f} H{x + 26:.0f} Q{x + 20:.0f},{y - 60:.0f} "
        f"{x + 64:.0f},{y + 16:.0f} Z"
    )
    c.ground_shadow("figures", x, y + 8, 300)
    c.add("figures", filled(d, c.across(mix(bark, p.glow, 0.3), bark, mix(bark, p.ink, 0.5))))
    _crown(c, x + c.side * 30, y - 400)
    for k in range(6):
        px = min(max(x + c.side * 30 + (k - 2.5) * 76, 74), 526) + c.between(-8, 8)
        top = y - 300 - 100 * math.sin(math.pi * (k + 0.5) / 6) + c.between(-16, 40)
        c.rope("figures", (px, top - 34), (px, top + 6), width=1.6)
        c.draw("figures", s.first, px, top, 84, hold="top", turn=c.between(-8, 8))
    c.draw("figures", s.second, x - c.side * 84, y + 30, 124, turn=c.side * 14, shadow=True)
    c.draw(
        "figures",
        s.subject,
        300 + c.side * c.between(110, 130),
        y + 44,
        235,
        flip=c.side < 0,
        shadow=True,
    )


def _crown(c: Canvas, x: float, y: float) -> None:
    """Paint foliage in dabs, from the dark inside to the lit outside."""
    p = c.palette
    leaf = mix(mix(p.accent, p.far, 0.5), p.near, 0.15)
    toward = 1 if c.light[0] > x else -1
    for hue, count, reach, dx, dy in (
        (mix(leaf, p.ink, 0.5), 70, 1.0, 0, 0),
        (leaf, 90, 0.95, toward * 10, -10),
        (mix(leaf, p.glow, 0.3), 70, 0.8, toward * 34, -34),
        (mix(leaf, p.glow, 0.6), 30, 0.62, toward * 58, -58),
    ):
        for _ in range(count):
            a, far = c.between(0, 6.28), reach * math.sqrt(c.between(0, 1))
            cx, cy = x + dx + 225 * far * math.cos(a), y + dy + 150 * far * math.sin(a)
            shade = mix(hue, p.ink, c.between(0, 0.15))
            c.add(
                "figures",
                f'<circle cx="{cx:.0f}" cy="{cy:.0f}" r="{c.between(13, 30):.0f}" fill="{shade}"/>',
            )


def mirror(c: Canvas) -> None:
    """Stand the subject before a tall mirror that shows another."""
    s, p, y = c.scene, c.palette, c.floor - 6
    x = 300 - c.side * c.between(95, 120)
    rx, ry, cy = 122, 205, y - 226
    c.ground_shadow("figures", x, y + 6, 230)
    c.add(
        "figures",
        stroke(
            (
                f"M{x - 86:.0f},{y + 8:.0f} L{x - 60:.0f},{cy + 120:.0f} "
                f"M{x + 86:.0f},{y + 8:.0f} L{x + 60:.0f},{cy + 120:.0f}"
            ),
            p.ink,
            14,
        ),
        (
            f'<ellipse cx="{x:.0f}" cy="{cy:.0f}" rx="{rx + 20}" ry="{ry + 20}" '
            f'fill="{props.gold(c)}" stroke="{p.ink}" stroke-width="3"/>'
        ),
        (
            f'<ellipse cx="{x:.0f}" cy="{cy:.0f}" rx="{rx}" ry="{ry}" '
            f'fill="{c.vertical(p.sky[0], p.sky[1], mix(p.sky[2], p.glow, 0.5))}"/>'
        ),
    )
    c.glow("figures", x, cy, 150, p.glow, 0.8)
    c.draw("figures", s.first, x, cy + 104, 200, flip=True)
    gleam = f"M{x - 84:.0f},{cy - 70:.0f} Q{x - 66:.0f},{cy - 142:.0f} {x - 20:.0f},{cy - 174:.0f}"
    props.gleam(c, "figures", gleam, 11)
    c.draw("figures", s.subject, 300 + c.side * 128, y + 52, 265, flip=c.side < 0, shadow=True)
    c.draw("figures", s.second, x - c.side * 40, y + 76, 104, shadow=True)


def night_inside(c: Canvas) -> None:
    """Open the subject's body like a window on another night."""
    s, p, y = c.scene, c.palette, c.floor - 6
    code = code_of(s.subject)
    shape = drawings.silhouette(code)
    size = 500 if shape.width > shape.height else 560
    scale = size / max(shape.width, shape.height)
    flip = -1 if c.side < 0 else 1
    place = (
        f"translate(300 {y:.0f}) scale({scale * flip:.3f} {scale:.3f}) "
        f"translate({-(shape.left + shape.right) / 2:.2f} {-shape.bottom:.2f})"
    )
    mask = c.define(
        "mask",
        "",
        f'<g transform="{place}" fill="#fff">{drawings.silhouetted(code, "#ffffff")}</g>',
    )
    c.ground_shadow("figures", 300, y, shape.width * scale)
    rim = drawings.silhouetted(code, p.glow)
    c.add(
        "figures",
        (
            f'<g transform="{place}" stroke-width="3" '
            f'opacity="0.9">{rim.replace(chr(34) + "2" + chr(34), chr(34) + "3.4" + chr(34))}</g>'
        ),
    )
    top = y - shape.height * scale
    c.add("figures", f'<g mask="{mask}">')
    c.add(
        "figures",
        (
            f'<rect x="-9" y="{top - 20:.0f}" width="620" height="{y - top + 40:.0f}" '
            f'fill="{c.vertical("#070a24", "#1d2c6b", "#7a4c9c", "#f2a08a")}"/>'
        ),
    )
    _inner_night(c, top, y)
    c.add("figures", "</g>")
    body = c.draw("figures", s.first, 300 + c.side * 20, (top + y) / 2 + 20, 150, hold="centre")
    c.glow("behind", body.x, body.y, 340, p.glow, 0.5)
    c.draw("figures", s.second, 300 - c.side * c.between(90, 150), c.floor + 76, 108, shadow=True)


def _inner_night(c: Canvas, top: float, foot: float) -> None:
    for _ in range(70):
        x, y, r = c.between(20, 580), c.between(top, foot - 60), c.between(0.6, 2.4)
        c.add("figures", f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.1f}" fill="#fff6d8"/>')
    for k in range(2):
        ridge = terrain.profile(c, foot - 40 + 40 * k, 70, 2.2, 0.5)
        c.add(
            "figures", filled(polygon([*ridge, (620, 905), (-20, 905)]), ("#33295f", "#15143a")[k])
        )
