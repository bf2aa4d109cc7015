"""A deck: any folder of images, checked as a whole and shown in one normal form.

A picture is upright, RGB, on white, whatever its file was: that form is what people and
models see, and its hash is what tells two cards apart. A folder may hold a table,
`cards.csv`, that gives cards their ids, captions and aspects; without one every image is
a card, in order of file name. No card is dropped in silence: whatever stands in the
folder and can't be a card is an error that names the file, except hidden files and the
table itself.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import overload

from PIL import Image, ImageOps, UnidentifiedImageError

from dixitlib.cards.pictures import normalised, pixel_hash, upright_rgb
from dixitlib.records import Card

TABLE = "cards.csv"
ABOUT = ("id", "file", "sha256", "caption")  # columns that describe the card
CREDITS = ("licence", "attribution")  # kept in the table only; every other column is an aspect
QUALITY = 84  # WebP; 84 cards of 600 x 900 pixels stay under 6 MB


class DeckError(ValueError):
    """A folder is no deck. The message names every offending file, why, and how to mend it."""


@dataclass(frozen=True)
class Deck(Sequence[Card]):
    """Cards in a fixed order, each with an id and pixels of its own."""

    cards: tuple[Card, ...]

    @classmethod
    def load(cls, folder: str | Path) -> Deck:
        """Read a folder of images, with or without `cards.csv`.

        The table needs the column `file`, relative to the folder. `id` is by default the
        file's name without its ending, `sha256` is checked where it is given, `caption`
        may be empty, and columns other than `licence` and `attribution` are aspects.
        Pictures are decoded once, for their hashes, and again whenever one is asked for.

        Raises
        ------
        DeckError
            If any file is no image, damaged, empty, too large, outside the folder, missing,
            unlisted, listed twice, another card's twin or not what its hash says. One
            error names them all.
        """
        home = Path(folder).resolve()
        if not home.is_dir():
            raise DeckError(f"{folder} is no folder: name one that holds a deck's images")
        files = _files(home)
        rows = _read_table(home / TABLE) if (home / TABLE).exists() else _rows(files)
        if not rows:
            raise DeckError(f"{folder} holds no card: put images there, and rows in any {TABLE}")
        cards, faults = _examine(home, rows)
        faults += [*_repeated(rows), *_twins(cards), *_unlisted(files, rows)]
        if faults:
            listing = "".join(f"\n- {fault}" for fault in faults)
            raise DeckError(f"{folder} is no deck yet. Mend these and load it again:{listing}")
        return cls(tuple(cards.values()))

    @functools.cached_property
    def hash(self) -> str:
        """SHA-256 over the cards' pixel hashes, in order."""
        return hashlib.sha256("\n".join(card.sha256 for card in self).encode()).hexdigest()

    @functools.cached_property
    def by_id(self) -> Mapping[str, Card]:
        """The cards under their ids."""
        return {card.id: card for card in self}

    @overload
    def __getitem__(self, index: int) -> Card: ...

    @overload
    def __getitem__(self, index: slice) -> Deck: ...

    def __getitem__(self, index: int | slice) -> Card | Deck:
        return Deck(self.cards[index]) if isinstance(index, slice) else self.cards[index]

    def __len__(self) -> int:
        return len(self.cards)


def from_picture(
    id: str, picture: Image.Image, caption: str = "", aspects: Mapping[str, str] | None = None
) -> Card:
    """Make a card of a picture held in memory."""
    shown = upright_rgb(picture)
    return Card(id, shown.copy, pixel_hash(shown), caption, dict(aspects or {}))


def write_cards(
    folder: str | Path,
    cards: Sequence[Card],
    licence: str,
    attribution: str,
    quality: int = QUALITY,
    each: Callable[..., Iterable[str]] = map,
) -> Deck:
    """Write cards as WebP files and `cards.csv`, and load what was written.

    Parameters
    ----------
    folder
        Made if need be. It should hold no other cards: they would be unlisted.
    cards
        Of these, id, picture, caption and aspects are kept. The hashes written are of
        the pixels as decoded from the files.
    licence, attribution
        The same for every card.
    quality
        Of WebP, 0 to 100.
    each
        Applies a function to every card, in order: `map`, or an executor's.
    """
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    hashes = each(functools.partial(_write_picture, home, quality), cards)
    rows = [
        {"id": card.id, "file": f"{card.id}.webp", "sha256": sha256, "caption": card.caption}
        | dict(card.aspects)
        | {"licence": licence, "attribution": attribution}
        for card, sha256 in zip(cards, hashes, strict=True)
    ]
    columns = dict.fromkeys(name for row in rows for name in row if name not in CREDITS)
    with (home / TABLE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*columns, *CREDITS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return Deck.load(home)


def _write_picture(home: Path, quality: int, card: Card) -> str:
    path = home / f"{card.id}.webp"
    card.image().save(path, quality=quality, method=6)
    return pixel_hash(normalised(path))


def contact_sheet(
    cards: Sequence[Card], columns: int = 12, width: int = 1200, gap: int = 4
) -> Image.Image:
    """Return all cards on one sheet, row by row, each fitted into a cell of 2 to 3."""
    across = (width - gap) // columns - gap
    down = across * 3 // 2
    rows = math.ceil(len(cards) / columns)
    sheet = Image.new("RGB", (width, rows * (down + gap) + gap), "white")
    for place, card in enumerate(cards):
        row, column = divmod(place, columns)
        corner = (gap + column * (across + gap), gap + row * (down + gap))
        sheet.paste(ImageOps.pad(card.image(), (across, down), color="white"), corner)
    return sheet


@dataclass(frozen=True)
class _Row:
    """A card as the table has it; `file` is relative to the deck's folder."""

    file: str
    id: str
    sha256: str = ""
    caption: str = ""
    aspects: Mapping[str, str] = field(default_factory=dict)


def _files(home: Path) -> list[str]:
    """Name everything visible below a folder that is no true folder, but the table itself."""
    names: list[str] = []
    for parent, folders, files in os.walk(home, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if Path(parent, name).is_symlink()]
        seen = [name for name in (*files, *links) if not name.startswith(".")]
        names += [Path(parent, name).relative_to(home).as_posix() for name in seen]
    return sorted(name for name in names if name != TABLE)


def _refuse(error: OSError) -> None:
    raise DeckError(f"{error.filename} can't be read ({error.strerror}): grant access to it")


def _rows(files: Sequence[str]) -> list[_Row]:
    """Make a row of each file; its id is its name, without the ending where that is unique."""
    shared = Counter(map(_stem, files))
    return [_Row(file, _stem(file) if shared[_stem(file)] == 1 else file) for file in files]


def _stem(file: str) -> str:
    return str(PurePosixPath(file).with_suffix(""))


def _read_table(table: Path) -> list[_Row]:
    with table.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restval="", strict=True)
        try:
            columns, lines = reader.fieldnames or (), list(reader)
        except (csv.Error, UnicodeDecodeError) as error:
            raise DeckError(f"{table} is no CSV in UTF-8 ({error}): save it as such") from error
    if "file" not in columns:
        raise DeckError(f"{table} has no column `file`: add one that names the images")
    long = [number for number, line in enumerate(lines, 1) if None in line]
    if long:
        raise DeckError(f"{table} has rows with too many cells: quote the commas in rows {long}")
    return [_row(line) for line in lines]


def _row(line: Mapping[str, str]) -> _Row:
    file = line["file"] and str(PurePosixPath(line["file"]))  # "./a.png" is "a.png"
    aspects = {name: line[name] for name in line if name not in (*ABOUT, *CREDITS, "")}
    id = line.get("id") or (file and _stem(file))
    return _Row(file, id, line.get("sha256", ""), line.get("caption", ""), aspects)


def _examine(home: Path, rows: Iterable[_Row]) -> tuple[dict[str, Card], list[str]]:
    """Return the cards that are sound, by file, and a fault for each that is not."""
    cards: dict[str, Card] = {}
    faults: list[str] = []
    for row in rows:
        try:
            cards[row.file] = _card(home, row)
        except Exception as error:  # Pillow's decoders raise all kinds; each becomes a fault
            faults.append(f"{row.file or row.id or 'a row'} {_wording(error)}")
    return cards, faults


def _card(home: Path, row: _Row) -> Card:
    path = home / row.file
    if not row.file:
        raise DeckError(f"names no file: fill the cell, or take the row out of {TABLE}")
    if Path(row.file).is_absolute() or not path.resolve().is_relative_to(home):
        raise DeckError("lies outside the deck's folder: copy the image into the folder")
    if not path.is_file():
        raise DeckError(f"is missing, or no regular file: put it there, or mend {TABLE}")
    if not path.stat().st_size:
        raise DeckError("is empty (0 bytes): copy it again from its source")
    found = pixel_hash(normalised(path))
    if row.sha256 not in ("", found):
        raise DeckError(
            f"has other pixels than {TABLE} says (they hash to {found}): "
            "restore the image, or put this hash into the table"
        )
    return Card(row.id, functools.partial(normalised, path), found, row.caption, row.aspects)


def _wording(error: Exception) -> str:
    match error:
        case DeckError():
            return str(error)
        case UnidentifiedImageError():
            return "is no image that can be read: replace it, or move it out of the folder"
        case Image.DecompressionBombError() | Image.DecompressionBombWarning():
            return f"is too large ({error}): scale it down"
        case _:
            return f"is truncated or damaged ({error}): copy it again from its source"


def _repeated(rows: Sequence[_Row]) -> Iterator[str]:
    for file, times in Counter(row.file for row in rows if row.file).items():
        if times > 1:
            yield f"{file} is listed {times} times in {TABLE}: leave one row"
    for id, times in Counter(row.id for row in rows if row.id).items():
        if times > 1:
            files = ", ".join(row.file for row in rows if row.id == id)
            yield f"{files} share the id {id!r}: give each its own"


def _twins(cards: Mapping[str, Card]) -> Iterator[str]:
    files: dict[str, list[str]] = {}
    for file, card in cards.items():
        files.setdefault(card.sha256, []).append(file)
    for alike in files.values():
        if len(alike) > 1:
            yield f"{', '.join(alike)} are duplicates, pixel for pixel: keep one of them"


def _unlisted(files: Iterable[str], rows: Iterable[_Row]) -> Iterator[str]:
    for file in sorted(set(files) - {row.file for row in rows}):
        yield f"{file} is not in {TABLE}: add a row for it, or move it out of the folder"
