"""Metrics of panels, counted by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.panel import (
    adaptability,
    auroc,
    brier,
    calibration_error,
    compared,
    endings,
    flips,
    frontier,
    reliability,
    summary,
    uncertainty_accuracy,
)

UNSURE = [0.1, 0.2, 0.6, 0.7]
RIGHT = [1, 0, 1, 0]


def test_ua_counts_uncertain_with_wrong_and_certain_with_right():
    # At .5: certain-right and uncertain-wrong agree, the other two don't.
    assert uncertainty_accuracy(UNSURE, RIGHT, 0.5) == 0.5
    assert uncertainty_accuracy(UNSURE, RIGHT, 0.15) == 0.75
    assert uncertainty_accuracy([*UNSURE, 0.9], [*RIGHT, np.nan], 0.15) == 0.75
    assert np.isnan(uncertainty_accuracy([], [], 0.5))


def test_auroc_by_hand():
    # Wrong: .2, .7; right: .1, .6. Three of four pairs are in order.
    assert auroc(UNSURE, RIGHT) == 0.75
    assert auroc([0.5] * 4, RIGHT) == 0.5
    assert auroc([0.1, 0.5, 0.5], [1, 1, 0]) == 0.75  # a tie counts half
    assert np.isnan(auroc(UNSURE, [1] * 4))


def test_calibration_error_over_bins_of_one_width():
    # Two bins: below .5, confidences .2 and .4 with accuracy 1/2; above, .8 with accuracy 1.
    sure, right = [0.2, 0.4, 0.8], [0, 1, 1]
    table = reliability(sure, right, bins=2)
    assert table.to_numpy().tolist() == [[2, pytest.approx(0.3), 0.5], [1, 0.8, 1]]
    assert calibration_error(sure, right, bins=2) == pytest.approx((2 * 0.2 + 0.2) / 3)


def test_calibration_error_over_bins_of_equal_mass():
    # Of one width, bins hold three and one; of equal mass, two and two: |.65 - 1/2|, |.85 - 1|.
    sure, right = [0.6, 0.7, 0.8, 0.9], [0, 1, 1, 1]
    assert reliability(sure, right, bins=2)["n"].tolist() == [4]
    assert reliability(sure, right, bins=2, by="mass")["n"].tolist() == [2, 2]
    assert calibration_error(sure, right, bins=2, by="mass") == pytest.approx(0.15)


def test_equal_confidences_share_a_bin_in_any_order():
    sure = [0.5, 0.5, 0.5, 0.9]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0]):
        table = reliability(np.array(sure)[order], np.array(RIGHT)[order], bins=4, by="mass")
        assert table["n"].tolist() == [3, 1]


def test_the_ends_of_confidence_have_their_bins():
    assert reliability([0.0, 1.0], [0, 1], bins=15)["n"].tolist() == [1, 1]
    assert calibration_error([0.0, 1.0], [0, 1]) == 0
    assert np.isnan(calibration_error([], []))


def test_brier_by_hand():
    assert brier([0.8, 0.6], [1, 0]) == pytest.approx((0.04 + 0.36) / 2)
    assert np.isnan(brier([], []))


def test_adaptability_is_a_rank_correlation():
    assert adaptability([0.1, 0.2, 0.9], [0, 1, 3]) == pytest.approx(1)
    # Ranks 1 2 3 and 2 1 3: 1 - 6 x 2 / (3 x 8) = .5.
    assert adaptability([0.1, 0.2, 0.9], [1, 0, 3]) == pytest.approx(0.5)
    assert np.isnan(adaptability([0.1, 0.2, 0.9], [3, 3, 3]))
    assert np.isnan(adaptability([0.1], [1]))


def rows(system, right, first=None, unsure=None, rounds=None, **more):
    n = len(right)
    frame = {
        "system": system,
        "item": [f"i{k}" for k in range(n)],
        "target": list("aabbccdd")[:n],
        "right": right,
        "first_right": right if first is None else first,
        "first_uncertainty": unsure or [0.5] * n,
        "uncertainty": unsure or [0.5] * n,
        "rounds": rounds or [0] * n,
        "ending": ["untriggered" if not r else "limit" for r in rounds or [0] * n],
        "calls": [4 + 7 * r for r in rounds or [0] * n],
        "encodings": 18,
        "tokens_in": 0,
        "tokens_out": 0,
        "usd": np.nan,
    }
    return pd.DataFrame(frame | more)


def test_flips_both_ways_with_a_sign_test():
    first, last = [0, 0, 0, 0, 1, 1, 0, np.nan], [1, 1, 1, 1, 0, 1, 0, 1]
    table = flips(pd.concat([rows("gam", last, first), rows("single", last)]))
    # Four mended, one spoilt: 2 (1 + 5) / 32.
    assert table.to_numpy().tolist() == [["gam", 7, 4, 1, 0.375], ["single", 8, 0, 0, 1.0]]


def test_a_summary_row_by_hand():
    frame = rows("gam", [1, 0, np.nan, 1], unsure=[0.1, 0.8, 0.9, 0.2], rounds=[0, 3, 3, 0])
    row = summary(frame, 0.5).iloc[0]
    assert row[["system", "items", "coverage", "strict"]].tolist() == ["gam", 4, 0.75, 0.5]
    assert row["accuracy"] == pytest.approx(2 / 3) and row["low"] < 2 / 3 < row["high"]
    assert row[["UA", "AUROC", "triggered", "rounds", "calls"]].tolist() == [1, 1, 0.5, 1.5, 14.5]
    # Confidences .9, .2, .8 are off by .1, .2, .2, each in a bin of its own.
    assert row["CE"] == pytest.approx(0.5 / 3) == row["CE_mass"]
    assert row["Brier"] == pytest.approx(0.09 / 3)
    assert row["DA"] == pytest.approx(0.894427, abs=1e-6)  # ranks 1 3 4 2 and 1.5 3.5 3.5 1.5
    assert np.isnan(row["usd"]) and row["encodings"] == 18


def test_endings_are_counted_with_their_share():
    table = endings(rows("gam", [1, 0, 1, 1], rounds=[0, 3, 3, 3])).set_index("ending")
    assert table["items"].to_dict() == {"limit": 3, "untriggered": 1}
    assert table.loc["limit", "share"] == 0.75


def test_gains_are_paired_by_item():
    frame = pd.concat(
        [rows("single", [1, 0, 0, 0, 1, 1, np.nan, 0]), rows("gam", [1, 1, 1, 0, 0, 1, 1, 1])]
    )
    row = compared(frame, "single").iloc[0]
    # Seven items in common; three mended, one spoilt. Targets a, b, c of two, d of one.
    assert row[["system", "items", "better", "worse"]].tolist() == ["gam", 7, 3, 1]
    assert row["gain"] == pytest.approx(2 / 7) and row["low"] < 2 / 7 < row["high"]
    # A system gains on itself nothing, without any doubt.
    same = compared(pd.concat([rows("x", RIGHT), rows("y", RIGHT)]), "x").iloc[0]
    assert same[["gain", "low", "high"]].tolist() == [0, 0, 0]


def test_an_unknown_reference_is_refused():
    with pytest.raises(ValueError, match="no system 'single': there are gam"):
        compared(rows("gam", RIGHT), "single")


def test_the_frontier_holds_what_nothing_beats():
    points = pd.DataFrame({"usd": [1, 2, 2, 3, np.nan], "accuracy": [0.5, 0.7, 0.6, 0.7, 0.9]})
    assert frontier(points, "usd").tolist() == [True, True, False, False, False]
