"""MMMU: parquet or a table with tabs, up to seven pictures a question, options as a list.

The question, or an option, says ``<image 2>`` where a picture belongs (facts: "Files of
the four benchmarks"). What an option names is shown with that option, the rest with all.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from dixitlib.bench.formats.benchmark import (
    LETTERS,
    Benchmark,
    Option,
    Question,
    assemble,
    lettered,
)
from dixitlib.bench.formats.pictures import Picture, from_base64, from_bytes
from dixitlib.bench.formats.rows import FormatError, Row, read_table

NEEDED = ("id", "question", "options")
TOKEN = re.compile(r"<image (\d+)>")
MOST_PICTURES = 7


def load(path: str | Path) -> Benchmark:
    """Load a file of MMMU.

    Parameters
    ----------
    path
        Parquet, or values separated by tabs with pictures in base64. `category`, or else
        `subfield`, is the tier. Open questions are left out, and named.

    Raises
    ------
    FormatError
        If a row has no id or question, options that are no list of two or more texts, an
        answer that is no option, or a picture that is named but not there, or not decoded.
    """
    path = Path(path)
    rows, faults = read_table(path, NEEDED)
    return assemble(path, rows, _question, faults)


def _question(row: Row) -> Question:
    name, text, texts = row.words("id"), row.words("question"), _choices(row)
    pictures, owned = _pictures(row), _named(texts)
    if missing := (_named([text]) | owned) - pictures.keys():
        raise FormatError(f"it speaks of {_listed(missing)}, which it does not hold")
    shared = pictures.keys() - (owned - _named([text]))
    return Question(
        id=name,
        tier=row.text("category") or row.text("subfield") or "MMMU",
        text=text,
        pictures=tuple(pictures[number] for number in sorted(shared)),
        options=tuple(_option(option, pictures, shared) for option in texts),
        answer=lettered(row.text("answer"), len(texts)) if texts else None,
        group=name,
    )


def _option(text: str, pictures: Mapping[int, Picture], shared: Iterable[int]) -> Option:
    own = sorted(_named([text]) - set(shared))
    return Option(text, tuple(pictures[number] for number in own))


def _choices(row: Row) -> list[str]:
    """Return the options in words; none for an open question."""
    if row.text("question_type").strip().lower() == "open":
        return []
    options = _listed_options(row.cells["options"])
    if not options and not row.text("question_type").strip():
        return []
    if not 2 <= len(options) <= len(LETTERS):
        raise FormatError(f"it offers {len(options)} options, not 2 to {len(LETTERS)}")
    if not all(isinstance(option, str) and option.strip() for option in options):
        raise FormatError("an option is empty, or no text")
    return options


def _listed_options(cell: object) -> list[object]:
    """Return a list that stands in a cell, as such or written out as Python writes lists."""
    if isinstance(cell, np.ndarray | list):
        return list(cell)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes, which formulas are full of
            found = ast.literal_eval(str(cell).strip() or "[]")
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise FormatError(f"its options are no list: {str(cell)[:60]!r}") from error
    if not isinstance(found, list):
        raise FormatError(f"its options are no list: {str(cell)[:60]!r}")
    return found


def _pictures(row: Row) -> dict[int, Picture]:
    """Return the pictures by number; they are labelled where there are several."""
    cells = {number: row.cells.get(f"image_{number}") for number in range(1, MOST_PICTURES + 1)}
    held = {number: data for number, cell in cells.items() if (data := _data(cell))}
    if not held:
        raise FormatError("it has no picture")
    labels = {number: f"image {number}" if len(held) > 1 else "" for number in held}
    return {number: _decoded(data, labels[number]) for number, data in held.items()}


def _data(cell: object) -> str | bytes:
    """Return what a cell holds: base64, or the bytes of parquet; empty where nothing."""
    if isinstance(cell, dict):
        cell = cell.get("bytes")
    return cell if isinstance(cell, str | bytes) else b""


def _decoded(data: str | bytes, label: str) -> Picture:
    return from_base64(data, label) if isinstance(data, str) else from_bytes(data, label)


def _named(texts: Iterable[str]) -> set[int]:
    return {int(number) for text in texts for number in TOKEN.findall(text)}


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(f"<image {number}>" for number in sorted(numbers))
