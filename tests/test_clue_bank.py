from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from dixitlib.cards.lexicon import OBJECTS, SUBJECTS, plural
from dixitlib.models.sentences import default_encoder, near_duplicates
from dixitlib.paths import REPOSITORY

BANK = REPOSITORY / "data" / "clues" / "bank.csv"
IRREGULAR = {
    "butterfly": "butterflies",
    "goose": "geese",
    "mouse": "mice",
    "ox": "oxen",
    "strawberry": "strawberries",
}


@pytest.fixture(scope="module")
def clues() -> list[str]:
    with BANK.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert all(set(row) == {"clue"} for row in rows), "one column, called clue"
    return [row["clue"] for row in rows]


def forms(name: str) -> set[str]:
    """Return the ways to name a thing: *alarm clock* is also named by *clock* or *clocks*."""
    noun = name if " of " in name else name.split()[-1]
    return {name, plural(name), noun, plural(noun), IRREGULAR.get(noun, noun)}


def naming(clues: Iterable[str], names: Iterable[str]) -> list[str]:
    words = sorted(set().union(*map(forms, names)))
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    return [clue for clue in clues if pattern.search(clue)]


def bare(clue: str) -> str:
    return " ".join(re.findall(r"\w+", clue.casefold()))


def test_there_are_enough_clues(clues: list[str]) -> None:
    assert len(clues) >= 500


def test_clues_have_one_to_eight_words(clues: list[str]) -> None:
    assert [clue for clue in clues if not 1 <= len(clue.split()) <= 8] == []


def test_clues_are_tidy(clues: list[str]) -> None:
    assert [clue for clue in clues if clue != " ".join(clue.split())] == []
    assert [clue for clue in clues if not clue[0].isupper()] == []


def test_clues_stand_in_alphabetical_order(clues: list[str]) -> None:
    assert clues == sorted(clues, key=str.casefold)


def test_no_clue_occurs_twice(clues: list[str]) -> None:
    assert [clue for clue, n in Counter(map(bare, clues)).items() if n > 1] == []


def test_no_two_clues_mean_nearly_the_same(clues: list[str]) -> None:
    pairs = near_duplicates(default_encoder().encode(clues), threshold=0.9)
    assert [(clues[i], clues[j]) for i, j in pairs] == []


def test_the_search_for_names_finds_them() -> None:
    told = [
        "Two KEYS, one lock",
        "Time for a clock",
        "A pair of scissors",
        "Three blind mice",
        "Monkeyish",
    ]
    assert naming(told, [*SUBJECTS, *OBJECTS]) == told[:4]


def test_at_most_a_tenth_names_a_thing_of_the_grammar(clues: list[str]) -> None:
    assert len(naming(clues, [*SUBJECTS, *OBJECTS])) <= len(clues) / 10


@pytest.mark.parametrize("opening", [("the",), ("a", "an")])
def test_no_opening_becomes_a_template(clues: list[str], opening: tuple[str, ...]) -> None:
    opened = [clue for clue in clues if clue.split()[0].casefold() in opening]
    assert len(opened) < len(clues) / 5
