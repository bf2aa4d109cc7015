"""What is strange about a scene: the name of every twist, and who paints it."""

from __future__ import annotations

from collections.abc import Callable

from dixitlib.cards import aloft, earthbound, heavens, machines, thresholds, vessels
from dixitlib.cards.canvas import Canvas

TWISTS: dict[str, Callable[[Canvas], None]] = {
    "giant": earthbound.giant,
    "tether": aloft.tether,
    "procession": earthbound.procession,
    "bottle": vessels.bottle,
    "reflection": earthbound.reflection,
    "moon house": heavens.moon_house,
    "tower": earthbound.tower,
    "roots": thresholds.roots,
    "door": thresholds.door,
    "boat": machines.boat,
    "burden": earthbound.burden,
    "shadow": earthbound.shadow,
    "puppets": machines.puppets,
    "snow globe": vessels.snow_globe,
    "birdcage": vessels.birdcage,
    "egg": vessels.egg,
    "tree": thresholds.tree,
    "teapot": machines.teapot,
    "stairway": aloft.stairway,
    "eclipse": heavens.eclipse,
    "sky island": aloft.sky_island,
    "pop-up book": machines.popup_book,
    "mirror": thresholds.mirror,
    "night inside": thresholds.night_inside,
    "juggling": aloft.juggling,
    "constellation": heavens.constellation,
    "strange rain": heavens.strange_rain,
    "tightrope": aloft.tightrope,
    "balance": machines.balance,
    "airship": aloft.airship,
    "hourglass": vessels.hourglass,
    "moon fishing": heavens.moon_fishing,
}


def paint(canvas: Canvas) -> None:
    """Paint the scene's twist into its landscape."""
    TWISTS[canvas.scene.twist](canvas)
