"""Figures of the human study say SIMULATED exactly where nobody was asked."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from dixitlib import plots

BESIDE = pd.DataFrame(
    {
        "listener": ["a", "b"],
        "accuracy": [0.3, 0.6],
        "people": [0.5, 0.5],
        "difference": [0.2, -0.1],
        "difference_low": [0.1, -0.2],
        "difference_high": [0.3, 0.0],
        "chance": 0.25,
    }
)
RATINGS = pd.DataFrame(
    {
        "storyteller": ["a", "b"] * 2,
        "measure": ["clarity"] * 2 + ["creativity"] * 2,
        "mean": [0.4, 0.6, 3.0, 4.0],
        "low": [0.3, 0.5, 2.0, 3.0],
        "high": [0.5, 0.7, 4.0, 5.0],
        "chance": [0.25] * 2 + [3.0] * 2,
    }
)
PROXIES = pd.DataFrame(
    {
        "measure": ["clarity"] * 2 + ["creativity"] * 2,
        "proxy": ["margin", "words"] * 2,
        "correlation": [0.4, -0.2, 0.1, 0.0],
        "low": [0.2, -0.4, -0.1, -0.2],
        "high": [0.6, 0.0, 0.3, 0.2],
    }
)


def drawn(plot, frame, panels):
    figure, axes = plots.subplots(1, panels, squeeze=False)
    axes = axes[0] if panels > 1 else axes[0][0]
    plot(frame, axes)
    words = [[text.get_text() for text in each.texts] for each in figure.axes]
    plt.close(figure)
    return figure, words


@pytest.mark.parametrize(
    ("plot", "frame", "panels"),
    [
        (plots.plot_against_models, BESIDE, 1),
        (plots.plot_ratings, RATINGS, 2),
        (plots.plot_proxies, PROXIES, 1),
    ],
)
def test_every_panel_is_stamped_when_simulated_and_only_then(plot, frame, panels):
    _, words = drawn(plot, frame.assign(origin="simulated"), panels)
    assert words == [["SIMULATED"]] * panels
    _, words = drawn(plot, frame.assign(origin="person"), panels)
    assert words == [[]] * panels


def test_the_interval_at_people_is_that_of_the_difference():
    figure, _ = drawn(plots.plot_against_models, BESIDE.assign(origin="person"), 1)
    (bars,) = figure.axes[0].collections
    ends = [sorted(x for x, _ in path) for path in bars.get_segments()]
    # a: the model's 0.3 + [0.1, 0.3]; b: 0.6 + [-0.2, 0].
    assert ends == [pytest.approx([0.4, 0.6]), pytest.approx([0.4, 0.6])]
