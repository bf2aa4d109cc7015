"""A run is a folder: a manifest, and records appended unit by unit.

A run that was killed at any byte is opened again with the same call, drops what was torn,
and ends with the same bytes as one that was never interrupted.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from dixitlib import paths
from dixitlib.records import Answer, Round
from dixitlib.store import manifest
from dixitlib.store.lines import Record, Unit, encode, finished_units
from dixitlib.store.manifest import RunError

_FILES: dict[type[Record], str] = {Round: "rounds.jsonl", Answer: "answers.jsonl"}


class FolderInUse(RuntimeError):
    """Another process is writing the same folder."""


@contextmanager
def open_run(
    run: str | Path,
    *,
    parameters: Mapping[str, object],
    inputs: Mapping[str, object],
    noted: Mapping[str, object] | None = None,
) -> Iterator[RunWriter]:
    """Begin a run, or go on with it, and hold it against other processes meanwhile.

    Parameters
    ----------
    run
        Folder, made if it is not there.
    parameters, inputs
        What the run depends on, as JSON can say it; inputs are hashes.
    noted
        What is only recorded when the run begins, beside its provenance.

    Yields
    ------
    RunWriter
        The sink to write to.

    Raises
    ------
    RunError
        If the folder holds a run with other parameters or inputs, or is damaged.
    FolderInUse
        If another process is writing it.
    DiskFull
        If there is hardly any room left for it.
    """
    folder = manifest.locate(run)
    with hold(folder):
        _refuse_orphans(folder)
        manifest.settle(folder, parameters, inputs, noted or {})
        yield RunWriter(folder)


class RunWriter:
    """The sink of a run: appends whole units and knows which are finished.

    Made by `open_run`. On opening, a torn unit is cut off. So is everything from the
    first unit that holds an infrastructure error (status ``error``): it is asked again,
    and what follows it is written again in its place.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._finished: set[Hashable] = set()
        for kind, name in _FILES.items():
            if (folder / name).exists():
                self._finished.update(_cut(folder / name, kind))

    def finished(self) -> Set[Hashable]:
        """Return the units that need no more work."""
        return frozenset(self._finished)

    @property
    def folder(self) -> Path:
        """Where the run stands."""
        return self._folder

    def account(self, account: Mapping[str, object]) -> None:
        """Record in the manifest what the run's models cost and how they were asked."""
        manifest.settle_account(self._folder, account)

    def write(self, unit: Hashable, records: Sequence[Record]) -> None:
        """Append one unit's records, of one kind, and see them safely on disk."""
        if unit in self._finished:
            raise ValueError(f"{self._folder} has unit {unit!r} already")
        block = encode(unit, records)
        with (self._folder / _FILES[type(records[0])]).open("ab") as file:
            file.write(block)
            file.flush()
            os.fsync(file.fileno())
        self._finished.add(unit)


def iter_rounds(run: str | Path) -> Iterator[Round]:
    """Yield the rounds of a run in canonical order; a torn unit is left out."""
    return _iter_records(run, Round)


def read_round(run: str | Path, match: int, phase: int, number: int) -> Round:
    """Return one round of a run, by its number within a phase of a match.

    Raises
    ------
    RunError
        If it was not played; the message says what was.
    """
    places = set()
    for played in iter_rounds(run):
        place = played.match, played.phase, played.round
        if place == (match, phase, number):
            return played
        places.add(place)
    if not places:
        raise RunError(f"{run} has no round at all: was it played?")
    first, last = ([pick(each) for each in zip(*places, strict=True)] for pick in (min, max))
    raise RunError(
        f"{run} has no match {match}, phase {phase}, round {number}; it has those from "
        f"{first} to {last}"
    )


def iter_answers(run: str | Path) -> Iterator[Answer]:
    """Yield the answers of a run in canonical order; a torn unit is left out."""
    return _iter_records(run, Answer)


def _iter_records(run: str | Path, kind: type[Record]) -> Iterator[Record]:
    path = manifest.existing(run, _FILES[kind])
    return (record for unit in finished_units(path, kind) for record in unit.records)


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold a folder that is to be written, made if need be; the lock file is gone afterwards.

    Raises
    ------
    FolderInUse, DiskFull
        If another process holds it, or there is hardly any room left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths.need_room(folder)
    path = folder / ".lock"
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout as held:
        raise FolderInUse(
            f"another process is writing {folder}: wait until it ends, or write elsewhere"
        ) from held
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        lock.release()


def _refuse_orphans(folder: Path) -> None:
    orphans = [name for name in _FILES.values() if (folder / name).exists()]
    if orphans and not (folder / manifest.NAME).exists():
        raise RunError(
            f"{folder} holds {' and '.join(orphans)} but no {manifest.NAME} that says what they "
            "are: restore it, or delete the folder to begin anew"
        )


def _cut(path: Path, kind: type[Record]) -> list[Hashable]:
    """Cut a file after the last unit that can stand, and return those that do."""
    units: list[Unit] = []
    for unit in finished_units(path, kind):
        if any(record.status == "error" for record in unit.records):
            break
        units.append(unit)
    os.truncate(path, units[-1].end if units else 0)
    return [unit.name for unit in units]
