"""The easel: layers of SVG from the sky to the foreground, and the strokes that fill them.

A landscape fills the back and the front of a `Canvas`, a twist its middle; both use the
few verbs defined here. Places are in units of the card, 600 wide and 900 high, with y
growing downward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from dixitlib.cards import drawings, shading
from dixitlib.cards.lexicon import OBJECTS, PROPS, SUBJECTS
from dixitlib.cards.palettes import PALETTES, Palette, mix
from dixitlib.cards.scenes import Scene
from dixitlib.cards.strokes import Point, Stop, stops_of, stroke

WIDTH, HEIGHT = 600, 900
LAYERS = ("sky", "far", "behind", "ground", "figures", "front", "air", "frame")


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a drawing landed on the card."""

    left: float
    top: float
    right: float
    bottom: float
    back: tuple[float, ...]  # y of its upper edge, from left to right
    belly_line: tuple[float, ...]  # y of its lower edge, from left to right
    foot: float  # x of its lowest point

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def saddle(self, share: float = 0.5) -> Point:
        """Return the point of its upper edge at a share of the way from left to right."""
        index = min(int(share * len(self.back)), len(self.back) - 1)
        return self.left + self.width * share, self.back[index]

    def belly(self, share: float = 0.5) -> Point:
        """Return the point of its lower edge at a share of the way from left to right."""
        index = min(int(share * len(self.belly_line)), len(self.belly_line) - 1)
        return self.left + self.width * share, self.belly_line[index]


@dataclass(slots=True)
class Canvas:
    """A card being painted.

    Parameters
    ----------
    scene, palette
        What is painted, and with what.
    rng
        Decides the composition.
    horizon
        Where the land meets the sky.
    floor
        Where somebody in the middle distance stands.
    light
        Centre of the sun or moon.
    side
        On which side of the card the subject is at home: -1 left, 1 right.
    fine
        Whether what only shows at full size is worth painting.
    """

    scene: Scene
    palette: Palette
    rng: np.random.Generator
    horizon: float
    floor: float
    light: Point
    side: int
    fine: bool
    layers: dict[str, list[str]] = field(default_factory=lambda: {n: [] for n in LAYERS})
    defs: list[str] = field(default_factory=list)
    shades: dict[int, str] = field(default_factory=dict)

    def add(self, layer: str, *elements: str) -> None:
        """Put elements on top of a layer."""
        self.layers[layer].extend(elements)

    def between(self, low: float, high: float) -> float:
        """Return a random number between two."""
        return float(self.rng.uniform(low, high))

    def chance(self, share: float) -> bool:
        """Return True in that share of cases."""
        return bool(self.rng.random() < share)

    def define(self, kind: str, attributes: str, content: str) -> str:
        """Add a gradient, clip or filter to the card and return its reference."""
        name = f"{kind[0]}{len(self.defs)}"
        self.defs.append(f'<{kind} id="{name}" {attributes}>{content}</{kind}>')
        return f"url(#{name})"

    def vertical(self, *stops: Stop) -> str:
        """Define a gradient from top to bottom; a stop is a colour or (colour, opacity)."""
        return self.define("linearGradient", 'x1="0" y1="0" x2="0" y2="1"', stops_of(stops))

    def across(self, *stops: Stop) -> str:
        """Define a gradient from left to right."""
        return self.define("linearGradient", 'x1="0" y1="0" x2="1" y2="0"', stops_of(stops))

    def radial(self, *stops: Stop) -> str:
        """Define a gradient from the centre outward."""
        return self.define("radialGradient", "", stops_of(stops))

    def haze(self, depth: float) -> str:
        """Return the ground's colour at a depth: 0 at the viewer's feet, 1 far away."""
        return mix(self.palette.near, self.palette.far, depth)

    def draw(
        self,
        layer: str,
        name: str,
        x: float,
        y: float,
        size: float,
        *,
        hold: str = "feet",
        flip: bool = False,
        turn: float = 0,
        depth: float = 0,
        shadow: bool = False,
    ) -> Placed:
        """Paint a drawing and return where it landed.

        Parameters
        ----------
        layer
            Where it goes.
        name
            A subject or an object.
        x, y
            Where the held point goes.
        size
            Its longer side.
        hold
            ``feet`` (bottom centre), ``centre`` or ``top`` (top centre).
        flip
            Whether it looks the other way.
        turn
            Degrees clockwise about the held point.
        depth
            How much haze is before it, 0 to 1.
        shadow
            Whether it throws a shadow on the ground.
        """
        code = code_of(name)
        shape = drawings.silhouette(code)
        scale = size / max(shape.width, shape.height)
        middle = (shape.left + shape.right) / 2
        pivot = {"feet": shape.bottom, "top": shape.top, "centre": (shape.top + shape.bottom) / 2}
        placed = _landed(shape, x, y - pivot[hold] * scale, scale, flip)
        if shadow:
            self.ground_shadow(layer, x, placed.bottom, placed.width)
        body = drawings.painted(
            code,
            self.palette.ink,
            self._tone(),
            self.palette.tint,
            self.palette.sky[2],
            depth,
            round(min(max(2.2 / scale, 0.6), 1.3), 1),
        )
        lit = f' filter="{self._shade(size)}"' if size >= (30 if self.fine else 60) else ""
        mirrored = "scale(-1 1) " if flip else ""
        self.add(
            layer,
            f'<g{lit}><g fill="{self.palette.ink}" transform="translate({x:.1f} {y:.1f}) '
            f"rotate({turn:.1f}) scale({scale:.4f}) {mirrored}"
            f'translate({-middle:.2f} {-pivot[hold]:.2f})">{body}</g></g>',
        )
        return placed

    def _shade(self, size: float) -> str:
        """Return the filter that turns a flat drawing of this size toward the light."""
        bucket = round(math.log2(size) * 1.5)
        if bucket not in self.shades:
            x, y = self.light[0] - WIDTH / 2, self.light[1] - self.floor
            far = math.hypot(x, y)
            lean = (x / far, y / far * 0.7)
            self.shades[bucket] = self.define(
                "filter",
                shading.REGION,
                shading.steps(self.palette, 2 ** (bucket / 1.5), lean, self.fine),
            )
        return self.shades[bucket]

    def _tone(self) -> str:
        return mix(self.palette.sky[1], self.palette.glow, 0.25)

    def ground_shadow(self, layer: str, x: float, y: float, width: float) -> None:
        """Lay a soft shadow on the ground, away from the light."""
        fill = self.radial((self.palette.ink, 0.62), (self.palette.ink, 0.3), (self.palette.ink, 0))
        lean = (x - self.light[0]) / WIDTH * width * 0.35
        self.add(
            layer,
            f'<ellipse cx="{x + lean:.1f}" cy="{y:.1f}" rx="{width * 0.66:.1f}" '
            f'ry="{width * 0.11 + 3:.1f}" fill="{fill}"/>',
        )

    def rope(self, layer: str, start: Point, end: Point, sag: float = 0, width: float = 2) -> None:
        """Draw a rope that hangs `sag` below the straight line."""
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + sag
        path = f"M{start[0]:.1f},{start[1]:.1f} Q{x:.1f},{y:.1f} {end[0]:.1f},{end[1]:.1f}"
        self.add(
            layer,
            stroke(path, self.palette.ink, width + 1),
            stroke(path, mix(self.palette.glow, self.palette.near, 0.45), width * 0.6),
        )

    def glow(
        self, layer: str, x: float, y: float, radius: float, colour: str, power: float
    ) -> None:
        """Let light bloom around a point."""
        fill = self.radial((colour, power), (colour, power * 0.35), (colour, 0))
        self.add(layer, f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>')


def code_of(name: str) -> str:
    """Return the code point of a subject's, an object's or a prop's drawing."""
    return SUBJECTS.get(name) or OBJECTS.get(name) or PROPS[name]


def _landed(shape: drawings.Silhouette, x: float, y: float, scale: float, flip: bool) -> Placed:
    half = shape.width * scale / 2
    first, last = int(shape.left * 2), int(shape.right * 2)
    back = [y + top * scale for top in shape.tops[first:last]]
    front = [y + low * scale for low in shape.bottoms[first:last]]
    lean = (shape.foot - (shape.left + shape.right) / 2) * scale
    return Placed(
        foot=x - lean if flip else x + lean,
        left=x - half,
        top=y + shape.top * scale,
        right=x + half,
        bottom=y + shape.bottom * scale,
        back=tuple(reversed(back)) if flip else tuple(back),
        belly_line=tuple(reversed(front)) if flip else tuple(front),
    )


# Twists that fill the sky leave less room for land.
_SKYWARD = frozenset({"eclipse", "moon house", "constellation", "giant", "moon fishing", "teapot"})
_LOW, _ANY = (560, 600, 640), (430, 500, 560, 620)


def canvas_for(scene: Scene, width: int) -> Canvas:
    """Return an empty canvas whose composition follows from the scene alone."""
    rng = np.random.default_rng(scene.seed)
    palette = PALETTES[scene.mood]
    horizon = float(rng.choice(_LOW if scene.twist in _SKYWARD else _ANY))
    side = int(rng.choice([-1, 1]))
    x = 300 - side * float(rng.uniform(60, 190))
    y = horizon - 40 - (horizon - 130) * palette.high
    floor = float(rng.uniform(max(horizon + 120, 700), 790))
    return Canvas(scene, palette, rng, horizon, floor, (x, y), side, width >= 240)
