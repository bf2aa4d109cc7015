"""Path data and path elements: the pencil under the brush."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

Point = tuple[float, float]
Stop = str | tuple[str, float]  # a colour, or a colour and its opacity


def stops_of(stops: Sequence[Stop]) -> str:
    """Return the stops of a gradient, evenly spaced."""
    marks = []
    for index, stop in enumerate(stops):
        colour, opacity = (stop, 1.0) if isinstance(stop, str) else stop
        offset = index / (len(stops) - 1)
        marks.append(
            f'<stop offset="{offset:.3f}" stop-color="{colour}" stop-opacity="{opacity:.3f}"/>'
        )
    return "".join(marks)


def filled(path: str, fill: str, extra: str = "") -> str:
    """Return a filled path."""
    return f'<path d="{path}" fill="{fill}" {extra}/>'


def stroke(path: str, colour: str, width: float, opacity: float = 1) -> str:
    """Return a path drawn as a round-ended line."""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.2f}" '
        f'stroke-opacity="{opacity:.2f}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def polygon(points: Iterable[Point]) -> str:
    """Return the path data of a closed polygon."""
    return "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points) + " Z"


def smooth(points: Sequence[Point]) -> str:
    """Return the path data of a curve through points (quadratic, by midpoints)."""
    (x, y), *rest = points
    parts = [f"M{x:.1f},{y:.1f}"]
    for (ax, ay), (bx, by) in pairwise(rest):
        parts.append(f"Q{ax:.1f},{ay:.1f} {(ax + bx) / 2:.1f},{(ay + by) / 2:.1f}")
    parts.append(f"L{rest[-1][0]:.1f},{rest[-1][1]:.1f}")
    return " ".join(parts)


def ring(x: float, y: float, radius: float, count: int, start: float = 0) -> list[Point]:
    """Return points evenly spaced on a circle, clockwise from the top."""
    angles = [start + 2 * math.pi * k / count for k in range(count)]
    return [(x + radius * math.sin(a), y - radius * math.cos(a)) for a in angles]
