"""Items on disk, and what must hold of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from dixitlib.records import Item

OPTION_COLUMNS = [f"option_{place}" for place in range(1, 7)]
COLUMNS = ["item", "tier", "clue", "target", *OPTION_COLUMNS, "answer"]


def to_frame(items: Sequence[Item]) -> pd.DataFrame:
    """Return items of six options as a frame: item, tier, clue, target, option_1..6, answer."""
    rows = [(i.id, i.tier, i.clue, i.target, *i.options, i.answer) for i in items]
    return pd.DataFrame(rows, columns=COLUMNS)


class BenchError(ValueError):
    """A benchmark can't be built or read; the message says of what, and how to mend it."""


def write_items(items: Sequence[Item], path: Path) -> None:
    """Write items as CSV to `path` and as parquet beside it."""
    frame = to_frame(items)
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, lineterminator="\n")
    frame.to_parquet(path.with_suffix(".parquet"), index=False)


def read_items(path: Path) -> tuple[Item, ...]:
    """Read items from CSV or parquet, by the file's ending.

    Raises
    ------
    BenchError
        If columns are missing, or a row's answer is not where its target stands.
    """
    frame = _read(path)
    missing = [column for column in COLUMNS if column not in frame]
    if missing:
        raise BenchError(f"{path} lacks the columns {', '.join(missing)}")
    wrong = [row.item for row in frame.itertuples() if not _answered(row)]
    if wrong:
        raise BenchError(f"{path}: the answer is not the target's place in {', '.join(wrong)}")
    options = frame[OPTION_COLUMNS].itertuples(index=False, name=None)
    fields = frame[["item", "tier", "clue", "target"]].itertuples(index=False, name=None)
    return tuple(Item(*row, tuple(shown)) for row, shown in zip(fields, options, strict=True))


def check(items: Sequence[Item]) -> None:
    """Raise one BenchError that names everything wrong with a benchmark.

    Ids are unique; clues say something; options differ, hold the target, and no two of
    them are known by the same clue; within each tier the target stands at each place
    equally often, give or take one.
    """
    faults = [*_repeated(items), *_malformed(items), *_ambiguous(items), *_unbalanced(items)]
    if faults:
        raise BenchError("the benchmark does not hold together: " + "; ".join(faults))


def _read(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        return pd.read_parquet(path).astype(str)
    return pd.read_csv(path, dtype=str, keep_default_na=False)  # a card may be called 007 or NA


def _answered(row: object) -> bool:
    place = row.answer
    return place.isdecimal() and getattr(row, f"option_{int(place)}", None) == row.target


def _repeated(items: Sequence[Item]) -> Iterator[str]:
    for item, count in Counter(item.id for item in items).items():
        if count > 1:
            yield f"{count} items are called {item}"


def _malformed(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if not item.clue.strip():
            yield f"{item.id} has no clue"
        if len(set(item.options)) < len(item.options):
            yield f"{item.id} shows a card twice"
        if item.target not in item.options:
            yield f"{item.id} does not show its target {item.target}"


def _ambiguous(items: Sequence[Item]) -> Iterator[str]:
    clues = {item.target: item.clue.strip().casefold() for item in items}
    for item in items:
        rivals = [card for card in item.options if card != item.target and card in clues]
        same = [card for card in rivals if clues[card] == item.clue.strip().casefold()]
        if same or len({clues[card] for card in rivals}) < len(rivals):
            yield f"{item.id} shows cards of one clue"


def _unbalanced(items: Sequence[Item]) -> Iterator[str]:
    for tier in dict.fromkeys(item.tier for item in items):
        shown = [item for item in items if item.tier == tier and item.target in item.options]
        places = Counter(item.answer for item in shown)
        width = max((len(item.options) for item in shown), default=0)
        counts = [places[place] for place in range(1, width + 1)]
        if counts and max(counts) - min(counts) > 1:
            yield f"tier {tier} has its targets at places in unequal numbers {counts}"
