import numpy as np
import pandas as pd
import pytest

from dixitlib import plots

ENDS = {"low": [-0.4, -0.3, -0.5], "high": [0.1, np.nan, 0.2]}
NAMED = pd.DataFrame(
    {"listener": ["all", "a", "a"], "cluster": ["match", "match", "card"], "change": -0.2, **ENDS}
)
PLACES = pd.DataFrame(
    {"listener": "a", "term": ["target", "place 2", "place 3"], "estimate": -0.1, **ENDS}
)
EQUAL = pd.DataFrame(
    {"check": list("xyz"), "margin": [0.3, 0.3, 0.05], "equivalent": [True, False, True],
     "difference": [-0.1, 0.0, 0.01], **ENDS}
)  # fmt: skip
STANDING = pd.DataFrame(
    {"measure": "partial", "player": ["a", "b", "a", "b"], "value": [0.2, 0.6, 0.4, 0.5]}
)
EFFECTS = pd.DataFrame(
    {"effect": ["listening", "telling", "shared"], "name": ["a", "b", "own_clue"],
     "estimate": 0.0, **ENDS}
)  # fmt: skip
POWER = pd.DataFrame(
    {"difference": [0.1, 0.1, 0.2], "rounds": [84, 168, 84], "power": [0.1, 0.3, 0.9],
     "low": [0.0, 0.2, 0.8], "high": [0.2, 0.4, 1.0], "predicted": [0.1, 0.25, 0.85]}
)  # fmt: skip
RECOVERY = pd.DataFrame(
    {"setting": ["x", "x", "y"], "true": [0.0, 1.0, 1.0], "estimate": [0.1, 0.9, 1.0],
     "low": [0.0, 0.8, 0.9], "high": [0.2, 1.0, 1.1]}
)  # fmt: skip
CERTIFICATE = pd.DataFrame(
    {"trial": ["alike", "different", "alike"], "statistic": ["x", "x", "y"],
     "coverage": [0.95, 0.9, np.nan], "null": [False, True, True], "rejected": [0.3, 0.05, 0.04]}
)  # fmt: skip
DRAWN = {
    "drops": (lambda ax: plots.plot_drops(NAMED, ax), {"by match", "by card", "any: –p"}),
    "places": (lambda ax: plots.plot_places(PLACES, ax), {"place 2", "place 3"}),
    "equal": (lambda ax: plots.plot_equivalence(EQUAL, ax), {"margin", "equivalent", "not shown"}),
    "seeds": (
        lambda ax: plots.plot_seeds(STANDING, ax, "partial", "share", 2 / 3),
        {"mean", "one seed", "chance"},
    ),
    "effects": (lambda ax: plots.plot_effects(EFFECTS, ax), {"listening", "telling", "shared"}),
    "power": (lambda ax: plots.plot_power(POWER, ax), {"10 points", "20 points"}),
    "recovery": (lambda ax: plots.plot_recovery(RECOVERY, ax), {"x", "y"}),
    "certificate": (lambda ax: plots.plot_certificate(CERTIFICATE, ax), {"alike", "different"}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_returns_its_axes_and_names_what_it_shows(name, ax):
    draw, labels = DRAWN[name]
    assert draw(ax) is ax
    assert {text.get_text() for text in ax.get_legend().get_texts()} == labels
    assert ax.get_xlabel()


def test_differences_are_drawn_in_units_of_their_margin(ax):
    plots.plot_equivalence(EQUAL, ax)
    filled = ax.containers[0].lines[0]
    assert filled.get_xdata().tolist() == pytest.approx([-1 / 3, 0.2])
    assert filled.get_ydata().tolist() == [0, 2]


def test_the_player_with_the_highest_mean_stands_on_top(ax):
    plots.plot_seeds(STANDING, ax, "partial", "share")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]


def test_statistics_without_a_coverage_are_not_drawn(ax):
    plots.plot_certificate(CERTIFICATE, ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x"]


def test_only_tests_of_true_hypotheses_show_how_often_they_are_rejected(ax):
    plots.plot_certificate(CERTIFICATE, ax, "rejected")
    drawn = np.concatenate([line.get_xdata() for line in ax.lines])
    assert sorted(drawn[~np.isnan(drawn)].tolist()) == [0.04, 0.05]
