"""Temperatures and thresholds are those that made the data."""

import numpy as np
import pytest
from scipy.special import softmax

from dixitlib.panel import scaling


def drawn(logits, rng):
    """Draw a target from each row of log odds."""
    odds = softmax(logits, axis=-1)
    return np.array([rng.choice(odds.shape[-1], p=row) for row in odds])


def test_the_temperature_that_made_the_answers_is_found():
    rng = np.random.default_rng(0)
    cosines = rng.normal(0, 0.2, (4_000, 6))
    assert scaling.temperature(cosines, drawn(cosines / 0.1, rng)) == pytest.approx(0.1, rel=0.1)


def test_claims_that_hold_as_often_as_they_say():
    rng = np.random.default_rng(1)
    cosines = rng.normal(0, 0.2, (4_000, 20))
    holds = drawn(cosines / 0.05, rng)
    shown = np.arange(20) == holds[:, None]
    assert scaling.sharpness(cosines, shown) == pytest.approx(0.05, rel=0.1)


def test_independent_agents_are_heeded_in_full_and_copies_not_at_all():
    rng = np.random.default_rng(2)
    targets = rng.integers(6, size=3_000)
    # Evidence of unit variance with its mean raised by 1 at the target: log odds are the
    # evidence itself, and those of independent agents add up, which is twice their mean.
    logits = rng.normal(size=(3, 3_000, 6)) + (np.arange(6) == targets[:, None])
    assert scaling.heed(logits, targets) == pytest.approx(2, abs=0.2)
    assert scaling.heed(np.stack([logits[0]] * 3), targets) == pytest.approx(0, abs=0.1)


def test_thresholds_are_passed_by_the_share_asked_for():
    rng = np.random.default_rng(3)
    unsure, conflict = rng.random(1_000), rng.random(1_000)
    u, c = scaling.thresholds(unsure, conflict, 0.7)
    assert ((unsure > u) | (conflict > c)).mean() == pytest.approx(0.7, abs=0.01)
    # Independent and at one quantile q: 1 - q^2 = .7.
    assert u == pytest.approx(np.sqrt(0.3), abs=0.05)
