"""Records as lines of JSON, in units that are whole or not there at all.

A file holds one record a line, without the fields that are at their default. The last
line of a unit of work also names the unit (key ``unit``) and so closes it: what follows
the last closed unit was torn by a crash.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from dixitlib.records import Answer, Round
from dixitlib.store.manifest import RunError

Record = Round | Answer


@dataclass(frozen=True, slots=True)
class Unit:
    """One finished unit of work, as it stands in a file.

    `end` is the number of bytes up to and with its last line.
    """

    name: Hashable
    records: tuple[Record, ...]
    end: int


def encode(unit: Hashable, records: Sequence[Record]) -> bytes:
    """Return the lines of a unit; floats are rounded to six decimals.

    Raises
    ------
    ValueError
        If there is no record, or the unit's name would not survive as JSON.
    """
    if not records:
        raise ValueError(f"unit {unit!r} has no records, so there is no line to close it")
    if unit is None or _frozen(json.loads(json.dumps(unit))) != unit:
        raise ValueError(f"a unit is named by strings and integers or tuples of them, not {unit!r}")
    rows = [_row(record) for record in records]
    rows[-1]["unit"] = unit
    # What UTF-8 can't say, half a surrogate pair in a model's reply, JSON can: \ud83d.
    return "".join(map(_line, rows)).encode("utf-8", errors="backslashreplace")


def finished_units(path: Path, kind: type[Record]) -> Iterator[Unit]:
    """Yield the units of a file that are closed, in the order in which they stand.

    Raises
    ------
    ValueError
        If a line is neither torn nor a record; a crash does not do that.
    """
    records, end = [], 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            end += len(line)
            if not line.endswith(b"\n"):
                return
            record, name = _parsed(line, kind, f"line {number} of {path}")
            records.append(record)
            if name is not None:
                yield Unit(name, tuple(records), end)
                records = []


def _row(record: Record) -> dict[str, object]:
    values = {field: getattr(record, field.name) for field in fields(record)}
    return {f.name: _rounded(value) for f, value in values.items() if value != f.default}


def _line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _parsed(line: bytes, kind: type[Record], where: str) -> tuple[Record, Hashable | None]:
    """Return the record of a line, and the name of the unit that it closes, if any."""
    try:
        row = {key: _frozen(value) for key, value in json.loads(line).items()}
        name = row.pop("unit", None)
        return kind(**row), name
    except (ValueError, TypeError, AttributeError) as error:
        raise RunError(
            f"{where} is no {kind.__name__} ({error}): restore the file, or delete the run "
            "and play it anew"
        ) from error


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 6)
    return tuple(map(_rounded, value)) if isinstance(value, tuple) else value


def _frozen(value: object) -> object:
    """Return JSON's lists as the tuples they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
