"""Pairs, scores by opponent, and skills are drawn as the frames say."""

import numpy as np
import pandas as pd
import pytest

from dixitlib import plots

PAIRS = pd.DataFrame(
    [
        ("a", "a", True, 0.9, 0.7, 1.0),
        ("a", "b", False, 0.4, np.nan, np.nan),
        ("b", "a", False, 0.5, 0.3, 0.7),
        ("chance", "chance", False, 0.25, np.nan, np.nan),
    ],
    columns=["listener", "storyteller", "own_clue", "accuracy", "low", "high"],
)
SCORES = pd.DataFrame(
    [("a", 1, 0.5), ("a", 2, 0.4), ("a", 2, 0.6), ("b", 3, 0.7)],
    columns=["player", "theirs", "score"],
)
SKILLS = pd.DataFrame(
    [("mean", None, 0.2), ("skill", "a", 0.5), ("clarity", "a", -0.5), ("clarity", "b", 0.1)],
    columns=["term", "player", "estimate"],
).assign(low=-1.0, high=1.0)


def test_pairs_show_accuracy_and_interval_and_frame_own_clues(ax):
    plots.plot_pairs(PAIRS, ax)
    words = {text.get_position(): text.get_text() for text in ax.texts}
    assert words == {(0, 0): "0.90\n0.70–1.00", (1, 0): "0.40", (0, 1): "0.50\n0.30–0.70"}
    assert [patch.get_xy() for patch in ax.patches] == [(-0.5, -0.5)]
    assert "chance 0.25" in ax.get_xlabel()


def test_scores_are_drawn_with_their_means_and_chance(ax):
    plots.plot_opponents(SCORES, ax, chance=0.45)
    marks, means, *_ = ax.lines
    assert marks.get_ydata().tolist() == [0.5, 0.4, 0.6]
    assert means.get_ydata().tolist() == pytest.approx([0.5, 0.5])
    assert any(line.get_ydata()[0] == 0.45 for line in ax.lines)


def test_a_player_that_never_listened_has_clarity_only(ax):
    plots.plot_skill_and_clarity(SKILLS, ax)
    drawn = {c.get_label(): c.lines[0].get_xdata().tolist() for c in ax.containers}
    assert drawn["skill as a listener"][0] == 0.5 and np.isnan(drawn["skill as a listener"][1])
    assert drawn["clarity"] == [-0.5, 0.1]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
