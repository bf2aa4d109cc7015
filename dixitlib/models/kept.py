"""One line a reply: how what a model said stands in a file, and is read back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

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


def read(folder: Path) -> list[Kept]:
    """Return all that a run's log holds, in the order of files and lines; changes nothing.

    Raises
    ------
    LogError
        If a line other than a torn last one is damaged.
    """
    return [parsed(place, text) for place, text in lines(folder, "jsonl")]


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


def lines(folder: Path, suffix: str) -> Iterator[tuple[str, str]]:
    """Yield place and text of every whole line in the files of a kind."""
    for file in sorted(folder.glob(f"*.{suffix}")):
        whole = file.read_bytes().rpartition(b"\n")[0]
        for number, line in enumerate(whole.splitlines(), start=1):
            yield f"{file.name}, line {number}", line.decode()


def parsed(place: str, text: str) -> Kept:
    """Return the reply that a line holds, or say where it stands if it is damaged."""
    try:
        return from_line(text)
    except (ValueError, KeyError, TypeError) as error:
        raise LogError(
            f"{place} is damaged ({error}): a crash tears the last line only, so the file was "
            "edited or mixed up; restore it or delete the line, and resume"
        ) from error


def _token(written: Sequence[Any]) -> Token:
    text, logprob, alternatives = written
    return Token(text, logprob, tuple((name, value) for name, value in alternatives))


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return [value.text, value.logprob, value.alternatives] if isinstance(value, Token) else value
