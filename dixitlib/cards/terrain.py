"""What landscapes are built of: ridges, peaks, trees, grass, rocks, water, mottled ground."""

from __future__ import annotations

import math

import numpy as np

from dixitlib.cards import noise
from dixitlib.cards.canvas import HEIGHT, WIDTH, Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import Point, filled, polygon, stroke

EDGE = 20  # how far things reach past the card's sides


def profile(canvas: Canvas, y: float, height: float, waves: float, rough: float) -> list[Point]:
    """Return the outline of a range of hills, from left to right.

    Parameters
    ----------
    canvas
        The card.
    y, height
        Foot of the range, and how high it rises above.
    waves
        How many hills fit across.
    rough
        0 for dunes, 1 for crags.
    """
    octaves = 2 + round(3 * rough)
    line = noise.fractal(canvas.rng, (2, 72), (1, waves), octaves)[0]
    line = (line - line.min()) / max(float(np.ptp(line)), 1e-6)
    if rough > 0.5:
        line = 1 - np.abs(2 * line - 1) ** 0.8  # creases where hills would meet
    xs = np.linspace(-EDGE, WIDTH + EDGE, 72)
    return [(float(a), float(y - height * b)) for a, b in zip(xs, line, strict=True)]


def land(
    canvas: Canvas,
    layer: str,
    top: list[Point],
    upper: str,
    lower: str,
    bottom: float = HEIGHT,
) -> str:
    """Fill what is below an outline and return the path, for clipping.

    Land that nearer land will cover need not reach the card's bottom.
    """
    path = polygon([*top, (WIDTH + EDGE, bottom), (-EDGE, bottom)])
    box = f'gradientUnits="userSpaceOnUse" x1="0" y1="{min(y for _, y in top):.0f}" x2="0" '
    box += f'y2="{HEIGHT}"'
    stops = f'<stop stop-color="{upper}"/><stop offset="1" stop-color="{lower}"/>'
    canvas.add(layer, filled(path, canvas.define("linearGradient", box, stops)))
    return path


def mottle(canvas: Canvas, layer: str, path: str, hue: str, cells: Point, top: float) -> None:
    """Lay lighter and darker patches of a colour over a piece of land."""
    p = canvas.palette
    clip = canvas.define("clipPath", "", f'<path d="{path}"/>')
    patches = noise.mottling(canvas.rng, mix(hue, p.glow, 0.5), mix(hue, p.ink, 0.7), cells)
    canvas.add(
        layer,
        f'<image href="{patches}" x="-20" y="{top:.0f}" width="640" height="{HEIGHT - top:.0f}" '
        f'preserveAspectRatio="none" style="image-rendering:smooth" clip-path="{clip}"/>',
    )


def range_of_hills(
    canvas: Canvas, layer: str, y: float, height: float, waves: float, rough: float, depth: float
) -> list[Point]:
    """Paint one hazy ridge and return its outline."""
    top = profile(canvas, y, height, waves, rough)
    hue = mix(canvas.haze(depth), canvas.palette.sky[2], depth * 0.5)
    crest = mix(hue, canvas.palette.glow, 0.12)
    land(canvas, layer, top, hue, mix(hue, canvas.palette.sky[2], 0.25 * depth), y + 130)
    lit = stroke("M" + " L".join(f"{a:.0f},{b:.0f}" for a, b in top), crest, 2.5, 0.6)
    canvas.add(layer, lit)
    return top


def ground(canvas: Canvas, top: list[Point], upper: str, lower: str, grain: Point = (9, 3)) -> None:
    """Paint the ground on which the scene stands, mottled light and dark."""
    path = land(canvas, "ground", top, upper, lower)
    y = min(b for _, b in top)
    mottle(canvas, "ground", path, mix(upper, lower, 0.4), grain, y)
    x = canvas.light[0]
    pool = canvas.radial((canvas.palette.glow, 0.34), (canvas.palette.glow, 0))
    canvas.add(
        "ground", f'<ellipse cx="{x:.0f}" cy="{y + 70:.0f}" rx="330" ry="120" fill="{pool}"/>'
    )


def level(y: float) -> list[Point]:
    """Return a flat outline."""
    return [(-EDGE, y), (WIDTH + EDGE, y)]


def peaks(canvas: Canvas, layer: str, y: float, height: float, count: int, depth: float) -> None:
    """Paint mountains, each with a lit and a shaded flank and snow above."""
    p = canvas.palette
    body = mix(canvas.haze(depth), p.sky[2], depth * 0.45)
    side = 1 if canvas.light[0] > WIDTH / 2 else -1
    for k in canvas.rng.permutation(count):
        x = (k + 0.5) * WIDTH / count + canvas.between(-50, 50)
        h, half = height * canvas.between(0.6, 1), height * canvas.between(0.5, 0.8)
        _peak(canvas, layer, (x, y - h), half, y, side, body)


def _peak(
    canvas: Canvas, layer: str, top: Point, half: float, foot: float, side: int, body: str
) -> None:
    p, x = canvas.palette, top[0]
    fade = canvas.vertical(body, mix(body, p.sky[2], 0.7))
    jag = [canvas.between(-0.06, 0.06) * half for _ in range(12)]
    left = _flank(top, (x - half, foot), jag[:4])
    right = _flank(top, (x + half, foot), jag[4:8])
    spine = _flank(top, (x + half * 0.12 * side, foot), [j * 1.8 for j in jag[8:]])
    lit, dark = (right, left) if side > 0 else (left, right)
    canvas.add(layer, filled(polygon([*left, *reversed(right)]), fade))
    shade = canvas.vertical((p.ink, 0.5), (p.ink, 0.04))
    canvas.add(layer, filled(polygon([*dark, *reversed(spine)]), shade))
    snow = [top, _at(lit, 0.45), _at(spine, 0.26), _at(spine, 0.4), _at(dark, 0.22)]
    canvas.add(layer, filled(polygon(snow), mix(p.glow, "#ffffff", 0.4), 'opacity="0.85"'))


def _flank(top: Point, foot: Point, jag: list[float]) -> list[Point]:
    steps = np.linspace(0, 1, len(jag) + 2)
    offsets = [0.0, *jag, 0.0]
    return [
        (float(top[0] + (foot[0] - top[0]) * s + j), float(top[1] + (foot[1] - top[1]) * s))
        for s, j in zip(steps, offsets, strict=True)
    ]


def _at(line: list[Point], share: float) -> Point:
    place = share * (len(line) - 1)
    low = int(place)
    (ax, ay), (bx, by), rest = line[low], line[low + 1], place - low
    return ax + (bx - ax) * rest, ay + (by - ay) * rest


def fir(canvas: Canvas, layer: str, x: float, y: float, height: float, colour: str) -> None:
    """Paint a conifer of ragged tiers, its foot at (x, y)."""
    tiers, half = 6, height * 0.24
    left, right = [], []
    for k in range(tiers):
        top, low = (
            y - height * (1 - k / tiers),
            y - height * (1 - (k + 1.25) / tiers) - height * 0.1,
        )
        wide = half * (k + 1.2) / tiers * canvas.between(0.85, 1.1)
        left += [(x - wide * 0.35, top + height * 0.02), (x - wide, low)]
        right += [(x + wide * 0.35, top + height * 0.02), (x + wide * 0.95, low)]
    canvas.add(
        layer,
        f'<rect x="{x - height * 0.02:.1f}" y="{y - height * 0.12:.1f}" '
        f'width="{height * 0.04:.1f}" height="{height * 0.13:.1f}" fill="{canvas.palette.ink}"/>',
        filled(polygon([(x, y - height), *right, *reversed(left)]), colour),
    )


def trunk(
    canvas: Canvas, layer: str, x: float, foot: float, wide: float, colours: Point | tuple[str, str]
) -> None:
    """Paint a tree trunk that leaves the card at the top."""
    lean = canvas.between(-18, 18)
    path = (
        f"M{x - wide * 0.7:.1f},{foot:.1f} Q{x - wide * 0.45:.1f},{foot - 60:.1f} "
        f"{x - wide * 0.42 + lean:.1f},-10 L{x + wide * 0.42 + lean:.1f},-10 "
        f"Q{x + wide * 0.45:.1f},{foot - 60:.1f} {x + wide * 0.7:.1f},{foot:.1f} Z"
    )
    canvas.add(layer, filled(path, canvas.across(*colours)))


def grass(
    canvas: Canvas, layer: str, low: float, high: float, tall: float, count: int, colour: str
) -> None:
    """Paint blades of grass with their feet between two heights."""
    for _ in range(count):
        x, y = canvas.between(-10, 610), canvas.between(low, high)
        h, bend = tall * canvas.between(0.5, 1), canvas.between(-0.4, 0.4) * tall
        path = f"M{x - 2:.0f},{y:.0f} Q{x:.0f},{y - h * 0.6:.0f} {x + bend:.0f},{y - h:.0f} "
        path += f"Q{x + 2:.0f},{y - h * 0.5:.0f} {x + 2.5:.0f},{y:.0f} Z"
        canvas.add(layer, filled(path, colour))


def rock(
    canvas: Canvas, layer: str, x: float, y: float, wide: float, tall: float, colour: str
) -> None:
    """Paint a boulder with a lit top, its foot at (x, y)."""
    count = 9
    angles = np.linspace(math.pi, 2 * math.pi, count)
    reach = canvas.rng.uniform(0.82, 1.05, count)
    points = [
        (float(x + wide / 2 * math.cos(a) * r), float(y + tall * math.sin(a) * r))
        for a, r in zip(angles, reach, strict=True)
    ]
    fill = canvas.vertical(
        mix(colour, canvas.palette.glow, 0.35), mix(colour, canvas.palette.ink, 0.4)
    )
    canvas.add(layer, filled(polygon(points), fill))


def water(canvas: Canvas, top: float, bottom: float = HEIGHT) -> None:
    """Paint water up to a shore line: sky colours, waves, and the light's path."""
    p = canvas.palette
    near = mix(p.near, p.sky[0], 0.5)
    fill = canvas.vertical(mix(p.sky[2], p.far, 0.45), mix(p.sky[1], p.near, 0.35), near)
    canvas.add(
        "ground",
        f'<rect x="-9" y="{top:.0f}" width="618" height="{bottom - top:.0f}" fill="{fill}"/>',
    )
    y, gap = top + 3, 5.0
    while y < bottom:
        for _ in range(5):
            x, long = canvas.between(-60, 620), gap * canvas.between(2, 7)
            light = canvas.chance(0.5)
            colour = mix(p.glow, p.sky[2], 0.3) if light else p.ink
            path = f"M{x:.0f},{y:.0f} q{long / 2:.0f},{-gap * 0.3:.1f} {long:.0f},0"
            canvas.add("ground", stroke(path, colour, 0.8 + gap * 0.09, 0.32 if light else 0.2))
        _glitter(canvas, y, gap, y - top)
        y, gap = y + gap, gap * 1.13


def _glitter(canvas: Canvas, y: float, gap: float, away: float) -> None:
    reach = 26 + away * 0.22
    for _ in range(3):
        x = canvas.light[0] + float(canvas.rng.normal(0, reach * 0.5))
        wide = gap * canvas.between(1.2, 3.2)
        canvas.add(
            "ground",
            f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="{wide:.1f}" ry="{gap * 0.16 + 0.6:.1f}" '
            f'fill="{canvas.palette.glow}" opacity="0.75"/>',
        )


def ripples(canvas: Canvas, layer: str, x: float, y: float, wide: float) -> None:
    """Paint rings on water around something that touches it."""
    for k in range(3):
        r = wide * (0.5 + 0.22 * k)
        canvas.add(
            layer,
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{r:.1f}" ry="{r * 0.16:.1f}" fill="none" '
            f'stroke="{canvas.palette.glow}" stroke-width="1.6" opacity="{0.6 - 0.16 * k:.2f}"/>',
        )
