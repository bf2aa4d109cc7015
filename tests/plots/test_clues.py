"""Modes of failure and speakers are drawn as the frames say."""

import pandas as pd
import pytest

from dixitlib import plots

MODES = pd.DataFrame(
    [(p, m, s) for p, s in (("a", 0.2), ("b", 0.4)) for m in ("too literal", "too vague")],
    columns=["player", "mode", "share"],
).assign(low=0.1, high=0.5)
SPEAKERS = pd.DataFrame(
    {"player": ["a", "b"], "goal": ["literal", "partial"], "alpha": [1.0, 3.0]}
).assign(low=0.5, high=4.0)


def test_a_row_a_player_and_a_mark_a_mode(ax):
    plots.plot_modes(MODES, ax)
    drawn = {c.get_label(): c.lines[0].get_xdata().tolist() for c in ax.containers}
    assert drawn == {"too literal": [0.2, 0.4], "too vague": [0.2, 0.4]}


@pytest.mark.parametrize("known", [None, 3.0])
def test_speakers_stand_beside_nothing_and_the_truth(ax, known):
    plots.plot_speakers(SPEAKERS, ax, known)
    lines = {line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1}
    assert lines >= ({0} if known is None else {0, 3.0})
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a (literal)", "b (partial)"]
    assert ("the truth" in ax.get_xlabel()) == (known is not None)
