"""Figures of panels draw what the frame says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import plots


def labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_trajectory_has_a_line_for_each_expert_and_measure(ax):
    frame = pd.DataFrame({"things": [0.4, 0.6], "U_sys": [0.5, 0.2], "conflict": [0.3, 0.1]})
    plots.plot_trajectory(frame, ax)
    assert labels(ax) == ["weight: things", "U_sys", "conflict"]
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.4, 0.6], [0.5, 0.2], [0.3, 0.1]]


def test_gains_stand_in_the_frame_s_order_beside_none(ax):
    frame = pd.DataFrame({"system": ["a", "b"], "gain": [0.1, -0.2], "low": [0, -0.3], "high": 0.2})
    plots.plot_gains(frame, ax, "c")
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b"]
    assert "over c" in ax.get_xlabel()
    assert ax.lines[-1].get_xdata() == [0, 0]


def test_published_changes_start_where_ours_do(ax):
    ours = pd.DataFrame({"value": [1, 2], "accuracy": [0.5, 0.6], "low": 0.4, "high": 0.7})
    theirs = pd.DataFrame({"value": [1, 2], "accuracy_pct": [88.0, 87.0]})
    plots.plot_sweep(ours, ax, theirs, "beta")
    moved = next(line for line in ax.lines if line.get_label() == "published, moved")
    assert moved.get_ydata() == pytest.approx([0.5, 0.49])
    plots.plot_sweep(ours, ax, theirs[:0], "beta", chance=1 / 6)
    assert ax.lines[-1].get_ydata() == pytest.approx([1 / 6, 1 / 6])


def test_the_frontier_joins_what_nothing_beats(ax):
    frame = pd.DataFrame(
        {
            "system": ["dear", "cheap", "bad"],
            "accuracy": [0.7, 0.5, 0.4],
            "low": np.nan,
            "high": np.nan,
            "encodings": [100.0, 10.0, 50.0],
            "frontier": [True, True, False],
        }
    )
    plots.plot_frontier(frame, ax, "encodings", "encodings an item", chance=1 / 6)
    joined = next(
        line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_zorder() == 0
    )
    assert (joined.get_xdata().tolist(), joined.get_ydata().tolist()) == ([10, 100], [0.5, 0.7])
    assert labels(ax) == ["dear", "cheap", "bad"]


def test_what_costs_the_same_is_drawn_side_by_side(ax):
    frame = pd.DataFrame(
        {"system": list("abc"), "accuracy": 0.5, "low": 0.4, "high": 0.6, "usd": [1.0, 1.0, 9.0]}
    )
    plots.plot_frontier(frame.assign(frontier=True), ax, "usd", "USD", chance=1 / 6)
    line = next(each for each in ax.lines if len(each.get_xdata()) == 3)
    assert line.get_xdata() == pytest.approx([1.1**-0.5, 1.1**0.5, 9.0])


def test_reliability_marks_grow_with_the_answers(ax):
    frame = pd.DataFrame(
        {"system": "a", "confidence": [0.2, 0.8], "accuracy": [0.3, 0.7], "n": [1, 3]}
    )
    plots.plot_reliability(frame, ax, chance=1 / 6)
    sizes = ax.collections[0].get_sizes()
    assert sizes.tolist() == [19, 49]
    assert ax.collections[0].get_offsets().tolist() == [[0.2, 0.3], [0.8, 0.7]]
