"""A rater at the questionnaire, pressed by a script instead of a hand."""

from __future__ import annotations

import json

import pytest

from dixitlib.records import Item
from dixitlib.store.people import folder, read_people
from dixitlib.study import cases
from dixitlib.study.rating import ANNOTATION, RATING, Questionnaire

CLUES = ("first <b>clue</b>", "second clue", "third clue")


@pytest.fixture(autouse=True)
def study(tmp_path, monkeypatch, toy_deck):
    """Three clues over four cards each, as cases and as items."""
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    ids = [card.id for card in toy_deck]
    items = [
        Item(f"i{k}", "hard", clue, ids[4 * k], tuple(ids[4 * k : 4 * k + 4]))
        for k, clue in enumerate(CLUES)
    ]
    table = cases.item_table(items)
    folder("s").mkdir(parents=True)
    for name in ("cases", "items"):
        table.to_csv(folder("s") / f"{name}.csv", index=False)


@pytest.fixture
def open_page(toy_deck):
    def opened(task=RATING, code="owl"):
        page = Questionnaire(task, "s", toy_deck)
        page._code.value = code
        page._begin.click()
        return page

    return opened


def vote(page, index=0):
    page._board._places[index].button.click()
    page._next.click()


def rate(page, *scores):
    for chooser, score in zip(page._scales.values(), scores, strict=True):
        chooser.value = score
    page._next.click()


def kept():
    path = folder("s") / "owl.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_answer_is_hidden_until_the_vote_is_in(open_page):
    page = open_page()
    labels = [place.button.description for place in page._board._places[:4]]
    assert labels == ["Choose card A", "Choose card B", "Choose card C", "Choose card D"]
    assert all(chooser.layout.display == "none" for chooser in page._scales.values())
    vote(page)
    target = page._case.cards.index(page._case.target)
    assert "the one that was meant" in page._board._places[target].button.description
    assert all(chooser.layout.display is None for chooser in page._scales.values())
    assert page._prompt.value.startswith('<div role="status">1 of 3. ')


def test_every_answer_is_on_disk_before_the_next_question(open_page):
    page = open_page()
    first = page._case
    vote(page, 2)
    assert [line["step"] for line in kept()] == ["vote"]
    assert kept()[0]["choice"] == first.cards[2]
    assert tuple(kept()[0]["shown"]) == first.cards
    rate(page, 4, 2)
    assert {k: kept()[1][k] for k in ("case", "clarity", "creativity")} == {
        "case": first.id,
        "clarity": 4,
        "creativity": 2,
    }
    assert page._prompt.value.startswith('<div role="status">2 of 3. ')


def test_a_rater_goes_on_where_it_stopped_even_between_vote_and_rating(open_page):
    page = open_page()
    vote(page)
    rate(page, 5, 5)
    vote(page)
    stopped = page._case
    again = open_page()  # another kernel: nothing but the file remains
    assert again._case == stopped and again._step == "rating"
    rate(again, 1, 1)
    vote(again)
    rate(again, 3, 3)
    assert "All 3 are answered" in again._prompt.value
    assert "All 3 are answered" in open_page()._prompt.value
    assert len(read_people("s")) == 6


def test_what_is_missing_is_told_and_nothing_is_lost(open_page):
    page = open_page()
    page._next.click()
    assert "Choose a card first" in page._note.value
    vote(page)
    next(iter(page._scales.values())).value = 4
    page._next.click()
    assert "Choose a number for creativity first" in page._note.value
    assert page._scales["clarity"].value == 4
    assert [line["step"] for line in kept()] == ["vote"]


@pytest.mark.parametrize("code", ["", "../x", "My Name"])
def test_a_code_that_will_not_do_is_told(open_page, code):
    page = open_page(code=code)
    assert "small letters" in page._note.value
    assert page._code.value == code and page._code.layout.display is None


def test_an_answer_that_cannot_be_kept_is_told_and_can_be_given_again(open_page, monkeypatch):
    page = open_page()

    def full(given):
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(page._book, "write", full)
        vote(page)
    assert "the disk is full" in page._note.value and page._step == "vote"
    page._next.click()
    assert [line["step"] for line in kept()] == ["vote"]


def test_an_annotation_shows_the_answer_and_asks_three_things(open_page):
    page = open_page(ANNOTATION)
    target = page._case.cards.index(page._case.target)
    assert "meant" in page._board._places[target].button.description
    rate(page, 5, 3, 2)
    line = kept()[0]
    assert [line[k] for k in ("coherence", "plausibility", "difficulty")] == [5, 3, 2]


def test_a_hostile_clue_is_shown_not_run(open_page):
    page = open_page()
    while "first" not in page._prompt.value:
        vote(page)
        rate(page, 3, 3)
    assert "first &lt;b&gt;clue&lt;/b&gt;" in page._prompt.value


def test_every_scale_has_a_label_and_its_ends(open_page):
    for task in (RATING, ANNOTATION):
        for scale, chooser in zip(task.scales, open_page(task)._scales.values(), strict=True):
            assert chooser.description == scale.question
            labels = [label for label, _ in chooser.options]
            assert [label[0] for label in labels] == list("12345")
            assert scale.least in labels[0] and scale.most in labels[4]
            assert chooser.value is None
