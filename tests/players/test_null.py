import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dixitlib.cards.deck import from_picture
from dixitlib.players import null
from dixitlib.records import Card

NAMES = ("random", "first", "central", "clue-only", "caption-oracle", "literal-caption")
BANK = ("a cold promise", "hide and seek", "the long way home")


class Compass:
    """An encoder whose texts point where they say: a degree is the last word."""

    def encode(self, texts):
        angles = np.radians([float(text.split()[-1]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def card(number: int, caption: str = "") -> Card:
    return from_picture(f"card {number}", Image.new("RGB", (2, 3), (number, 0, 0)), caption)


def cards(*captions: str) -> list[Card]:
    return [card(number, caption) for number, caption in enumerate(captions)]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


TURNED = cards("deck 0", "deck 10", "deck 20", "deck 200")
ALL = null.players([f"{clue} {7 * i}" for i, clue in enumerate(BANK)], Compass())


def test_there_are_six_of_them():
    assert tuple(player.name for player in ALL) == NAMES


@pytest.mark.parametrize("player", ALL, ids=NAMES)
@given(st.integers(0, 99), st.integers(1, 4))
def test_every_move_is_whole(player, seed, shown):
    table = TURNED[:shown]
    told = player.tell(table, rng(seed))
    moves = [
        told,
        player.submit("clue 3", table, rng(seed)),
        player.vote("clue 3", table, rng(seed)),
        player.choose("clue 3", table, rng(seed)),
        player.choose(None, table, rng(seed)),
    ]
    assert told.clue
    for move in moves:
        assert move.status == "ok"
        assert move.choice in range(shown)
        assert len(move.probabilities) == shown
        assert sum(move.probabilities) == pytest.approx(1, abs=1e-5)
        assert move.probabilities[move.choice] > 0
    for clue in ("clue 3", None):
        assert 0 <= player.rate(clue, table[0], rng(seed)).rating <= 100
        assert player.accept(clue, table[0], rng(seed)).rating in (0, 100)
        rated = player.rate_together(clue, table, rng(seed)).ratings
        assert len(rated) == shown
        assert max(rated) == rated[player.choose(clue, table, rng(seed)).choice]


@pytest.mark.parametrize("player", ALL, ids=NAMES)
def test_ids_decide_nothing(player):
    renamed = [replace(card, id=f"z{4 - i}") for i, card in enumerate(TURNED)]
    for seed in range(20):
        assert player.tell(TURNED, rng(seed)) == player.tell(renamed, rng(seed))
        assert player.vote("to 15", TURNED, rng(seed)) == player.vote("to 15", renamed, rng(seed))


@pytest.mark.parametrize("player", ALL, ids=NAMES)
def test_players_travel_to_other_processes(player):
    twin = pickle.loads(pickle.dumps(player))
    assert twin.tell(TURNED, rng(5)) == player.tell(TURNED, rng(5))


def test_random_is_uniform():
    player = ALL[0]
    chosen = Counter(player.choose("x 0", TURNED, rng(seed)).choice for seed in range(400))
    # 400 draws of 1/4: 100 each, standard deviation 8.7; five of them are 43.
    assert all(abs(chosen[option] - 100) < 43 for option in range(4))
    assert player.choose("x 0", TURNED, rng()).probabilities == (0.25,) * 4


def test_first_takes_the_first():
    assert {ALL[1].choose("x 0", TURNED, rng(seed)).choice for seed in range(9)} == {0}


def test_central_takes_the_middle_and_its_opposite_the_outsider():
    # Cards at 0, 10 and 30 degrees, with cos 10 = .985, cos 20 = .940 and cos 30 = .866:
    # mean cosines to the others (.985 + .866) / 2 = .925, (.985 + .940) / 2 = .962 and
    # (.866 + .940) / 2 = .903. So the second is the most central, the third the least.
    angles = cards("deck 0", "deck 10", "deck 30")
    central, least = ALL[2], null.central(BANK, Compass(), most=False)
    assert least.name == "least-central"
    for clue in (None, "x 0", "x 90"):
        assert central.choose(clue, angles, rng()).choice == 1
        assert least.choose(clue, angles, rng()).choice == 2


def test_clue_only_never_looks():
    player = ALL[3]
    others = cards("deck 90", "deck 91", "deck 92", "deck 93")
    clues = [f"clue {i}" for i in range(200)]
    chosen = [player.choose(clue, TURNED, rng()).choice for clue in clues]
    assert chosen == [player.choose(clue, others, rng(1)).choice for clue in clues]
    assert all(30 < count < 70 for count in Counter(chosen).values())  # 50 each, sd 6.1
    assert len(Counter(chosen)) == 4


def test_caption_oracle_matches_clue_to_caption():
    player = ALL[4]
    assert player.choose("towards 18", TURNED, rng()).choice == 2
    assert player.choose("towards 190", TURNED, rng()).choice == 3
    # cos(60) = 1/2, so a caption 60 degrees off is rated 75.
    assert player.rate("towards 60", TURNED[0], rng()).rating == pytest.approx(75)
    assert player.choose(None, TURNED, rng()).probabilities == (0.25,) * 4


def test_caption_oracle_tells_the_nearest_clue():
    # The bank points to 0, 7 and 14 degrees; the cards to 0, 10 (nearest 7), 20 and 200
    # (both nearest 14: 200 is 186 from 14, 193 from 7 and 200 from 0, so 160 from 0).
    told = {ALL[4].tell(TURNED[:3], rng(seed)) for seed in range(40)}
    said = {move.choice: move.clue for move in told}
    assert said == {0: f"{BANK[0]} 0", 1: f"{BANK[1]} 7", 2: f"{BANK[2]} 14"}


def test_literal_caption_speaks_and_hears_words():
    player = null.literal_caption()
    table = cards("A fox in a bottle.", "A whale and a fox.", "The moon on a string.")
    told = player.tell(table, rng(3))
    assert told.clue == table[told.choice].caption
    assert player.vote(told.clue, table, rng()).choice == told.choice
    assert player.vote("WHALE!", table, rng()).choice == 1
    assert player.rate("whale fox tower the", table[1], rng()).rating == pytest.approx(200 / 3)
    # Both foxes hold the clue's one word, so they share; function words count for nothing.
    assert player.vote("the fox", table, rng()).probabilities == (0.5, 0.5, 0)
    assert player.vote("in the", table, rng()).probabilities == pytest.approx(
        (1 / 3,) * 3, abs=1e-6
    )


def test_a_deck_without_captions_is_named():
    bare = [card(1, "deck 3"), card(2), card(3)]
    for player in (ALL[2], ALL[4], ALL[5]):
        with pytest.raises(ValueError, match=r"\['card 2', 'card 3'\] have none"):
            player.choose("x 0", bare, rng())
