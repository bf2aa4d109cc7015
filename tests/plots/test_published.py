"""Differences are drawn as the table has them, in colour where they hold."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from dixitlib import plots
from dixitlib.analysis.published import pairs
from dixitlib.plots.style import BLUE, GREY


def test_pairs_are_drawn_with_what_holds_after_holm_in_colour():
    frame = pairs({"a": 80, "b": 20, "c": 22}, 100)
    assert (frame["p_holm"] < 0.05).tolist() == [True, True, False]
    fig, ax = plots.subplots()
    plots.plot_differences(frame, ax)
    held, open_ = (container.lines[0] for container in ax.containers)
    assert (held.get_color(), open_.get_color()) == (BLUE, GREY)
    assert held.get_xdata().tolist() == pytest.approx([0.6, 0.58])
    assert open_.get_xdata().tolist() == pytest.approx([-0.02])
    assert ax.get_yticklabels()[0].get_text() == "a \N{MINUS SIGN} b"
    plt.close(fig)
