import numpy as np
import pytest

from dixitlib.cards import painter, scenes
from dixitlib.models import lessons

TRAINED = lessons.training_scenes(600)
UNSEEN = lessons.unseen_scenes(300, TRAINED)


class Encoder:
    name = "counting"

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked.append(list(texts))
        return np.full((len(texts), 384), len(self.asked), dtype=float)


def keys(them):
    return {scene.key for scene in them}


def test_deck_training_and_test_scenes_are_disjoint():
    sets = [keys(scenes.deck()), keys(TRAINED), keys(UNSEEN)]
    assert [len(one) for one in sets] == [84, 600, 300]
    assert len(set.union(*sets)) == 84 + 600 + 300


def test_fewer_scenes_are_the_first_of_more():
    assert lessons.training_scenes(50) == TRAINED[:50]


def test_held_out_pairs_are_never_trained_on_but_tested():
    assert not any(map(lessons.has_held_out_pair, TRAINED))
    # One pair in twenty is held out and a scene has two: about a tenth of scenes.
    assert 0.03 < np.mean([lessons.has_held_out_pair(scene) for scene in UNSEEN]) < 0.2


def test_a_lesson_is_painted_once(tmp_path, monkeypatch):
    encoder, them = Encoder(), TRAINED[:3]
    made = lessons.lesson(them, encoder, tmp_path)
    assert made.pixels.shape == (3, 144, 96, 3)
    assert np.array_equal(made.pixels[1], np.asarray(painter.paint(them[1], 96)))
    assert encoder.asked == [[scenes.caption(scene) for scene in them]]
    monkeypatch.setattr(lessons, "_painted", pytest.fail)
    kept = lessons.lesson(them, encoder, tmp_path)
    assert np.array_equal(kept.pixels, made.pixels)
    assert len(encoder.asked) == 1
    assert len(kept.first(2)) == 2


def test_other_scenes_or_words_are_another_lesson(tmp_path):
    encoder = Encoder()
    lessons.lesson(TRAINED[:1], encoder, tmp_path)
    lessons.lesson(TRAINED[1:2], encoder, tmp_path)
    encoder.name = "another"
    lessons.lesson(TRAINED[:1], encoder, tmp_path)
    assert len(encoder.asked) == len(list(tmp_path.iterdir())) == 3
