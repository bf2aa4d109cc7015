"""MMBench: references, hints, fewer options, withheld answers, rotations, everything malformed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dixitlib.analysis.accuracy import accuracy
from dixitlib.bench.evaluate import circular, direct, entailment
from dixitlib.bench.formats.benchmark import group_credits
from dixitlib.bench.formats.mmbench import load

COLUMNS = ["index", "question", "hint", "A", "B", "C", "D", "answer", "category", "image"]


@pytest.fixture
def write(tmp_path):
    def write(*rows, columns=COLUMNS):
        path = tmp_path / "mmbench.tsv"
        pd.DataFrame(rows, columns=columns).to_csv(path, sep="\t", index=False)
        return path

    return write


@pytest.fixture
def question(base64_png):
    def row(index, answer="B", image=None, options=("red", "blue", "", ""), hint=""):
        picture = base64_png("navy") if image is None else image
        return [index, "Which colour?", hint, *options, answer, "colour", picture]

    return row


def test_a_question_becomes_an_item_with_a_card_for_each_option(write, question):
    made = load(write(question(7, hint="Look\twell."), question(8, answer="a")))
    first, second = made.items
    assert (first.id, first.tier, first.answer, second.answer) == ("7", "colour", 2, 1)
    assert first.clue == "Look\twell.\nWhich colour?"
    assert [card.caption for card in made.cards] == ["red", "blue"] * 2
    assert first.options == ("7/A", "7/B")
    assert made.left_out == {}


def test_a_card_shows_the_picture_with_the_options_words_beneath(write, question):
    red, blue, *_ = load(write(question(7))).cards
    page = np.asarray(red.image())
    assert page.shape[1] == 320  # widened, so that words are legible
    assert page[10, 160].tolist() == [0, 0, 128]
    assert (page[30:] < 128).any() and (page[30:] == 255).any()
    assert not np.array_equal(page, np.asarray(blue.image()))
    assert red.sha256 != blue.sha256


def test_a_short_cell_is_the_index_of_the_row_with_the_picture(write, question):
    made = load(write(question(7), question(8, image="7", options=("a", "b", "c", "d"))))
    assert made.cards[2].image().getpixel((160, 10)) == (0, 0, 128)
    assert len(made.items[1].options) == 4


def test_an_option_may_be_called_none(write, question):
    made = load(write(question(7, options=("None", "NA", "nan", ""))))
    assert [card.caption for card in made.cards] == ["None", "NA", "nan"]


def test_any_chooser_sits_it_by_every_method(write, question, knower):
    made = load(write(question(7), question(8, answer="A")))
    player = knower("blue")
    assert [a.credit for a in direct(player, made.items, made.cards)] == [1.0, 0.0]
    assert [a.credit for a in entailment(player, made.items, made.cards)] == [1.0, 0.0]
    turned = circular(player, made.items, made.cards)
    assert [a.rotation for a in turned] == [0, 1, 0, 1]
    assert group_credits(turned, made.groups) == {"7": 1.0, "8": 0.0}


def test_the_frame_gives_analysis_the_chance_level_of_each_item(write, question, knower):
    rows = question(7), question(8, options=("red", "blue", "green", "grey"))
    made = load(write(*rows))
    frame = made.frame()
    assert frame.loc[0, "option_3":].isna().all()
    answers = pd.DataFrame(map(_fields, direct(knower("blue"), made.items, made.cards)))
    whole = accuracy(answers, frame).query("tier == 'all'")
    assert whole["chance"].item() == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert whole["accuracy"].item() == 1


def _fields(answer):
    return {name: getattr(answer, name) for name in answer.__slots__}


@pytest.mark.parametrize("without", ["an empty cell", "no column"])
def test_a_withheld_answer_earns_nothing_and_is_not_wrong(write, question, knower, without):
    row, columns = question(7, answer=""), COLUMNS
    if without == "no column":
        row.pop(7)
        columns = [name for name in COLUMNS if name != "answer"]
    made = load(write(row, columns=columns))
    (answer,) = direct(knower("blue"), made.items, made.cards)
    assert (made.items[0].target, answer.choice, answer.credit) == ("", "7/B", None)
    assert answer.status == "ok"
    (rated,) = entailment(knower("blue"), made.items, made.cards)
    assert rated.credit is None
    assert group_credits([answer], made.groups) == {"7": None}


def test_rows_equal_modulo_a_million_are_one_question(write, question, knower):
    # The chooser knows "blue" and takes the first option otherwise: of question 8 it gets
    # the second rotation wrong, so 8 does not count though one of its rows is right.
    rows = [
        question(7),
        question(1_000_007, answer="A", image="7", options=("blue", "red", "", "")),
        question(8, options=("x", "y", "", ""), answer="A"),
        question(1_000_008, image="8", options=("y", "x", "", ""), answer="B"),
    ]
    made = load(write(*rows))
    answers = direct(knower("blue"), made.items, made.cards)
    assert [answer.credit for answer in answers] == [1, 1, 1, 0]
    assert group_credits(answers, made.groups) == {"7": 1.0, "8": 0.0}


def test_one_error_names_every_row_at_fault(write, question, base64_png, refusal, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 2_000)
    path = write(
        question(1),
        question(""),
        question("1.5"),
        question(2, answer="C"),
        question(3, options=("red", "", "", "")),
        question(4, options=("red", "blue", "", "grey")),
        question(5, image="99"),
        question(6, image="5"),
        question(7, image="/9j/" + "?" * 80),
        question(8, image=base64_png("red")[:120]),
        question(9, image=base64_png("red", (60, 60))),
        question(1),
        question(10, image=""),
    )
    assert [fault.split(":")[0] for fault in refusal(load, path)] == [
        *(f"mmbench.tsv, row {number}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13)),
        "mmbench.tsv, row 1",
        "mmbench.tsv, row 12",
    ]
    text = "\n".join(refusal(load, path))
    for part in (
        "its index is empty",
        "its index is '1.5', no whole number",
        "its answer is 'C', not one of the letters A, B",
        "fewer than two options",
        "its option C is empty, but a later one is not",
        "its picture is that of row index 99, which has none of its own",
        "its picture is that of row index 5, which has none of its own",
        "its picture is no base64",
        "3600 pixels",
        "another question has its id 1",
        "its image is empty",
    ):
        assert part in text


def test_lines_with_too_many_cells_and_missing_columns_are_named(write, question, refusal):
    path = write(question(1), question(2))
    path.write_text(path.read_text() + "3\tWhich?" + "\t" * 20 + "\n4\tWhich?" + "\t" * 20 + "\n")
    assert refusal(load, path) == [
        "mmbench.tsv: line 4: expected 10 fields, saw 22 cells",
        "mmbench.tsv: line 5: expected 10 fields, saw 22 cells",
    ]
    path = write(question(1)[:5], columns=COLUMNS[:5])
    assert refusal(load, path) == ["it lacks the columns image"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b'index\t"'])
def test_what_is_no_table_is_refused(tmp_path, content):
    path = tmp_path / "no.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"no\.tsv"):
        load(path)
