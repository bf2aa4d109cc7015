"""Answers of people: appended, resumed after a crash, and never mixed with simulated ones."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.store.people import (
    AnswerBook,
    Given,
    code_fault,
    folder,
    read_people,
    write_simulated,
)

VOTE = Given("owl-7", "c1", "vote", "person", shown=("001", "002"), choice="002")
RATING = Given("owl-7", "c1", "rating", "person", clarity=4, creativity=2)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    return tmp_path


def written(*answers, study="s"):
    book = AnswerBook(study, answers[0].rater)
    for answer in answers:
        book.write(answer)
    return folder(study) / f"{answers[0].rater}.jsonl"


def test_an_answer_is_a_line_of_its_own_and_says_who_gave_it():
    lines = written(VOTE, RATING).read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"rater": "owl-7", "case": "c1", "step": "vote", "origin": "person",
         "shown": ["001", "002"], "choice": "002", "unit": ["c1", "vote"]},
        {"rater": "owl-7", "case": "c1", "step": "rating", "origin": "person",
         "clarity": 4, "creativity": 2, "unit": ["c1", "rating"]},
    ]  # fmt: skip


def test_a_book_opened_again_knows_what_was_answered():
    written(VOTE)
    book = AnswerBook("s", "owl-7")
    assert book.given == {("c1", "vote"): VOTE}
    with pytest.raises(ValueError, match="already"):
        book.write(VOTE)
    book.write(RATING)
    assert AnswerBook("s", "owl-7").given == {VOTE.unit: VOTE, RATING.unit: RATING}


@settings(deadline=None, max_examples=30)
@given(lost=st.integers(min_value=1, max_value=200))
def test_what_a_crash_tears_is_at_most_the_last_answer(tmp_path_factory, lost):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(tmp_path_factory.mktemp("home")))
        path = written(VOTE, RATING)
        whole = path.read_bytes()
        last = whole.rindex(b"\n", 0, -1) + 1
        path.write_bytes(whole[: max(last, len(whole) - lost)])
        assert read_people("s")["step"].tolist() == ["vote"]
        book = AnswerBook("s", "owl-7")
        assert set(book.given) == {VOTE.unit}
        book.write(RATING)
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "code", ["", "../owl", "a/b", "a\\b", ".hidden", "Owl", "owl 7", "-owl", "owl-", "o" * 25, "ö"]
)
def test_a_code_is_no_path_and_no_name(code, home):
    assert "small letters" in code_fault(code)
    with pytest.raises(ValueError, match="small letters"):
        AnswerBook("s", code)
    assert list(home.rglob("*.jsonl")) == []


@pytest.mark.parametrize("code", ["a", "7", "owl-7", "o" * 24])
def test_codes_that_will_do(code):
    assert code_fault(code) == ""


def test_a_damaged_line_is_named_not_skipped():
    path = written(VOTE, RATING)
    path.write_text("{broken\n" + path.read_text())
    with pytest.raises(ValueError, match="line 1"):
        read_people("s")


def test_simulated_answers_are_never_read_as_peoples():
    simulated = Given("sim-a", "c1", "vote", "simulated", choice="001")
    write_simulated("s", "sim-a", [simulated])
    path = folder("s", "simulated") / "sim-a.jsonl"
    assert read_people("s").empty
    assert read_people("s", "simulated")["rater"].tolist() == ["sim-a"]
    written(VOTE)
    path.rename(folder("s") / path.name)
    with pytest.raises(ValueError, match=r"sim-a \(person\) only.*sim-a \(simulated\)"):
        read_people("s")


def test_peoples_answers_are_never_read_as_simulated():
    path = written(VOTE)
    folder("s", "simulated").mkdir(parents=True)
    path.rename(folder("s", "simulated") / path.name)
    with pytest.raises(ValueError, match=r"owl-7 \(person\)"):
        read_people("s", "simulated")
    with pytest.raises(ValueError, match="belong"):
        write_simulated("t", "owl-7", [VOTE])
    with pytest.raises(ValueError, match="belong"):
        AnswerBook("t", "owl-7").write(replace(VOTE, origin="simulated"))


def test_a_file_under_another_code_is_refused():
    path = written(VOTE)
    path.rename(path.with_name("cat.jsonl"))
    with pytest.raises(ValueError, match="answers of cat"):
        read_people("s")


def test_two_windows_that_ask_the_same_leave_the_first_answer():
    first, second = AnswerBook("s", "owl-7"), AnswerBook("s", "owl-7")
    first.write(RATING)
    second.write(Given("owl-7", "c1", "rating", "person", clarity=1, creativity=1))
    assert read_people("s")["clarity"].tolist() == [4.0]


def test_a_study_without_answers_is_an_empty_table():
    answers = read_people("nobody")
    assert answers.empty
    assert {"rater", "case", "step", "origin", "choice", "clarity"} <= set(answers)
