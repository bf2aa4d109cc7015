"""Uncertainty from odds and from wording, against numbers worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from dixitlib.panel.lexicon import LEXICON
from dixitlib.panel.uncertainty import (
    PAPER_K,
    PAPER_OFFSET,
    Scale,
    Uncertainty,
    calibrated,
    coverage,
    doubt,
    from_tokens,
    from_wording,
    measured,
)
from dixitlib.records import Reply, Token


def odds(*probabilities: float) -> list[float]:
    return [math.log(p) if p else -math.inf for p in probabilities]


def test_entropy_and_lead_by_hand():
    # H(.7, .2, .1) = .249672 + .321888 + .230259 = .801819; over log 3 = .729847; lead .5.
    assert from_tokens([odds(0.7, 0.2, 0.1)]) == pytest.approx(0.614923, abs=1e-6)
    assert from_tokens([odds(0.7, 0.2, 0.1)], 1, 0) == pytest.approx(0.729847, abs=1e-6)
    assert from_tokens([odds(0.7, 0.2, 0.1)], 0, 1) == pytest.approx(0.5)


def test_the_mean_is_over_tokens_and_order_does_not_matter():
    certain = odds(1, 0, 0)
    assert from_tokens([certain]) == 0
    assert from_tokens([certain, odds(0.1, 0.7, 0.2)]) == pytest.approx(0.614923 / 2, abs=1e-6)


def test_alternatives_are_renormalised_and_what_they_cover_is_told():
    # .7 and .2 become 7/9 and 2/9: H = .529706, over log 2 = .764204; lead 5/9.
    assert from_tokens([odds(0.7, 0.2, 0.1)], k=2) == pytest.approx(0.604324, abs=1e-6)
    assert coverage([odds(0.7, 0.2, 0.1)], k=2) == pytest.approx(0.9)
    assert from_tokens([odds(0.35, 0.1, 0.05)]) == pytest.approx(0.614923, abs=1e-6)
    assert coverage([odds(0.35, 0.1, 0.05), odds(0.7, 0.2, 0.1)]) == pytest.approx(0.75)


@pytest.mark.parametrize("tokens", [[], [[]], [odds(0.9)], [odds(0.5, 0.5), odds(0.9)]])
def test_too_few_alternatives_are_absent_not_certain(tokens):
    assert from_tokens(tokens) is None
    assert coverage(tokens) is None


def test_fewer_alternatives_than_the_run_counts_are_absent():
    assert from_tokens([odds(0.6, 0.4)], k=3) is None


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.6), (-0.1, 1.1), (1, 1)])
def test_weights_that_do_not_sum_to_one_are_refused(alpha, beta):
    with pytest.raises(ValueError, match="sum to 1"):
        from_tokens([odds(0.5, 0.5)], alpha, beta)


def test_bad_odds_are_refused_and_all_named():
    bad = [[-math.inf, -math.inf], [0.7, 0.2], [math.nan, -1.0]]
    with pytest.raises(ValueError, match=r"tokens \[0, 1, 3\]"):
        from_tokens([bad[0], bad[1], odds(0.5, 0.5), bad[2]])
    with pytest.raises(ValueError, match="take 2 or more"):
        from_tokens([odds(0.5, 0.5)], k=1)


@settings(deadline=None)
@given(
    st.lists(st.lists(st.floats(-30, 0), min_size=4, max_size=4), min_size=1, max_size=5),
    st.floats(0, 1),
)
def test_uncertainty_lies_between_0_and_1(tokens, alpha):
    assert 0 <= from_tokens(tokens, alpha, 1 - alpha) <= 1


def test_even_odds_are_wholly_uncertain_for_every_number_of_alternatives():
    assert [from_tokens([[-3.0] * k]) for k in (2, 5, 20)] == pytest.approx([1, 1, 1])


def test_wording_by_hand():
    # One marker of the second tier in five words: rho = 2/5, k (rho - offset) = 7.5.
    assert doubt("Maybe it is a boat.") == pytest.approx(0.4)
    assert from_wording("Maybe it is a boat.") == pytest.approx(1 / (1 + math.exp(-7.5)))
    assert from_wording("It is a red boat.") == pytest.approx(1 / (1 + math.exp(2.5)))


def test_as_printed_no_text_comes_below_the_threshold_of_convergence():
    assert from_wording("It is a boat.", PAPER_K, PAPER_OFFSET) == pytest.approx(0.425557, abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "A mighty seamstress, or about two, in May.",
        "It is unlikely.",
        "There is no doubt about the boat.",
        "Guesswork is seemly.",
    ],
)
def test_only_whole_words_of_doubt_count(text):
    assert doubt(text) == 0


def test_the_longest_phrase_counts_once_and_in_any_case():
    # "not entirely sure" (3) of four words; "Cannot\n tell" (3) of two; a curly apostrophe.
    assert doubt("NOT entirely sure there") == pytest.approx(3 / 4)
    assert doubt("cannot\n tell") == pytest.approx(3 / 2)
    assert doubt("I don’t know") == pytest.approx(3 / 3)


def test_keys_and_numbers_are_no_words():
    # Three words are left: "maybe a boat".
    assert doubt('{"claim": "maybe a boat", "confidence": 0.8, "region": [0, 1]}') == 2 / 3


def test_the_lexicon_has_three_tiers():
    assert set(LEXICON.values()) == {3.0, 2.0, 1.0}
    assert not {"or", "about", "may", "doubt", "unlikely"} & set(LEXICON)
    assert all(marker == marker.casefold().strip() for marker in LEXICON)


def test_a_lexicon_of_ones_own():
    assert doubt("peut-être un bateau", {"peut-être": 2}) == pytest.approx(2 / 4)


def test_no_words_are_absent():
    assert from_wording(" ... ") is None


def test_calibration_recovers_what_made_the_errors():
    rng = np.random.default_rng(3)
    density = rng.uniform(0, 0.4, 20_000)
    wrong = rng.random(density.size) < expit(20 * (density - 0.15))
    k, offset = calibrated(density, wrong)
    assert (k, offset) == (pytest.approx(20, rel=0.05), pytest.approx(0.15, abs=0.005))


def test_calibration_refuses_doubt_that_tells_nothing():
    with pytest.raises(ValueError, match="do not grow with doubt"):
        calibrated([0.1, 0.2, 0.3, 0.4], [True, True, False, False])


def token(*probabilities: float) -> Token:
    named = [(str(n), math.log(p)) for n, p in enumerate(probabilities)]
    return Token("x", named[0][1], tuple(named))


def test_tokens_are_preferred_and_the_source_is_kept():
    hedged = "Maybe it is a boat."
    told = measured(Reply(hedged, tokens=(token(0.5, 0.2, 0.1),)), Scale(alternatives=3))
    assert (told.source, told.coverage) == ("tokens", pytest.approx(0.8))
    assert told.value == from_tokens([odds(0.5, 0.2, 0.1)])
    fewer = measured(Reply(hedged, tokens=(token(0.5, 0.2),)), Scale(alternatives=3))
    assert fewer == measured(Reply(hedged)) == Uncertainty(from_wording(hedged), "wording")
    assert measured(Reply(None, "empty")) == Uncertainty()
