"""Designs are balanced, tied together and as informative as algebra says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.analysis import pairing, sparse

# n players on a circle, each of a few steps at most halfway round
circles = st.integers(5, 24).flatmap(
    lambda n: st.tuples(
        st.just(n), st.sets(st.integers(1, (n - 1) // 2), min_size=1).map(lambda s: sorted({1, *s}))
    )
)


@settings(max_examples=25, deadline=None)
@given(circles)
def test_a_circle_is_balanced_and_its_closed_form_is_the_inverse_of_its_laplacian(circle):
    players, offsets = circle
    pairs = pairing.circle(players, offsets)
    assert (np.bincount(pairs[:, 0]) == len(offsets)).all()
    assert (np.bincount(pairs[:, 1]) == len(offsets)).all()
    assert len({frozenset(pair) for pair in pairs.tolist()}) == players * len(offsets)
    variance = pairing.circle_variance(players, offsets)
    known = sparse.covariance(pairs, np.zeros(players))
    assert np.diag(known) == pytest.approx(np.full(players, variance))
    assert variance >= pairing.least_variance(players, 2 * len(offsets)) - 1e-12


def test_variances_by_hand():
    # Three players, all pairs, 1/4 a match: eigenvalues 3/4 and 3/4, so (4/3 + 4/3) / 3.
    assert pairing.circle_variance(3, [1]) == pytest.approx(8 / 9)
    assert pairing.least_variance(3, 2) == pytest.approx(8 / 9), "a round robin is the best"
    # A ring of four: 2, 4 and 2 times 1/4, so (2 + 1 + 2) / 4.
    assert pairing.circle_variance(4, [1]) == pytest.approx(5 / 4)
    # By steps of two, even and odd players of six never meet.
    assert pairing.circle_variance(6, [2]) == np.inf


def test_spread_out_offsets_beat_neighbours_and_are_the_same_again():
    offsets = pairing.spread_out(200, 6)
    assert offsets == pairing.spread_out(200, 6) != pairing.spread_out(200, 6, seed=43)
    best, near = (pairing.circle_variance(200, each) for each in (offsets, pairing.neighbours(6)))
    assert pairing.least_variance(200, 6) < best < near / 4
    everybody = pairing.circle(7, pairing.spread_out(7, 6))
    assert {frozenset(pair) for pair in everybody.tolist()} == {
        frozenset(pair) for pair in pairing.round_robin(7).tolist()
    }


@pytest.mark.parametrize("opponents", [0, 5, 8, 10])
def test_opponents_that_a_circle_can_not_give_are_refused(opponents):
    with pytest.raises(ValueError, match="even number of opponents from 2 to 6"):
        pairing.spread_out(7 + (opponents == 8), opponents)


def test_near_equals_and_the_unsure_meet():
    alike = pairing.informative(np.array([0.0, 5.0, 0.1, 5.1]), np.eye(4), 1)
    assert sorted(map(sorted, alike.tolist())) == [[0, 2], [1, 3]]
    unsure = pairing.informative(np.zeros(4), np.diag([9.0, 1.0, 9.0, 1.0]), 1)
    assert sorted(map(sorted, unsure.tolist())) == [[0, 2], [1, 3]]
    twice = pairing.informative(np.zeros(5), np.eye(5), 2)
    assert np.bincount(twice.ravel()).max() == 2
