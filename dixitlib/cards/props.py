"""Things that twists need and OpenMoji lacks: glass, wood, chains, crescents, paper."""

from __future__ import annotations

import math

from dixitlib.cards import drawings
from dixitlib.cards.canvas import Canvas, Placed, code_of
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import Point, filled, polygon, stroke


def wood(canvas: Canvas) -> str:
    """Return a fill of turned wood, lit from one side."""
    p = canvas.palette
    base = mix("#8a5630", p.sky[1], 0.25)
    return canvas.across(mix(base, p.glow, 0.35), base, mix(base, p.ink, 0.6))


def gold(canvas: Canvas) -> str:
    """Return a fill of old gold."""
    p = canvas.palette
    base = mix("#d9a441", p.sky[1], 0.2)
    return canvas.across(mix(base, "#ffffff", 0.45), base, mix(base, p.ink, 0.5), base)


def glass(canvas: Canvas, layer: str, path: str, tint: str) -> None:
    """Paint a transparent body: darker at its sides, with a bright edge."""
    p = canvas.palette
    body = canvas.across((p.glow, 0.4), (tint, 0.1), (tint, 0.08), (p.ink, 0.34))
    canvas.add(
        layer, filled(path, body), stroke(path, p.ink, 5, 0.55), stroke(path, p.glow, 2.2, 0.9)
    )


def gleam(canvas: Canvas, layer: str, path: str, width: float = 9) -> None:
    """Paint the window's reflection on glass."""
    canvas.add(layer, stroke(path, "#ffffff", width, 0.5))


def chain(canvas: Canvas, layer: str, start: Point, end: Point) -> None:
    """Draw a chain of links between two points."""
    far = math.dist(start, end)
    p = canvas.palette
    line = f"M{start[0]:.1f},{start[1]:.1f} L{end[0]:.1f},{end[1]:.1f}"
    links = f'stroke-dasharray="9 5" d="{line}" fill="none" stroke-linecap="round"'
    if far > 4:
        canvas.add(
            layer,
            f'<path {links} stroke="{p.ink}" stroke-width="6"/>',
            f'<path {links} stroke="{mix("#d9a441", p.sky[1], 0.3)}" stroke-width="3"/>',
        )


def crescent(canvas: Canvas, layer: str, x: float, y: float, r: float, side: int) -> Point:
    """Paint a great crescent moon, open upward and to one side; return its lowest seat."""
    p = canvas.palette
    canvas.glow(layer, x, y, r * 1.8, p.glow, 0.6)
    face = canvas.define(
        "radialGradient",
        'cx="0.2" cy="0.85" r="0.95"',
        f'<stop stop-color="#ffffff"/><stop offset="0.5" stop-color="{p.glow}"/>'
        f'<stop offset="1" stop-color="{mix(p.glow, p.sky[1], 0.55)}"/>',
    )
    spots = (
        (2.2, 0.86, 0.07),
        (2.7, 0.8, 0.04),
        (1.7, 0.84, 0.05),
        (3.3, 0.9, 0.04),
        (1.2, 0.9, 0.03),
    )
    craters = "".join(
        f'<circle cx="{math.cos(a) * d:.3f}" cy="{math.sin(a) * d:.3f}" r="{s}" opacity="0.2"/>'
        for a, d, s in spots
    )
    canvas.add(
        layer,
        f'<g transform="translate({x:.1f} {y:.1f}) scale({side * r:.1f} {r:.1f})" '
        f'fill="{p.sky[1]}">'
        f'<path d="M0.35,-0.94 A1,1 0 1 0 0.94,0.35 A0.86,0.86 0 1 1 0.35,-0.94 Z" fill="{face}"/>'
        f"{craters}</g>",
    )
    return x + side * 0.2 * r, y + 0.77 * r  # the inner arc is centred at (0.20, -0.09)


def cutout(
    canvas: Canvas, layer: str, name: str, x: float, y: float, size: float, flip: bool
) -> Placed:
    """Paint a drawing as a paper figure with a pale border, standing at (x, y)."""
    code = code_of(name)
    shape = drawings.silhouette(code)
    scale = size / max(shape.width, shape.height)
    paper = drawings.silhouetted(code, mix("#fff8e6", canvas.palette.glow, 0.3)).replace(
        '"2"', '"5.5"'
    )
    middle = (shape.left + shape.right) / 2
    mirrored = -scale if flip else scale
    canvas.add(
        layer,
        f'<g transform="translate({x:.1f} {y:.1f}) scale({mirrored:.4f} {scale:.4f}) '
        f'translate({-middle:.2f} {-shape.bottom:.2f})" stroke-linejoin="round">{paper}</g>',
    )
    return canvas.draw(layer, name, x, y, size, flip=flip)


def nest(canvas: Canvas, layer: str, x: float, y: float, wide: float) -> None:
    """Paint the near wall of a nest of twigs, its rim centred at (x, y)."""
    p = canvas.palette
    straw = mix("#9a6b3a", p.sky[1], 0.25)
    hues = (mix(straw, p.ink, 0.6), straw, mix(straw, p.ink, 0.3), mix(straw, p.glow, 0.45))
    w = wide / 2
    bowl = (
        f"M{x - w:.0f},{y:.0f} Q{x:.0f},{y + 34:.0f} {x + w:.0f},{y:.0f} "
        f"Q{x + w * 0.8:.0f},{y + 74:.0f} {x:.0f},{y + 78:.0f} "
        f"Q{x - w * 0.8:.0f},{y + 74:.0f} {x - w:.0f},{y:.0f} Z"
    )
    canvas.add(layer, filled(bowl, hues[0]))
    for k in range(64):
        share, drop = canvas.between(-1, 1), canvas.between(0, 1)
        cx, cy = x + w * share, y + 20 * (1 - share**2) + 50 * drop * (1 - share**4)
        long, rise = canvas.between(40, 105), canvas.between(-15, 15) - 14 * share
        path = (
            f"M{cx - long / 2:.0f},{cy + rise:.0f} Q{cx:.0f},{cy + 8:.0f} "
            f"{cx + long / 2:.0f},{cy - rise:.0f}"
        )
        canvas.add(layer, stroke(path, hues[k % 4], 4.2))


def pillar(canvas: Canvas, layer: str, x: float, top: float, foot: float, wide: float) -> None:
    """Paint a stone pillar with a capital."""
    p, w = canvas.palette, wide / 2
    stone = mix(mix("#cfc4b2", p.sky[1], 0.35), p.near, 0.25)
    fill = canvas.across(mix(stone, p.glow, 0.5), stone, mix(stone, p.ink, 0.6))
    fade = canvas.vertical((p.ink, 0), (p.ink, 0.1), (p.ink, 0.5))
    body = polygon([(x - w, top), (x + w, top), (x + w * 1.2, foot), (x - w * 1.2, foot)])
    canvas.add(layer, filled(body, fill), filled(body, fade))
    y = top + 40
    while y < foot:
        canvas.add(layer, stroke(f"M{x - w:.0f},{y:.0f} h{wide:.0f}", p.ink, 1.6, 0.35))
        y += canvas.between(34, 60)
    canvas.add(
        layer,
        (
            f'<rect x="{x - w * 1.35:.0f}" y="{top - 4:.0f}" width="{wide * 1.35:.0f}" '
            f'height="20" rx="3" fill="{fill}"/>'
        ),
    )


def cloud(
    canvas: Canvas, layer: str, x: float, y: float, wide: float, pale: str, dark: str
) -> None:
    """Paint one heavy cloud whose base is at y."""
    for row, (lift, hue) in enumerate(((0.0, dark), (0.03, mix(pale, dark, 0.6)), (0.075, pale))):
        fill = canvas.vertical(mix(pale, hue, 0.3 + 0.2 * row), hue, mix(hue, dark, 0.55))
        for k in canvas.rng.permutation(13):
            share = (k + canvas.between(0.2, 0.8)) / 13
            r = wide * (0.045 + 0.085 * math.sin(math.pi * share)) * canvas.between(0.8, 1.2)
            cx, cy = x + (share - 0.5) * wide * (0.9 - 0.06 * row), y - r * 0.75 - wide * lift
            canvas.add(layer, f'<circle cx="{cx:.0f}" cy="{cy:.0f}" r="{r:.0f}" fill="{fill}"/>')
