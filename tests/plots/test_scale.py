import pandas as pd
import pytest

from dixitlib import plots

SPEED = pd.DataFrame({"what": ["reference", "paint_card"], "references": [1.0, 15.0]})
PAPER = pd.DataFrame({"opponents": [10, 100], "half_width": [1.2, 0.45]})
SIMULATED = pd.DataFrame(
    {"design": ["balanced", "balanced", "active"], "opponents": [10, 84, 84],
     "half_width": [1.1, 0.5, 0.4], "low": [1.0, 0.4, 0.3], "high": [1.3, 0.7, 0.5],
     "coverage": [0.94, 0.95, 0.96], "coverage_low": 0.93, "coverage_high": 0.97}
)  # fmt: skip
HOURS = pd.DataFrame(
    {"connections": [8, 64] * 2, "limit": ["waiting"] * 2 + ["rate"] * 2, "hours": [80, 10, 40, 40]}
)
SHARES = pd.DataFrame({"known": [0.0, 1.0], "share": [0.6, 0.5], "low": 0.4, "high": 0.7})
DRAWN = {
    "speed": (lambda ax: plots.plot_speed(SPEED, ax), set()),
    "widths": (
        lambda ax: plots.plot_widths(PAPER, SIMULATED, ax, 0.5),
        {"on paper", "balanced", "active"},
    ),
    "held": (lambda ax: plots.plot_held(SIMULATED, ax), {"balanced", "active"}),
    "hours": (lambda ax: plots.plot_hours(HOURS, ax), {"waiting", "rate", "what it takes"}),
    "shares": (lambda ax: plots.plot_shares(SHARES, ax, 2 / 3), {"chance"}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_names_what_it_shows(ax, name):
    draw, labels = DRAWN[name]
    assert draw(ax) is ax
    assert set(ax.get_legend_handles_labels()[1]) == labels
    assert ax.get_xlabel()


def test_what_holds_up_most_is_what_it_takes(ax):
    plots.plot_hours(HOURS, ax)
    heavy = next(line for line in ax.get_lines() if line.get_label() == "what it takes")
    assert heavy.get_ydata().tolist() == [80, 40]
