"""V*Bench: JSON lines whose text holds the options, or a JSON file beside each picture.

In the second form the first option is the right one, so options are shuffled (facts:
"Files of the four benchmarks").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from dixitlib.bench.formats.benchmark import (
    LETTERS,
    Benchmark,
    Option,
    Question,
    assemble,
    lettered,
)
from dixitlib.bench.formats.pictures import from_file
from dixitlib.bench.formats.rows import FormatError, Row, read_lines, read_object
from dixitlib.seeds import place

OPTION = re.compile(r"^\s*\(([A-Z])\)[ \t]*(.*\S)\s*$", re.MULTILINE)
IMAGES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


def load(path: str | Path, *, seed: int = 42) -> Benchmark:
    """Load V*Bench.

    Parameters
    ----------
    path
        The JSON lines, with pictures named relative to them; or a folder of pictures with
        a JSON file beside each, whose tier is the folder that a picture stands in.
    seed
        Shuffles the options of the second form.

    Raises
    ------
    FormatError
        If a question has no text, options or picture, an answer that is no option, or a
        name that leads out of the folder; or if a picture stands without its JSON file.
    """
    path = Path(path)
    if path.is_dir():
        rows, faults = _beside(path)
        return assemble(path, rows, functools.partial(_paired, path, seed), faults)
    rows, faults = read_lines(path)
    return assemble(path, rows, functools.partial(_written, path.parent), faults)


def _written(folder: Path, row: Row) -> Question:
    """Read a question whose text holds its options."""
    text, image = row.words("text"), row.words("image")
    found = list(OPTION.finditer(text))
    letters = "".join(match[1] for match in found)
    if len(found) < 2 or letters != LETTERS[: len(found)]:
        raise FormatError(f"its text offers the options {letters or 'none'}, not (A), (B) and on")
    if not (question := text[: found[0].start()].strip()):
        raise FormatError("its text asks nothing before the options")
    name = row.text("question_id") or str(Path(image).with_suffix(""))
    return Question(
        id=name,
        tier=row.text("category") or "V*Bench",
        text=question,
        pictures=(from_file(folder, image),),
        options=tuple(Option(match[2]) for match in found),
        answer=lettered(row.text("label"), len(found)),
        group=name,
    )


def _paired(folder: Path, seed: int, row: Row) -> Question:
    """Read a question that stands beside its picture."""
    name, options = row.place, row.cells.get("options")
    if not isinstance(options, list) or not all(isinstance(o, str) and o.strip() for o in options):
        raise FormatError("its options are no list of texts")
    if not 2 <= len(options) <= len(LETTERS):
        raise FormatError(f"it offers {len(options)} options, not 2 to {len(LETTERS)}")
    order = place(seed, "vstar", name).permutation(len(options)).tolist()
    return Question(
        id=str(Path(name).with_suffix("")),
        tier=Path(name).parent.name or "V*Bench",
        text=row.words("question"),
        pictures=(from_file(folder, name),),
        options=tuple(Option(options[k]) for k in order),
        answer=order.index(0),
        group=name,
    )


def _beside(folder: Path) -> tuple[list[Row], list[str]]:
    """Return a row for each picture, whose place is its name, and the faults of the rest."""
    rows: list[Row] = []
    faults: list[str] = []
    for image in _images(folder):
        name, notes = str(image.relative_to(folder).as_posix()), image.with_suffix(".json")
        if not notes.exists():
            faults.append(f"{name}: no JSON file stands beside it")
            continue
        found, wrong = read_object(notes, name)
        rows, faults = rows + found, faults + wrong
    return rows, faults


def _images(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.suffix.lower() in IMAGES)
