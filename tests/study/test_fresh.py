"""A fresh deck shares no scene with the committed one, and is a benchmark of its own."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from dixitlib.bench.items import check, read_items
from dixitlib.cards import scenes
from dixitlib.cards.deck import Deck, write_cards
from dixitlib.paths import REPOSITORY
from dixitlib.peers.exam import canary
from dixitlib.study import fresh, laying


class FakeEncoder:
    """A text's vector is drawn from a generator seeded with the text."""

    def encode(self, texts):
        vectors = [np.random.default_rng(zlib.crc32(t.encode())).normal(size=16) for t in texts]
        return np.array([vector / np.linalg.norm(vector) for vector in vectors])


@pytest.fixture
def painted_small(monkeypatch):
    """Paint here, and no larger than a stamp."""

    def paint(folder, chosen):
        cards = [laying.painted_card(f"{n:03d}", scene, 48) for n, scene in enumerate(chosen, 1)]
        return write_cards(folder, cards, laying.LICENCE, laying.ATTRIBUTION)

    monkeypatch.setattr(laying, "paint", paint)


def test_a_fresh_deck_has_a_benchmark_and_a_canary_of_its_own(tmp_path, painted_small):
    exam = fresh.paint(tmp_path / "a", 8, 18, FakeEncoder())
    data = tmp_path / "a" / "data"
    deck = Deck.load(data / "cards")
    found = [i for name in laying.PARTS for i in read_items(data / "bench" / f"{name}.csv")]
    check(found)
    assert tuple(found) == exam.items
    assert len(found) == 4 * len(deck) == 72  # three tiers, and three whole blocks
    assert exam.canary == canary(deck)
    assert fresh.paint(tmp_path / "b", 9, 18, FakeEncoder()).canary != exam.canary


def test_a_seed_gives_the_same_benchmark_again(tmp_path, painted_small):
    one, other = (fresh.paint(tmp_path / name, 8, 18, FakeEncoder()) for name in "ab")
    assert (one.items, one.canary) == (other.items, other.canary)


def test_the_committed_decks_own_seed_is_refused():
    with pytest.raises(
        fresh.FreshError, match="84 scenes of the committed deck: take another seed"
    ):
        fresh.unseen(scenes.DECK_SEED, scenes.DECK_SIZE)


def test_a_folder_with_data_is_left_alone(tmp_path, monkeypatch, capsys):
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(fresh, "default_encoder", FakeEncoder)
    with pytest.raises(SystemExit):
        fresh.main(["--seed", "8", str(tmp_path)])
    told = capsys.readouterr().err
    assert told == (
        f"python -m dixitlib.study.fresh: {tmp_path}/data is there already: name a new folder\n"
    )
    assert not list((tmp_path / "data").iterdir())


def test_the_bank_that_it_takes_is_the_committed_one():
    assert fresh.BANK.is_relative_to(REPOSITORY) and fresh.BANK.exists()
