"""Twists that stand on the ground: giants, processions, towers, burdens, shadows, pools."""

from __future__ import annotations

import math

from dixitlib.cards import drawings, terrain
from dixitlib.cards.canvas import Canvas, code_of
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, smooth, stroke

TOWER = 7  # things at most; flat ones would pile up for ever


def giant(c: Canvas) -> None:
    """Let the subject loom behind the land, the objects tiny at its feet."""
    s, x = c.scene, 300 + c.side * c.between(20, 70)
    c.draw("behind", s.subject, x, c.horizon + 110, 480, flip=c.side < 0, depth=0.16)
    pale = mix(c.palette.sky[2], c.palette.glow, 0.3)
    veil = c.radial((pale, 0.8), (pale, 0.3), (pale, 0))
    c.add(
        "behind",
        f'<ellipse cx="{x:.0f}" cy="{c.horizon + 70:.0f}" rx="390" ry="80" fill="{veil}"/>',
    )
    c.draw("figures", s.first, 300 - c.side * c.between(110, 180), c.floor + 30, 120, shadow=True)
    c.draw("figures", s.second, 300 + c.side * c.between(-10, 150), c.floor + 66, 92, shadow=True)


def procession(c: Canvas) -> None:
    """Send objects in a winding line from the foreground to the subject on its rise."""
    s, far = c.scene, c.floor - 80
    host = c.draw("figures", s.subject, 300 + c.side * 125, far, 260, flip=c.side < 0, shadow=True)
    c.draw("figures", s.second, *host.saddle(0.5 + 0.22 * -c.side), 92)
    count = 8
    for k in range(count):
        t = (k + 1) / count
        px = 300 + c.side * (-70 - 130 * math.sin(t * 3.6) + 210 * t**3)
        py, size = far + t**1.4 * 168, 40 + 88 * t
        c.draw(
            "figures", s.first, px, py, size, turn=9 * (-1) ** k, depth=0.3 * (1 - t), shadow=True
        )


def reflection(c: Canvas) -> None:
    """Mirror the subject in a pool that shows the first object in its place."""
    s, p, y = c.scene, c.palette, c.floor - 70
    bank = [(-20, y + 26), (80, y + 6), (220, y - 6), (380, y), (520, y - 4), (620, y + 22)]
    pool = smooth(bank) + " V905 H-20 Z"
    deep = c.vertical(
        mix(p.sky[2], p.far, 0.3), mix(p.sky[1], p.near, 0.2), mix(p.sky[0], p.ink, 0.3)
    )
    c.add("figures", stroke(smooth(bank), mix(p.near, p.ink, 0.5), 9, 0.8), filled(pool, deep))
    x = 300 + c.side * c.between(20, 70)
    c.draw("figures", s.subject, x, y + 4, 270, flip=c.side < 0)
    c.draw("figures", s.first, x, y + 6, 240, turn=180, flip=True, depth=0.22)
    c.add("figures", filled(pool, c.vertical((p.sky[1], 0), (p.near, 0.4))))
    for k in range(22):
        wy, wide = y + 16 + k * 11 + k * k * 0.1, c.between(30, 140)
        wx = x + c.between(-240, 200)
        c.add(
            "figures",
            stroke(
                f"M{wx:.0f},{wy:.0f} q{wide / 2:.0f},4 {wide:.0f},0", p.glow, 1.4 + k * 0.08, 0.4
            ),
        )
    terrain.ripples(c, "figures", x, y + 8, 190)
    c.draw("figures", s.second, 300 - c.side * c.between(170, 205), y + 18, 120, shadow=True)


def tower(c: Canvas) -> None:
    """Pile objects higher than is wise, the subject on top."""
    s, x, y = c.scene, 300 + c.side * c.between(0, 60), c.floor + 50
    c.ground_shadow("figures", x, y, 190)
    size = 190.0
    for k in range(TOWER):
        if y <= 400:
            break
        name = s.second if k == 1 else s.first
        lean = c.between(-9, 9) if k else 0.0
        placed = c.draw(
            "figures", name, x, y, size if k != 1 else size * 0.85, turn=lean, flip=c.chance(0.5)
        )
        y = placed.saddle(0.5)[1] + placed.height * 0.06
        x, size = x + c.between(-12, 12), size * 0.9
    c.draw("figures", s.subject, x, y, min(240, y - 70), flip=c.side < 0, turn=c.between(-6, 6))


def burden(c: Canvas) -> None:
    """Load the subject with something far larger than itself."""
    s, x, y = c.scene, 300 + c.side * c.between(10, 50), c.floor + 20
    host = c.draw("figures", s.subject, x, y, 290, flip=c.side < 0, shadow=True)
    sx, sy = host.saddle(0.56 if c.side > 0 else 0.44)
    load = c.draw("figures", s.first, sx, sy + 16, min(290, sy - 150), turn=c.between(-7, 7))
    for share in (0.22, 0.5, 0.78):
        top = load.saddle(share)
        foot = (host.left + host.width * (0.28 + 0.44 * share), sy + host.height * 0.3)
        c.rope("figures", (top[0], top[1] + 8), foot, sag=-10, width=3)
    hat = load.saddle(0.5)
    c.draw(
        "figures",
        s.second,
        hat[0],
        hat[1] + 6,
        min(110, max(hat[1] - 50, 60)),
        turn=c.between(-12, 12),
    )


def shadow(c: Canvas) -> None:
    """Throw on the ground, from the subject, the shadow of something else."""
    s, p, y = c.scene, c.palette, c.floor - 110
    x = 300 + c.side * c.between(40, 90)
    code = code_of(s.first)
    shape = drawings.silhouette(code)
    scale = 300 / max(shape.width, shape.height)
    pool = c.radial((p.glow, 0.75), (p.glow, 0.3), (p.glow, 0))
    c.add(
        "figures",
        f'<ellipse cx="{x - c.side * 60:.0f}" cy="{y + 100:.0f}" rx="340" ry="190" fill="{pool}"/>',
    )
    c.add(
        "figures",
        f'<g opacity="0.86" fill="{p.ink}" transform="translate({x:.0f} {y - 4:.0f}) '
        f"skewX({-c.side * 28}) scale({scale:.3f} {-scale * 0.86:.3f}) "
        f"translate({-(shape.left + shape.right) / 2:.1f} "
        f'{-shape.bottom:.1f})">{drawings.painted(code, p.ink, p.ink, 0.84, p.ink, 0, 1.0)}</g>',
    )
    c.draw("figures", s.subject, x, y, 265, flip=c.side < 0)
    c.draw("figures", s.second, 300 - c.side * c.between(175, 205), y + 10, 112, shadow=True)
