"""From a reply to what it claims, and which claims are in dispute.

A claim is an object under ``claims`` in the reply's JSON, or a paragraph of its prose that
begins with "Claim:", with confidence, evidence, region and option behind labels of their
own. What can be put right without a guess is ("90%" is 0.9, a region that overhangs the
picture is cut at its edge); what can't be is left out with a note that says why. A claim
without a usable confidence is no claim of which anything follows, and is left out whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from dixitlib import parse
from dixitlib.records import Claim, Region

T = TypeVar("T")

LOW = 0.5
"""Confidence below which a claim is disputed."""

TEXT_KEYS = ("claim", "text", "statement")
SURE = 1e-3
"""By how much probabilities may miss a sum of 1 without a word."""

_HEAD = re.compile(r"^\W*claim\b\s*\d*\W*?[:.)]\W*", re.IGNORECASE | re.MULTILINE)
_FIELD = re.compile(
    r"(?:^|[;|,(\n])[ \t*_-]*(confidence|evidence|region|option)\b[*_ \t]*(?:[:=]|(?=[\d.\[]))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)")
_STATED = re.compile(
    rf"\W*?(?P<number>{_NUMBER.pattern})\s*"
    r"(?:(?P<percent>%|percent)|(?:/|out of)\s*(?P<scale>\d+))?\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims as read, with a note for everything that was put right or left out."""

    found: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispute:
    """A claim in dispute.

    Parameters
    ----------
    agent
        Who made it.
    claim
        The claim.
    reason
        Its confidence is low, or others speak for another option.
    against
        Who contradicts it.
    """

    agent: str
    claim: Claim
    reason: Literal["low confidence", "contradicted"]
    against: tuple[str, ...] = ()


def read_claims(text: str, labels: Sequence[str]) -> Claims:
    """Read the claims of a reply.

    Parameters
    ----------
    text
        The reply.
    labels
        Labels of the options that a claim may speak for.
    """
    claims: list[Claim] = []
    notes: list[str] = []
    for number, raw in enumerate(_raw(text), start=1):
        try:
            claim, mended = _claim(raw, labels)
        except ValueError as fault:
            notes.append(f"claim {number} is left out: {fault}")
            continue
        claims.append(claim)
        notes.extend(f"claim {number}: {note}" for note in mended)
    return Claims(tuple(claims), tuple(notes))


def confidence(value: object) -> float:
    """Return a confidence as a number from 0 to 1; "90%", "9/10" and 90 are put right.

    Raises
    ------
    ValueError
        If it is none, or it can't be told on which scale it is.
    """
    stated = _scaled(value)
    if stated is None:
        raise ValueError(f"its confidence {_shown(value)} is no number")
    number, scale = stated
    if scale is None:
        # Above 1 only a whole number can be meant in percent; 1.5 may be a slip of any kind.
        scale = 100 if 1 < number <= 100 and number.is_integer() else 1
    if not (scale > 0 and 0 <= number <= scale):
        raise ValueError(f"its confidence {_shown(value)} is not between 0 and 1")
    return number / scale


def region(value: object) -> Region | None:
    """Return a part of a picture, its corners in order and cut at the picture's edges.

    Parameters
    ----------
    value
        None, or four numbers: left, top, right, bottom, as fractions of width and height.

    Raises
    ------
    ValueError
        If it is anything else, or leaves nothing within the picture.
    """
    if value is None:
        return None
    numbers = _numbers(value)
    if len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        raise ValueError(f"its region {_shown(value)} is not four numbers")
    x0, y0, x1, y1 = numbers
    left, right = (min(max(x, 0.0), 1.0) for x in sorted((x0, x1)))
    top, bottom = (min(max(y, 0.0), 1.0) for y in sorted((y0, y1)))
    if left == right or top == bottom:
        raise ValueError(f"its region {_shown(value)} has no part in the picture (0 to 1)")
    return left, top, right, bottom


def distribution(
    value: Mapping[str, object], labels: Sequence[str]
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return probabilities over the options that sum to 1, and a note if they did not.

    Parameters
    ----------
    value
        Probability of each label; one that is not named has none.
    labels
        Of the options, in order.

    Raises
    ------
    ValueError
        If a label is not on offer, a number is no probability, or all are 0.
    """
    if unknown := [label for label in value if label not in labels]:
        raise ValueError(f"probabilities of {', '.join(unknown)}, which are not on offer")
    raw = [_probability(value.get(label, 0)) for label in labels]
    total = math.fsum(raw)
    if total <= 0:
        raise ValueError("probabilities that are all 0")
    off = f"probabilities summed to {total:g} and were scaled" if abs(total - 1) > SURE else ""
    return tuple(each / total for each in raw), (off,) if off else ()


def disputed(
    claims: Mapping[str, Sequence[Claim]],
    choices: Mapping[str, str | None],
    low: float = LOW,
) -> tuple[Dispute, ...]:
    """Return the claims in dispute.

    A claim that speaks for an option is contradicted by every agent that chose another.

    Parameters
    ----------
    claims
        Claims of each agent that answered.
    choices
        The label it chose.
    low
        Confidence below which a claim is disputed anyway.
    """
    return tuple(
        dispute
        for agent, made in claims.items()
        for claim in made
        if (dispute := _dispute(agent, claim, choices, low)) is not None
    )


def last(text: str, key: str, kind: type[T]) -> T | None:
    """Return what stands under a key in the last JSON object that has such a value there."""
    for found in reversed(parse.objects(text).found):
        if isinstance(value := found.get(key), kind):
            return value
    return None


def _dispute(
    agent: str, claim: Claim, choices: Mapping[str, str | None], low: float
) -> Dispute | None:
    against = tuple(
        other
        for other, choice in choices.items()
        if other != agent and claim.option is not None and choice not in (None, claim.option)
    )
    if against:
        return Dispute(agent, claim, "contradicted", against)
    return Dispute(agent, claim, "low confidence") if claim.confidence < low else None


def _raw(text: str) -> list[object]:
    """Return the raw claims of the last JSON object that has any, else of the prose."""
    made = last(text, "claims", list)
    return _of_prose(text) if made is None else made


def _of_prose(text: str) -> list[object]:
    heads = list(_HEAD.finditer(text))
    bounds = [*(head.start() for head in heads[1:]), len(text)]
    return [_fields(text[head.end() : end]) for head, end in zip(heads, bounds, strict=False)]


def _fields(paragraph: str) -> dict[str, object]:
    """Return the labelled parts of a claim in prose; a blank line ends it."""
    first = re.split(r"\n\s*\n", paragraph.strip())[0]
    words, *rest = _FIELD.split(first)
    parts = {name.casefold(): part.strip(" \t\n|;,)*_") for name, part in _pairs(rest)}
    return {"claim": words.strip(" \t\n|;,(*_"), **parts}


def _pairs(flat: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _claim(raw: object, labels: Sequence[str]) -> tuple[Claim, list[str]]:
    """Return a claim and what was put right in it; a ValueError says why there is none."""
    if not isinstance(raw, dict):
        raise ValueError(f"{_shown(raw)} is no object with a text and a confidence")
    words = next((raw[key] for key in TEXT_KEYS if isinstance(raw.get(key), str)), "")
    if not words.strip():
        raise ValueError("it says nothing")
    notes: list[str] = []
    sure = confidence(raw.get("confidence"))
    evidence = raw["evidence"] if isinstance(raw.get("evidence"), str) else ""
    place, option = _place(raw, notes), _option(raw, labels, notes)
    return Claim(words.strip(), sure, evidence, place, option), notes


def _place(raw: Mapping[str, object], notes: list[str]) -> Region | None:
    try:
        place = region(raw.get("region"))
    except ValueError as fault:
        notes.append(f"{fault}, and is left out")
        return None
    if place is not None and list(place) != _numbers(raw["region"]):
        notes.append("its region was cut at the picture's edge or its corners put in order")
    return place


def _option(raw: Mapping[str, object], labels: Sequence[str], notes: list[str]) -> str | None:
    value = raw.get("option")
    if value is None or value == "":
        return None
    option = parse.choice(str(value), labels).choice
    if option is None:
        notes.append(f"it speaks for {_shown(value)}, which is not on offer")
    return option


def _scaled(value: object) -> tuple[float, float | None] | None:
    """Return a number and the scale that it states, if it does; None if it is no number."""
    if isinstance(value, str):
        if not (match := _STATED.fullmatch(value.strip())):
            return None
        scale = 100 if match["percent"] else match["scale"]
        return float(match["number"]), float(scale) if scale else None
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return (float(value), None) if plain and math.isfinite(value) else None


def _probability(value: object) -> float:
    number, scale = _scaled(value) or (-1.0, None)
    if number < 0:
        raise ValueError(f"{_shown(value)}, which is no probability")
    return number / (scale or 1)


def _numbers(value: object) -> list[float]:
    if isinstance(value, str):
        return [float(number) for number in _NUMBER.findall(value)]
    if isinstance(value, list | tuple):
        plain = all(isinstance(n, int | float) and not isinstance(n, bool) for n in value)
        return [float(n) for n in value] if plain else []
    return []


def _shown(value: object) -> str:
    return repr(value)[:60]
