"""MMBench: a table with tabs, one picture a question in base64, four options at most.

The columns are those of V1.1 (facts: "Files of the four benchmarks"). A picture's cell of
64 characters or fewer is the index of the row that holds it. Rows whose indices are
equal modulo a million are one question with its options turned.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from dixitlib.bench.formats.benchmark import (
    LETTERS,
    Benchmark,
    Option,
    Question,
    assemble,
    lettered,
)
from dixitlib.bench.formats.pictures import Picture, from_base64
from dixitlib.bench.formats.rows import FormatError, Row, read_table

NEEDED = ("index", "question", "A", "B", "image")
LONGEST_REFERENCE = 64
TURN = 1_000_000


def load(path: str | Path) -> Benchmark:
    """Load a file of MMBench.

    Parameters
    ----------
    path
        The table. `hint` is told before the question, `category` is the tier, and where
        `answer` is missing or empty the answer is withheld.

    Raises
    ------
    FormatError
        If a row has no index, question, picture or second option, an answer that is no
        option, an option after an empty one, or a picture that can't be found or decoded.
    """
    path = Path(path)
    rows, faults = read_table(path, NEEDED)
    images = {row.text("index"): row.text("image") for row in rows}
    # Many rows refer to one picture, which need not be decoded anew.
    read = functools.partial(_question, images, functools.cache(from_base64))
    return assemble(path, rows, read, faults)


def _question(images: Mapping[str, str], decode: Callable[[str], Picture], row: Row) -> Question:
    index, options = row.words("index"), _options(row)
    if not index.isdecimal():
        raise FormatError(f"its index is {index!r}, no whole number")
    picture = decode(_found(row.words("image"), images))
    asked = [row.text("hint").strip(), row.words("question")]
    return Question(
        id=index,
        tier=row.text("category") or "MMBench",
        text="\n".join(line for line in asked if line),
        pictures=(picture,),
        options=options,
        answer=lettered(row.text("answer"), len(options)),
        group=str(int(index) % TURN),
    )


def _found(image: str, images: Mapping[str, str]) -> str:
    """Return a picture's base64, looked up where only its row is named."""
    if len(image) > LONGEST_REFERENCE:
        return image
    if len(images.get(image, "")) <= LONGEST_REFERENCE:
        raise FormatError(f"its picture is that of row index {image}, which has none of its own")
    return images[image]


def _options(row: Row) -> tuple[Option, ...]:
    """Return the options there are: one empty cell ends them."""
    texts = [row.text(letter).strip() for letter in LETTERS if letter in row.cells]
    count = texts.index("") if "" in texts else len(texts)
    if any(texts[count:]):
        raise FormatError(f"its option {LETTERS[count]} is empty, but a later one is not")
    if count < 2:
        raise FormatError("it offers fewer than two options")
    return tuple(map(Option, texts[:count]))
