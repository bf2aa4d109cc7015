from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from dixitlib.cards import landscapes, painter, palettes, scenes, twists
from dixitlib.cards.canvas import canvas_for

DECK = scenes.deck()


def grey(picture: Image.Image, size: tuple[int, int] = (16, 24)) -> np.ndarray:
    small = picture.convert("L").resize(size, Image.Resampling.BOX)
    return np.asarray(small, float).ravel()


def correlation(one: Image.Image, other: Image.Image, size: tuple[int, int] = (16, 24)) -> float:
    return float(np.corrcoef(grey(one, size), grey(other, size))[0, 1])


def test_every_name_of_the_grammar_has_its_painter():
    assert set(twists.TWISTS) == set(scenes.TWISTS)
    assert set(landscapes.LANDSCAPES) == set(scenes.LANDSCAPES)
    assert set(palettes.PALETTES) == set(scenes.MOODS)


def test_a_card_is_rgb_and_half_as_high_again():
    for width in (96, 300):
        picture = painter.paint(DECK[1], width)
        assert picture.mode == "RGB"
        assert picture.size == (width, width * 3 // 2)


def test_the_same_scene_gives_the_same_pixels():
    for width in (96, 300):
        one, other = (painter.paint(DECK[5], width).tobytes() for _ in range(2))
        assert one == other


def test_painting_does_not_depend_on_what_was_painted_before():
    alone = painter.svg(DECK[7], 96)
    for scene in DECK[:7]:
        painter.svg(scene, 96)
    assert painter.svg(DECK[7], 96) == alone


@pytest.mark.parametrize("twist", list(scenes.TWISTS))
def test_every_twist_paints_well_formed_svg(twist):
    for landscape in scenes.suitable(twist)[::5]:
        scene = scenes.Scene("cat", "key", "rose", twist, landscape, "rose moon", 3)
        root = ElementTree.fromstring(painter.svg(scene, 600))
        names = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert root.get("viewBox") == "0 0 600 900"
        assert "text" not in names
        assert {"image", "path", "g"} <= names


def test_every_landscape_and_mood_paints():
    pictures = []
    for k, (landscape, mood) in enumerate(
        zip(scenes.LANDSCAPES, [*scenes.MOODS] * 2, strict=False)
    ):
        scene = scenes.Scene("owl", "key", "rose", "tower", landscape, mood, k)
        pictures.append(grey(painter.paint(scene, 96)))
    spread = np.array([picture.std() for picture in pictures])
    assert (spread > 8).all()  # none is a blank


def test_a_small_card_looks_like_the_large_one():
    for scene in DECK[2:80:26]:
        small = painter.paint(scene, 96)
        assert correlation(small, painter.paint(scene, 600), small.size) > 0.97


def test_another_variant_is_another_composition():
    scene = DECK[0]
    other = scenes.Scene(*scene.key, scene.variant + 1)
    assert painter.paint(scene, 96).tobytes() != painter.paint(other, 96).tobytes()


def test_no_two_cards_of_the_deck_look_alike():
    thumbs = np.corrcoef([grey(painter.paint(scene, 48)) for scene in DECK])
    nearest = max(thumbs[a, b] for a, b in combinations(range(len(DECK)), 2))
    assert nearest < 0.95


def test_the_composition_follows_from_the_scene():
    places = {canvas_for(scene, 96).side for scene in DECK}
    horizons = {canvas_for(scene, 96).horizon for scene in DECK}
    assert places == {-1, 1}
    assert len(horizons) >= 4


def test_drawings_meet_where_they_are_told_to():
    canvas = canvas_for(DECK[0], 600)
    host = canvas.draw("figures", "elephant", 300, 700, 200)
    assert host.bottom == pytest.approx(700)
    assert max(host.width, host.height) == pytest.approx(200)
    x, y = host.saddle(0.5)
    assert host.left < x < host.right and host.top <= y < host.bottom
    assert host.belly(0.5)[1] > y
    mirrored = canvas.draw("figures", "elephant", 300, 700, 200, flip=True)
    assert mirrored.saddle(0.3)[1] == pytest.approx(host.saddle(0.7)[1], abs=3)


def every_meeting():
    """Every twist with a sixth of the objects, and a constellation of every object."""
    subjects, objects = list(scenes.SUBJECTS), list(scenes.OBJECTS)
    lands, moods = list(scenes.LANDSCAPES), list(scenes.MOODS)
    meetings = [
        (twist, first)
        for place, twist in enumerate(scenes.TWISTS)
        for first in (objects if twist == "constellation" else objects[place % 6 :: 6])
    ]
    for k, (twist, first) in enumerate(meetings):
        subject, second = subjects[k % len(subjects)], objects[k * 7 % len(objects)]
        yield scenes.Scene(subject, first, second, twist, lands[k % 16], moods[k % 14], k)


@pytest.mark.filterwarnings("error")
def test_whatever_meets_in_a_scene_can_be_painted():
    # A flat thing once made an endless tower, and a translucent one a doubled attribute.
    for scene in every_meeting():
        ElementTree.fromstring(painter.svg(scene, 96))


def test_a_tower_of_flat_things_ends():
    flat = scenes.Scene("squid", "theatre mask", "armchair", "tower", "seabed", "pale noon", 58678)
    assert painter.svg(flat, 96).count("<g") < 200
