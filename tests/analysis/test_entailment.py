"""The two by two on answers made by hand, coarser ratings, and calibration by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import entailment
from dixitlib.records import Answer

ITEMS = pd.DataFrame({
    "item": [f"easy-{k}" for k in range(8)],
    "target": [f"card {k}" for k in range(8)],
    "option_1": [f"card {k}" for k in range(8)],
    "option_2": "other",
    "option_3": "third",
})  # fmt: skip
METHODS = {
    "direct": [1] * 8,
    "rate_together": [1, 1, 1, 1, 1, 1, 0, 0],
    "choose_alone": [1, 1, 0.5, 0.5, 0, 1, 1, 0],
    "entailment": [1, 0, 0, 0.5, 0, 1, 1, 0.5],
}


def answers(methods=METHODS, player="a"):
    rows = [
        {"player": player, "tier": "easy", "item": item, "method": method, "credit": credit}
        for method, credits in methods.items()
        for item, credit in zip(ITEMS["item"], credits, strict=True)
    ]
    return pd.DataFrame(rows).assign(control="own")


def rated(scores, player="a"):
    """Options rated item by item, the target first."""
    given = [
        Answer(player, item, "easy", "entailment", "own", 0, None, None, scores=tuple(row))
        for item, row in zip(ITEMS["item"], scores, strict=False)
    ]
    return entailment.ratings(given, ITEMS)


def test_the_two_by_two():
    found = entailment.two_by_two(entailment.credits(answers(), ITEMS)).set_index("method")
    assert found["accuracy"].to_dict() == {
        "direct": 1,
        "choose_alone": 0.625,
        "rate_together": 0.75,
        "entailment": 0.5,
    }
    assert found.loc["rate_together", ["format", "context", "answered"]].tolist() == [
        "rate",
        "together",
        8,
    ]


def test_differences_divide_into_format_and_context_by_hand():
    # 1 - 0.5; (1 + 0.625 - 0.75 - 0.5) / 2; (1 + 0.75 - 0.625 - 0.5) / 2; 1 - 0.625 - 0.75 + 0.5.
    found = entailment.differences(entailment.credits(answers(), ITEMS)).set_index("hypothesis")
    assert found["difference"].to_dict() == pytest.approx(
        {
            "choosing-beats-rating": 0.5,
            "format-matters": 0.1875,
            "context-matters": 0.3125,
            "format-and-context-interact": 0.125,
        }
    )
    # Losses 0, 1, 1, 1/2, 1, 0, 0, 1/2: only the flips of the three zeros change nothing,
    # 2 * 2^3 of 2^8 flips reach the observed sum.
    assert found.loc["choosing-beats-rating", "p"] == pytest.approx(2 * 8 / 256)
    assert (found["items"] == 8).all()


def test_a_method_that_was_not_run_is_nan_with_a_note():
    two = {name: METHODS[name] for name in ("direct", "entailment")}
    credit = entailment.credits(answers(two), ITEMS)
    cells = entailment.two_by_two(credit).set_index("method")
    assert cells.loc["rate_together", ["accuracy", "low"]].isna().all()
    assert cells.loc["rate_together", "note"] == "not run: rate_together"
    found = entailment.differences(credit).set_index("hypothesis")
    assert found.loc["choosing-beats-rating", ["difference", "note"]].tolist() == [0.5, ""]
    assert found.loc["format-matters", ["difference", "p"]].isna().all()
    assert found.loc["format-matters", "note"] == "not run: choose_alone, rate_together"


def test_unanswered_items_are_in_no_difference():
    holes = METHODS | {"direct": [None, *METHODS["direct"][1:]]}
    found = entailment.differences(entailment.credits(answers(holes), ITEMS))
    assert (found["items"] == 7).all()


def test_an_answer_given_twice_is_refused():
    with pytest.raises(ValueError, match="duplicate"):
        entailment.credits(pd.concat([answers(), answers()]), ITEMS)


def test_coarser_ratings_tie_and_share_the_credit():
    # Two targets of three are rated highest. To tens, 52 and 48 both round to 50: a tie.
    found = entailment.rounded(rated([[52, 48, 10], [90, 20, 10], [10, 30, 0]]), (0, 10))
    values = found.set_index("step")[["accuracy", "ties", "won", "lost"]]
    assert values.loc[0].tolist() == pytest.approx([2 / 3, 0, 2 / 3, 2 / 3])
    assert values.loc[10].tolist() == pytest.approx([1.5 / 3, 1 / 3, 2 / 3, 1 / 3])


def test_calibration_counts_targets_by_rating():
    found = entailment.calibration(rated([[90, 10, 5], [85, 95, 15], [5, 92, 90]]))
    bins = found.set_index(["low_edge", "high_edge"])
    assert bins["options"].to_dict() == {(0, 20): 4, (80, 100): 5}
    assert bins.loc[(80, 100), ["rating", "share"]].tolist() == pytest.approx([0.904, 0.4])


def test_the_slope_of_a_calibrated_rater_is_one():
    rng = np.random.default_rng(0)
    rating = rng.uniform(5, 95, 1200)
    frame = pd.DataFrame({"player": "a", "rating": rating, "target": np.arange(1200) // 6})
    frame["hit"] = rng.random(1200) < rating / 100
    slope, low, high, p = entailment.slopes(frame).iloc[0, 1:5]
    assert low < 1 < high
    assert p > 0.05
    assert slope == pytest.approx(1, abs=0.25)
    timid = frame.assign(rating=50 + (rating - 50) / 4)
    assert entailment.slopes(timid)["low"].iloc[0] > 1.5
    flat = entailment.slopes(frame.assign(rating=50.0)).iloc[0]
    assert flat[["slope", "p"]].isna().all()
    assert flat["note"] == "all ratings are the same"
