"""V*Bench: options inside the text, or a JSON file beside each picture."""

from __future__ import annotations

import json

import pytest

from dixitlib.bench.evaluate import direct
from dixitlib.bench.formats.vstar import load

LINE = {
    "image": "direct_attributes/one.png",
    "text": "What colour is the glove?\n(A) red\n(B) dark blue\nAnswer with the letter.",
    "category": "direct_attributes",
    "label": "B",
    "question_id": 0,
}


@pytest.fixture
def folder(tmp_path, png):
    home = tmp_path / "vstar"
    (home / "direct_attributes").mkdir(parents=True)
    (home / "direct_attributes" / "one.png").write_bytes(png("navy", (400, 300)))
    (tmp_path / "outside.png").write_bytes(png("red"))
    return home


def write(folder, *entries):
    path = folder / "test_questions.jsonl"
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in entries]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_options_are_read_out_of_the_text(folder, knower):
    made = load(write(folder, LINE, "", LINE | {"question_id": 1, "label": ""}))
    first, second = made.items
    assert (first.id, first.tier, first.answer) == ("0", "direct_attributes", 2)
    assert first.clue == "What colour is the glove?"
    assert [card.caption for card in made.cards[:2]] == ["red", "dark blue"]
    assert made.cards[0].image().width == 400  # at full size: what is looked for is small
    assert second.target == ""
    answers = direct(knower("dark blue"), made.items, made.cards)
    assert [answer.credit for answer in answers] == [1.0, None]


def test_every_line_at_fault_is_named(folder, refusal):
    path = write(
        folder,
        LINE | {"text": "What colour?\n(A) red"},
        LINE | {"text": "What colour?\n(A) red\n(C) blue"},
        LINE | {"text": "(A) red\n(B) blue"},
        LINE | {"label": "C"},
        LINE | {"image": "gone.png"},
        LINE | {"image": "../outside.png"},
        LINE | {"image": "/etc/hostname"},
        "{not json",
        "[1]",
        LINE,
    )
    faults = refusal(load, path)
    assert sorted(int(f.split(":")[0].rsplit(" ", 1)[1]) for f in faults) == list(range(1, 10))
    text = "\n".join(faults)
    for part in (
        "line 1: its text offers the options A, not",
        "line 2: its text offers the options AC, not",
        "line 3: its text asks nothing",
        "line 4: its answer is 'C'",
        "line 5: gone.png is missing",
        "line 6: ../outside.png lies outside",
        "line 7: /etc/hostname lies outside",
        "line 8: it is no JSON object (",
        "line 9: it is no JSON object",
    ):
        assert part in text


def beside(folder, name, **entry):
    notes = {"question": "What colour?", "options": ["right", "wrong", "worse", "worst"]} | entry
    (folder / name).with_suffix(".json").write_text(json.dumps(notes))


def test_the_first_option_is_right_and_options_are_shuffled(folder, png, knower):
    for number in range(12):
        name = f"relative_position/{number:02d}.png"
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(png("navy"))
        beside(folder, name)
    beside(folder, "direct_attributes/one.png")
    made = load(folder)
    assert {item.tier for item in made.items} == {"relative_position", "direct_attributes"}
    assert len({item.answer for item in made.items}) > 1
    answers = direct(knower("right"), made.items, made.cards)
    assert [answer.credit for answer in answers] == [1.0] * 13
    assert load(folder) == made
    assert load(folder, seed=1).items != made.items


def test_pictures_without_notes_and_notes_at_fault_are_named(folder, png, refusal):
    for name in ("a.png", "b.png", "c.png"):
        (folder / name).write_bytes(png("red"))
    (folder / "a.json").write_text("{")
    beside(folder, "b.png", options="right")
    beside(folder, "c.png", options=["alone"])
    faults = refusal(load, folder)
    assert len(faults) == 4
    for start in (
        "a.png: it is no JSON object (",
        "b.png: its options are no list of texts",
        "c.png: it offers 1 options",
        "direct_attributes/one.png: no JSON file stands beside it",
    ):
        assert sum(fault.startswith(start) for fault in faults) == 1, start
