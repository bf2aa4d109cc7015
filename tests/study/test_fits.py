from dataclasses import replace

import numpy as np
import pytest

from dixitlib import store
from dixitlib.game.arena import play_match
from dixitlib.players.pragmatic import Pragmatic, calibrate
from dixitlib.records import Move
from dixitlib.study.fits import measure

BANK = ("alpha", "beta", "gamma")


class Plane:
    """Eyes and encoder in one: cards and texts become fixed directions in five dimensions."""

    def look(self, cards):
        return self._unit([int(card.sha256, 16) for card in cards])

    def encode(self, texts):
        return self._unit([1000 + sum(map(ord, text)) for text in texts])

    def read(self, sentences):
        return sentences

    def _unit(self, seeds):
        vectors = np.stack([np.random.default_rng(seed).normal(size=5) for seed in seeds])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def observer(toy_deck):
    plane = Plane()
    return Pragmatic("eye", plane, plane, BANK, calibrate(plane, plane, BANK, toy_deck[:24]))


@pytest.fixture
def fits(observer, toy_deck, scripted):
    told = scripted("a", {"tell": Move(choice=0, clue="its own")})
    rounds = play_match(told, told, toy_deck)
    rounds = [*rounds[:3], replace(rounds[3], clue=None), replace(rounds[4], clue="beta")]
    return measure(rounds, toy_deck, {"eye": observer})


def test_the_bank_comes_first_and_what_was_told_besides_after_it(fits, toy_deck):
    assert fits.clues == (*BANK, "its own")
    assert fits.bank == 3
    assert fits.cards == tuple(card.id for card in toy_deck)


def test_fits_are_the_cosines_that_the_player_itself_goes_by(fits, observer, toy_deck):
    view = fits.views["eye"]
    seen, words = observer.eyes.look(toy_deck[:1])[0], observer.encoder.encode(["its own"])[0]
    assert view.fit[0, 3] == pytest.approx(seen @ words)
    assert view.fit.shape == (84, 4) and view.decoys.shape == (12, 4)
    assert view.tau == observer.scale.tau
    assert view.spread["partial"] == observer.scale.scales["partial"][1]


def test_what_is_written_is_read_again_to_three_decimals(fits, tmp_path):
    store.write_fits(tmp_path, fits)
    once = (tmp_path / "fits.parquet").read_bytes()
    back = store.read_fits(tmp_path)
    assert (back.clues, back.bank, back.cards) == (fits.clues, fits.bank, fits.cards)
    assert np.array_equal(back.hands, fits.hands)
    for name in ("fit", "decoys"):
        there, here = getattr(back.views["eye"], name), getattr(fits.views["eye"], name)
        assert np.array_equal(there, here.round(3))
    assert (back.views["eye"].tau, back.views["eye"].spread) == (
        fits.views["eye"].tau,
        fits.views["eye"].spread,
    )
    store.write_fits(tmp_path, back)
    assert (tmp_path / "fits.parquet").read_bytes() == once


def test_a_run_without_fits_says_how_they_are_made(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"fits\.json is missing"):
        store.read_fits(tmp_path)
