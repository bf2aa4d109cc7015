"""Twists with something that works: boat, teapot, pop-up book, scales, puppets."""

from __future__ import annotations

import math

from dixitlib.cards import props, terrain
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def boat(c: Canvas) -> None:
    """Float a small boat under an unlikely sail."""
    s, p = c.scene, c.palette
    x, y = 300 + c.side * c.between(-10, 20), c.floor + 10
    mast = x - c.side * 50
    c.add(
        "figures",
        stroke(f"M{mast:.0f},{y:.0f} V{y - 520:.0f}", p.ink, 12),
        stroke(f"M{mast:.0f},{y:.0f} V{y - 520:.0f}", mix("#8a5630", p.glow, 0.2), 7),
    )
    c.draw("figures", s.first, mast + c.side * 6, y - 270, 255)
    c.rope("figures", (mast, y - 515), (x + c.side * 210, y - 70), 8, 2)
    c.rope("figures", (mast, y - 515), (x - c.side * 205, y - 70), 8, 2)
    c.draw("figures", s.subject, x + c.side * 66, y - 26, 245, flip=c.side < 0)
    hull = (
        f"M{x - 225:.0f},{y - 76:.0f} Q{x:.0f},{y - 14:.0f} {x + 225:.0f},{y - 76:.0f} "
        f"C{x + 190:.0f},{y + 46:.0f} {x + 110:.0f},{y + 64:.0f} {x:.0f},{y + 64:.0f} "
        f"C{x - 110:.0f},{y + 64:.0f} {x - 190:.0f},{y + 46:.0f} "
        f"{x - 225:.0f},{y - 76:.0f} Z"
    )
    c.add("figures", filled(hull, props.wood(c), f'stroke="{p.ink}" stroke-width="3"'))
    for k in range(3):
        c.add(
            "figures",
            stroke(
                (
                    f"M{x - 205 + 16 * k:.0f},{y - 42 + 32 * k:.0f} Q{x:.0f},{y + 8 + 26 * k:.0f} "
                    f"{x + 205 - 16 * k:.0f},{y - 42 + 32 * k:.0f}"
                ),
                p.ink,
                2.4,
                0.5,
            ),
        )
    c.add(
        "figures",
        stroke(
            f"M{x - 228:.0f},{y - 78:.0f} Q{x:.0f},{y - 16:.0f} {x + 228:.0f},{y - 78:.0f}",
            mix(p.accent, p.glow, 0.15),
            9,
        ),
    )
    _bow_lantern(c, x - c.side * 206, y - 76)
    _wake(c, x, y + 44)


def _bow_lantern(c: Canvas, x: float, y: float) -> None:
    """Hang the second object from a bent pole at the bow, alight."""
    hook = (x + c.side * 22, y - 112)
    pole = f"M{x:.0f},{y:.0f} Q{x - c.side * 14:.0f},{hook[1]:.0f} {hook[0]:.0f},{hook[1]:.0f}"
    c.add("figures", stroke(pole, c.palette.ink, 6))
    c.glow("figures", hook[0], hook[1] + 52, 110, c.palette.accent, 0.75)
    c.draw("figures", c.scene.second, hook[0], hook[1] - 2, 100, hold="top")


def _wake(c: Canvas, x: float, y: float) -> None:
    """Paint rows of waves, each darker and larger than the one behind."""
    p = c.palette
    water = mix(p.sky[1], p.far, 0.4)
    for k in range(4):
        top, wave = y - 8 + 34 * k, 26 + 7 * k
        crests = "".join(f"q{wave},{(-1) ** j * (13 + 3 * k)} {2 * wave},0 " for j in range(15))
        start = -60 + c.between(-40, 0)
        hue = mix(water, p.near, 0.3 * k)
        c.add(
            "figures",
            filled(
                f"M{start:.0f},{top:.0f} {crests} V905 H-20 Z",
                c.vertical(mix(hue, p.glow, 0.25), hue),
            ),
            stroke(f"M{start:.0f},{top:.0f} {crests}", p.glow, 3, 0.75),
        )


def teapot(c: Canvas) -> None:
    """Pour from a giant pot what is not tea."""
    s, p = c.scene, c.palette
    x, y = 300 + c.side * 120, 235.0
    pot = c.draw("figures", "teapot", x, y, 330, hold="centre", flip=c.side < 0, turn=-c.side * 24)
    spout, foot = (x - c.side * 158, y + 36.0), c.floor + 50
    lip, bend = c.side * 12, spout[0] - c.side * 58
    d = (
        f"M{spout[0]:.0f},{spout[1] - 8:.0f} Q{bend - lip:.0f},{spout[1]:.0f} "
        f"{bend - 2 * lip:.0f},{spout[1] + 130:.0f} "
        f"Q{bend - 2 * lip:.0f},{foot - 120:.0f} {300 - c.side * 215},{foot:.0f} "
        f"H{300 + c.side * 215} "
        f"Q{bend + 3 * lip:.0f},{foot - 160:.0f} "
        f"{bend + 2 * lip:.0f},{spout[1] + 130:.0f} "
        f"Q{bend + 2 * lip:.0f},{spout[1] + 30:.0f} {spout[0]:.0f},{spout[1] + 8:.0f} Z"
    )
    stream = mix(p.accent, p.glow, 0.35)
    c.add(
        "figures",
        filled(d, c.vertical((stream, 0.95), (stream, 0.7), (mix(stream, p.far, 0.4), 0.85))),
    )
    for k in range(9):
        fx = bend + 5 * (k - 4)
        c.add(
            "figures",
            stroke(
                (
                    f"M{fx:.0f},{spout[1] + 40 + 14 * k:.0f} "
                    f"Q{fx - c.side * 6:.0f},{foot - 160:.0f} "
                    f"{fx + (k - 4) * 34:.0f},{foot - 12:.0f}"
                ),
                p.glow,
                2.6,
                0.5,
            ),
        )
    c.add(
        "figures",
        (
            f'<ellipse cx="300" cy="{foot:.0f}" rx="255" ry="46" '
            f'fill="{mix(stream, p.far, 0.4)}" opacity="0.85"/>'
        ),
    )
    terrain.ripples(c, "figures", 300, foot + 4, 330)
    sx = bend
    for k in range(7):
        t = (k + 0.6) / 7
        c.draw(
            "figures",
            s.first,
            sx + math.sin(k * 2.1) * (16 + 80 * t**2) + c.side * 70 * t**2,
            spout[1] + 20 + (foot - spout[1] - 20) * t,
            50 + 42 * t,
            hold="centre",
            turn=k * 47 % 80 - 40,
        )
    c.draw("figures", s.subject, 300 + c.side * 120, foot + 22, 230, flip=c.side < 0, shadow=True)
    lid = pot.saddle(0.5)
    c.draw("figures", s.second, lid[0] - c.side * 12, lid[1] + 14, 96, turn=-c.side * 20)


def popup_book(c: Canvas) -> None:
    """Stand figures of paper up from an open page."""
    s, p = c.scene, c.palette
    y = c.floor - 40
    paper = mix("#fbf1da", p.glow, 0.3)
    c.ground_shadow("figures", 300, y + 124, 560)
    cover = polygon(
        [(40, y + 26), (300, y + 46), (560, y + 26), (598, y + 134), (300, y + 156), (2, y + 134)]
    )
    c.add("figures", filled(cover, mix(p.accent, p.ink, 0.35)))
    for edge in (-1, 1):
        page = (
            f"M300,{y + 34:.0f} Q{300 + edge * 130},{y - 8:.0f} "
            f"{300 + edge * 246},{y + 16:.0f} L{300 + edge * 280},{y + 118:.0f} "
            f"Q{300 + edge * 140},{y + 92:.0f} 300,{y + 142:.0f} Z"
        )
        c.add(
            "figures",
            filled(
                page,
                c.vertical(
                    mix(paper, p.ink, 0.12 if edge * (300 - c.light[0]) > 0 else 0.3), paper
                ),
                f'stroke="{p.ink}" stroke-width="2"',
            ),
        )
        for k in range(4):
            c.add(
                "figures",
                stroke(
                    (
                        f"M{300 + edge * 40},{y + 62 + 16 * k:.0f} "
                        f"Q{300 + edge * 140},{y + 36 + 18 * k:.0f} "
                        f"{300 + edge * (240 + 5 * k)},{y + 50 + 17 * k:.0f}"
                    ),
                    p.ink,
                    1.6,
                    0.3,
                ),
            )
    for k, (hue, tall) in enumerate(
        ((mix(p.far, p.sky[2], 0.3), 150), (mix(p.far, p.near, 0.4), 90))
    ):
        waves = "".join(f"q{30},{-tall * 0.5 * c.between(0.6, 1.3):.0f} 60,0 " for _ in range(7))
        back = f"M90,{y + 26 + 16 * k:.0f} v{-tall * 0.45:.0f} {waves} v{tall * 0.45:.0f} Z"
        c.add("figures", filled(back, hue), stroke(back, paper, 4))
    props.cutout(c, "figures", s.first, 300 - c.side * 130, y + 52, 190, False)
    props.cutout(c, "figures", s.subject, 300 + c.side * 74, y + 76, 320, c.side < 0)
    c.draw("figures", s.second, 300 - c.side * c.between(60, 110), y + 192, 112, shadow=True)


def balance(c: Canvas) -> None:
    """Weigh the subject against an object."""
    s, p = c.scene, c.palette
    x, top, foot = 300.0, 290.0, c.floor + 66
    tilt, reach = c.side * 40, 168
    metal = props.gold(c)
    c.ground_shadow("figures", x, foot, 250)
    c.add(
        "figures",
        filled(
            polygon([(x - 9, top), (x + 9, top), (x + 17, foot), (x - 17, foot)]),
            metal,
            f'stroke="{p.ink}" stroke-width="3"',
        ),
        filled(
            f"M{x - 110:.0f},{foot + 6:.0f} q0,-46 110,-50 q110,4 110,50 Z",
            metal,
            f'stroke="{p.ink}" stroke-width="3"',
        ),
    )
    beam = (
        f"M{x - reach:.0f},{top - tilt:.0f} Q{x:.0f},{top - 34:.0f} "
        f"{x + reach:.0f},{top + tilt:.0f}"
    )
    c.add("figures", stroke(beam, p.ink, 17), stroke(beam, mix("#d9a441", p.sky[1], 0.2), 11))
    for name, edge, size in ((s.subject, c.side, 200), (s.first, -c.side, 165)):
        px, py = x + edge * reach, top + edge * tilt
        pan = py + 330 if edge == c.side else py + 270
        c.draw("figures", name, px, pan + 6, size, flip=c.side < 0 and edge == c.side)
        for dx in (-86, 86):
            c.rope("figures", (px, py), (px + dx, pan), 0, 2.4)
        c.add(
            "figures",
            filled(
                f"M{px - 92:.0f},{pan:.0f} q92,54 184,0 Z",
                metal,
                f'stroke="{p.ink}" stroke-width="3"',
            ),
        )
    c.draw("figures", s.second, x, top - 14, 122)


def puppets(c: Canvas) -> None:
    """Hang the subject and an object from a great hand."""
    s, p = c.scene, c.palette
    x, y = 300 + c.side * c.between(0, 30), 215.0
    c.add(
        "figures",
        filled(
            polygon(
                [(x + c.side * 70, y - 60), (x + c.side * 330, -40), (x + c.side * 330, y + 30)]
            ),
            mix(p.accent, p.ink, 0.35),
        ),
    )
    hero = c.draw(
        "figures", s.subject, x + c.side * 82, c.floor + 6, 265, flip=c.side < 0, turn=c.side * 5
    )
    other = c.draw("figures", s.first, x - c.side * 140, c.floor - 40, 165, turn=-c.side * 9)
    for puppet, knots in ((hero, (0.12, 0.5, 0.88)), (other, (0.25, 0.75))):
        for k, share in enumerate(knots):
            end = puppet.saddle(share)
            start = (x + (puppet.x - x) * 0.9 + (k - 1) * 40, y + 30)
            c.add(
                "figures",
                stroke(
                    f"M{start[0]:.0f},{start[1]:.0f} L{end[0]:.0f},{end[1] + 6:.0f}",
                    p.ink,
                    3.4,
                    0.6,
                ),
                stroke(
                    f"M{start[0]:.0f},{start[1]:.0f} L{end[0]:.0f},{end[1] + 6:.0f}", p.glow, 1.6
                ),
            )
    bars = (
        f"M{x - 190:.0f},{y + 46:.0f} L{x + 190:.0f},{y + 18:.0f} "
        f"M{x - 40:.0f},{y - 6:.0f} L{x + 40:.0f},{y + 70:.0f}"
    )
    c.add("figures", stroke(bars, p.ink, 20), stroke(bars, mix("#a36a3c", p.glow, 0.15), 14))
    c.draw("figures", "hand", x + c.side * 26, y - 6, 280, hold="centre", flip=c.side > 0)
    for puppet in (hero, other):
        c.ground_shadow("ground", puppet.x, c.floor + 40, puppet.width * 0.8)
    c.draw("figures", s.second, x - c.side * c.between(10, 60), c.floor + 76, 112, shadow=True)
