"""Weights and the theory behind them, against numbers worked by hand and an optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.panel.weights import (
    numerical_optimum,
    optimal_weights,
    softmax_weights,
    system_uncertainty,
    utilities,
    welfare,
)

U = np.array([0.1, 0.4, 0.8])
SIMILARITY = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.8], [0.2, 0.8, 1.0]])


def test_weights_by_hand_and_those_of_who_failed_go_to_the_others():
    # exp(-.3) = .740818, exp(-.9) = .406570.
    weights = softmax_weights([0.2, None, 0.6])
    assert weights == pytest.approx([0.645656, 0, 0.354344], abs=1e-6)
    assert system_uncertainty(weights, [0.2, None, 0.6]) == pytest.approx(0.341738, abs=1e-6)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0, 10))
def test_weights_sum_to_one_and_fall_with_uncertainty(uncertainties, beta):
    weights = softmax_weights(uncertainties, beta)
    assert weights.sum() == pytest.approx(1)
    order = np.argsort(uncertainties)
    assert (np.diff(weights[order]) <= 1e-12).all()


def test_without_beta_all_weigh_alike():
    assert softmax_weights([0.1, 0.9, np.nan, 0.5], 0) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])


def test_nobody_and_nonsense_are_refused():
    with pytest.raises(ValueError, match="no agent answered"):
        softmax_weights([None, np.nan])
    with pytest.raises(ValueError, match=r"agents \[1, 2\]"):
        softmax_weights([0.5, -0.1, 1.1])


def test_utilities_by_hand():
    # U_sys = .05 + .12 + .16 = .33. Agent 1: .5 x .9 + .5 (.3 x .5 + .2 x .2) - .3 x .33 = .446.
    found = utilities([0.5, 0.3, 0.2], U, SIMILARITY, lam=0.5, gamma=0.3)
    assert found == pytest.approx([0.446, 0.286, 0.111])
    # H(.5, .3, .2) = .346574 + .361192 + .321888 = 1.029653; over eta = 2.
    total = welfare([0.5, 0.3, 0.2], U, SIMILARITY, 0.5, 0.3, eta=2)
    assert total == pytest.approx(0.843 + 0.514827, abs=1e-6)


def test_the_optimum_by_hand():
    # Scores: .5 x .7 - 1.9 x .1 = .16; .5 x 1.3 - 1.9 x .4 = -.11; .5 x 1 - 1.9 x .8 = -1.02.
    # exp of their doubles: 1.377128, .802519, .130029, of sum 2.309676.
    best = optimal_weights(U, SIMILARITY, lam=0.5, gamma=0.3, eta=2)
    assert best == pytest.approx([0.596243, 0.347460, 0.056297], abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
    st.lists(st.floats(-1, 1), min_size=3, max_size=3),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0.5, 4),
)
def test_the_closed_form_is_what_a_search_finds(uncertainties, pairs, lam, gamma, eta):
    similarity = np.eye(3)
    similarity[np.triu_indices(3, 1)] = pairs
    similarity = np.maximum(similarity, similarity.T)
    closed = optimal_weights(uncertainties, similarity, lam, gamma, eta)
    searched = numerical_optimum(uncertainties, similarity, lam, gamma, eta)
    assert searched == pytest.approx(closed, abs=2e-3)
    values = [welfare(w, uncertainties, similarity, lam, gamma, eta) for w in (closed, searched)]
    assert values[0] >= values[1] - 1e-9


def test_without_similarity_and_cost_the_optimum_is_the_rule_in_use():
    assert optimal_weights(U, SIMILARITY, 0, 0, 1.5) == pytest.approx(softmax_weights(U, 1.5))


def test_entropy_as_a_cost_gives_one_agent_all_the_weight():
    best = numerical_optimum(U, SIMILARITY, 0.5, 0.3, 2, sign=-1)
    assert best == pytest.approx([1, 0, 0], abs=1e-6)
    corner = welfare([1, 0, 0], U, SIMILARITY, 0.5, 0.3, 2, sign=-1)
    inside = optimal_weights(U, SIMILARITY, 0.5, 0.3, 2)
    assert corner > welfare(inside, U, SIMILARITY, 0.5, 0.3, 2, sign=-1)
