"""Twists in the sky: moons that are lived on, eclipses, constellations, strange rain."""

from __future__ import annotations

import re

from dixitlib.cards import drawings, props, terrain
from dixitlib.cards.canvas import Canvas, code_of
from dixitlib.cards.palettes import mix
from dixitlib.cards.sky import spark
from dixitlib.cards.strokes import filled, polygon, ring, stroke


def moon_house(c: Canvas) -> None:
    """Make a home on the crescent, with things hung out on threads."""
    s, p = c.scene, c.palette
    x, y, r = 300 - c.side * 10, c.between(330, 370), 225.0
    seat = props.crescent(c, "figures", x, y, r, c.side)
    for dx, dy in ((-0.87, 0.05), (-0.83, 0.3)):
        px, py = x + c.side * r * dx, y + r * dy
        c.add(
            "figures",
            (
                f'<rect x="{px - 9:.0f}" y="{py - 14:.0f}" width="18" height="28" rx="9" '
                f'fill="{p.accent}" stroke="{p.ink}" stroke-width="2.5"/>'
            ),
        )
    c.draw("figures", s.subject, seat[0], seat[1] + 5, 270, flip=c.side < 0)
    for name, dx, dy, drop, size in (
        (s.first, 0.62, 0.77, 100, 150),
        (s.second, -0.66, 0.74, 170, 118),
    ):
        px, py = x + c.side * r * dx, y + r * dy
        c.rope("figures", (px, py), (px, py + drop), 0, 1.8)
        c.draw("figures", name, px, py + drop - 4, size, hold="top", turn=c.between(-8, 8))
    for _ in range(5):
        spark(c, "behind", c.between(40, 560), c.between(60, 520), c.between(5, 11))


def moon_fishing(c: Canvas) -> None:
    """Drop a line from the moon to something that has bitten."""
    s, p = c.scene, c.palette
    x, y, r = 300 + c.side * 84, 290.0, 172.0
    seat = props.crescent(c, "figures", x, y, r, -c.side)
    angler = c.draw("figures", s.subject, seat[0], seat[1] + 5, 235, flip=c.side < 0)
    hand = (angler.x - c.side * angler.width * 0.3, angler.y + 10)
    tip = (300 - c.side * 175, y - 60)
    rod = (
        f"M{hand[0]:.0f},{hand[1]:.0f} Q{(hand[0] + tip[0]) / 2:.0f},{y - 100:.0f} "
        f"{tip[0]:.0f},{tip[1]:.0f}"
    )
    c.add("figures", stroke(rod, p.ink, 7), stroke(rod, mix("#a36a3c", p.glow, 0.3), 3.5))
    foot = c.floor + 20
    c.glow("figures", tip[0], foot - 60, 130, p.glow, 0.5)
    hole = c.radial((mix(p.sky[0], p.ink, 0.6), 1), (mix(p.sky[1], p.ink, 0.3), 1), (p.glow, 0.8))
    c.add("figures", f'<ellipse cx="{tip[0]:.0f}" cy="{foot:.0f}" rx="108" ry="27" fill="{hole}"/>')
    catch = c.draw("figures", s.first, tip[0], foot - 10, 175, turn=c.between(-12, 12))
    c.rope("figures", tip, (catch.x, catch.top + 8), 0, 1.6)
    terrain.ripples(c, "figures", tip[0], foot + 2, 150)
    c.draw("figures", s.second, 300 + c.side * c.between(90, 160), c.floor + 50, 128, shadow=True)


def eclipse(c: Canvas) -> None:
    """Set an object before the sun, and let the subject look up."""
    s, p = c.scene, c.palette
    x, y, r = 300 - c.side * c.between(0, 60), c.between(240, 290), 165.0
    c.add("sky", f'<rect width="600" height="900" fill="{p.ink}" opacity="0.42"/>')
    c.glow("behind", x, y, r * 2.6, p.glow, 0.95)
    for px, py in ring(x, y, r * 1.05, 26, c.between(0, 1)):
        long = c.between(1.25, 1.75)
        ex, ey = x + (px - x) * long, y + (py - y) * long
        nx, ny = (py - y) * 0.06, (x - px) * 0.06
        c.add(
            "behind",
            filled(
                polygon([(px - nx, py - ny), (ex, ey), (px + nx, py + ny)]),
                p.glow,
                'opacity="0.55"',
            ),
        )
    c.add(
        "behind",
        (
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r}" '
            f'fill="{c.radial("#ffffff", "#ffffff", p.glow)}"/>'
        ),
    )
    code = code_of(s.first)
    shape = drawings.silhouette(code)
    scale = 252 / max(shape.width, shape.height)
    c.add(
        "behind",
        f'<g transform="translate({x:.0f} {y:.0f}) scale({scale:.3f}) '
        f"translate({-(shape.left + shape.right) / 2:.1f} "
        f'{-(shape.top + shape.bottom) / 2:.1f})" '
        f'fill="{p.ink}">{drawings.painted(code, p.ink, p.ink, 0.86, p.ink, 0, 1.0)}</g>',
    )
    watcher = c.draw(
        "figures",
        s.subject,
        300 + c.side * c.between(60, 120),
        c.floor + 16,
        250,
        flip=c.side < 0,
        shadow=True,
    )
    c.draw(
        "figures",
        s.second,
        watcher.x - c.side * (watcher.width / 2 + 80),
        c.floor + 40,
        116,
        shadow=True,
    )


def constellation(c: Canvas) -> None:
    """Join stars into an object over the subject's head."""
    s, p = c.scene, c.palette
    x, y = 300 - c.side * c.between(0, 50), c.between(240, 280)
    night = "#0a1236"
    c.add(
        "behind",
        (
            '<rect width="600" height="900" '
            f'fill="{c.vertical((night, 0.85), (night, 0.6), (night, 0))}"/>'
        ),
    )
    code = code_of(s.first)
    shape = drawings.silhouette(code)
    scale = 330 / max(shape.width, shape.height)
    plain = re.sub(r' fill-opacity="[^"]*"', "", drawings.silhouetted(code, p.glow))
    glowing = plain.replace('fill="#', 'fill-opacity="0.07" fill="#').replace('"2"', '"0.55"')
    c.glow("behind", x, y, 280, "#7f9cf0", 0.45)
    c.add(
        "behind",
        f'<g opacity="0.95" fill="{p.glow}" transform="translate({x:.0f} {y:.0f}) '
        f"scale({scale:.3f}) "
        f"translate({-(shape.left + shape.right) / 2:.1f} "
        f'{-(shape.top + shape.bottom) / 2:.1f})">{glowing}</g>',
    )
    for px, py in drawings.outline(code, 13):
        sx = x + (px - (shape.left + shape.right) / 2) * scale
        sy = y + (py - (shape.top + shape.bottom) / 2) * scale
        c.glow("behind", sx, sy, 17, p.glow, 0.9)
        spark(c, "behind", sx, sy, c.between(8, 14))
    for _ in range(50):
        c.add(
            "behind",
            (
                f'<circle cx="{c.between(0, 600):.0f}" cy="{c.between(0, 460):.0f}" '
                f'r="{c.between(0.5, 1.8):.1f}" fill="{p.glow}"/>'
            ),
        )
    host = c.draw(
        "figures",
        s.subject,
        300 + c.side * c.between(50, 90),
        c.floor + 20,
        270,
        flip=c.side < 0,
        shadow=True,
    )
    c.draw(
        "figures",
        s.second,
        host.left - 30 if c.side > 0 else host.right + 30,
        c.floor + 50,
        116,
        shadow=True,
    )


def strange_rain(c: Canvas) -> None:
    """Let it rain, but not water."""
    s, p = c.scene, c.palette
    pale, dark = mix(p.sky[2], p.glow, 0.4), mix(p.sky[0], p.ink, 0.35)
    spots = [
        (90, 250),
        (205, 340),
        (330, 255),
        (455, 330),
        (545, 240),
        (75, 430),
        (520, 470),
        (270, 170),
        (420, 160),
        (150, 130),
        (535, 610),
        (62, 590),
    ]
    for k, (x, y) in enumerate(spots):
        size = 58 + 9 * (k % 4)
        c.add("figures", stroke(f"M{x + 5},{y - size} l9,-44", p.glow, 2, 0.5))
        c.draw(
            "figures",
            s.first,
            x + c.between(-14, 14),
            y + c.between(-14, 14),
            size,
            hold="centre",
            turn=c.between(-40, 40),
            depth=0.28 * (k % 3 == 1),
        )
    props.cloud(c, "figures", 300 - c.side * 20, 150, 600, pale, dark)
    x = 300 + c.side * c.between(10, 50)
    host = c.draw("figures", s.subject, x, c.floor + 40, 235, flip=c.side < 0, shadow=True)
    c.draw("figures", "umbrella", x - c.side * 20, host.top + 100, 270)
    c.draw("figures", s.second, 300 - c.side * c.between(165, 195), c.floor + 62, 116, shadow=True)
