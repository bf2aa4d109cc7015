"""Modes of failure on clues whose measures are set by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.failures import MODES, Thresholds, endings, marked, modes

ROUNDS = pd.DataFrame(
    [
        # teller, match, similarity, margin, outcome
        ("a", 0, 0.45, 0.20, "all_correct"),  # too literal
        ("a", 1, 0.30, 0.10, "all_correct"),  # too literal, just
        ("a", 1, 0.45, 0.05, "partial"),  # near, but so is another card
        ("a", 2, 0.09, 0.02, "all_wrong"),  # too vague
        ("b", 0, 0.05, -0.10, "all_wrong"),  # too vague and misleading
        ("b", 1, 0.20, -0.10, "partial"),  # misleading
        ("b", 2, np.nan, np.nan, None),  # void
    ],
    columns=["storyteller", "match", "similarity", "margin", "outcome"],
).assign(status=["ok"] * 6 + ["refused"], round=1, cross=True)


def test_each_clue_bears_its_signs():
    signs = marked(ROUNDS)[list(MODES)].to_numpy().tolist()
    assert signs == [
        [True, False, False],
        [True, False, False],
        [False, False, False],
        [False, True, False],
        [False, True, True],
        [False, False, True],
    ]


def test_shares_by_storyteller_leave_void_rounds_out():
    frame = modes(ROUNDS).set_index(["player", "mode"])
    assert frame.loc["a", "share"].to_dict() == pytest.approx(
        {"too literal": 0.5, "too vague": 0.25, "misleading": 0}
    )
    assert frame.loc["b", "rounds"].tolist() == [0, 1, 2]
    assert frame.loc[("b", "misleading"), "share"] == 1
    assert (frame["low"] <= frame["share"]).all()


def test_thresholds_are_parameters():
    strict = modes(ROUNDS, Thresholds(near=0.4, lead=0.2, far=0.0)).set_index(["player", "mode"])
    assert strict["rounds"].tolist() == [1, 0, 0, 0, 0, 2]


def test_endings_by_sign():
    frame = endings(ROUNDS).set_index(["mode", "outcome"])["share"]
    assert frame["too literal"].to_dict() == {"partial": 0, "all_correct": 1, "all_wrong": 0}
    assert frame["too vague"]["all_wrong"] == 1
    assert frame["misleading"].to_dict() == {"partial": 0.5, "all_correct": 0, "all_wrong": 0.5}
    assert frame["none"]["partial"] == 1


def test_a_mode_that_never_happens_has_no_endings():
    frame = endings(ROUNDS, Thresholds(near=0.9)).set_index("mode")
    assert frame.loc["too literal", ["share", "low", "high"]].isna().all().all()


def test_rounds_without_measures_are_refused():
    with pytest.raises(ValueError, match=r"no column margin.*meaning\.csv"):
        modes(ROUNDS.drop(columns="margin"))
