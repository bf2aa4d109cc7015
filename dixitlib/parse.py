"""From the text of a reply to a choice, a rating or a clue, or to the reason why there is none.

A reader here takes what a person would take and refuses to guess. It looks for the last
JSON object that holds an answer; if there is one, its answer is final, even if it is not
on offer. Only without one does it read the prose, where the answer that was stated last
wins and the mere mention of a label is no answer. Readers never raise, whatever the text,
and never give a label that was not offered. The wording of answers in prose is the matter
of `wording`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from dixitlib.records import Status
from dixitlib.wording import Names, is_fault, is_refusal, number, plain, stated_clue, stated_number

T = TypeVar("T")
_DECODER = json.JSONDecoder(strict=False)  # replies have raw line ends in their strings

CHOICE_KEYS = ("choice", "answer", "final_answer", "vote", "option", "card", "label", "pick")
RATING_KEYS = ("rating", "score", "value")
CLUE_KEYS = ("clue", "caption", "text")
LONGEST_CLUE = 40
"""Words; whoever says more than this in plain text is not giving a clue."""

PROBLEMS: Mapping[Status, str] = {
    "ok": "",
    "unparsed": "no single answer could be read from it",
    "refused": "it declined to answer",
    "empty": "it was empty",
    "truncated": "it broke off before the answer was complete",
    "error": "it was a message of a server, not of a model",
}


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What was read from a reply.

    Parameters
    ----------
    value
        The answer; None unless the status is ``ok``.
    status
        ``ok``, or why there is no answer.
    problem
        What was wrong, in words that a model can be told.
    text
        The reply as it came.
    """

    value: T | None
    status: Status
    problem: str = ""
    text: str | None = None

    @property
    def choice(self) -> T | None:
        """The answer, under the name it has where labels are chosen."""
        return self.value


@dataclass(frozen=True, slots=True)
class Objects:
    """The JSON objects of a text in order, and whether another one broke off at its end."""

    found: tuple[dict[str, object], ...]
    torn: bool


def choice(
    text: str | None, options: Sequence[str] | Mapping[str, str], finish: str | None = None
) -> Parsed[str]:
    """Read which option a reply chooses.

    Parameters
    ----------
    text
        The reply.
    options
        Labels on offer, or a mapping from label to the option's text. An option may be
        named by its label, in either case, or by its exact text.
    finish
        The finish reason. After ``length`` only a complete JSON object counts.

    Raises
    ------
    ValueError
        If there is no option to choose from.
    """
    names = Names(options) if isinstance(options, Mapping) else _labels(tuple(options))
    return _read(text, CHOICE_KEYS, names.of_value, names.of_prose, finish, names.wanted)


def rating(
    text: str | None,
    low: float = 0,
    high: float = 100,
    finish: str | None = None,
    keys: Sequence[str] = RATING_KEYS,
) -> Parsed[float]:
    """Read a rating between `low` and `high`, both included; numbers outside are unparsed."""
    return _read(
        text,
        keys,
        lambda value: _within(number(value, high), low, high),
        lambda prose: _within(stated_number(prose, high), low, high),
        finish,
        f"a number from {low:g} to {high:g}",
    )


def ratings(
    text: str | None, keys: Sequence[str], low: float, high: float, finish: str | None = None
) -> Parsed[dict[str, float]]:
    """Read several ratings from a reply's JSON, one to a key; all of them or none."""
    wanted = f"a number from {low:g} to {high:g}"
    parts = {
        key: _read(
            text,
            (key,),
            lambda value: _within(number(value, high), low, high),
            lambda prose: None,
            finish,
            f"{wanted} under {key!r}",
        )
        for key in keys
    }
    if failed := [part for part in parts.values() if part.status != "ok"]:
        return failed[0]
    return Parsed({key: part.value for key, part in parts.items()}, "ok", text=text)


def clue(text: str | None, finish: str | None = None) -> Parsed[str]:
    """Read a clue or a caption; plain text counts if it is one line and not a refusal."""
    return _read(
        text,
        CLUE_KEYS,
        lambda value: _words(value) if isinstance(value, str) else None,
        lambda prose: None if is_refusal(prose) else stated_clue(prose, LONGEST_CLUE),
        finish,
        "a short clue in words",
    )


def objects(text: str) -> Objects:
    """Find the JSON objects of a text, wherever they stand: in fences, in prose, in a row."""
    found: list[dict[str, object]] = []
    end = 0
    for brace in re.finditer(r'\{(?=\s*(?:["}]|$))', text):
        if brace.start() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, brace.start())
        except json.JSONDecodeError as fault:
            if _broke_off(text, fault):
                return Objects(tuple(found), torn=True)
        except ValueError:  # a number with more digits than Python converts
            continue
        except RecursionError:  # a nesting without end is no answer that was finished
            return Objects(tuple(found), torn=True)
        else:
            found.append(value)
    return Objects(tuple(found), torn=False)


def _read(
    text: str | None,
    keys: Sequence[str],
    of_value: Callable[[object], T | None],
    of_prose: Callable[[str], T | None],
    finish: str | None,
    wanted: str,
) -> Parsed[T]:
    prose, thinking = _reply(text)
    if not plain(prose).strip():
        return _failed("truncated" if thinking else "empty", text)
    if finish == "content_filter":
        return _failed("refused", text)
    parts = objects(prose)
    answer = None if parts.torn else _last(parts.found, keys)
    if answer is not None:
        return _result(of_value(answer[0]), text, f"{_shown(answer[0])} is not {wanted}")
    if parts.torn or finish == "length":
        return _failed("truncated", text)
    if is_fault(prose) or any("error" in found for found in parts.found):
        return _failed("error", text)
    value = of_prose(prose)
    if value is None and is_refusal(prose):
        return _failed("refused", text)
    return _result(value, text, f"it does not give {wanted}")


@lru_cache(maxsize=64)
def _labels(labels: tuple[str, ...]) -> Names:
    """Return the names of labels; a run asks about the same few again and again."""
    return Names(labels)


def _result(value: T | None, text: str | None, problem: str) -> Parsed[T]:
    if value is None:
        return _failed("unparsed", text, problem)
    return Parsed(value, "ok", text=text)


def _within(value: float | None, low: float, high: float) -> float | None:
    return value if value is not None and low <= value <= high else None


def _words(value: str) -> str | None:
    """Put a clue on one line, unless it is the placeholder of the form that was asked for.

    Halves of surrogate pairs, which no file can hold, are left out.
    """
    words = " ".join(value.encode("utf-8", "ignore").decode("utf-8").split())
    return None if re.fullmatch(r"(?:<[^<>]*>)?", words) else words


def _failed(status: Status, text: str | None, problem: str = "") -> Parsed[T]:
    return Parsed(None, status, problem or PROBLEMS[status], text)


def _reply(text: str | None) -> tuple[str, bool]:
    """Return what a reply says once its thinking is over, and whether it is still thinking."""
    said = (text or "").rpartition("</think>")[2]
    if said == text and text.lstrip().startswith("<think>"):
        return "", True
    return said, False


def _broke_off(text: str, fault: json.JSONDecodeError) -> bool:
    """Tell an object that goes on to the end of the text from one that is ill-formed."""
    return fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated string")


def _last(found: Sequence[dict[str, object]], keys: Sequence[str]) -> tuple[object] | None:
    """Return the value under the first of the keys in the last object that has one, boxed."""
    for each in reversed(found):
        for value in _values(each, keys):
            return (value,)
    return None


def _values(each: dict[str, object], keys: Sequence[str]) -> Iterator[object]:
    """Go through an object level by level; iterative, since replies nest as they like."""
    level = [each]
    while level:
        for one in level:
            folded = {key.casefold().strip(): value for key, value in one.items()}
            yield from (folded[key] for key in keys if not isinstance(folded.get(key, {}), dict))
        level = [inner for one in level for inner in one.values() if isinstance(inner, dict)]


def _shown(value: object) -> str:
    simple = isinstance(value, str | int | float | None)
    return json.dumps(value)[:60] if simple else f"a {type(value).__name__}"
