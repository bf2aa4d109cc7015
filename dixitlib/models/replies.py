"""Paid replies are kept: an append-only log of what models said, from which a run resumes.

A folder holds, for each worker, `<worker>.jsonl` with one line a reply, and `<worker>.calls`
with the key of each call, written before it is made. A call without a reply was in flight
when the run was killed, or its line was torn; it may have been paid for, and is made again.
Images are referred to by hash, and no header is ever stored.

A log that travels to another process writes files of its own there, into the same folder,
and reads what others have written before it lets a call be made. So a worker that takes
over from one that died asks nothing that was answered already. It pays only as long as the
folder's `holder` is the run that sent it: what a killed run left behind stops when another
takes over.
"""

from __future__ import annotations

import os
import threading
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path

from dixitlib import paths
from dixitlib.models.base import Message, Model, Schema, images, request_key
from dixitlib.models.kept import Kept, LogError, lines, parsed, read, to_line
from dixitlib.models.once import held_of, once
from dixitlib.models.prices import Budget, Price, cost
from dixitlib.records import Reply

__all__ = ["Kept", "LogError", "Recorded", "ReplyLog", "TakenOver", "adapted_here", "read"]


class TakenOver(RuntimeError):
    """The run that sent a log here is over, or another goes on with it."""


class ReplyLog:
    """The replies of a run, by key.

    Parameters
    ----------
    folder
        The run's ``replies/``; made if missing.
    worker
        Whose file this process writes; no two processes share one.
    holder
        The name of the log that sent it to this process; the first log of a run has none,
        and takes over from all before it.

    Attributes
    ----------
    replies
        Every reply kept so far, the last one where a call was made again.
    name
        What tells this log from others wherever it travels.
    """

    def __init__(self, folder: Path, worker: str = "main", holder: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.replies: dict[str, Reply] = {}
        self.name = holder or uuid.uuid4().hex
        self._folder, self._lock, self._sent = folder, threading.RLock(), bool(holder)
        self._holder = folder / "holder"
        if not holder:
            self.close()
        self._files = {suffix: folder / f"{worker}.{suffix}" for suffix in ("jsonl", "calls")}
        for file in self._files.values():
            _cut_torn_line(file)
        self._opened: dict[str, FileIO] = {}
        others = (file for file in folder.glob("*.calls") if file not in self._files.values())
        self._shared = self._sent or any(others)
        self._models: dict[str, str] = {}
        self._followers: dict[str, Callable[[Reply], object]] = {}
        self._known: dict[Path, int] = {}
        self._take_in_all()

    def __reduce__(self) -> tuple[object, ...]:
        self._shared = True
        if not self._sent and not self._holder.exists():
            self._holder.write_text(self.name)
        return once, (self.name, _apart, self._folder, self.name)

    def close(self) -> None:
        """Let no log that was sent elsewhere pay any more."""
        self._holder.unlink(missing_ok=True)

    @property
    def unanswered(self) -> int:
        """Calls that left no reply, or whose reply came a second time: possibly paid twice."""
        begun = Counter(key for _, key in lines(self._folder, "calls"))
        kept = read(self._folder)
        begun.subtract(each.key for each in kept if each.reply.status == "error")
        begun.subtract({each.key for each in kept if each.reply.status != "error"})
        return sum(count for count in begun.values() if count > 0)

    def get(self, key: str) -> Reply | None:
        """Return the reply to a call, unless it has to be made, for the first time or again."""
        reply = self.replies.get(key)
        return None if reply is None or reply.status == "error" else reply

    def of(self, model: str) -> list[Reply]:
        """Return the replies of one model, errors included."""
        return [self.replies[key] for key, name in self._models.items() if name == model]

    def follow(self, model: str, follower: Callable[[Reply], object]) -> None:
        """Tell somebody of every reply of a model, those that are there and those to come."""
        with self._lock:
            for reply in self.of(model):
                follower(reply)
            self._followers[model] = follower

    def catch_up(self) -> None:
        """Take in what other processes have written meanwhile, where any may write."""
        if self._shared:
            self._take_in_all()

    def begin(self, key: str) -> None:
        """Note that a call is about to be made.

        Raises
        ------
        DiskFull, TakenOver
            If its reply might find no room, or nobody waits for it; it is not made then.
        """
        paths.need_room(self._folder)
        if self._sent and not self._is_held():
            raise TakenOver(f"{self._folder} is no longer written by the run that sent this work")
        self._append("calls", key)

    def end(self, kept: Kept) -> None:
        """Keep the reply to a call."""
        with self._lock:
            self._known[self._files["jsonl"]] = self._append("jsonl", to_line(kept))
            self._note(kept)

    def _is_held(self) -> bool:
        try:
            return self._holder.read_text() == self.name
        except FileNotFoundError:
            return False

    def _take_in_all(self) -> None:
        with self._lock:
            for file in sorted(self._folder.glob("*.jsonl")):
                size = file.stat().st_size
                if size > self._known.get(file, 0):
                    self._take_in(file)

    def _take_in(self, file: Path) -> None:
        first = self._known.get(file, 0)
        with file.open("rb") as opened:
            opened.seek(first)
            whole = opened.read().rpartition(b"\n")[0]
        for number, line in enumerate(whole.splitlines(), start=1):
            after = f" after byte {first}" if first else ""
            self._note(parsed(f"{file.name}, line {number}{after}", line.decode()))
        self._known[file] = first + len(whole) + bool(whole)

    def _note(self, kept: Kept) -> None:
        self.replies[kept.key], self._models[kept.key] = kept.reply, kept.model
        if kept.model in self._followers:
            self._followers[kept.model](kept.reply)

    def _append(self, suffix: str, line: str) -> int:
        """Write a line whole or not at all; return how long the file is then."""
        content = line.encode() + b"\n"
        with self._lock:
            file = self._open(suffix)
            before = file.seek(0, os.SEEK_END)
            if file.write(content) < len(content):  # as when a disk fills up
                file.truncate(before)
                raise paths.DiskFull(f"{file.name} could not be written: make room and go on")
            return before + len(content)

    def _open(self, suffix: str) -> FileIO:
        """Return a file that is opened once, and closed when the log is gone."""
        if suffix not in self._opened:
            self._opened[suffix] = self._files[suffix].open("ab", buffering=0)
            weakref.finalize(self, self._opened[suffix].close)
        return self._opened[suffix]


class Recorded:
    """A model whose replies are kept, and which is not asked what it has answered before.

    All that the log holds of it counts as spent, whoever paid.

    Parameters
    ----------
    model
        Whom to ask.
    log
        Where replies are kept.
    budget
        What may be spent; a call that would start beyond it raises `BudgetSpent`.
    price
        What tokens cost, for endpoints that don't say what a call cost.
    name
        Under which replies are kept; by default the model's. Models that differ in their
        parameters only need names of their own.
    """

    def __init__(
        self,
        model: Model,
        log: ReplyLog,
        budget: Budget | None = None,
        price: Price | None = None,
        name: str = "",
    ) -> None:
        self.name = name or model.name
        self.identity = model.identity
        self._model, self._log, self._price = model, log, price
        self._budget = budget or Budget()
        self._budget.hear((log.name, self.name), log.catch_up)
        log.follow(self.name, self._count)

    def __reduce__(self) -> tuple[object, ...]:
        # Under a key of its own it is made once a process, and counts what was spent once.
        given = self._model, self._log, self._budget, self._price, self.name
        return once, ((self._log.name, self.name), Recorded, *given)

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Return the kept reply, or ask and keep what comes; errors are kept and asked anew."""
        key = request_key(self.identity, messages, schema, repeat)
        if kept := self._log.get(key):
            return kept
        self._log.catch_up()
        if kept := self._log.get(key):
            return kept
        self._budget.check()
        self._log.begin(key)
        try:
            reply = self._model.ask(messages, schema, repeat)
        except Exception as error:
            self._log.end(Kept(key, self.name, (), Reply(None, "error", problem=str(error))))
            raise
        self._log.end(Kept(key, self.name, images(messages), reply))
        return reply

    def _count(self, reply: Reply) -> None:
        self._budget.add(cost(reply, self._price), (self._log.name, self.name))


def adapted_here(budget: str) -> dict[str, dict[str, str]]:
    """Return, by name, what models of a budget that have travelled here have adapted to."""
    models = [each for each in held_of(Recorded) if each._budget.name == budget]
    return {each.name: dict(each._model.adapted) for each in models}


def _apart(folder: Path, holder: str) -> ReplyLog:
    """Return a log that writes files of its own into a folder that others write too."""
    return ReplyLog(folder, uuid.uuid4().hex[:12], holder)


def _cut_torn_line(file: Path) -> None:
    """Shorten a file to its last line end."""
    if file.exists():
        content = file.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with file.open("r+b") as opened:
                opened.truncate(whole)
