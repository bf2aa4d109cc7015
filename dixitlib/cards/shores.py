"""Where a scene takes place: open water and open ground."""

from __future__ import annotations

from dixitlib.cards import terrain
from dixitlib.cards.canvas import WIDTH, Canvas
from dixitlib.cards.palettes import mix
from dixitlib.cards.strokes import filled, polygon, stroke

AFLOAT = frozenset({"boat"})  # twists that want open water


def sea(canvas: Canvas) -> None:
    """Paint the open sea, with a beach unless a boat is wanted."""
    terrain.range_of_hills(canvas, "far", canvas.horizon + 6, 46, 2.5, 0.7, 0.95)
    terrain.water(canvas, canvas.horizon)
    if canvas.scene.twist not in AFLOAT:
        _shore(canvas, canvas.floor - 46)


def _shore(canvas: Canvas, y: float) -> None:
    """Paint a strip of beach with a line of foam, across the near edge of the water."""
    p = canvas.palette
    top = terrain.profile(canvas, y + 34, 46, 1.3, 0)
    sand = mix(mix(p.far, p.glow, 0.35), p.near, 0.35)
    line = "M" + " L".join(f"{a:.0f},{b:.0f}" for a, b in top)
    canvas.add("ground", stroke(line, p.glow, 13, 0.3), stroke(line, p.glow, 6, 0.75))
    terrain.ground(canvas, top, sand, mix(sand, p.near, 0.75))


def lake(canvas: Canvas) -> None:
    """Paint a lake under mountains, reeds in front."""
    p, y = canvas.palette, canvas.horizon
    terrain.peaks(canvas, "far", y + 4, 230, 4, 0.85)
    terrain.range_of_hills(canvas, "far", y + 4, 60, 3, 0.4, 0.6)
    for _ in range(16):
        terrain.fir(
            canvas,
            "far",
            canvas.between(-10, 610),
            y + 5,
            canvas.between(26, 64),
            mix(canvas.haze(0.55), p.ink, 0.25),
        )
    terrain.water(canvas, y)
    if canvas.scene.twist not in AFLOAT:
        top = terrain.profile(canvas, canvas.floor - 10, 44, 1.4, 0.1)
        bank = mix(mix(p.near, p.far, 0.3), "#5f7a3a", 0.3)
        terrain.ground(canvas, top, bank, mix(bank, p.ink, 0.4))
        terrain.grass(
            canvas, "ground", canvas.floor - 20, canvas.floor + 40, 34, 40, mix(bank, p.ink, 0.45)
        )
    _reeds(canvas)


def _reeds(canvas: Canvas) -> None:
    p = canvas.palette
    for edge in (-1, 1):
        for _ in range(9):
            x = 300 + edge * canvas.between(236, 300)
            h, bend = canvas.between(120, 300), canvas.between(-30, 30)
            path = f"M{x:.0f},910 Q{x:.0f},{900 - h * 0.6:.0f} {x + bend:.0f},{900 - h:.0f}"
            canvas.add("front", stroke(path, p.ink, 3, 0.9))
            if canvas.chance(0.5):
                cat = f"M{x + bend:.0f},{900 - h:.0f} l{bend * 0.1:.0f},-34"
                canvas.add("front", stroke(cat, mix(p.ink, "#6b3d1c", 0.5), 9))


def desert(canvas: Canvas) -> None:
    """Paint dunes, row behind row."""
    p, y = canvas.palette, canvas.horizon
    sand = mix(mix(p.far, p.glow, 0.3), "#d9a35c", 0.25)
    terrain.range_of_hills(canvas, "far", y + 12, 70, 2, 0.6, 0.95)
    for k in range(4):
        depth = 1 - k / 4
        foot = y + 8 + k * (canvas.floor - y) / 4.2
        top = terrain.profile(canvas, foot + 30, 62 + 12 * k, 1.2 + 0.25 * k, 0)
        hue = mix(mix(p.near, sand, 0.45 + 0.4 * depth), p.sky[2], 0.3 * depth)
        path = terrain.land(
            canvas,
            "ground",
            top,
            mix(hue, p.glow, 0.25),
            mix(hue, p.near, 0.5),
            900 if k == 3 else foot + 220,
        )
        _lee(canvas, top, hue)
        if k < 3:
            continue
        terrain.mottle(canvas, "ground", path, hue, (22, 2), foot - 30)


def _lee(canvas: Canvas, top: list[tuple[float, float]], hue: str) -> None:
    """Shade a dune from its highest point down, away from the light."""
    crest = min(range(6, len(top) - 6), key=lambda k: top[k][1])
    side = -1 if canvas.light[0] > WIDTH / 2 else 1
    edge = top[crest:] if side > 0 else top[crest::-1]
    x, y = top[crest]
    foot = [(x + side * 60, y + 120), (x + side * 30, y + 50)]
    fade = canvas.vertical((mix(hue, canvas.palette.ink, 0.55), 0.8), (hue, 0))
    canvas.add("ground", filled(polygon([*edge, (edge[-1][0], y + 150), *foot]), fade))


def hills(canvas: Canvas) -> None:
    """Paint rolling hills with copses and a path."""
    p, y = canvas.palette, canvas.horizon
    green = mix(p.far, "#6f9a4c", 0.38)
    terrain.range_of_hills(canvas, "far", y + 10, 120, 2.2, 0.6, 0.95)
    for k in range(3):
        top = terrain.profile(canvas, y + 40 + 50 * k, 80, 1.3 + 0.5 * k, 0.05)
        hue = mix(mix(green, p.near, 0.2 * k), p.sky[2], 0.42 - 0.2 * k)
        if k < 2:
            terrain.land(
                canvas, "ground", top, mix(hue, p.glow, 0.25), mix(hue, p.near, 0.4), y + 260
            )
            _copse(canvas, top, hue, 20 + 14 * k)
        else:
            terrain.ground(canvas, top, mix(hue, p.glow, 0.18), mix(hue, p.near, 0.75))
    _path(canvas, y + 70)


def _copse(canvas: Canvas, top: list[tuple[float, float]], hue: str, tall: float) -> None:
    start = int(canvas.rng.integers(4, 44))
    for x, y in top[start : start + 16 : 2]:
        r = tall * canvas.between(0.3, 0.55)
        canvas.add(
            "ground",
            f'<ellipse cx="{x:.0f}" cy="{y - r:.0f}" rx="{r:.1f}" ry="{r * 1.3:.1f}" '
            f'fill="{mix(hue, canvas.palette.ink, canvas.between(0.35, 0.55))}"/>',
        )


def _path(canvas: Canvas, y: float) -> None:
    """Paint a pale path that comes over the hill and widens toward the viewer."""
    p, x = canvas.palette, 300 + canvas.side * canvas.between(40, 150)
    d = (
        f"M{x:.0f},{y + 10:.0f} C{x + 90:.0f},{y + 90:.0f} {x - 200:.0f},{y + 130:.0f} 210,910 "
        f"L400,910 C{x - 90:.0f},{y + 150:.0f} {x + 130:.0f},{y + 90:.0f} "
        f"{x + 8:.0f},{y + 10:.0f} Z"
    )
    canvas.add("ground", filled(d, canvas.vertical((p.glow, 0.15), (p.glow, 0.4))))


def snow_mountains(canvas: Canvas) -> None:
    """Paint snowy peaks and the white slopes before them."""
    p, y = canvas.palette, canvas.horizon
    terrain.peaks(canvas, "far", y + 30, 360, 3, 0.95)
    terrain.peaks(canvas, "far", y + 50, 220, 5, 0.7)
    snow = mix("#eef3f8", p.sky[2], 0.35)
    for k in range(2):
        top = terrain.profile(canvas, y + 60 + 70 * k, 56, 1.4, 0)
        hue = mix(snow, p.far, 0.35 - 0.2 * k)
        terrain.ground(canvas, top, hue, mix(hue, p.near, 0.6), (8, 2))
        for x, foot in top[:: 11 - 4 * k]:
            if canvas.chance(0.55) and abs(x - 300) > 90:
                terrain.fir(
                    canvas, "ground", x, foot + 8, 44 + 50 * k, mix(canvas.haze(0.3), p.ink, 0.35)
                )


def clouds(canvas: Canvas) -> None:
    """Paint a sea of clouds, bank behind bank."""
    p, y = canvas.palette, canvas.horizon
    for k in range(6):
        layer = "far" if k < 2 else "ground"
        depth = 1 - k / 5
        low = y + 10 + k * (860 - y) / 6
        pale = mix(mix(p.glow, "#ffffff", 0.3), p.sky[1], 0.2 + 0.35 * (1 - depth))
        _bank(canvas, layer, low, 26 + 15 * k, pale)
    _bank(canvas, "front", 905, 62, mix(p.sky[1], p.glow, 0.3))


def _bank(canvas: Canvas, layer: str, y: float, size: float, pale: str) -> None:
    """Paint a row of cumulus heads whose feet melt into a flat base."""
    p = canvas.palette
    fill = canvas.vertical(mix(pale, p.glow, 0.6), pale, mix(pale, p.sky[0], 0.45))
    x, heads = -40.0, []
    while x < 640:
        r = size * canvas.between(0.6, 1.25)
        heads.append(
            f'<circle cx="{x:.0f}" cy="{y + canvas.between(-6, 12):.0f}" r="{r:.0f}" '
            f'fill="{fill}"/>'
        )
        x += r * canvas.between(0.7, 1.15)
    base = mix(pale, p.sky[0], 0.26)
    canvas.add(
        layer,
        *heads,
        f'<rect x="-10" y="{y + size * 0.35:.0f}" width="620" height="900" fill="{base}"/>',
    )
