"""Where a scene takes place: among trees, flowers, stone arches and columns."""

from __future__ import annotations

from dixitlib.cards import terrain
from dixitlib.cards.canvas import Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke


def forest(canvas: Canvas) -> None:
    """Paint rows of firs in haze, framed by dark trunks."""
    p, y = canvas.palette, canvas.horizon
    green = mix(p.far, "#2f5d46", 0.35)
    terrain.range_of_hills(canvas, "far", y + 20, 90, 2, 0.5, 0.9)
    for row, (count, tall) in enumerate([(26, 120), (18, 190), (12, 270)]):
        hue = mix(mix(green, p.ink, 0.22 * row), p.sky[2], 0.55 - 0.22 * row)
        for x in canvas.rng.uniform(-20, 620, count):
            if row == 2 and abs(x - 300) < 150:
                continue
            foot = y + 26 + 22 * row + canvas.between(-8, 8)
            terrain.fir(canvas, "far", float(x), foot, tall * canvas.between(0.65, 1.1), hue)
    top = terrain.profile(canvas, y + 70, 40, 1.6, 0.2)
    moss = mix(mix(p.near, p.far, 0.4), "#45653a", 0.25)
    terrain.ground(canvas, top, moss, mix(p.near, p.ink, 0.45))
    _dark_trunks(canvas)


def _dark_trunks(canvas: Canvas) -> None:
    p = canvas.palette
    for edge in canvas.rng.permutation([-1, 1])[: 1 + canvas.chance(0.5)]:
        x = 300 + edge * canvas.between(275, 300)
        terrain.trunk(
            canvas, "front", x, 915, canvas.between(60, 90), (p.ink, mix(p.ink, p.near, 0.5), p.ink)
        )
        for _ in range(4):
            y, long = canvas.between(60, 520), canvas.between(50, 110)
            path = (
                f"M{x:.0f},{y:.0f} q{-edge * long * 0.5:.0f},-12 "
                f"{-edge * long:.0f},{canvas.between(-50, 30):.0f}"
            )
            canvas.add("front", stroke(path, p.ink, canvas.between(4, 9)))
    terrain.grass(canvas, "front", 885, 915, 70, 46, p.ink)


def birch_wood(canvas: Canvas) -> None:
    """Paint pale trunks, near and far."""
    p, y = canvas.palette, canvas.horizon
    terrain.range_of_hills(canvas, "far", y + 30, 80, 2, 0.3, 0.8)
    for row, (count, wide) in enumerate([(16, 9), (9, 17)]):
        pale = mix(mix("#f3ede0", p.glow, 0.4), p.sky[2], 0.65 - 0.3 * row)
        for x in canvas.rng.uniform(0, 600, count):
            _birch(
                canvas, "far", float(x), y + 30 + 36 * row, wide * canvas.between(0.7, 1.2), pale
            )
    top = terrain.profile(canvas, y + 60, 36, 1.5, 0.2)
    litter = mix(mix(p.near, p.far, 0.5), p.accent, 0.22)
    terrain.ground(canvas, top, litter, mix(p.near, p.ink, 0.35), (26, 8))
    pale = mix("#f6f0e4", p.glow, 0.35)
    for edge in canvas.rng.permutation([-1, 1])[: 1 + canvas.chance(0.6)]:
        _birch(
            canvas,
            "front",
            300 + edge * canvas.between(262, 288),
            912,
            canvas.between(40, 62),
            pale,
        )


def _birch(canvas: Canvas, layer: str, x: float, foot: float, wide: float, pale: str) -> None:
    dark = mix(pale, canvas.palette.ink, 0.55)
    terrain.trunk(
        canvas, layer, x, foot, wide, (mix(pale, dark, 0.25), pale, mix(pale, dark, 0.75))
    )
    for _ in range(round(foot / 60)):
        y, reach = canvas.between(10, foot - 20), canvas.between(0.3, 0.8) * wide
        start = x - wide * 0.42 if canvas.chance(0.5) else x + wide * 0.42 - reach
        path = f"M{start:.1f},{y:.1f} q{reach / 2:.1f},{wide * 0.12:.1f} {reach:.1f},0"
        canvas.add(layer, stroke(path, canvas.palette.ink, wide * 0.07 + 0.4, 0.75))


def meadow(canvas: Canvas) -> None:
    """Paint a meadow that blooms toward the viewer."""
    p, y = canvas.palette, canvas.horizon
    green = mix(p.far, "#5d8a4a", 0.4)
    terrain.range_of_hills(canvas, "far", y + 10, 80, 2, 0.3, 0.9)
    for _ in range(14):
        terrain.fir(
            canvas,
            "far",
            canvas.between(0, 600),
            y + 16,
            canvas.between(30, 70),
            mix(green, p.sky[2], 0.35),
        )
    top = terrain.profile(canvas, y + 34, 30, 1.3, 0)
    terrain.ground(canvas, top, mix(green, p.glow, 0.2), mix(green, p.near, 0.85), (14, 5))
    for _ in range(110):
        _flower(
            canvas,
            "ground",
            canvas.between(0, 600),
            y + 30 + canvas.between(0, 1) ** 1.6 * (890 - y),
            y,
        )
    terrain.grass(canvas, "front", 880, 915, 90, 60, mix(p.near, p.ink, 0.55))
    for _ in range(9):
        _flower(canvas, "front", canvas.between(10, 590), canvas.between(800, 870), y - 200)


def _flower(canvas: Canvas, layer: str, x: float, y: float, horizon: float) -> None:
    p = canvas.palette
    r = 1.2 + (y - horizon) / 110
    hue = [p.accent, p.glow, mix(p.accent, p.sky[1], 0.5), mix(p.accent, "#ffffff", 0.5)][
        int(canvas.rng.integers(4))
    ]
    canvas.add(
        layer,
        stroke(
            f"M{x:.0f},{y:.0f} q{r:.1f},{r * 3:.1f} 0,{r * 5:.1f}",
            mix(p.near, p.ink, 0.4),
            r * 0.3 + 0.3,
        ),
    )
    petals = "".join(
        f'<circle cx="{x + r * dx:.1f}" cy="{y + r * dy:.1f}" r="{r * 0.72:.1f}"/>'
        for dx, dy in ((-0.75, 0), (0.75, 0), (0, -0.75), (0, 0.75))
    )
    canvas.add(
        layer,
        f'<g fill="{hue}">{petals}</g>',
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r * 0.5:.1f}" fill="{p.ink}" opacity="0.6"/>',
    )


def canyon(canvas: Canvas) -> None:
    """Paint stone arches between two cliffs."""
    p, y = canvas.palette, canvas.horizon
    stone = mix(p.far, "#b5643c", 0.35)
    terrain.range_of_hills(canvas, "far", y + 10, 130, 3, 0.9, 0.95)
    for k in range(2):
        hue = mix(mix(stone, p.near, 0.3 * k), p.sky[2], 0.5 - 0.28 * k)
        _arch(
            canvas,
            300 + canvas.side * (-150 + 60 * k),
            y + 40 + 40 * k,
            250 + 110 * k,
            250 + 60 * k,
            hue,
        )
    top = terrain.profile(canvas, y + 70, 30, 2, 0.5)
    terrain.ground(canvas, top, mix(stone, p.glow, 0.2), mix(p.near, p.ink, 0.25), (18, 3))
    for _ in range(5):
        x = 300 + float(canvas.rng.choice([-1, 1])) * canvas.between(150, 300)
        terrain.rock(
            canvas,
            "ground",
            x,
            canvas.between(y + 110, 860),
            canvas.between(40, 120),
            canvas.between(20, 60),
            mix(stone, p.near, 0.5),
        )
    _cliffs(canvas, mix(p.near, p.ink, 0.5))


def _arch(canvas: Canvas, x: float, foot: float, wide: float, tall: float, hue: str) -> None:
    p, w = canvas.palette, wide / 2
    j = [canvas.between(-10, 10) for _ in range(6)]
    d = (
        f"M{x - w - 30:.0f},{foot:.0f} L{x - w + j[0]:.0f},{foot - tall * 0.7:.0f} "
        f"L{x - w * 0.5 + j[1]:.0f},{foot - tall + j[2]:.0f} "
        f"L{x + w * 0.6 + j[3]:.0f},{foot - tall * 0.95:.0f} "
        f"L{x + w + j[4]:.0f},{foot - tall * 0.6:.0f} L{x + w + 40:.0f},{foot:.0f} "
        f"L{x + w * 0.5:.0f},{foot:.0f} "
        f"Q{x + w * 0.62:.0f},{foot - tall * 0.72:.0f} {x + j[5]:.0f},{foot - tall * 0.7:.0f} "
        f"Q{x - w * 0.66:.0f},{foot - tall * 0.66:.0f} {x - w * 0.5:.0f},{foot:.0f} Z"
    )
    canvas.add("far", filled(d, canvas.across(mix(hue, p.glow, 0.3), hue, mix(hue, p.ink, 0.35))))
    for k in range(1, 4):
        line = f"M{x - w:.0f},{foot - tall * 0.2 * k:.0f} q{w * 0.2:.0f},-6 {w * 0.42:.0f},0"
        canvas.add("far", stroke(line, p.ink, 2, 0.25))


def _cliffs(canvas: Canvas, dark: str) -> None:
    for edge in (-1, 1):
        x = 300 + edge * 310
        reach = canvas.between(36, 70)
        steps = [canvas.between(0.3, 1) * reach for _ in range(7)]
        points = [(x - edge * s, -10 + 153 * k) for k, s in enumerate(steps)]
        canvas.add(
            "front",
            filled(
                polygon([(x, -10), *points, (x, 910)]),
                canvas.vertical(mix(dark, canvas.palette.far, 0.3), dark),
            ),
        )


def ruins(canvas: Canvas) -> None:
    """Paint broken columns, near and far."""
    p, y = canvas.palette, canvas.horizon
    terrain.range_of_hills(canvas, "far", y + 10, 110, 2, 0.6, 0.95)
    stone = mix(mix("#d8cfc0", p.glow, 0.3), p.far, 0.4)
    for k, x in enumerate(canvas.rng.permutation([60, 150, 255, 345, 450, 540]).tolist()):
        tall = canvas.between(90, 300) if k else 330
        _column(canvas, "far", x, y + 42, 30, tall, mix(stone, p.sky[2], 0.4))
    top = terrain.profile(canvas, y + 44, 20, 2, 0.3)
    terrain.ground(canvas, top, mix(mix(p.far, p.near, 0.3), stone, 0.3), mix(p.near, p.ink, 0.3))
    for x, foot in ((300 - canvas.side * 240, y + 130), (300 + canvas.side * 262, y + 190)):
        _column(canvas, "ground", x, foot, 66, canvas.between(240, 520), mix(stone, p.near, 0.2))
    terrain.grass(canvas, "front", 888, 912, 50, 40, mix(p.near, p.ink, 0.6))


def _column(
    canvas: Canvas, layer: str, x: float, foot: float, wide: float, tall: float, hue: str
) -> None:
    p, w = canvas.palette, wide / 2
    top = foot - tall
    shaft = canvas.across(mix(hue, p.glow, 0.35), hue, mix(hue, p.ink, 0.5))
    jag = [(x - w + wide * k / 5, top + canvas.between(-14, 14)) for k in range(6)]
    canvas.add(layer, filled(polygon([*jag, (x + w, foot), (x - w, foot)]), shaft))
    for k in range(1, 5):
        fx = x - w + wide * k / 5
        canvas.add(
            layer, stroke(f"M{fx:.0f},{top + 18:.0f} V{foot - 8:.0f}", p.ink, wide * 0.03, 0.3)
        )
    canvas.add(
        layer,
        f'<rect x="{x - w * 1.35:.0f}" y="{foot - wide * 0.25:.0f}" width="{wide * 1.35:.0f}" '
        f'height="{wide * 0.3:.0f}" rx="2" fill="{shaft}"/>',
    )
