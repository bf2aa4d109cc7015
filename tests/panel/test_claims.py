"""Claims as they are read, put right or refused, and which are in dispute."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.panel.claims import Dispute, confidence, disputed, distribution, read_claims, region
from dixitlib.records import Claim

LABELS = ("A", "B", "C")


def reply(*claims: object) -> str:
    return f"Here: {json.dumps({'claims': list(claims), 'choice': 'B'})}"


def test_claims_come_from_json():
    said = {
        "claim": "B shows a lighthouse",
        "option": "b",
        "confidence": 0.8,
        "evidence": "a beam",
        "region": [0.1, 0.2, 0.5, 0.6],
    }
    read = read_claims(reply(said, {"text": "it is night", "confidence": 1}), LABELS)
    assert read.found == (
        Claim("B shows a lighthouse", 0.8, "a beam", (0.1, 0.2, 0.5, 0.6), "B"),
        Claim("it is night", 1.0),
    )
    assert read.notes == ()


def test_the_last_object_with_claims_counts_in_fences_or_not():
    first = json.dumps({"claims": [{"claim": "draft", "confidence": 0.1}]})
    text = f"```json\n{first}\n```\nBetter:\n{reply({'claim': 'final', 'confidence': 0.9})}"
    assert [claim.text for claim in read_claims(text, LABELS).found] == ["final"]


def test_claims_come_from_prose_too():
    text = (
        "I looked at all three.\n\n"
        "**Claim 1:** B shows a lighthouse.\n"
        "Option: B; confidence: 90%; evidence: a beam over the sea\n"
        "Region: [0.1, 0.2, 0.5, 0.6]\n\n"
        "I make no claim that C is empty.\n"
        "- Claim: it is night (confidence 0.7, evidence: stars)\n"
    )
    assert read_claims(text, LABELS).found == (
        Claim("B shows a lighthouse.", 0.9, "a beam over the sea", (0.1, 0.2, 0.5, 0.6), "B"),
        Claim("it is night", 0.7, "stars"),
    )


def test_what_is_no_claim_is_left_out_and_says_why():
    said = (
        "a boat",
        {"claim": " ", "confidence": 0.5},
        {"claim": "x"},
        {"claim": "x", "confidence": "high"},
        {"claim": "x", "confidence": 1.5},
        {"claim": "x", "confidence": -0.2},
    )
    read = read_claims(reply(*said), LABELS)
    assert read.found == ()
    reasons = ("no object", "says nothing", "None is no number", "'high'", "1.5", "-0.2")
    assert len(read.notes) == len(reasons)
    for number, (note, reason) in enumerate(zip(read.notes, reasons, strict=True), start=1):
        assert note.startswith(f"claim {number} is left out: ") and reason in note


def test_a_claim_keeps_what_is_sound_of_it():
    said = {"claim": "x", "confidence": 0.5, "region": [2, 2, 3, 3], "option": "Z"}
    read = read_claims(reply(said), LABELS)
    assert read.found == (Claim("x", 0.5),)
    assert "no part in the picture" in read.notes[0] and "'Z', which is not on" in read.notes[1]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (0.9, 0.9),
        ("0.9", 0.9),
        ("90%", 0.9),
        ("90 percent", 0.9),
        ("about 9/10", None),
        ("9/10", 0.9),
        ("9 out of 10", 0.9),
        (90, 0.9),
        (1, 1.0),
        (0, 0.0),
        (1.5, None),
        (101, None),
        (-1, None),
        (True, None),
        (None, None),
        ("sure", None),
        (float("nan"), None),
    ],
)
def test_confidences_are_put_right_or_refused(said, value):
    if value is None:
        with pytest.raises(ValueError, match="confidence"):
            confidence(said)
    else:
        assert confidence(said) == pytest.approx(value)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (None, None),
        ([0.6, 0.2, 0.1, 0.9], (0.1, 0.2, 0.6, 0.9)),
        ([-0.5, 0, 0.5, 1.5], (0.0, 0.0, 0.5, 1.0)),
        ("0.1, 0.2, 0.5, 0.6", (0.1, 0.2, 0.5, 0.6)),
    ],
)
def test_regions_are_put_in_order_and_cut_at_the_edge(said, value):
    assert region(said) == value


@pytest.mark.parametrize(
    "said",
    [[120, 300, 400, 500], [0.1, 0.2, 0.5], [0.3, 0.1, 0.3, 0.9], "top left", [True] * 4, {}],
)
def test_regions_outside_the_picture_or_without_a_shape_are_refused(said):
    with pytest.raises(ValueError, match="its region"):
        region(said)


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=5))
def test_a_region_lies_within_the_picture_or_is_refused(numbers):
    try:
        found = region(numbers)
    except ValueError:
        return
    left, top, right, bottom = found
    assert 0 <= left < right <= 1 and 0 <= top < bottom <= 1


def test_probabilities_that_do_not_sum_are_scaled_with_a_note():
    assert distribution({"A": 0.2, "B": "30%", "C": 0.5}, LABELS) == (
        pytest.approx((0.2, 0.3, 0.5)),
        (),
    )
    odds, notes = distribution({"A": 3, "B": 1}, LABELS)
    assert odds == pytest.approx((0.75, 0.25, 0))
    assert notes == ("probabilities summed to 4 and were scaled",)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"A": 1, "Z": 0}, "Z, which"),
        ({"A": -1, "B": 2}, "-1, which is no probability"),
        ({"A": "much"}, "'much'"),
        ({"A": 0}, "all 0"),
        ({}, "all 0"),
    ],
)
def test_probabilities_that_are_none_are_refused(said, reason):
    with pytest.raises(ValueError, match=reason):
        distribution(said, LABELS)


def test_disputed_are_low_and_contradicted_claims():
    sure, unsure = Claim("sure", 0.9, option="A"), Claim("unsure", 0.4, option="A")
    beside, doubtful = Claim("it is night", 0.5), Claim("it rains", 0.49)
    agreed = disputed({"x": [sure, unsure, beside, doubtful]}, {"x": "A", "y": "A", "z": None})
    assert agreed == (
        Dispute("x", unsure, "low confidence"),
        Dispute("x", doubtful, "low confidence"),
    )
    split = disputed({"x": [sure], "y": [beside]}, {"x": "A", "y": "B", "z": "C"})
    assert split == (Dispute("x", sure, "contradicted", ("y", "z")),)
    assert disputed({"x": [sure]}, {"x": "A"}, low=0.95)[0].reason == "low confidence"
