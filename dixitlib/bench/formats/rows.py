"""Rows of tables, lines and lists, each with the place by which an error names it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa


class FormatError(ValueError):
    """A file can't be sat. The message names it, and every row that is at fault."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a file says of one question, and where it says it."""

    place: str
    cells: Mapping[str, object]

    def text(self, name: str) -> str:
        """Return a cell as text; empty where there is none."""
        value = self.cells.get(name)
        return "" if value is None or value != value else str(value)  # only NaN is not itself

    def words(self, name: str) -> str:
        """Return a cell that must say something, without space around it."""
        if not (found := self.text(name).strip()):
            raise FormatError(f"its {name} is empty")
        return found


def refuse(path: Path, faults: Sequence[str]) -> None:
    """Raise one error that names the file and all faults, if there are any."""
    if faults:
        listing = "".join(f"\n- {fault}" for fault in faults)
        raise FormatError(f"{path} can't be sat yet. Mend these and load it again:{listing}")


def read_table(path: Path, needed: Iterable[str]) -> tuple[list[Row], list[str]]:
    """Read a table: parquet by the file's ending, else values separated by tabs.

    Returns
    -------
    rows : list of Row
        In the file's order, counted from 1 below the header.
    faults : list of str
        Lines with more cells than the header has.

    Raises
    ------
    FormatError
        If it is no such table, or lacks a column that is needed.
    """
    frame, faults = _parquet(path) if path.suffix == ".parquet" else _tabbed(path)
    if missing := [column for column in needed if column not in frame]:
        refuse(path, [f"it lacks the columns {', '.join(missing)}", *faults])
    rows = enumerate(frame.to_dict("records"), start=1)
    return [Row(f"{path.name}, row {number}", cells) for number, cells in rows], faults


def read_lines(path: Path) -> tuple[list[Row], list[str]]:
    """Read JSON lines that hold one object each; empty lines are passed over."""
    numbered = enumerate(path.read_bytes().splitlines(), start=1)
    return _objects(_parsed(f"{path.name}, line {k}", line) for k, line in numbered if line.strip())


def read_list(path: Path) -> tuple[list[Row], list[str]]:
    """Read a JSON file that holds a list of objects, counted from 1."""
    _, found = _parsed(path.name, path.read_bytes())
    if not isinstance(found, list):
        return [], [f"{path.name}: it is no JSON list{_because(found)}"]
    entries = enumerate(found, start=1)
    return _objects((f"{path.name}, question {number}", entry) for number, entry in entries)


def read_object(path: Path, place: str) -> tuple[list[Row], list[str]]:
    """Read a JSON file that holds one object."""
    return _objects([_parsed(place, path.read_bytes())])


def _parsed(place: str, data: bytes) -> tuple[str, object]:
    """Parse JSON; what is none comes as the error that says why."""
    try:
        return place, json.loads(data)
    except (ValueError, RecursionError) as error:  # of its form, or of its encoding
        return place, error


def _objects(entries: Iterable[tuple[str, object]]) -> tuple[list[Row], list[str]]:
    rows, faults = [], []
    for place, entry in entries:
        if isinstance(entry, dict):
            rows.append(Row(place, entry))
        else:
            faults.append(f"{place}: it is no JSON object{_because(entry)}")
    return rows, faults


def _because(found: object) -> str:
    return f" ({found})" if isinstance(found, Exception) else ""


def _parquet(path: Path) -> tuple[pd.DataFrame, list[str]]:
    try:
        return pd.read_parquet(path), []
    except pa.ArrowException as error:
        raise FormatError(f"{path} is no parquet ({error}): fetch it again") from error


def _tabbed(path: Path) -> tuple[pd.DataFrame, list[str]]:
    """Read a table and a fault for each line that pandas would skip with a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", pd.errors.ParserWarning)
        try:
            frame = pd.read_csv(
                path,
                sep="\t",
                dtype=str,
                keep_default_na=False,  # an option may be called None or NA
                index_col=False,
                on_bad_lines="warn",
                encoding="utf-8-sig",
            )
        except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
            raise FormatError(f"{path} is no table in UTF-8 with tabs ({error})") from error
    said = [line for warning in caught for line in str(warning.message).splitlines() if line]
    return frame, [f"{path.name}: {line.removeprefix('Skipping ')} cells" for line in said]
