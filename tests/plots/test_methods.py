"""Figures of methods: marks where the numbers are, and chance on each."""

from __future__ import annotations

import matplotlib.pyplot as plt
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


@pytest.fixture
def axes():
    figure, ax = plots.subplots()
    yield ax
    plt.close(figure)


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_method_that_was_not_run_has_no_mark(axes):
    plots.plot_two_by_two(SQUARE, axes, chance=1 / 6)
    assert set(labels(axes)) == {"choose, together", "rate, alone", "chance"}
    assert any(line.get_xdata()[0] == pytest.approx(1 / 6) for line in axes.lines)


def test_shades_reach_from_ties_lost_to_ties_won(axes):
    plots.plot_rounding(ROUNDED, axes, chance=1 / 6)
    (shades,) = axes.collections
    assert [tuple(s[:, 1]) for s in shades.get_segments()] == [(0.5, 0.5), (0.2, 0.6)]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["none", "10"]


def test_calibration_has_a_diagonal_and_chance(axes):
    plots.plot_calibration(BINS, axes, chance=1 / 6)
    drawn = [tuple(line.get_ydata()) for line in axes.lines]
    assert (0, 1) in drawn
    assert any(y[0] == pytest.approx(1 / 6) for y in drawn)
