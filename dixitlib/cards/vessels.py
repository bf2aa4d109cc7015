"""Twists that shut a small world in: bottle, globe, cage, egg, hourglass."""

from __future__ import annotations

import math

from dixitlib.cards import props, terrain
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def bottle(c: Canvas) -> None:
    """Shut a small world under a cork."""
    s, p = c.scene, c.palette
    x, y, w, h = 300 + c.side * c.between(20, 60), c.floor + 62, 172.0, 420.0
    shoulder = y - h + 60
    path = (
        f"M{x - w + 18:.0f},{y:.0f} Q{x - w:.0f},{y:.0f} {x - w:.0f},{y - 22:.0f} V{shoulder:.0f} "
        f"C{x - w:.0f},{shoulder - 90:.0f} {x - 48:.0f},{shoulder - 70:.0f} "
        f"{x - 48:.0f},{shoulder - 150:.0f} h96 "
        f"C{x + 48:.0f},{shoulder - 70:.0f} {x + w:.0f},{shoulder - 90:.0f} "
        f"{x + w:.0f},{shoulder:.0f} V{y - 22:.0f} "
        f"Q{x + w:.0f},{y:.0f} {x + w - 18:.0f},{y:.0f} Z"
    )
    c.ground_shadow("figures", x, y, 380)
    c.add(
        "figures",
        (
            f'<rect x="{x - 42:.0f}" y="{shoulder - 196:.0f}" width="84" height="56" rx="9" '
            f'fill="{props.wood(c)}" stroke="{p.ink}" stroke-width="3"/>'
        ),
    )
    c.glow("figures", x, y - 170, 230, p.glow, 0.75)
    clip = c.define("clipPath", "", f'<path d="{path}"/>')
    level = y - c.between(110, 150)
    sea = c.vertical((mix(p.accent, p.sky[1], 0.5), 0.75), (mix(p.accent, p.ink, 0.4), 0.92))
    c.draw("figures", s.first, x - c.side * 78, level + 12, 140, turn=c.between(-8, 8))
    c.draw("figures", s.subject, x + c.side * 44, level + 34, 215, flip=c.side < 0)
    waves = "".join(f"q22,{(-1) ** k * 16} 44,0 " for k in range(10))
    c.add(
        "figures",
        f'<g clip-path="{clip}">'
        + filled(f"M{x - 220:.0f},{level:.0f} {waves} V{y + 9:.0f} H{x - 220:.0f} Z", sea)
        + stroke(f"M{x - 220:.0f},{level:.0f} {waves}", p.glow, 4, 0.8)
        + "</g>",
    )
    props.glass(c, "figures", path, p.sky[2])
    props.gleam(
        c, "figures", f"M{x - w + 26:.0f},{y - 60:.0f} V{shoulder + 10:.0f} q2,-46 40,-66", 11
    )
    props.gleam(c, "figures", f"M{x + w - 22:.0f},{y - 40:.0f} v-110", 6)
    c.draw("figures", s.second, x - c.side * (w + 64), y + 14, 122, shadow=True)


def snow_globe(c: Canvas) -> None:
    """Shut a weather of its own under glass."""
    s, p = c.scene, c.palette
    x, r = 300 + c.side * c.between(20, 50), 205.0
    y = c.floor - 220
    c.ground_shadow("figures", x, c.floor + 66, 330)
    base = polygon([(x - 130, y + 160), (x + 130, y + 160), (x + 172, y + 282), (x - 172, y + 282)])
    c.add(
        "figures",
        filled(base, props.wood(c), f'stroke="{p.ink}" stroke-width="3"'),
        stroke(f"M{x - 160:.0f},{y + 252:.0f} h320", mix("#d9a441", p.sky[1], 0.2), 7),
    )
    clip = c.define("clipPath", "", f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r}"/>')
    inner = c.vertical(
        mix(p.accent, p.sky[0], 0.6), mix(p.accent, p.sky[2], 0.5), mix(p.glow, "#ffffff", 0.5)
    )
    ridge = terrain.profile(c, y + 80, 70, 2, 0.7)
    c.add(
        "figures",
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r}" fill="{inner}"/>',
        f'<g clip-path="{clip}">',
        filled(polygon([*ridge, (620, 905), (-20, 905)]), mix(p.far, p.sky[2], 0.4)),
    )
    for k in range(5):
        terrain.fir(
            c,
            "figures",
            x - 170 + 80 * k + c.between(-20, 20),
            y + 100,
            c.between(60, 120),
            mix(p.far, p.ink, 0.4),
        )
    c.add(
        "figures",
        filled(
            f"M{x - 240:.0f},{y + 104:.0f} q120,-40 240,-8 t240,0 V905 H{x - 240:.0f} Z",
            c.vertical("#ffffff", mix("#cdd8e6", p.sky[1], 0.35)),
        ),
        "</g>",
    )
    c.draw("figures", s.first, x - c.side * 94, y + 120, 128, shadow=True)
    c.draw("figures", s.subject, x + c.side * 40, y + 146, 210, flip=c.side < 0, shadow=True)
    flakes = "".join(_flake(c, x, y, r - 12) for _ in range(46))
    c.add("figures", f'<g fill="#ffffff" opacity="0.9">{flakes}</g>')
    props.glass(
        c,
        "figures",
        (
            f"M{x - r:.0f},{y:.0f} A{r},{r} 0 1 1 {x + r:.0f},{y:.0f} A{r},{r} 0 1 1 "
            f"{x - r:.0f},{y:.0f} Z"
        ),
        p.sky[2],
    )
    props.gleam(
        c,
        "figures",
        (
            f"M{x - r * 0.8:.0f},{y - r * 0.2:.0f} Q{x - r * 0.72:.0f},{y - r * 0.66:.0f} "
            f"{x - r * 0.3:.0f},{y - r * 0.8:.0f}"
        ),
        14,
    )
    c.draw("figures", s.second, x - c.side * 216, c.floor + 74, 120, shadow=True)


def _flake(c: Canvas, x: float, y: float, r: float) -> str:
    a, far = c.between(0, 6.28), r * math.sqrt(c.between(0, 1))
    return (
        f'<circle cx="{x + far * math.cos(a):.0f}" cy="{y + far * math.sin(a):.0f}" '
        f'r="{c.between(1.5, 4):.1f}"/>'
    )


def birdcage(c: Canvas) -> None:
    """Hang a gilded cage from nowhere."""
    s, p = c.scene, c.palette
    x, top, w, foot = 300 + c.side * c.between(0, 40), 190.0, 185.0, 610.0
    props.chain(c, "figures", (x, -10), (x, top - 40))
    metal, dome = mix("#d9a441", p.sky[1], 0.2), top + 170
    c.glow("figures", x, 430, 250, p.glow, 0.55)

    def bar(share: float) -> str:
        bx = x + w * share
        return (
            f"M{x:.0f},{top - 20:.0f} C{x + w * share * 0.75:.0f},{top + 4:.0f} "
            f"{bx:.0f},{dome - 90:.0f} {bx:.0f},{dome:.0f} V{foot:.0f}"
        )

    shares = [math.sin(math.pi * k / 12) for k in range(-6, 7)]
    for share in shares[1::2]:
        c.add("figures", stroke(bar(share), mix(metal, p.ink, 0.6), 3))
    c.add(
        "figures",
        (
            f'<ellipse cx="{x:.0f}" cy="{foot:.0f}" rx="{w}" ry="30" '
            f'fill="{mix(metal, p.ink, 0.55)}"/>'
        ),
    )
    c.draw("figures", s.first, x - c.side * 98, foot + 8, 128)
    c.draw("figures", s.subject, x + c.side * 36, foot + 14, 240, flip=c.side < 0, shadow=True)
    for share in shares[::2]:
        c.add("figures", stroke(bar(share), p.ink, 6, 0.7), stroke(bar(share), metal, 3.4))
    for y, sag in ((dome, 24), (foot, 30)):
        band = f"M{x - w:.0f},{y:.0f} A{w},{sag} 0 0 0 {x + w:.0f},{y:.0f}"
        c.add("figures", stroke(band, p.ink, 14), stroke(band, metal, 9))
    c.add(
        "figures",
        (
            f'<circle cx="{x:.0f}" cy="{top - 34:.0f}" r="15" fill="none" stroke="{metal}" '
            'stroke-width="6"/>'
        ),
    )
    c.ground_shadow("ground", x, c.floor + 60, 340)
    c.draw("figures", s.second, x - c.side * c.between(40, 120), c.floor + 70, 128, shadow=True)


def egg(c: Canvas) -> None:
    """Hatch two at once from one shell."""
    s, p = c.scene, c.palette
    x, y = 300 + c.side * c.between(0, 40), c.floor - 110
    shell = mix(mix("#f6ead2", p.glow, 0.4), p.sky[1], 0.12)
    c.ground_shadow("figures", x, y + 176, 420)
    c.glow("figures", x, y - 40, 290, p.glow, 0.95)
    inside = mix(shell, p.ink, 0.45)
    c.add("figures", f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="158" ry="44" fill="{inside}"/>')
    c.draw("figures", s.first, x - c.side * 92, y + 40, 170, turn=-c.side * 16)
    c.draw("figures", s.subject, x + c.side * 34, y + 66, 275, flip=c.side < 0)
    cracks = "".join(f"l17,{(-1) ** k * 34 - c.between(-9, 9):.0f} " for k in range(19))
    body = (
        f"M{x - 162:.0f},{y:.0f} {cracks} L{x + 162:.0f},{y:.0f} "
        f"C{x + 170:.0f},{y + 130:.0f} {x + 90:.0f},{y + 186:.0f} {x:.0f},{y + 186:.0f} "
        f"C{x - 90:.0f},{y + 186:.0f} {x - 170:.0f},{y + 130:.0f} {x - 162:.0f},{y:.0f} "
        "Z"
    )
    fill = c.across(mix(shell, "#ffffff", 0.6), shell, mix(shell, p.ink, 0.5))
    c.add(
        "figures", filled(body, fill, f'stroke="{p.ink}" stroke-width="3" stroke-linejoin="round"')
    )
    for _ in range(16):
        c.add(
            "figures",
            (
                f'<circle cx="{x + c.between(-120, 120):.0f}" cy="{y + c.between(46, 150):.0f}" '
                f'r="{c.between(2, 7):.1f}" fill="{mix(shell, p.accent, 0.5)}" opacity="0.6"/>'
            ),
        )
    cap = (
        "M-96,0 l24,-26 l22,30 l26,-34 l24,36 l26,-32 l22,28 l24,-20 l24,18 C100,-96 "
        "-92,-108 -96,0 Z"
    )
    c.add(
        "figures",
        f'<g transform="translate({x - c.side * 206:.0f} {y + 164:.0f}) rotate({-c.side * 38})">'
        + filled(cap, fill, f'stroke="{p.ink}" stroke-width="3"')
        + "</g>",
    )
    props.nest(c, "figures", x, y + 128, 400)
    c.draw("figures", s.second, x + c.side * 200, y + 214, 122, shadow=True)


def hourglass(c: Canvas) -> None:
    """Run time out on one object, from under the subject's feet."""
    s, p = c.scene, c.palette
    x, top, foot, w = 300 + c.side * c.between(20, 60), 150.0, c.floor + 66, 165.0
    mid = (top + foot) / 2
    sand = mix("#e9c27a", p.glow, 0.25)
    outline = (
        f"M{x - w:.0f},{top:.0f} h{2 * w:.0f} C{x + w:.0f},{mid - 80:.0f} "
        f"{x + 16:.0f},{mid - 56:.0f} {x + 16:.0f},{mid:.0f} "
        f"C{x + 16:.0f},{mid + 56:.0f} {x + w:.0f},{mid + 80:.0f} "
        f"{x + w:.0f},{foot:.0f} h{-2 * w:.0f} "
        f"C{x - w:.0f},{mid + 80:.0f} {x - 16:.0f},{mid + 56:.0f} "
        f"{x - 16:.0f},{mid:.0f} C{x - 16:.0f},{mid - 56:.0f} "
        f"{x - w:.0f},{mid - 80:.0f} {x - w:.0f},{top:.0f} Z"
    )
    clip = c.define("clipPath", "", f'<path d="{outline}"/>')
    c.ground_shadow("figures", x, foot + 20, 400)
    c.glow("figures", x, mid, 320, p.glow, 0.5)
    level = mid - 105
    c.draw("figures", s.subject, x, level + 18, 215, flip=c.side < 0)
    c.draw("figures", s.first, x + c.side * 16, foot - 46, 165, turn=c.side * 12)
    heap = (
        f"M{x - 180:.0f},{foot + 5:.0f} Q{x - 90:.0f},{foot - 54:.0f} "
        f"{x:.0f},{foot - 86:.0f} Q{x + 90:.0f},{foot - 50:.0f} "
        f"{x + 180:.0f},{foot + 5:.0f} Z"
    )
    fill = c.vertical(mix(sand, "#ffffff", 0.3), mix(sand, p.near, 0.45))
    c.add(
        "figures",
        f'<g clip-path="{clip}">'
        + filled(f"M{x - 180:.0f},{level:.0f} q180,22 360,0 V{mid:.0f} H{x - 180:.0f} Z", fill)
        + stroke(f"M{x:.0f},{mid - 20:.0f} V{foot - 70:.0f}", sand, 6)
        + filled(heap, fill)
        + "</g>",
    )
    props.glass(c, "figures", outline, p.sky[2])
    props.gleam(c, "figures", f"M{x - w + 26:.0f},{top + 26:.0f} q0,90 44,150", 9)
    for y in (top - 26, foot - 4):
        c.add(
            "figures",
            (
                f'<rect x="{x - w - 26:.0f}" y="{y:.0f}" width="{2 * w + 52:.0f}" height="30" '
                f'rx="8" fill="{props.wood(c)}" stroke="{p.ink}" stroke-width="3"/>'
            ),
        )
    for dx in (-w - 10, w + 10):
        c.add(
            "figures",
            stroke(f"M{x + dx:.0f},{top:.0f} V{foot:.0f}", p.ink, 11),
            stroke(f"M{x + dx:.0f},{top:.0f} V{foot:.0f}", mix("#8a5630", p.glow, 0.25), 6),
        )
    c.draw("figures", s.second, max(72, min(528, x - c.side * 240)), foot + 24, 116, shadow=True)
