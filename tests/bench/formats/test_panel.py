"""A panel sits other people's benchmarks: by its agents' words, or with eyes of its own."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from dixitlib.bench.evaluate import circular, direct, entailment
from dixitlib.bench.formats import mmbench, mmmu
from dixitlib.bench.formats.benchmark import group_credits
from dixitlib.models.aspects import ASPECTS
from dixitlib.models.base import Scripted
from dixitlib.models.glimpse import DIMENSIONS, HEIGHT, WIDTH
from dixitlib.panel import prompts
from dixitlib.panel.agents import prompted_panel
from dixitlib.panel.checkers import Mixer
from dixitlib.panel.experts import AspectExpert, Scale
from dixitlib.panel.gam import Panel, Settings
from dixitlib.panel.sight import Sight
from dixitlib.players.panel import PanelPlayer
from dixitlib.records import Card

COLUMNS = ["index", "question", "hint", "A", "B", "C", "D", "answer", "category", "image"]


class Agents:
    """Scripted agents that know the right words; who reads text finds none, and abstains."""

    def __init__(self, *right):
        self.right, self.model = right, Scripted(self.said)

    def said(self, messages):
        persona, parts = messages[0].parts[0], messages[1].parts
        cards = [part for part in parts if isinstance(part, Card)]
        fits = [card.caption in self.right for card in cards]
        labels = "AB" if len(cards) == 1 else "ABCDEF"[: len(cards)]
        choice = labels[fits.index(True)] if any(fits) else labels[-1]
        if len(cards) == 1:  # does it fit?
            choice = "A" if fits[0] else "B"
        odds = {label: 0.9 if label == choice else 0.1 / (len(labels) - 1) for label in labels}
        blank = persona == tuple(prompts.EXPERTS.values())[2]
        return json.dumps({"abstain": blank, "probabilities": odds, "choice": choice})

    def panel(self):
        return PanelPlayer("gam", prompted_panel(self.model), Settings(theta_u=0.9))


@pytest.fixture
def file(tmp_path, base64_png):
    """Questions of two to four options, with a hint, a borrowed picture, and no answer."""
    sea = base64_png("navy")
    rows = [
        [7, "Which colour?", "Look well.", "red", "blue", "", "", "B", "colour", sea],
        [1_000_007, "Which colour?", "", "blue", "red", "", "", "A", "colour", "7"],
        [8, "How many?", "", "one", "two", "three", "four", "C", "count", base64_png("red")],
        [9, "Where?", "", "here", "there", "nowhere", "", "", "place", "8"],
    ]
    path = tmp_path / "mmbench.tsv"
    pd.DataFrame(rows, columns=COLUMNS).to_csv(path, sep="\t", index=False)
    return path


def test_a_panel_of_models_sits_a_file_with_its_pictures_and_its_gaps(file):
    made, agents = mmbench.load(file), Agents("blue", "three", "there")
    answers = direct(agents.panel(), made.items, made.cards)
    assert [(a.choice, a.credit, a.status) for a in answers] == [
        ("7/B", 1, "ok"),
        ("1000007/A", 1, "ok"),
        ("8/C", 1, "ok"),
        ("9/B", None, "ok"),  # the file withholds what is right
    ]
    assert group_credits(answers, made.groups) == {"7": 1.0, "8": 1.0, "9": None}
    # Two experts answer, the third abstains; the weights of two alike are halves.
    assert answers[0].scores == pytest.approx((0.1, 0.9))
    assert answers[2].scores == pytest.approx((0.1 / 3, 0.1 / 3, 0.9, 0.1 / 3), abs=1e-6)
    assert all(len(answer.replies) == 4 for answer in answers)
    _, asked = agents.model.calls[0]
    shown = [part for part in asked.parts if isinstance(part, Card)]
    assert [card.id for card in shown] == ["7/A", "7/B"]
    words = "\n".join(part for part in asked.parts if isinstance(part, str))
    assert "Look well.\nWhich colour?" in words.replace("\\n", "\n")
    assert not {"red", "blue", "7/A"} & set(words.replace('"', " ").split())  # seen, not told
    assert shown[0].image().getpixel((160, 10)) == (0, 0, 128)


def test_a_panel_is_turned_with_the_options_and_rates_each_alone(file):
    made, agents = mmbench.load(file), Agents("blue", "three", "there")
    turned = circular(agents.panel(), made.items, made.cards)
    assert [answer.choice for answer in turned if answer.item == "8"] == ["8/C"] * 4
    assert group_credits(turned, made.groups) == {"7": 1.0, "8": 1.0, "9": None}
    rated = {a.item: a for a in entailment(agents.panel(), made.items, made.cards)}
    assert rated["8"].scores == pytest.approx((10, 10, 90, 10)) and rated["8"].credit == 1
    # What nobody knows is the last option: wrong in one turn, and so is the whole group.
    lost = circular(Agents("blue").panel(), made.items, made.cards)
    assert group_credits(lost, made.groups) == {"7": 1.0, "8": 0.0, "9": None}


def test_agents_that_all_fail_leave_a_question_unanswered(file):
    made = mmbench.load(file)
    mute = PanelPlayer("mute", prompted_panel(Scripted(lambda messages: None)))
    answers = direct(mute, made.items, made.cards)
    assert {(a.choice, a.credit, a.status) for a in answers} == {(None, None, "empty")}
    assert set(group_credits(answers, made.groups).values()) == {None}


def test_a_panel_is_shown_the_pictures_that_are_options(tmp_path, png):
    row = {
        "id": "validation_Art_1",
        "question": "Which goes with <image 1>?",
        "options": "['<image 2>', '<image 3>']",
        "answer": "B",
        "question_type": "multiple-choice",
        "subfield": "Painting",
        **{f"image_{k}": {"bytes": png(c), "path": ""} for k, c in enumerate(COLOURS, start=1)},
    }
    open_ended = row | {"id": "open", "question_type": "open", "options": "[]", "answer": "lime"}
    pd.DataFrame([row, open_ended]).to_parquet(tmp_path / "mmmu.parquet", index=False)
    made, agents = mmmu.load(tmp_path / "mmmu.parquet"), Agents("<image 3>")
    (answer,) = direct(agents.panel(), made.items, made.cards)
    assert (answer.choice, answer.credit) == (made.items[0].options[1], 1)
    assert list(made.left_out) == ["open"]
    pages = [part.image() for part in agents.model.calls[0][1].parts if isinstance(part, Card)]
    seen = [{page.getpixel((160, y)) for y in range(page.height)} for page in pages]
    assert all((0, 0, 128) in colours for colours in seen)  # the question's own, with both
    assert [((255, 0, 0) in c, (0, 255, 0) in c) for c in seen] == [(True, False), (False, True)]


COLOURS = ("navy", "red", "lime")


class Eyes:
    """See the mean colour, and read every sentence as red."""

    def encode(self, pixels):
        assert pixels.shape[1:] == (HEIGHT, WIDTH, 3)
        seen = np.zeros((len(pixels), DIMENSIONS))
        seen[:, :3] = pixels.reshape(len(pixels), -1, 3).mean(axis=1) + 1
        return np.round(seen / np.linalg.norm(seen, axis=1, keepdims=True), 6)

    def read(self, sentences):
        return np.eye(DIMENSIONS)[[0] * len(sentences)]


class Encoder:
    """Turn texts into as many rows."""

    def encode(self, texts):
        return np.zeros((len(texts), 1))


def test_local_experts_look_at_the_pages(tmp_path, png):
    row = ["q", "Which is red?", "['<image 1>', '<image 2>']", "B", "multiple-choice", "Painting"]
    columns = ["id", "question", "options", "answer", "question_type", "subfield"]
    pictures = {f"image_{k}": [{"bytes": png(c, (400, 600)), "path": ""}]
                for k, c in enumerate(("navy", "red"), start=1)}  # fmt: skip
    frame = pd.DataFrame([row], columns=columns).assign(**pictures)
    frame.to_parquet(tmp_path / "mmmu.parquet", index=False)
    made, sight = mmmu.load(tmp_path / "mmmu.parquet"), Sight(Eyes(), Encoder())
    scale = Scale(tau=0.1, sharpness=0.1, heed=0.5)
    experts = tuple(AspectExpert(aspect, sight, scale) for aspect in ASPECTS.values())
    local = PanelPlayer("local", Panel(experts, (), Mixer()))
    (answer,) = direct(local, made.items, made.cards)
    assert (answer.choice, answer.credit, answer.status) == (made.items[0].target, 1, "ok")
