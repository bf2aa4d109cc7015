from __future__ import annotations

import dataclasses
import re
from collections import Counter

import numpy as np
import pytest

from dixitlib.cards import drawings, lexicon, scenes

DECK = scenes.deck()
KEYS = frozenset(scene.key for scene in DECK)
SAMPLE = scenes.sample(400, seed=11)


def test_the_grammar_is_large_enough():
    assert len(scenes.SUBJECTS) >= 60
    assert len(scenes.OBJECTS) >= 80
    assert len(scenes.TWISTS) >= 16
    assert len(scenes.LANDSCAPES) >= 10
    assert len(scenes.MOODS) >= 10
    assert not set(scenes.SUBJECTS) & set(scenes.OBJECTS)


@pytest.mark.parametrize("names", [lexicon.SUBJECTS, lexicon.OBJECTS, lexicon.PROPS])
def test_every_drawing_is_in_the_installed_openmoji(names):
    for code in names.values():
        shape = drawings.silhouette(code)
        assert shape.width > 10 and shape.height > 10
    assert len(set(names.values())) == len(names)


def test_a_missing_drawing_is_an_error():
    with pytest.raises(FileNotFoundError):
        drawings.source("NOT-A-CODE-POINT")


def test_the_key_is_every_aspect_but_the_variant():
    scene = DECK[0]
    other = dataclasses.replace(scene, variant=scene.variant + 1)
    assert scene.key == other.key
    assert scene != other and scene.seed != other.seed
    assert len(scene.key) == 6 and scene.variant not in scene.key
    assert sorted({scene, other}) == [scene, other]


def test_the_same_seed_gives_the_same_scenes():
    assert scenes.deck() == DECK
    assert scenes.sample(50, seed=3) == scenes.sample(50, seed=3)
    assert scenes.sample(50, seed=3) != scenes.sample(50, seed=4)
    # A longer sample begins with the shorter one.
    assert scenes.sample(60, seed=3)[:50] == scenes.sample(50, seed=3)


def test_the_deck_is_balanced():
    assert len(DECK) == len(KEYS) == 84
    for aspect in ("twist", "landscape", "mood", "subject", "first"):
        counts = Counter(getattr(scene, aspect) for scene in DECK)
        assert max(counts.values()) - min(counts.values()) <= 1
    assert len({scene.subject for scene in DECK}) == min(84, len(scenes.SUBJECTS))


def test_objects_of_a_scene_differ_and_its_twist_suits_its_landscape():
    for scene in (*DECK, *SAMPLE):
        assert scene.first != scene.second
        assert scene.landscape in scenes.suitable(scene.twist)


def test_training_avoids_the_deck_and_the_held_out_pairs():
    drawn = scenes.training(3000, seed=1, exclude=KEYS)
    assert len({scene.key for scene in drawn}) == 3000
    assert not KEYS & {scene.key for scene in drawn}
    pairs = {(thing, s.twist) for s in drawn for thing in (s.first, s.second)}
    assert not pairs & scenes.HELD_OUT
    # About one in twenty of all pairs, so their absence above is no accident.
    share = len(scenes.HELD_OUT) / (len(scenes.OBJECTS) * len(scenes.TWISTS))
    assert 0.03 < share < 0.08


def test_draw_leaves_out_what_it_is_told_to():
    first = scenes.draw(np.random.default_rng(5))
    again = scenes.draw(np.random.default_rng(5), exclude={first.key})
    assert again.key != first.key
    barred = {(thing, twist) for thing in scenes.OBJECTS for twist in scenes.TWISTS}
    barred -= {(thing, "tower") for thing in scenes.OBJECTS}
    assert scenes.draw(np.random.default_rng(5), pairs=barred).twist == "tower"


@pytest.mark.parametrize("twist", list(scenes.TWISTS))
def test_captions_are_grammatical(twist):
    scene = scenes.Scene("owl", "hourglass", "umbrella", twist, "sea", "rose moon")
    for text in (scenes.caption(scene), *map(scenes.caption, SAMPLE)):
        assert re.fullmatch(r"[A-Z][^.{}]*\.", text)
        assert not re.search(r"\ba ([aeio]|umbrella|hourglass)|\ban (?!hour)[^aeiou]", text, re.I)
        assert "  " not in text and not re.search(r"\d", text)


def test_captions_mention_every_aspect():
    for scene in (*DECK, *SAMPLE):
        text = scenes.caption(scene).lower()
        assert scene.subject in text
        assert scene.first in text or lexicon.plural(scene.first) in text
        assert scene.second in text
        assert scenes.LANDSCAPES[scene.landscape] in text
        assert scenes.MOODS[scene.mood] in text


def test_captions_tell_scenes_apart():
    captions = [scenes.caption(scene) for scene in SAMPLE]
    assert len(set(captions)) == len(SAMPLE)
    twists = {scene.twist: scenes.TWISTS[scene.twist].says for scene in SAMPLE}
    assert len(set(twists.values())) == len(twists)


@pytest.mark.parametrize(
    ("noun", "one", "many"),
    [
        ("hourglass", "an hourglass", "hourglasses"),
        ("key", "a key", "keys"),
        ("nest of eggs", "a nest of eggs", "nests of eggs"),
        ("die", "a die", "dice"),
        ("torch", "a torch", "torches"),
    ],
)
def test_articles_and_plurals(noun, one, many):
    assert lexicon.article(noun) == one
    assert lexicon.plural(noun) == many
