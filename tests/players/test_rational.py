import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dixitlib.players import rational
from dixitlib.players.rational import Calibration, chances, partiality, score

# With tau = 1 / ln 2 a cosine of 0 weighs 1 and a cosine of 1 weighs 2.
TAU = 1 / np.log(2)


def test_listeners_choose_among_the_target_and_the_two_others_cards():
    # The target weighs 2, what listeners lay 2, 1 and 1. The first sees 2, 1, 1 and finds
    # the target with 2/4, the others see 2, 2, 1 and find it with 2/5.
    p = chances(np.array([1.0]), np.array([[[1.0], [0.0], [0.0]]]), TAU)
    assert p[0, :, 0] == pytest.approx([0.5, 0.4, 0.4])


def test_scores_of_these_listeners():
    fit, laid = np.array([1.0]), np.array([[[1.0], [0.0], [0.0]]])
    assert score("literal", fit, laid, TAU) == pytest.approx(1)
    # (ln 1/2 + 2 ln 2/5) / 3
    assert score("informative", fit, laid, TAU) == pytest.approx(
        (np.log(0.5) + 2 * np.log(0.4)) / 3
    )
    # 1 - .5 * .4 * .4 - .5 * .6 * .6 = 1 - .08 - .18
    assert score("partial", fit, laid, TAU) == pytest.approx(0.74)


@pytest.mark.parametrize(
    ("p", "partial"),
    [
        ((0.5, 0.5, 0.5), 0.75),
        ((1 / 3, 1 / 3, 1 / 3), 18 / 27),  # facts: random voters, 0.667
        ((0.9, 0.5, 0.2), 1 - 0.09 - 0.04),
        ((1.0, 1.0, 0.0), 1.0),
        ((1.0, 1.0, 1.0), 0.0),
    ],
)
def test_partial_rate_of_independent_listeners(p, partial):
    assert partiality(np.array(p).reshape(1, 3, 1)) == pytest.approx(partial)


def test_tables_are_averaged():
    two = np.array([[[0.5], [0.5], [0.5]], [[1.0], [1.0], [1.0]]])
    assert partiality(two) == pytest.approx(0.375)


@given(arrays(float, (4, 3, 2), elements=st.floats(-1, 1)), st.floats(-1, 1), st.floats(0.02, 1))
def test_chances_are_chances_and_grow_with_fit(laid, fit, tau):
    low, high = (
        chances(np.array([fit] * 2), laid, tau),
        chances(np.array([fit + 0.1] * 2), laid, tau),
    )
    assert ((low > 0) & (high <= 1) & (high >= low)).all()


def test_a_listener_lays_the_best_of_its_hand():
    decoys = np.eye(3)
    hands = np.array([[[0, 1], [1, 2], [2, 2]]])
    scale = Calibration(decoys, hands, TAU, 1.0, {})
    words = np.array([[0.9, 0.5, 0.1]])
    assert scale.laid(words)[0, :, 0].tolist() == [0.9, 0.5, 0.1]


def test_listeners_assumed_sharper_have_a_lower_temperature():
    laid = np.zeros((1, 3, 1))
    scales = {"informative": (0.0, 1.0)}
    plain = Calibration(np.eye(1), np.zeros((1, 3, 4), int), TAU, 1.0, scales)
    sharp = Calibration(np.eye(1), np.zeros((1, 3, 4), int), TAU, 2.0, scales)
    # The target weighs 2 of 4, then 4 of 6.
    assert plain.z("informative", np.array([1.0]), laid) == pytest.approx(np.log(1 / 2))
    assert sharp.z("informative", np.array([1.0]), laid) == pytest.approx(np.log(2 / 3))


def test_imagined_hands_hold_different_cards_and_are_always_the_same():
    hands = rational._imagined_hands(20)
    assert hands.shape == (rational.TABLES, 3, 4)
    assert all(len(set(table.ravel())) == 12 for table in hands)
    assert np.array_equal(hands, rational._imagined_hands(20))
