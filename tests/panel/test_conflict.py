"""Conflict between answers and between claims, against numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.panel.conflict import divergence, of_claims

ALIKE = [1 / 3] * 3


def certain(*choices: int, options: int = 6, confidence: float = 1.0) -> np.ndarray:
    rest = (1 - confidence) / (options - 1)
    rows = np.full((len(choices), options), rest)
    rows[np.arange(len(choices)), choices] = confidence
    return rows


def test_a_split_of_two_to_one_by_hand():
    # H(2/3, 1/3) = .636514, over log 3.
    assert divergence(certain(0, 0, 1), ALIKE) == pytest.approx(0.579380, abs=1e-6)
    # At .9: H(.606667, .313333, .02 x 4) - H(.9, .02 x 5) = .979779 - .486027, over log 3.
    assert divergence(certain(0, 0, 1, confidence=0.9), ALIKE) == pytest.approx(0.4494, abs=1e-4)


def test_the_ends_of_the_scale():
    assert divergence(certain(2, 2, 2), ALIKE) == 0
    assert divergence(certain(0, 1, 2), ALIKE) == pytest.approx(1)
    assert divergence(certain(0, 1, options=2), [0.5, 0.5]) == pytest.approx(1)
    assert divergence(certain(0), [1.0]) == 0


def test_the_word_of_one_without_weight_is_no_conflict():
    assert divergence(certain(0, 0, 1), [0.5, 0.5, 0]) == 0


def test_rows_that_are_no_distributions_are_named():
    with pytest.raises(ValueError, match=r"answers \[1\] do not sum to 1"):
        divergence([[0.5, 0.5], [0.5, 0.6]], [0.5, 0.5])


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(2, 6), st.randoms(use_true_random=False))
def test_conflict_lies_between_0_and_1(agents, options, random):
    rows = np.array([[random.random() + 1e-9 for _ in range(options)] for _ in range(agents)])
    weights = np.array([random.random() + 1e-9 for _ in range(agents)])
    found = divergence(rows / rows.sum(axis=1, keepdims=True), weights / weights.sum())
    assert 0 <= found <= 1


def test_claims_of_different_agents_are_compared():
    # Agents 0, 1, 2 with weights .5, .3, .2; 0 and 1 say the same, 2 something unrelated:
    # weighted cosine .15 / (.15 + .10 + .06).
    vectors = [[1, 0], [1, 0], [0, 1]]
    assert of_claims(vectors, [0, 1, 2], [0.5, 0.3, 0.2]) == pytest.approx(1 - 15 / 31)


def test_an_agent_does_not_contradict_itself_and_its_claims_share_its_weight():
    vectors = [[1, 0], [0, 1], [1, 0]]
    assert of_claims(vectors[:2], [0, 0], [1.0]) == 0
    assert of_claims(vectors, [0, 0, 1], [0.5, 0.5]) == pytest.approx(0.5)
