"""Figures of methods: marks where the numbers are, and chance on each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import plots

NAN = np.nan
SQUARE = pd.DataFrame(
    [
        ("a", "direct", 0.5, 0.4, 0.6),
        ("a", "entailment", 0.3, 0.2, 0.4),
        ("a", "rate_together", NAN, NAN, NAN),
    ],
    columns=["player", "method", "accuracy", "low", "high"],
)
ROUNDED = pd.DataFrame(
    {"player": "a", "step": [0, 10], "accuracy": [0.5, 0.4], "won": [0.5, 0.6], "lost": [0.5, 0.2]}
)
BINS = pd.DataFrame({"player": "a", "rating": [0.9], "share": [0.4], "low": [0.3], "high": [0.5]})


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_method_that_was_not_run_has_no_mark(ax):
    plots.plot_two_by_two(SQUARE, ax, chance=1 / 6)
    assert set(labels(ax)) == {"choose, together", "rate, alone", "chance"}
    assert any(line.get_xdata()[0] == pytest.approx(1 / 6) for line in ax.lines)


def test_shades_reach_from_ties_lost_to_ties_won(ax):
    plots.plot_rounding(ROUNDED, ax, chance=1 / 6)
    (shades,) = ax.collections
    assert [tuple(s[:, 1]) for s in shades.get_segments()] == [(0.5, 0.5), (0.2, 0.6)]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["none", "10"]


def test_calibration_has_a_diagonal_and_chance(ax):
    plots.plot_calibration(BINS, ax, chance=1 / 6)
    drawn = [tuple(line.get_ydata()) for line in ax.lines]
    assert (0, 1) in drawn
    assert any(y[0] == pytest.approx(1 / 6) for y in drawn)
