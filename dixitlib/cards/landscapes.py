"""Where a scene takes place: the name of every landscape, and who paints it."""

from __future__ import annotations

from collections.abc import Callable

from dixitlib.cards import city, rooms, shores, woods
from dixitlib.cards.canvas import Canvas

LANDSCAPES: dict[str, Callable[[Canvas], None]] = {
    "sea": shores.sea,
    "lake": shores.lake,
    "desert": shores.desert,
    "forest": woods.forest,
    "birch wood": woods.birch_wood,
    "hills": shores.hills,
    "chequered plain": rooms.chequered_plain,
    "rooftops": city.rooftops,
    "snow mountains": shores.snow_mountains,
    "theatre": rooms.theatre,
    "clouds": shores.clouds,
    "seabed": rooms.seabed,
    "meadow": woods.meadow,
    "room": rooms.room,
    "canyon": woods.canyon,
    "ruins": woods.ruins,
}


def paint(canvas: Canvas) -> None:
    """Paint the scene's landscape, from haze to foreground."""
    LANDSCAPES[canvas.scene.landscape](canvas)
