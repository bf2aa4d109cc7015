"""Paid replies are kept: an append-only log of what models said, from which a run resumes.

A folder holds, for each worker, `<worker>.jsonl` with one line a reply, and `<worker>.calls`
with the key of each call, written before it is made. A call without a reply was in flight
when the run was killed, or its line was torn; it may have been paid for, and is made again.
Images are referred to by hash, and no header is ever stored.
"""

from __future__ import annotations

import json
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from dixitlib.models.base import Message, Model, Schema, images, request_key
from dixitlib.models.prices import Budget, Price, cost
from dixitlib.records import Reply, Token


class LogError(ValueError):
    """A log of replies is damaged; the message says where and what to do about it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One line of the log: a reply, who gave it, under which key, and the images it saw."""

    key: str
    model: str
    images: tuple[str, ...]
    reply: Reply


class ReplyLog:
    """The replies of a run, by key.

    Parameters
    ----------
    folder
        The run's ``replies/``; made if missing.
    worker
        Whose file this process writes; no two processes share one.

    Attributes
    ----------
    replies
        Every reply kept so far, the last one where a call was made again.
    unanswered
        Calls of earlier runs that left no reply: possibly paid twice.
    """

    def __init__(self, folder: Path, worker: str = "main") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        files = {suffix: folder / f"{worker}.{suffix}" for suffix in ("jsonl", "calls")}
        for file in files.values():
            _cut_torn_line(file)
        kept = read(folder)
        self.replies = {each.key: each.reply for each in kept}
        self._models = {each.key: each.model for each in kept}
        begun = Counter(key for _, key in _lines(folder, "calls"))
        begun.subtract(each.key for each in kept)
        self.unanswered = sum(count for count in begun.values() if count > 0)
        self._files = {suffix: file.open("ab", buffering=0) for suffix, file in files.items()}
        for opened in self._files.values():
            weakref.finalize(self, opened.close)

    def get(self, key: str) -> Reply | None:
        """Return the reply to a call, unless it has to be made, for the first time or again."""
        reply = self.replies.get(key)
        return None if reply is None or reply.status == "error" else reply

    def of(self, model: str) -> list[Reply]:
        """Return the replies of one model, errors included."""
        return [self.replies[key] for key, name in self._models.items() if name == model]

    def begin(self, key: str) -> None:
        """Note that a call is about to be made."""
        self._append("calls", key)

    def end(self, kept: Kept) -> None:
        """Keep the reply to a call."""
        self._append("jsonl", to_line(kept))
        self.replies[kept.key], self._models[kept.key] = kept.reply, kept.model

    def _append(self, suffix: str, line: str) -> None:
        self._files[suffix].write(line.encode() + b"\n")  # at once, so no thread tears another's


class Recorded:
    """A model whose replies are kept, and which is not asked what it has answered before.

    What the log already holds of it counts as spent.

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
        for reply in log.of(self.name):
            self._budget.add(cost(reply, price))

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Return the kept reply, or ask and keep what comes; errors are kept and asked anew."""
        key = request_key(self.identity, messages, schema, repeat)
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
        self._budget.add(cost(reply, self._price))
        return reply


def read(folder: Path) -> list[Kept]:
    """Return all that a run's log holds, in the order of files and lines; changes nothing.

    Raises
    ------
    LogError
        If a line other than a torn last one is damaged.
    """
    return [_kept(place, text) for place, text in _lines(folder, "jsonl")]


def to_line(kept: Kept) -> str:
    """Return a reply as one line of JSON; fields at their defaults are left out."""
    line: dict[str, object] = {"key": kept.key, "model": kept.model, "images": list(kept.images)}
    for each in fields(Reply):
        value = getattr(kept.reply, each.name)
        if value != each.default:
            line[each.name] = _plain(value)
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def from_line(text: str) -> Kept:
    """Return the reply that a line holds."""
    line = json.loads(text)
    known = {each.name: line[each.name] for each in fields(Reply) if each.name in line}
    if "faults" in known:
        known["faults"] = tuple(known["faults"])
    if known.get("tokens") is not None:
        known["tokens"] = tuple(map(_token, known["tokens"]))
    return Kept(line["key"], line["model"], tuple(line["images"]), Reply(**known))


def _token(written: Sequence[Any]) -> Token:
    text, logprob, alternatives = written
    return Token(text, logprob, tuple((name, value) for name, value in alternatives))


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return [value.text, value.logprob, value.alternatives] if isinstance(value, Token) else value


def _lines(folder: Path, suffix: str) -> Iterator[tuple[str, str]]:
    """Yield place and text of every whole line in the files of a kind."""
    for file in sorted(folder.glob(f"*.{suffix}")):
        whole = file.read_bytes().rpartition(b"\n")[0]
        for number, line in enumerate(whole.splitlines(), start=1):
            yield f"{file.name}, line {number}", line.decode()


def _kept(place: str, text: str) -> Kept:
    try:
        return from_line(text)
    except (ValueError, KeyError, TypeError) as error:
        raise LogError(
            f"{place} is damaged ({error}): a crash tears the last line only, so the file was "
            "edited or mixed up; restore it or delete the line, and resume"
        ) from error


def _cut_torn_line(file: Path) -> None:
    """Shorten a file to its last line end."""
    if file.exists():
        content = file.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with file.open("r+b") as opened:
                opened.truncate(whole)
