"""The colours and the light of each mood.

A palette is mixed into everything on a card, so that thirty drawings by many hands look
as if painted in one evening.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Palette:
    """The paint box of one mood. Colours are ``#rrggbb``.

    Parameters
    ----------
    sky
        Top, middle and horizon of the sky.
    glow
        Colour of the sun or moon and of every lit edge.
    far, near
        Ground in the distance and at the viewer's feet.
    ink
        Outlines and the darkest darks.
    accent
        The one colour that stands out.
    light
        What shines: ``moon``, ``crescent`` or ``sun``.
    high
        Where it stands, as a share of the sky: 0 at the horizon, 1 at the top.
    weather
        Names of effects in the air, painted in this order.
    tint
        How strongly foreign colours are drawn toward the palette, 0 to 1.
    dark
        Whether it is night.
    """

    sky: tuple[str, str, str]
    glow: str
    far: str
    near: str
    ink: str
    accent: str
    light: str
    high: float
    weather: tuple[str, ...]
    tint: float = 0.3
    dark: bool = False


PALETTES: dict[str, Palette] = {
    "rose moon": Palette(
        ("#3b1d46", "#8d3f6d", "#e79aa5"), "#ffe3d6", "#b5668a", "#63345f", "#2a1030",
        "#ffd27a", "moon", 0.62, ("stars", "mist"), 0.3, True,
    ),
    "golden dawn": Palette(
        ("#5b86a3", "#e9b872", "#fde3a7"), "#fff3c9", "#c99a62", "#6b4a2b", "#3a2413",
        "#d2452f", "sun", 0.12, ("beams", "birds"), 0.26,
    ),
    "blue midnight": Palette(
        ("#070c2b", "#18306b", "#4d7fb8"), "#eef4ff", "#3a629c", "#1d2f68", "#060a22",
        "#ffcf5c", "crescent", 0.7, ("stars", "milky way"), 0.34, True,
    ),
    "ember dusk": Palette(
        ("#2c1538", "#b23a3a", "#ffa14e"), "#ffe0a0", "#a4443f", "#572434", "#220a16",
        "#ffd166", "sun", 0.06, ("birds",), 0.32,
    ),
    "green aurora": Palette(
        ("#04131f", "#0d3b45", "#3b8c7a"), "#d8ffe6", "#2d7068", "#16424a", "#04141b",
        "#f7a6c9", "crescent", 0.75, ("stars", "aurora"), 0.32, True,
    ),
    "falling snow": Palette(
        ("#6d7d96", "#a9b7c6", "#e6e4e1"), "#fffaf0", "#b9c3cd", "#76859a", "#2c3446",
        "#d24b4b", "moon", 0.55, ("snow", "mist"), 0.28,
    ),
    "silver rain": Palette(
        ("#2e3a48", "#5f7282", "#b4bfc2"), "#eef3f2", "#7d8f95", "#465863", "#161f28",
        "#e7b74a", "moon", 0.66, ("rain", "mist"), 0.32,
    ),
    "violet storm": Palette(
        ("#1b1233", "#4b3580", "#a684c4"), "#f3e4ff", "#6d55a0", "#3a2a68", "#120a26",
        "#f5e663", "crescent", 0.72, ("lightning", "rain"), 0.34, True,
    ),
    "pale noon": Palette(
        ("#8fbcc4", "#c7dcd2", "#f6efd8"), "#fffdf0", "#b6c9b4", "#7d9480", "#2f4148",
        "#e0703f", "sun", 0.8, ("mist", "birds"), 0.26,
    ),
    "firefly night": Palette(
        ("#0c1c2c", "#1c4a4c", "#6f9a62"), "#f9f3b8", "#3f6d58", "#1f4744", "#071a1c",
        "#ffe45e", "crescent", 0.68, ("stars", "fireflies"), 0.3, True,
    ),
    "amber fog": Palette(
        ("#8a5a2a", "#cf9445", "#f3d492"), "#fff1c4", "#cfa05c", "#6e4422", "#33200f",
        "#2f7f86", "sun", 0.45, ("mist", "beams"), 0.36,
    ),
    "teal twilight": Palette(
        ("#0e3a4a", "#2b8c8e", "#f0c9a0"), "#fff0d0", "#4f9a94", "#1f5259", "#08252d",
        "#f2785c", "moon", 0.4, ("stars",), 0.3,
    ),
    "peach morning": Palette(
        ("#7fa7c9", "#f2b8a0", "#ffe6cf"), "#fffaf0", "#d99f93", "#8a5a66", "#41283a",
        "#3d8f8a", "sun", 0.3, ("birds", "petals"), 0.24,
    ),
    "sepia evening": Palette(
        ("#4a3a2c", "#a08058", "#ead7b0"), "#fff6dc", "#a88c66", "#6a533a", "#2a1d12",
        "#a83a2c", "moon", 0.5, ("mist", "petals"), 0.42,
    ),
}  # fmt: skip


@cache
def rgb(colour: str) -> Rgb:
    """Return the three channels of ``#rrggbb`` or ``#rgb``."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


@lru_cache(maxsize=65536)
def mix(colour: str, other: str, share: float) -> str:
    """Return `colour` moved toward `other` by `share`, 0 to 1."""
    pairs = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
