"""How answers are worded in prose: the patterns behind `parse`.

Two kinds of evidence are kept apart. A *statement* says that something is the answer
("my vote: B", "I choose card B because", "B is the best match"); the last one counts. A
label that *stands alone* (on a line of its own or at its opening) counts only if no other
one does. A label that is merely mentioned counts for nothing.

Runs of signs are matched possessively, so that no text, however odd, takes long.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

FLAGS = re.IGNORECASE | re.MULTILINE
NEARBY = 100
"""Characters before a statement in which a negation or a condition is looked for."""

GAP = r"(?:[^\w.?!;]|_)*+"
OPEN = r"(?:[^\w\n.?!;]|_)*+"
CLOSE = r"[*_`\"'“”)\]}>$\\]*+"
NOUN = rf"(?:(?:option|card|image|picture|candidate|letter|label|number)\b{OPEN})?"
FILLER = (
    r"(?:(?:is|it's|it|was|be|would|will|must|should|remains|still|for|with|on|as|to|go|i|i'd|"
    r"say|choose|pick|here|now|the|my|clearly|definitely|probably|therefore|thus|most|likely|"
    r"goes|one|option|card|image|picture)\b"
    rf"{GAP}){{0,5}}"
)
LEAD = (
    r"\b(?:answer|choice|vote|voted|voting|pick|picked|selection|verdict|decision|guess|"
    r"conclusion|target|(?:best|closest) match|choose|chose|chosen|choosing|select|selected|"
    r"go with|going with|went with|settle on|opt for|boxed|i'd say|i say|i think|i believe|"
    r"storyteller's|the best|it's|it is|it must be|"
    r"(?:correct|right|chosen) (?:option|card|image|picture|one)|"
    r"wait|actually|correction|on second thoughts?|or rather)\b"
)
CONNECTIVE = (
    r"because|since|as|for|which|that|due|given|over|with|it|it's|its|based|here|to|rather|"
    r"instead|among|from|by|so|or|and|but|not"
)
AFTER = rf"(?={CLOSE}[^\S\n]*+(?:$|[.,;:!(\[</&–—-]|(?:{CONNECTIVE})\b))"
OPENING = r"(?:(?:(?<=\))|[.:])(?=\s)|\s+[–—-]\s|,?\s+(?:because|since|as|which)\b)"
PRAISE = r"(?:(?:final|best|right|correct|closest|strongest|most|likely|intended|overall)\s+)*"
VERDICT = (
    r"(?:\s+(?:is|would be|must be|remains|seems to be|seems)\s+"
    r"(?:(?:clearly|definitely|probably|most likely|likely|therefore|thus|still|also)\s+)?"
    rf"(?:(?:the|my)\s+{PRAISE}(?:answer|choice|vote|pick|target|match|fit|selection|guess|one)\b"
    r"(?!\s*\?)|(?:the\s+)?(?:better|best|correct|right)\b"
    r"(?=\s*(?:$|[.,;:!]|(?:because|since|as|for|here|one|option|card)\b)))"
    r"|\s+(?:fits|matches|suits)\s+(?:it\s+|the\s+clue\s+)?best\b|\s+it\s+is\b)"
)

NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|without|hardly|could|might|almost|nearly|doubt|"
    r"wrong|incorrect|worst|second|third|other|alternative|previous)|n't)"
    r"(?:\s+[\w']+){0,2}\W*$",
    re.IGNORECASE,
)
CONDITIONAL = re.compile(r"\b(?:if|unless|whether|had i)\b[^.;:!?\n]*$", re.IGNORECASE)
ARTICLE_BEFORE = re.compile(
    r"(?:[:=(\[{\"'*`>]|\b(?:option|card|image|picture|candidate|letter|label))\s*$", re.IGNORECASE
)
FAULT = re.compile(
    r"\W*(?:(?:(?:api|internal|server|upstream|http|request|connection)\s+)*error\b\s*"
    r"(?:[:(\d]|code\b|$)|http\s*[45]\d\d|rate.?limit|too many requests|service unavailable|"
    r"bad gateway|gateway time-?out|<!doctype|<html)",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\bi(?:'m| am) sorry,? (?:but )?i(?:'m not| am not|'m unable| am unable|"
    r" can't| cannot| won't)|"
    r"\bi (?:can't|cannot|can not|won't|will not|am unable to|must decline to) (?:\w+ ){0,2}"
    r"(?:help|assist|comply|provide|answer|fulfill?|identify|view|see|process|do that|"
    r"engage|participate|continue|complete|take part)\b|"
    r"\bi(?:'m| am) (?:not able|unable) to\b|\bi must decline\b|"
    r"\bas an ai\b[^.]*\b(?:can't|cannot|not able|unable)\b",
    re.IGNORECASE,
)

NUMBER = (
    r"(?<![\w.,/+-])(?P<number>[-+]?\d{1,6}(?:\.\d{1,6})?)(?!\w|[.,]\d)"
    r"(?:\s*(?:/|out of)\s*(?P<scale>\d{1,6})\b|\s*(?P<percent>%|percent\b)|\s*points\b)?"
)
RATED = re.compile(
    rf"\b(?:rating|score|rate|rated|value|answer|give)\b{GAP}{FILLER}"
    rf"(?:(?:a|of|at|this|card|image|clue|rating|score)\b{GAP}){{0,4}}{NUMBER}"
    rf"(?={CLOSE}[^\S\n]*+(?:$|[.,;:!()—]|(?:{CONNECTIVE})\b))(?!\s*(?:or|to|and)\s+\d)",
    FLAGS,
)
ALONE = re.compile(rf"^{OPEN}{NUMBER}{CLOSE}[.!]?[^\S\n]*$", FLAGS)
SAID = re.compile(r"^\W*(?:the |my )?(?:clue|caption)\b[^\w\n]*:[^\w\n]*(?P<clue>[^\n]+)$", FLAGS)


class Names:
    """The names under which options can be called: their labels, and their texts if any."""

    def __init__(self, options: Sequence[str] | Mapping[str, str]) -> None:
        self.labels = tuple(options)
        if not self.labels:
            raise ValueError("there is no option to choose from: give at least one label")
        self.wanted = f"one of {', '.join(self.labels)}"
        self._by_name = _by_name(self.labels, options if isinstance(options, Mapping) else {})
        self._compile()

    def of_value(self, value: object) -> str | None:
        """Return the label that a value from a JSON object names."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        return self.of_prose(value) if isinstance(value, str) else None

    def of_prose(self, text: str) -> str | None:
        """Return the label that a text gives as its answer."""
        text = plain(text)
        if label := self._label(text):
            return label
        if stated := sorted(self._stated(text)):
            return stated[-1][1] or None
        alone = set(self._standing_alone(text))
        return (alone.pop() or None) if len(alone) == 1 else None

    def _label(self, name: str) -> str | None:
        return self._by_name.get(name) or self._by_name.get(_folded(name))

    def _compile(self) -> None:
        """Write the patterns around the spelling of these names."""
        longest_first = sorted(self._by_name, key=len, reverse=True)
        spelled = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
        name = (
            rf"(?<![^\W_])(?<![^\W_]')(?:(?=\D)|(?<![-+.,]))(?P<name>{spelled})"
            rf"(?![^\W_])(?!['.,-][^\W_])(?!\s*%){CLOSE}"
        )
        self._led = re.compile(rf"{LEAD}{GAP}{FILLER}{NOUN}{name}{AFTER}", FLAGS)
        self._praised = re.compile(rf"{name}{VERDICT}", FLAGS)
        self._joined = re.compile(
            rf"\s*(?:,|/|&|\bor\b|\band\b)\s*(?:(?:or|and)\b)?{GAP}{NOUN}{name}{AFTER}", FLAGS
        )
        self._joins = re.compile(rf"{name}\s*(?:/|&|\bor\b|\bnor\b)\s*{NOUN}{OPEN}\Z", FLAGS)
        self._next = re.compile(rf"\s*{OPEN}{NOUN}{name}{AFTER}", FLAGS)
        self._last = re.compile(
            rf"(?:[:=]\s|(?<=\w\w)[:=]|→)\s*{NOUN}{OPEN}{name}[.!]?\s*\Z", FLAGS
        )
        self._alone = (
            re.compile(rf"^{OPEN}{NOUN}{name}[^\S\n]*[.!:]*[^\S\n]*$", FLAGS),
            re.compile(rf"^{OPEN}{NOUN}(?=\D){name}{OPENING}", FLAGS),
        )

    def _stated(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield place and label of each statement, and no label where several are named."""
        for match in (*self._led.finditer(text), *self._last.finditer(text)):
            if _is_meant(text, match):
                other = self._joined.match(text, match.end())
                yield match.start("name"), self._only(match, other)
        for match in self._praised.finditer(text):
            if _is_meant(text, match):
                other = self._joins.search(_before(text, match.start()))
                yield match.start("name"), self._only(match, other)

    def _standing_alone(self, text: str) -> Iterator[str]:
        """Yield the label of each line that is one or opens with one; none if two stand there."""
        for form in self._alone:
            for match in form.finditer(text):
                yield self._only(match, self._next.match(text, match.end()))

    def _only(self, match: re.Match[str], other: re.Match[str] | None) -> str:
        labels = {self._label(each["name"]) for each in (match, other) if each}
        return (labels.pop() or "") if len(labels) == 1 else ""


def number(value: object, high: float) -> float | None:
    """Return a value from a JSON object as a number; `high` is the end of the scale."""
    if isinstance(value, str):
        return stated_number(value, high)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e9 else None


def stated_number(text: str, high: float) -> float | None:
    """Return the rating that a text states last, or the only number that stands alone."""
    text = plain(text)
    if stated := [_on_scale(match, high) for match in RATED.finditer(text)]:
        return stated[-1]
    alone = {_on_scale(match, high) for match in ALONE.finditer(text)}
    return alone.pop() if len(alone) == 1 else None


def stated_clue(text: str, longest: int) -> str | None:
    """Return what follows the last "Clue:", or a text of one line and at most `longest` words."""
    said = [match["clue"] for match in SAID.finditer(text)]
    lines = [line for line in text.splitlines() if line.strip()]
    words = said[-1] if said else lines[0] if len(lines) == 1 else ""
    clean = " ".join(words.split()).strip("\"'“”‘*_` ")
    return clean if clean and len(clean.split()) <= longest and "{" not in clean else None


def plain(text: str) -> str:
    """Return a text in plain letters and apostrophes, without signs of no width."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return re.sub("[\u200b\u200c\u200d\u2060\ufeff]", "", plain)


def is_fault(text: str) -> bool:
    """Tell the message of a server, handed on as if a model had said it."""
    return FAULT.match(text) is not None


def is_refusal(text: str) -> bool:
    """Tell a refusal to answer."""
    return REFUSAL.search(plain(text)) is not None


def _by_name(labels: Sequence[str], texts: Mapping[str, str]) -> dict[str, str]:
    """Map every name that means one option only to the option's label."""
    folded = Counter(_folded(label) for label in labels)
    told = Counter(_folded(text) for text in texts.values())
    names = {label: label for label in labels}
    names |= {_folded(label): label for label in labels if folded[_folded(label)] == 1}
    by_text = {_folded(text): label for label, text in texts.items() if told[_folded(text)] == 1}
    return {name: label for name, label in (by_text | names).items() if name}


def _folded(name: str) -> str:
    return " ".join(plain(name).casefold().split()).strip(" .!:,;\"'“”‘*_`()[]{}<>$#")


def _on_scale(match: re.Match[str], high: float) -> float | None:
    """Return the number unless it is out of something else than `high`."""
    ends = 100.0 if match["percent"] else float(match["scale"] or high)
    return float(match["number"]) if math.isclose(ends, high) else None


def _is_meant(text: str, match: re.Match[str]) -> bool:
    """Tell a statement from one that is denied or supposed, and a label from an article."""
    before = _before(text, match.start())
    denied = NEGATED.search(before) or CONDITIONAL.search(before)
    return not denied and not _is_article(text, match)


def _is_article(text: str, match: re.Match[str]) -> bool:
    """Tell the words "a" and "I" from labels: a lower-case label needs a sign beside it."""
    if match["name"] not in ("a", "i"):
        return False
    after = text[match.end("name") : match.end("name") + 1]
    before = _before(text, match.start("name"))
    return not ARTICLE_BEFORE.search(before) and after not in tuple(".)]}*`\"'")


def _before(text: str, at: int) -> str:
    return text[max(0, at - NEARBY) : at]
