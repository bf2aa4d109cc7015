"""Figures of the benchmark beside the arena, with points, without any, and with chance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import plots

MEASURED = pd.DataFrame(
    [
        ("a", "all", 0.5, 0.4, 0.6),
        ("a", "listening", 0.6, 0.3, 0.9),
        ("b", "all", 0.3, 0.2, 0.4),
        ("b", "listening", np.nan, np.nan, np.nan),
    ],
    columns=["player", "measure", "value", "low", "high"],
)
FOUND = pd.DataFrame(
    [
        ("all", "pearson", 0.5, -0.5, 0.9),
        ("all", "spearman", 0.4, -0.6, 0.9),
        ("recall", "pearson", np.nan, np.nan, np.nan),
        ("recall", "spearman", np.nan, np.nan, np.nan),
    ],
    columns=["measure", "kind", "estimate", "low", "high"],
)


def test_intervals_are_those_measured_and_chance_is_drawn(ax):
    plots.plot_bench_arena(MEASURED, ax, chance=1 / 3)
    first = ax.containers[0]
    across, up = (bar.get_segments()[0] for bar in first.lines[2])
    assert across[:, 0].tolist() == pytest.approx([0.4, 0.6])
    assert up[:, 1].tolist() == pytest.approx([0.3, 0.9])
    assert any(line.get_ydata()[0] == pytest.approx(1 / 3) for line in ax.lines)


def test_a_measure_without_a_correlation_keeps_its_row(ax):
    plots.plot_correlations(FOUND, ax, published=0.947, critical=0.8)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["all", "recall"]
    assert any(line.get_xdata()[0] == 0.947 for line in ax.lines)
    (band,) = ax.patches
    assert band.get_x() == -0.8
