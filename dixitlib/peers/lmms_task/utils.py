"""The functions of the task `dixitbench`: what is shown, what is asked, how it is read.

It stands alone: lmms-eval loads it by path, in an environment without this project. Only a
single letter is taken for an answer. A reply without one is unread: it earns nothing, and
its share is reported beside the accuracy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

LETTERS = "ABCDEF"
ANSWER = re.compile(r"\b[A-F]\b")
ARTICLE = re.compile(r"^A\s+[a-z]")  # "A card of ..." names no card


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """Return the six pictures in the order of the options."""
    return [picture.convert("RGB") for picture in doc["images"]]


def doc_to_text(doc: Mapping[str, Any], kwargs: Mapping[str, str] | None = None) -> str:
    """Return the question; no card's id is in it."""
    return (
        f"The six pictures are, in order, {', '.join(LETTERS)}. "
        f"Which of them does this clue mean? Clue: {json.dumps(doc['clue'])}\n"
        "Answer with the letter only."
    )


def doc_to_target(doc: Mapping[str, Any]) -> str:
    """Return the letter of the right option."""
    return LETTERS[doc["answer"] - 1]


def read(reply: str) -> str | None:
    """Return the one letter that a reply holds; None if it holds none, or several."""
    letters = set() if ARTICLE.match(reply.strip()) else set(ANSWER.findall(reply))
    return letters.pop() if len(letters) == 1 else None


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return what a reply earned, in all and within its tier, and whether it was unread."""
    said = read(results[0])
    credit = float(said == doc_to_target(doc))
    return {"accuracy": credit, f"accuracy_{doc['tier']}": credit, "unread": float(said is None)}
