"""What people answered: one file a rater, one line an answer, appended as it is given.

``data/human/STUDY/RATER.jsonl`` holds what people said, ``data/simulated/STUDY/`` what
local models said in their place. Every line says which it is, and a folder that holds a
line of the other kind is refused. The rater is a code of its own choosing; nothing else is
kept about a person, and no time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import pandas as pd

from dixitlib import paths
from dixitlib.store.lines import encode, finished_units

Origin = Literal["person", "simulated"]
Step = Literal["vote", "rating", "annotation"]
FOLDERS: Mapping[Origin, str] = {"person": "human", "simulated": "simulated"}
CODE = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?")
SCORES = ("clarity", "creativity", "coherence", "plausibility", "difficulty")


@dataclass(frozen=True, slots=True)
class Given:
    """One answer of one rater.

    Parameters
    ----------
    rater, case
        Who answered what; a case is named by a hash of what it shows (`study.cases`).
    step
        ``vote`` (which card is it?), ``rating`` (of a clue) or ``annotation`` (of an item).
    origin
        ``person`` or ``simulated``.
    shown, choice
        Of a vote: the cards in the order in which the rater saw them, and the one chosen.
    clarity, creativity
        Of a rating, from 1 to 5.
    coherence, plausibility, difficulty
        Of an annotation, from 1 to 5.
    """

    rater: str
    case: str
    step: Step
    origin: Origin
    shown: tuple[str, ...] = ()
    choice: str | None = None
    clarity: int | None = None
    creativity: int | None = None
    coherence: int | None = None
    plausibility: int | None = None
    difficulty: int | None = None

    @property
    def unit(self) -> tuple[str, str]:
        """What is answered once: (case, step)."""
        return self.case, self.step


class AnswerBook:
    """The answers of one person to one study, on disk.

    A line torn by a crash is cut off when the book is opened; all others are kept.

    Parameters
    ----------
    study
        Folder of data/human.
    rater
        The person's code.

    Raises
    ------
    ValueError
        If the code is none, or the file is damaged or holds simulated answers.
    """

    def __init__(self, study: str, rater: str) -> None:
        if fault := code_fault(rater):
            raise ValueError(fault)
        self.rater = rater
        self._path = folder(study) / f"{rater}.jsonl"
        self.given = _opened(self._path, "person")

    def write(self, given: Given) -> None:
        """Append an answer and see it safely on disk.

        Raises
        ------
        ValueError
            If it is another rater's, simulated, or was given before.
        """
        if list(_foreign([given], self.rater, "person")):
            raise ValueError(f"{given} does not belong into {self._path}")
        if given.unit in self.given:
            raise ValueError(f"{self.rater} has answered {given.unit} already")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(encode(given.unit, [given]))
            file.flush()
            os.fsync(file.fileno())
        self.given[given.unit] = given


def write_simulated(study: str, rater: str, answers: Iterable[Given]) -> None:
    """Write all answers of a simulated rater anew.

    Raises
    ------
    ValueError
        If one of them is a person's, or another rater's.
    """
    path, answers = folder(study, "simulated") / f"{rater}.jsonl", list(answers)
    if foreign := sorted(set(_foreign(answers, rater, "simulated"))):
        raise ValueError(f"{', '.join(foreign)} do not belong into {path}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encode(given.unit, [given]) for given in answers))


def folder(study: str, origin: Origin = "person") -> Path:
    """Return the folder of a study's answers in the home."""
    return paths.data(FOLDERS[origin], study)


def code_fault(rater: str) -> str:
    """Return what is wrong with a rater's code, in words, or nothing."""
    if CODE.fullmatch(rater):
        return ""
    return "A code has 1 to 24 small letters, digits or hyphens, such as owl-7; no name, please."


def read_people(study: str, origin: Origin = "person") -> pd.DataFrame:
    """Return all answers to a study, one row each; none if nobody has answered.

    Returns
    -------
    DataFrame
        rater, case, step, origin, shown, choice and the five scores (missing where they
        were not asked). Raters in order of their codes, answers as they were given.

    Raises
    ------
    ValueError
        If a file is damaged, holds answers of another rater, or of the other origin:
        simulated answers and people's are never mixed.
    """
    paths_ = sorted(folder(study, origin).glob("*.jsonl"))
    rows = [given for path in paths_ for given in _opened(path, origin, cut=False).values()]
    names = [field.name for field in fields(Given)]
    frame = pd.DataFrame([[getattr(row, name) for name in names] for row in rows], columns=names)
    return frame.astype(dict.fromkeys(SCORES, "float64"))


def _opened(path: Path, origin: Origin, *, cut: bool = True) -> dict[tuple[str, str], Given]:
    """Return a file's answers by unit, and cut off what was torn."""
    if not path.exists():
        return {}
    units = list(finished_units(path, Given))
    if cut:
        os.truncate(path, units[-1].end if units else 0)
    answers = [record for unit in units for record in unit.records]
    if foreign := sorted(set(_foreign(answers, path.stem, origin))):
        raise ValueError(
            f"{path} is to hold answers of {path.stem} ({origin}) only, but has "
            f"{', '.join(foreign)}: move them to a folder of their own"
        )
    kept: dict[tuple[str, str], Given] = {}
    for answer in answers:
        kept.setdefault(
            answer.unit, answer
        )  # two windows may have asked the same: the first counts
    return kept


def _foreign(answers: Iterable[Given], rater: str, origin: Origin) -> Iterator[str]:
    for answer in answers:
        if (answer.rater, answer.origin) != (rater, origin):
            yield f"answers of {answer.rater} ({answer.origin})"
