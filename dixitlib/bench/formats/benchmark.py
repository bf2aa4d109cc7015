"""From questions with pictures, and options in words, to what choosers can sit.

The four formats ask alike: here are pictures, here is a question, which of these options
is right? A chooser is told a clue and shown candidates. So the question becomes the clue
and each option a card: the question's pictures with the option written beneath them.
Whoever sits DixitBench sits these, by the same methods and under the same controls. The
option's words are the card's caption too, so players that read captions and see nothing
tell what the words alone give away.
"""

from __future__ import annotations

import functools
import hashlib
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from PIL.Image import Image

from dixitlib.bench.formats.page import stacked
from dixitlib.bench.formats.pictures import Picture
from dixitlib.bench.formats.rows import FormatError, Row, refuse
from dixitlib.records import Answer, Card, Item

LETTERS = string.ascii_uppercase
UNLABELLED = ("", "?")  # how files write that an answer is withheld


@dataclass(frozen=True, slots=True)
class Option:
    """One of the answers offered, in words, and the pictures that belong to it alone."""

    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as its file asks it.

    Parameters
    ----------
    id, tier
        Its name in the file, and the kind of question it is.
    text
        What is asked.
    pictures
        What is shown with every option.
    options
        The answers offered; none in an open question.
    answer
        Index of the right option; None where the file withholds it.
    group
        Questions of one group are one question under several orders of its options.
    """

    id: str
    tier: str
    text: str
    pictures: tuple[Picture, ...]
    options: tuple[Option, ...]
    answer: int | None
    group: str


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A file made ready to be sat: ``direct(chooser, it.items, it.cards)``.

    Parameters
    ----------
    items
        The questions that offer options. Where the file withholds the answer the target
        is empty, and answers get no credit, neither 1 nor 0.
    cards
        One for each option of each item.
    groups
        The group of each item; see `group_credits`.
    left_out
        Questions of the file that are no items, each with the reason.
    """

    items: tuple[Item, ...]
    cards: tuple[Card, ...] = field(repr=False)
    groups: Mapping[str, str] = field(repr=False)
    left_out: Mapping[str, str]

    def frame(self) -> pd.DataFrame:
        """Return the items as `analysis.accuracy` wants them: item, tier, target, option_1..."""
        width = max((len(item.options) for item in self.items), default=0)
        columns = ["item", "tier", "target", *(f"option_{k}" for k in range(1, width + 1))]
        rows = [(i.id, i.tier, i.target, *_padded(i.options, width)) for i in self.items]
        return pd.DataFrame(rows, columns=columns)


def assemble(
    path: Path, rows: Sequence[Row], read: Callable[[Row], Question], faults: Sequence[str] = ()
) -> Benchmark:
    """Read every row and make items and cards of the questions.

    Parameters
    ----------
    path
        What was loaded, for the message.
    rows
        What it holds.
    read
        Makes a question of a row, or raises FormatError with what is wrong.
    faults
        What is wrong already.

    Raises
    ------
    FormatError
        If anything is wrong with any row, or two questions share an id; one error names all.
    """
    questions, found = _read_all(rows, read)
    refuse(path, [*faults, *found, *_repeated(questions)])
    if not questions:
        refuse(path, ["it holds no question"])
    asked = [question for question in questions.values() if question.options]
    return Benchmark(
        items=tuple(map(_item, asked)),
        cards=tuple(card for question in asked for card in _cards(question)),
        groups={question.id: question.group for question in asked},
        left_out={
            question.id: "an open question: it offers no options"
            for question in questions.values()
            if not question.options
        },
    )


def lettered(answer: str, options: int) -> int | None:
    """Return the index that an answer's letter stands for; None where it is withheld.

    Raises
    ------
    FormatError
        If it is no letter of an option.
    """
    if answer.strip() in UNLABELLED:
        return None
    letters = LETTERS[:options]
    letter = answer.strip().upper()
    if len(letter) != 1 or letter not in letters:
        raise FormatError(f"its answer is {answer!r}, not one of the letters {', '.join(letters)}")
    return letters.index(letter)


def group_credits(answers: Iterable[Answer], groups: Mapping[str, str]) -> dict[str, float | None]:
    """Return the credit of each group: 1 if every answer to it is right, 0 if one is not.

    That is circular evaluation, whether the rotations are rows of the file or the method
    `evaluate.circular` turned the options. Answers are those of one chooser by one method
    under one control. A group is None where no answer is wrong and one is missing.
    """
    credits: dict[str, list[float | None]] = {}
    for answer in answers:
        credits.setdefault(groups[answer.item], []).append(answer.credit)
    return {group: _together(given) for group, given in credits.items()}


def _together(credits: Sequence[float | None]) -> float | None:
    known = [credit for credit in credits if credit is not None]
    if any(credit < 1 for credit in known):
        return 0.0
    return 1.0 if len(known) == len(credits) else None


def _read_all(
    rows: Iterable[Row], read: Callable[[Row], Question]
) -> tuple[dict[str, Question], list[str]]:
    """Return the questions that are sound, by row, and a fault for each that is not."""
    questions: dict[str, Question] = {}
    faults: list[str] = []
    for row in rows:
        try:
            questions[row.place] = read(row)
        except FormatError as error:
            faults.append(f"{row.place}: {error}")
    return questions, faults


def _repeated(questions: Mapping[str, Question]) -> Iterator[str]:
    times = Counter(question.id for question in questions.values())
    for place, question in questions.items():
        if times[question.id] > 1:
            yield f"{place}: another question has its id {question.id}"


def _item(question: Question) -> Item:
    options = tuple(f"{question.id}/{letter}" for letter in LETTERS[: len(question.options)])
    target = "" if question.answer is None else options[question.answer]
    return Item(question.id, question.tier, question.text, target, options)


def _cards(question: Question) -> Iterator[Card]:
    for letter, option in zip(LETTERS, question.options, strict=False):
        shown = (*question.pictures, *option.pictures)
        yield Card(
            id=f"{question.id}/{letter}",
            load=functools.partial(_page, shown, option.text),
            sha256=_digest(shown, option.text),
            caption=option.text,
        )


def _page(pictures: Sequence[Picture], text: str) -> Image:
    parts: list[Image | str] = []
    for picture in pictures:
        parts += [picture.label, picture.load()]
    return stacked([part for part in [*parts, text] if part])


def _digest(pictures: Sequence[Picture], text: str) -> str:
    """Return what tells a card apart, without drawing it: 20,000 pages take an hour."""
    parts = [*(f"{picture.label}:{picture.digest}" for picture in pictures), text]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _padded(options: Sequence[str], width: int) -> list[str | None]:
    return [*options, *[None] * (width - len(options))]
