import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dixitlib import paths
from dixitlib.cards.deck import Deck, from_picture
from dixitlib.models import glimpse
from dixitlib.models.glimpse import SIZES, Glimpse, Network, centred, shrunk
from dixitlib.models.sentences import default_encoder
from dixitlib.records import Card


def eyes() -> Glimpse:
    """Untrained eyes, always the same."""
    torch.manual_seed(3)
    network = Network(2)
    network(torch.rand(16, 144, 96, 3) * 255)  # gives the normalisation some statistics
    return Glimpse(network, np.linspace(-0.1, 0.1, 384))


EYES = eyes()
PIXELS = np.random.default_rng(0).integers(0, 256, (40, 144, 96, 3), dtype=np.uint8)


def cards(n: int) -> list[Card]:
    return [from_picture(str(i), Image.fromarray(PIXELS[i])) for i in range(n)]


@given(st.permutations(range(8)), st.integers(1, 8))
@settings(max_examples=20, deadline=None)
def test_company_changes_no_glimpse(order, n):
    chosen = list(order[:n])
    assert np.array_equal(EYES.encode(PIXELS[chosen]), EYES.encode(PIXELS[:8])[chosen])


def test_more_pictures_than_a_batch():
    whole = EYES.encode(PIXELS)
    assert len(PIXELS) > glimpse.BATCH
    assert np.array_equal(
        whole, np.concatenate([EYES.encode(PIXELS[i : i + 1]) for i in range(40)])
    )


def test_glimpses_are_unit_vectors_rounded_to_six_decimals():
    vectors = EYES.encode(PIXELS[:5])
    assert (vectors.shape, vectors.dtype) == ((5, 384), np.float64)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)
    assert np.array_equal(vectors, np.round(vectors, 6))
    assert not np.signbit(vectors[vectors == 0]).any()
    assert len(np.unique(vectors, axis=0)) == 5


def test_a_card_is_looked_at_once_whatever_its_name():
    seen = []

    def picture() -> Image.Image:
        seen.append(1)
        return Image.fromarray(PIXELS[0])

    fresh = eyes()
    card = replace(cards(1)[0], load=picture)
    twice = fresh.look([card, replace(card, id="another")])
    fresh.look([card])
    assert len(seen) == 1
    assert np.array_equal(twice[0], twice[1])


def test_cards_without_a_hash_are_told_apart():
    bare = [replace(card, sha256="") for card in cards(2)]
    assert np.array_equal(eyes().look(bare), EYES.look(cards(2)))


def test_looking_is_encoding_the_card_made_small():
    large = Image.fromarray(PIXELS[0]).resize((300, 450))
    assert np.array_equal(EYES.look([from_picture("a", large)]), EYES.encode(shrunk(large)[None]))


def test_reading_points_away_from_the_centre():
    # From the centre (1, 0) a sentence at (1, 2) lies straight up.
    assert centred(np.array([[1.0, 2.0]]), np.array([1.0, 0.0])).tolist() == [[0.0, 1.0]]


def test_weights_survive_saving(tmp_path):
    EYES.save(tmp_path / "s.safetensors")
    loaded = Glimpse.load("s", tmp_path)
    assert np.array_equal(loaded.encode(PIXELS[:3]), EYES.encode(PIXELS[:3]))
    sentences = np.eye(384)[:4]
    assert np.allclose(loaded.read(sentences), EYES.read(sentences), atol=1e-6)


def test_saving_again_gives_the_same_bytes(tmp_path):
    EYES.save(tmp_path / "a")
    eyes().save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_eyes_travel_to_other_processes():
    assert np.array_equal(pickle.loads(pickle.dumps(EYES)).look(cards(1)), EYES.look(cards(1)))


def test_missing_weights_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"m\.safetensors: run `make train`"):
        Glimpse.load("m", tmp_path)


WEIGHTS = [paths.data("weights", f"{size}.safetensors") for size in SIZES]
needs_weights = pytest.mark.skipif(
    not all(path.exists() for path in (*WEIGHTS, paths.data("cards", "cards.csv"))),
    reason="no weights or no deck yet: run `make train`",
)


@needs_weights
def test_committed_weights_are_small():
    assert sum(path.stat().st_size for path in WEIGHTS) < 6_000_000


@needs_weights
def test_sizes_read_the_deck_worse_and_better():
    deck = Deck.load(paths.data("cards"))
    sentences = default_encoder().encode([card.caption for card in deck])
    recall = {}
    for size in SIZES:
        eyes = Glimpse.load(size)
        cosines = eyes.look(deck) @ eyes.read(sentences).T
        recall[size] = np.mean(cosines.argmax(axis=1) == np.arange(len(deck)))
    # The deck was never trained on, and has held-out pairs. By chance, 1/84 = 0.012.
    assert 0.1 < recall["s"] < recall["m"] - 0.1 < recall["l"] - 0.2
    assert recall["l"] > 0.9
