"""MMMU: lists in cells, pictures by number, open questions, parquet and tabs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dixitlib.bench.evaluate import circular
from dixitlib.bench.formats.benchmark import group_credits
from dixitlib.bench.formats.mmmu import load

ROW = {
    "id": "validation_Art_1",
    "question": "Who painted <image 1>?",
    "options": "['Miró', \"d'Arcy\"]",
    "answer": "B",
    "question_type": "multiple-choice",
    "subfield": "Painting",
}


@pytest.fixture
def write(tmp_path, png, base64_png):
    def write(*rows, parquet=True):
        picture = (lambda c: {"bytes": png(c), "path": ""}) if parquet else base64_png
        frame = pd.DataFrame([ROW | {"image_1": picture("navy")} | row for row in rows])
        path = tmp_path / ("mmmu.parquet" if parquet else "mmmu.tsv")
        if parquet:
            frame.to_parquet(path, index=False)
        else:
            frame.to_csv(path, sep="\t", index=False)
        return path

    return write


@pytest.mark.parametrize("parquet", [True, False])
def test_a_written_out_list_gives_the_options(write, parquet, knower):
    made = load(write({}, {"id": "test_Art_2", "answer": "?"}, parquet=parquet))
    first, second = made.items
    assert (first.id, first.tier, first.answer) == ("validation_Art_1", "Painting", 2)
    assert first.clue == "Who painted <image 1>?"
    assert [card.caption for card in made.cards] == ["Miró", "d'Arcy"] * 2
    assert second.target == ""  # "?" is how a test split withholds the answer
    answers = circular(knower("d'Arcy"), made.items, made.cards)
    assert group_credits(answers, made.groups) == {"validation_Art_1": 1.0, "test_Art_2": None}


def test_a_real_list_gives_the_options_too(write):
    made = load(write({"options": ["one", "two", "three"], "answer": "C"}))
    assert [card.caption for card in made.cards] == ["one", "two", "three"]


def test_formulas_keep_their_backslashes(write):
    made = load(write({"options": r"['$\in$', '$\\beta$']"}))
    assert [card.caption for card in made.cards] == [r"$\in$", r"$\beta$"]


def test_open_questions_are_left_out_by_name(write):
    rows = [{}, {"id": "o1", "question_type": "open", "options": "[]", "answer": "['4', '4.0']"}]
    made = load(write(*rows))
    assert [item.id for item in made.items] == ["validation_Art_1"]
    assert made.left_out == {"o1": "an open question: it offers no options"}


def test_a_picture_that_an_option_names_is_shown_with_it_alone(write, png):
    row = {
        "question": "Which goes with <image 1>?",
        "options": "['<image 2>', '<image 3>']",
        "image_2": {"bytes": png("red"), "path": ""},
        "image_3": {"bytes": png("lime"), "path": ""},
    }
    one, other = (np.asarray(card.image()) for card in load(write(row)).cards)
    colours = [[tuple(c) for c in page[:, 160]] for page in (one, other)]
    assert all((0, 0, 128) in column for column in colours)
    assert (255, 0, 0) in colours[0] and (255, 0, 0) not in colours[1]
    assert (0, 255, 0) in colours[1] and (0, 255, 0) not in colours[0]
    # Each picture has its name above it: the first row is no picture.
    assert colours[0][0] == (255, 255, 255)


def test_one_error_names_every_row_at_fault(write, refusal):
    path = write(
        {"options": "['a', 'b'"},
        {"id": "2", "options": "__import__('os').system('touch x')"},
        {"id": "3", "options": "{'a': 1}"},
        {"id": "4", "options": "['a']"},
        {"id": "5", "options": "['a', '']"},
        {"id": "6", "options": "[1, 2]"},
        {"id": "7", "answer": "C"},
        {"id": "8", "question": "See <image 1> and <image 4>."},
        {"id": "9", "question": " "},
        {"id": "10", "options": "(" * 500},
        {"id": "11", "image_1": {"bytes": b"no image", "path": ""}},
        {"id": "12", "image_1": None},
        {"id": "13"},
        {"id": "13"},
    )
    faults = dict(fault.split(": ", 1) for fault in refusal(load, path))
    assert [int(place.rsplit(" ", 1)[1]) for place in faults] == list(range(1, 15))
    reasons = list(faults.values())
    for place in (0, 1, 2, 9):
        assert reasons[place].startswith("its options are no list"), reasons[place]
    for place, reason in {
        3: "it offers 1 options, not 2 to 26",
        4: "an option is empty, or no text",
        5: "an option is empty, or no text",
        6: "its answer is 'C', not one of the letters A, B",
        7: "it speaks of <image 4>, which it does not hold",
        8: "its question is empty",
        11: "it has no picture",
        12: "another question has its id 13",
    }.items():
        assert reasons[place] == reason
    assert reasons[10].startswith("its picture can't be decoded")


texts = st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=26)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=4, deadline=None
)
@given(st.lists(texts, min_size=1, max_size=12))
def test_whatever_options_python_writes_are_read(write, lists):
    rows = [{"id": str(k), "options": repr(options)} for k, options in enumerate(lists)]
    made = load(write(*rows))
    assert [card.caption for card in made.cards] == [text for options in lists for text in options]


def test_what_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "no.parquet"
    path.write_bytes(b"PAR1 but not")
    with pytest.raises(ValueError, match=r"no\.parquet is no parquet"):
        load(path)
