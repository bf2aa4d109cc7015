import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dixitlib.cards.deck import from_picture
from dixitlib.players.pragmatic import Calibration, Pragmatic, calibrate
from dixitlib.records import Card

# A world worked by hand. Weights are 2 to the power of a cosine (tau = 1 / ln 2); imagined
# listeners lay cards that fit nothing, so each of their cards weighs 1 and a storyteller
# thinks of L0(t | u) = 2^c / (2^c + 2): 1/2 where the clue fits the card, 1/3 where not.
TAU = 1 / np.log(2)
BANK = ("red", "round")
VECTORS = {"red": (1, 0, 0), "round": (0, 1, 0), "heard once": (0, 0, 1)}
BLANK = Calibration(
    decoys=np.zeros((4, 3)),
    hands=np.zeros((1, 3, 4), dtype=int),
    tau=TAU,
    assumed=1.0,
    scales=dict.fromkeys(("literal", "informative", "partial"), (0.0, 1.0)),
)


def card(name: str, shade: int) -> Card:
    return from_picture(name, Image.new("RGB", (2, 3), (shade, shade, shade)))


CHERRY, BALL, CLOUD = card("cherry", 1), card("ball", 2), card("cloud", 3)
SIGHTS = {CHERRY.sha256: (1, 1, 0), BALL.sha256: (0, 1, 1), CLOUD.sha256: (0, 0, 0)}


class Eyes:
    """Sees what it is told that cards are like."""

    def look(self, cards):
        return np.array([SIGHTS[card.sha256] for card in cards], dtype=float)

    def read(self, sentences):
        return sentences


class Encoder:
    """Knows three words."""

    def encode(self, texts):
        return np.array([VECTORS[text] for text in texts], dtype=float)


def player(policy="partial", **settings) -> Pragmatic:
    defaults = {"alpha": 1.0, "temperature": 1.0}
    return Pragmatic("p", Eyes(), Encoder(), BANK, BLANK, policy, **{**defaults, **settings})


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def belief(listener: Pragmatic, clue: str) -> tuple[float, ...]:
    return listener.choose(clue, [CHERRY, BALL], rng()).probabilities


def test_literal_listener():
    # red: 2 against 1; round: 2 against 2; and likewise for a clue not in the bank.
    listener = player("literal")
    assert belief(listener, "red") == pytest.approx((2 / 3, 1 / 3), abs=1e-6)
    assert belief(listener, "round") == pytest.approx((1 / 2, 1 / 2), abs=1e-6)
    assert belief(listener, "heard once") == pytest.approx((1 / 3, 2 / 3), abs=1e-6)


def test_pragmatic_listener():
    # S1(red, round | cherry) from 1/2, 1/2 is 1/2, 1/2; S1(.. | ball) from 1/3, 1/2 is
    # 2/5, 3/5. Hearing "red": 1/2 against 2/5, so 5/9 and 4/9. Hearing "round", which fits
    # both: 1/2 against 3/5, so 5/11 and 6/11, as a cherry could have been called red.
    listener = player("informative")
    assert belief(listener, "red") == pytest.approx((5 / 9, 4 / 9), abs=1e-6)
    assert belief(listener, "round") == pytest.approx((5 / 11, 6 / 11), abs=1e-6)


def test_pragmatic_listener_weighs_a_clue_that_is_not_in_the_bank_against_the_bank():
    # S1 of the new clue: 1/3 of 1/2 + 1/2 + 1/3 = 1/4 for the cherry, 1/2 of
    # 1/3 + 1/2 + 1/2 = 3/8 for the ball. So 2/5 and 3/5.
    assert belief(player("informative"), "heard once") == pytest.approx((0.4, 0.6), abs=1e-6)


def test_alpha_over_temperature_is_the_power_of_the_speaker():
    # Squared, S1 is 1/2, 1/2 and from 1/9, 1/4 it is 4/13, 9/13. Hearing "red": 1/2
    # against 4/13, that is 13 against 8.
    for settings in ({"alpha": 2.0}, {"temperature": 0.5}):
        assert belief(player("informative", **settings), "red") == pytest.approx(
            (13 / 21, 8 / 21), abs=1e-6
        )


def test_literal_storyteller_prefers_what_fits():
    # alpha = ln 2 makes a fit weigh 2: cherry 2 + 2, ball 1 + 2.
    told = player("literal", alpha=np.log(2)).tell([CHERRY, BALL], rng())
    assert told.probabilities == pytest.approx((4 / 7, 3 / 7), abs=1e-6)


def test_informative_storyteller_is_s1_over_the_hand():
    # cherry 1/2 + 1/2, ball 1/3 + 1/2: 6 against 5.
    told = player("informative").tell([CHERRY, BALL], rng())
    assert told.probabilities == pytest.approx((6 / 11, 5 / 11), abs=1e-6)


def test_partial_storyteller_weighs_the_chance_of_some_but_not_all():
    # At 1/2 each three listeners give 3/4, at 1/3 each 2/3.
    fits, misses = np.exp(3 / 4), np.exp(2 / 3)
    told = player("partial").tell([CHERRY, BALL], rng())
    cherry = 2 * fits / (3 * fits + misses)
    assert told.probabilities == pytest.approx((cherry, 1 - cherry), abs=1e-6)


def test_clues_are_drawn_as_often_as_their_weights_say():
    # Ball alone: red against round is 1/3 to 1/2, so 2/5. Of 2,000, 800; sd 22.
    storyteller = player("informative")
    chance = rng(1)
    told = [storyteller.tell([BALL], chance) for _ in range(2_000)]
    assert abs(sum(move.clue == "red" for move in told) - 800) < 100


def test_policies_listen_as_designed_unless_told_otherwise():
    assert belief(player("partial"), "round") == belief(player("informative"), "round")
    assert belief(player("literal", listening="pragmatic"), "round") == belief(
        player("informative"), "round"
    )
    assert belief(player("partial", listening="literal"), "red") == belief(player("literal"), "red")


def test_votes_are_drawn_and_choices_are_not():
    listener, chance = player("literal"), rng(2)
    votes = [listener.vote("red", [CHERRY, BALL], chance) for _ in range(1_000)]
    assert votes[0].probabilities == pytest.approx((2 / 3, 1 / 3), abs=1e-6)
    assert abs(sum(vote.choice == 0 for vote in votes) - 667) < 75  # sd 14.9
    assert {listener.choose("red", [BALL, CHERRY], rng(s)).choice for s in range(50)} == {1}
    assert {listener.submit("red", [BALL, CHERRY], rng(s)).choice for s in range(50)} == {1}


def test_a_hand_of_one_is_the_target():
    assert player().tell([BALL], rng()).choice == 0
    assert player().tell([BALL], rng()).probabilities == (1.0,)


def test_without_a_clue_it_guesses():
    moves = [player().choose(None, [CHERRY, BALL, CLOUD], rng(seed)) for seed in range(60)]
    assert {move.choice for move in moves} == {0, 1, 2}
    assert moves[0].probabilities == pytest.approx((1 / 3,) * 3, abs=1e-6)
    assert player().rate(None, BALL, rng()).rating == 50


def test_literal_rating_is_the_cosine():
    assert player("literal").rate("red", CHERRY, rng()).rating == pytest.approx(100)
    assert player("literal").rate("red", CLOUD, rng()).rating == pytest.approx(50)


@pytest.mark.parametrize("policy", ["literal", "informative"])
def test_what_stands_beside_a_card_changes_no_rating(policy):
    one, shown = player(policy), [BALL, CHERRY, CLOUD]
    alone = [one.rate("red", card, rng()).rating for card in shown]
    assert one.rate_together("red", shown, rng()).ratings == tuple(alone)
    said = [one.accept("red", card, rng()).rating for card in shown]
    assert said == [100.0 if rating > 50 else 0.0 for rating in alone]


def test_pragmatic_rating_is_the_probability_that_the_clue_was_meant():
    # S1(red | ball) is 2/5 against 1/2 at random: 4/9.
    rating = player("informative").rate("red", BALL, rng()).rating
    assert rating == pytest.approx(400 / 9, abs=1e-4)


def scattered(n: int) -> tuple[list[Card], Calibration, Pragmatic]:
    """Make n cards and forty clues in eight dimensions, and a calibrated player."""
    chance = rng(7)
    cards = [replace(card(f"{i}", i), caption=f"caption {i}") for i in range(n)]
    sights = dict(zip([c.sha256 for c in cards], chance.normal(size=(n, 8)), strict=True))
    clues = tuple(f"clue {i}" for i in range(40))
    words = {clue: chance.normal(size=8) for clue in clues}
    words |= {c.caption: sights[c.sha256] + chance.normal(size=8) / 3 for c in cards}
    eyes, encoder = Table(sights), Words(words)
    scale = calibrate(eyes, encoder, clues, cards[: n - 6])
    return cards[n - 6 :], scale, Pragmatic("p", eyes, encoder, clues, scale)


class Table(Eyes):
    def __init__(self, sights):
        self.sights = sights

    def look(self, cards):
        return unit([self.sights[card.sha256] for card in cards])


class Words:
    def __init__(self, words):
        self.words = words

    def encode(self, texts):
        return unit([self.words[text] for text in texts])


def unit(vectors):
    vectors = np.asarray(vectors)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


CARDS, SCALE, PLAYER = scattered(54)
EVERY = [
    replace(PLAYER, policy=policy, listening=listening)
    for policy in ("literal", "informative", "partial")
    for listening in (None, "literal", "pragmatic")
]


@pytest.mark.parametrize("one", EVERY)
@given(st.integers(0, 999), st.integers(1, 6), st.integers(0, 39))
def test_every_move_is_whole(one, seed, shown, clue):
    cards = CARDS[:shown]
    told = one.tell(cards, rng(seed))
    assert told.clue in one.bank
    for move in (
        told,
        one.submit(f"clue {clue}", cards, rng(seed)),
        one.vote(f"clue {clue}", cards, rng(seed)),
        one.choose(f"clue {clue}", cards, rng(seed)),
        one.choose("caption 3", cards, rng(seed)),
    ):
        assert move.status == "ok"
        assert move.choice in range(shown)
        assert len(move.probabilities) == shown
        assert sum(move.probabilities) == pytest.approx(1, abs=1e-5)
        assert all(p == round(p, 6) for p in move.probabilities)


@pytest.mark.parametrize("one", EVERY)
def test_ratings_order_cards_as_choices_do(one):
    for clue in (*one.bank, "caption 3"):
        ratings = [one.rate(clue, card, rng()).rating for card in CARDS]
        believed = one.choose(clue, CARDS, rng())
        assert np.argmax(ratings) == believed.choice
        assert list(np.argsort(ratings)) == list(np.argsort(believed.probabilities))
        assert all(0 <= rating <= 100 for rating in ratings)


@pytest.mark.parametrize("one", EVERY[:1] + EVERY[-1:])
def test_ids_and_order_of_asking_decide_nothing(one):
    renamed = [replace(card, id=f"z{9 - i}") for i, card in enumerate(CARDS)]
    fresh = replace(one)
    for seed, clue in enumerate(one.bank[::-1]):
        assert one.tell(CARDS[:4], rng(seed)) == fresh.tell(renamed[:4], rng(seed))
        assert one.vote(clue, CARDS[:3], rng(seed)) == fresh.vote(clue, renamed[:3], rng(seed))


def test_players_travel_to_other_processes():
    twin = pickle.loads(pickle.dumps(PLAYER))
    assert twin.tell(CARDS, rng(4)) == PLAYER.tell(CARDS, rng(4))


def test_a_heard_clue_need_not_be_in_the_bank_to_be_believed_alike():
    # A literal listener doesn't use the bank: the same clue in or out of it is the same.
    listener = replace(PLAYER, policy="literal")
    stranger = replace(listener, bank=listener.bank[1:])
    heard = [one.choose("clue 0", CARDS, rng()).probabilities for one in (listener, stranger)]
    assert heard[0] == heard[1]


def test_scores_are_on_the_scale_of_the_calibration_deck():
    eyes, encoder = PLAYER.eyes, PLAYER.encoder
    cards = [replace(card(f"{i}", i), caption=f"caption {i}") for i in range(48)]
    words = encoder.encode(PLAYER.bank)
    fits, laid = eyes.look(cards[24:]) @ words.T, SCALE.laid(words)
    for policy in ("literal", "informative", "partial"):
        z = np.stack([SCALE.z(policy, fit, laid) for fit in fits])
        assert z.mean() == pytest.approx(0, abs=1e-4)
        assert z.std() == pytest.approx(1, abs=1e-4)


def test_calibrating_again_gives_the_same():
    again = scattered(54)[1]
    assert (again.tau, again.scales) == (SCALE.tau, SCALE.scales)
    assert np.array_equal(again.hands, SCALE.hands)


def test_the_listener_s_temperature_is_seven_tenths_of_a_standard_deviation():
    cards = [replace(card(f"{i}", i), caption=f"caption {i}") for i in range(24, 48)]
    cosines = PLAYER.eyes.look(cards) @ PLAYER.encoder.encode(PLAYER.bank).T
    assert pytest.approx(0.7 * cosines.std(), abs=1e-6) == SCALE.tau


def test_twelve_decoys_are_needed():
    cards = [replace(card(f"{i}", i), caption=f"caption {i}") for i in range(22)]
    with pytest.raises(ValueError, match="24 cards"):
        calibrate(PLAYER.eyes, PLAYER.encoder, PLAYER.bank, cards)
