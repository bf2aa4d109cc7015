from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from dixitlib.cards import scenes
from dixitlib.cards.scenes import Scene
from dixitlib.models import aspects
from dixitlib.models.aspects import ASPECTS
from dixitlib.models.glimpse import Glimpse, Network
from dixitlib.models.lessons import Lesson
from dixitlib.models.training import Plan, train

WORDS = np.random.default_rng(0).normal(size=(64, 384))
SCENE = Scene("giraffe", "pair of scissors", "rocket", "roots", "sea", "rose moon")


class Encoder:
    name = "counting"

    def encode(self, texts):
        return np.array([[len(text), text.count("a"), 1.0] + [0.5] * 381 for text in texts])


def test_each_aspect_says_what_it_is_to_see_and_nothing_else():
    told = {name: aspect.caption(SCENE) for name, aspect in ASPECTS.items()}
    assert told == {
        "objects": "A giraffe, a pair of scissors and a rocket.",
        "place": "On the open sea under a rose moon.",
        "twist": "Somebody grows roots deep underground that hold something and something else.",
    }


def test_no_caption_leaves_a_field_open_or_names_a_thing():
    for twist in scenes.TWISTS:
        told = ASPECTS["twist"].caption(Scene(*(*SCENE.key[:3], twist, "sea", "rose moon")))
        assert "{" not in told
        assert not {"giraffe", "scissors", "rocket", "sea"} & set(told.lower().split())


@pytest.mark.parametrize("aspect", ASPECTS.values(), ids=list(ASPECTS))
def test_what_a_scene_shows_is_in_the_vocabulary(aspect):
    assert len(set(aspect.vocabulary)) == len(aspect.vocabulary)
    for scene in scenes.deck():
        assert set(aspect.shown(scene)) <= set(aspect.vocabulary)


def test_a_lesson_is_retold_without_painting():
    painted = Lesson(np.zeros((2, 144, 96, 3), dtype=np.uint8), np.zeros((2, 384)))
    them = scenes.sample(2, 5)
    told = aspects.retold(painted, them, ASPECTS["place"], Encoder())
    assert told.pixels is painted.pixels
    assert told.captions[:, 0].tolist() == [len(ASPECTS["place"].caption(each)) for each in them]


def test_the_curve_is_of_captions_that_differ():
    them = (SCENE, Scene("cat", *SCENE.key[1:]), Scene(*SCENE.key[:5], "amber fog"))
    painted = Lesson(np.arange(3, dtype=np.uint8)[:, None, None, None], np.zeros((3, 384)))
    told = aspects._told_apart(painted, them, ASPECTS["place"], Encoder())
    assert told.pixels.ravel().tolist() == [1, 2]


def test_one_of_six_cards_is_found_by_a_caption_that_no_other_has():
    # Seven captions of two cards each; every card is most like its own caption, but card 0,
    # which another card of any other caption beats.
    captions = np.repeat(np.eye(7), 2, axis=0)
    cosines = captions @ captions.T
    assert aspects.of_six(cosines, captions).all()
    cosines[:, 0] = 1.0
    assert aspects.of_six(cosines, captions).tolist() == [False] + [True] * 13


def test_eyes_for_objects_go_on_from_others_and_leave_these_alone():
    start = Glimpse(Network(2), np.zeros(384))
    before = start.encode(np.full((1, 144, 96, 3), 9))
    learner = start.learner()
    assert next(learner.parameters()).dtype == torch.float32
    lesson = Lesson(np.random.default_rng(1).integers(0, 256, (64, 144, 96, 3), np.uint8), WORDS)
    trained, _ = train(Plan(2, 64, 1), lesson, lesson, start=learner)
    assert np.array_equal(start.encode(np.full((1, 144, 96, 3), 9)), before)
    assert not np.array_equal(trained.encode(np.full((1, 144, 96, 3), 9)), before)
    assert ASPECTS["objects"].start == "m" and ASPECTS["place"].start is None


def test_the_command_writes_weights_and_a_table(tmp_path, monkeypatch):
    chance = np.random.default_rng(0)

    def painted(them, encoder):
        pixels = chance.integers(0, 256, (len(them), 144, 96, 3), dtype=np.uint8)
        return Lesson(pixels, encoder.encode(["x"] * len(them)))

    monkeypatch.setattr(aspects, "PLANS", {"s": Plan(2, 64, 1)})
    short = {name: replace(each, plan=Plan(2, 64, 2)) for name, each in ASPECTS.items()}
    monkeypatch.setattr(aspects, "ASPECTS", short)
    monkeypatch.setattr(aspects, "TEST_CARDS", 20)
    monkeypatch.setattr(aspects, "lesson", painted)
    monkeypatch.setattr(aspects, "default_encoder", Encoder)
    for name in ("twist", "place", "twist"):
        aspects.main(["--aspects", name, "--out", str(tmp_path)])
    table = pd.read_csv(tmp_path / "learning_curves.csv")
    assert table["aspect"].tolist() == ["place", "place", "twist", "twist"]
    assert list(table)[:3] == ["aspect", "epoch", "cards_seen"]
    weights = (tmp_path / "twist.safetensors").read_bytes()
    aspects.main(["--aspects", "twist", "--measure", "--out", str(tmp_path)])
    assert (tmp_path / "twist.safetensors").read_bytes() == weights
    measured = pd.read_csv(tmp_path / "accuracy.csv").set_index("aspect")
    assert measured["cards"].to_dict() == {"place": 20, "twist": 20}
    assert measured["right_of_six"].between(0, 1).all()
    assert Glimpse.load("twist", tmp_path).encode(np.zeros((1, 144, 96, 3))).shape == (1, 384)
