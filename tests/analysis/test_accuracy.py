"""Accuracy, failures, ties, clue lift and consistency, counted by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.accuracy import accuracy, central_rules, clue_lift, consistency

OPTIONS = {f"option_{k}": [chr(96 + k)] * 8 for k in range(1, 7)}
ITEMS = pd.DataFrame(
    {
        "item": [f"hard-{k}" for k in range(4)] + [f"easy-{k}" for k in range(4)],
        "tier": ["hard"] * 4 + ["easy"] * 4,
        "target": list("abcd") * 2,
    }
    | OPTIONS
)


def answers(credits, method="direct", control="own", tied=1, player="p"):
    frame = ITEMS[["item", "tier"]].iloc[: len(credits)].copy()
    return frame.assign(
        player=player, method=method, control=control, credit=credits, tied=tied, rotation=0
    )


def test_accuracy_counts_what_was_answered_and_says_what_was_not():
    frame = accuracy(answers([1, 0, 1, np.nan, 1, 1, 1, 1]), ITEMS).set_index("tier")
    assert frame.loc["hard", ["asked", "answered", "coverage"]].tolist() == [4, 3, 0.75]
    assert frame.loc["hard", "accuracy"] == pytest.approx(2 / 3)
    assert frame.loc["hard", "strict"] == 0.5
    assert frame.loc["easy", ["accuracy", "high"]].tolist() == [1, 1]
    assert 0 < frame.loc["easy", "low"] < 1
    assert frame.loc["all", "accuracy"] == pytest.approx(6 / 7)
    assert frame["chance"].tolist() == pytest.approx([1 / 6] * 3)


def test_a_card_is_one_cluster_over_the_tiers():
    # Right in both tiers on cards a and b, wrong on c and d: four clusters of two. The
    # clusters' means are 1, 1, 0, 0: worth 3 observations, half a width
    # 0.5 sqrt(q^2 / (3 + q^2)) with q = t(0.975, 3) = 3.182446.
    frame = accuracy(answers([1, 1, 0, 0, 1, 1, 0, 0]), ITEMS).set_index("tier")
    reach = 0.5 * np.sqrt(10.127963 / 13.127963)
    assert frame.loc["all", ["accuracy", "low", "high"]].tolist() == pytest.approx(
        [0.5, 0.5 - reach, 0.5 + reach]
    )


def test_ties_are_reported():
    frame = accuracy(answers([0.5, 1, 0, 0.333333], "entailment", tied=[2, 1, 1, 3]), ITEMS)
    assert frame.set_index("tier").loc["hard", "ties"] == 0.5


def test_nothing_answered_is_nan_not_zero():
    frame = accuracy(answers([np.nan] * 4), ITEMS).set_index("tier")
    row = frame.loc["hard"]
    assert (row["asked"], row["answered"], row["coverage"], row["strict"]) == (4, 0, 0, 0)
    assert row[["accuracy", "low", "high", "ties"]].isna().all()


def test_answers_to_unknown_items_are_named():
    with pytest.raises(ValueError, match="benchmark lacks: hard-9"):
        accuracy(answers([1]).assign(item="hard-9"), ITEMS)


PROFILE = pd.DataFrame(
    {
        "item": ["hard-0"] * 3 + ["hard-1"] * 3,
        "tier": "hard",
        "target": [True, False, False, False, True, False],
        # hard-0: the target is most central. hard-1: two share the most, two the least.
        "centrality": [0.9, 0.5, 0.1, 0.7, 0.7, 0.2],
    }
)


def test_central_rules_share_credit_between_ties():
    frame = central_rules(PROFILE).set_index(["tier", "rule"])["accuracy"]
    assert frame["hard", "most central"] == 0.75  # 1 and 1/2
    assert frame["hard", "least central"] == 0
    assert frame["all", "most central"] == 0.75


def test_clue_lift_is_over_the_best_without_a_clue():
    told = pd.concat(
        [
            answers([1, 1, 1, 1, 1, 1, 1, 0]),
            answers([1, 0, 0, 0, 1, 1, 0, 0], control="none"),
            answers([0, 0, 0, 0, 1, 1, 1, 0], control="permuted"),
        ]
    )
    frame = clue_lift(accuracy(told, ITEMS), central_rules(PROFILE)).set_index("tier")
    assert frame.loc["hard", ["accuracy", "clue_free", "without", "lift"]].tolist() == [
        1.0,
        0.75,
        "most central",
        0.25,
    ]
    assert frame.loc["easy", ["clue_free", "without", "lift"]].tolist() == [
        0.75,
        "permuted clue",
        0,
    ]


def test_clue_lift_without_any_rival_is_nan():
    lone = clue_lift(accuracy(answers([1] * 8), ITEMS), central_rules(PROFILE)).set_index("tier")
    assert lone.loc["hard", "without"] == "most central"
    assert np.isnan(lone.loc["easy", "lift"])


def test_consistency_takes_all_rotations():
    turned = pd.concat(
        [answers([1, 1, 0, 1], "circular").assign(rotation=0)]
        + [answers([1, 0, 0, np.nan], "circular").assign(rotation=r) for r in range(1, 6)]
    )
    frame = consistency(turned, ITEMS).set_index("tier")
    # hard-0 is right each time, hard-1 once, hard-2 never; hard-3 was not always answered.
    assert frame.loc["hard", "items"] == 3
    assert frame.loc["hard", "consistent"] == pytest.approx(1 / 3)


def test_consistency_of_no_circular_answers_is_empty():
    assert consistency(answers([1] * 4), ITEMS).empty
