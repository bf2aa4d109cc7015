"""Figures draw what the frame says, and files are the same bytes every time."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from PIL import Image

from dixitlib import plots, store
from dixitlib.analysis.outcomes import chance
from dixitlib.plots.style import COLOURS, styled

OUTCOMES = pd.concat(
    [
        pd.DataFrame(
            [
                ("a", "partial", 40, 0.5, 0.4, 0.6),
                ("a", "all_correct", 30, 0.375, 0.2, 0.5),
                ("a", "all_wrong", 10, 0.125, np.nan, np.nan),
                ("b", "partial", 20, 0.25, 0.1, 0.4),
                ("b", "all_correct", 0, 0.0, 0.0, 0.1),
                ("b", "all_wrong", 60, 0.75, 0.6, 0.9),
            ],
            columns=["player", "outcome", "rounds", "share", "low", "high"],
        ),
        chance(),
    ]
)
ACCURACY = pd.DataFrame(
    [(p, t, 0.5, 0.4, 0.6, 1 / 6) for p in ("a", "b") for t in ("hard", "easy", "blocks")],
    columns=["player", "tier", "accuracy", "low", "high", "chance"],
)
LIFTS = ACCURACY[["player", "tier"]].assign(clue_free=0.3)
INDEPENDENCE = pd.DataFrame(
    {"storyteller": ["a", "b"], "partial": [0.3, 0.5], "expected": [0.6, 0.7]}
    | {"low": [-0.4, -0.3], "high": [-0.2, np.nan]}
)
LISTENING = pd.DataFrame(
    [("a", k, 0.5, 0.4, 0.6) for k in ("all", "own", "others")]
    + [("chance", "all", 1 / 3, np.nan, np.nan)],
    columns=["listener", "clues", "accuracy", "low", "high"],
)
ROUNDS = pd.DataFrame(
    {
        "outcome": ["partial", "partial", "all_wrong", None],
        "similarity": [0.4, 0.6, 0.1, np.nan],
        "margin": [0.1, 0.3, -0.2, np.nan],
    }
)
CURVES = pd.DataFrame(
    {"size": ["s", "s", "l"], "cards_seen": [1000, 2000, 6000], "recall_at_1": [0.1, 0.2, 0.9]}
)
PROFILE = pd.DataFrame(
    {"tier": ["hard"] * 2 + ["easy"], "target": [True, False, False]}
    | {"rank": [0, 1, 40], "similarity": [1.0, 0.6, 0.1]}
)
FIGURES = {
    plots.plot_outcomes: OUTCOMES,
    plots.plot_partial: INDEPENDENCE,
    plots.plot_listening: LISTENING,
    plots.plot_accuracy: ACCURACY,
    plots.plot_meaning: ROUNDS,
    plots.plot_learning_curves: CURVES,
    plots.plot_ranks: PROFILE,
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def axes():
    figure, ax = plots.subplots()
    yield ax
    plt.close(figure)


def saved(figure, name, home):
    """Save a figure and return its two files."""
    plots.save(figure, name)
    plt.close(figure)
    return home / "figures" / f"{name}.pdf", home / "figures" / f"{name}.png"


def tabled(frame, name, caption, home):
    """Save a table and return its two files."""
    plots.save_table(frame, name, caption)
    folder = home / "figures" / "tables"
    return folder / f"{name}.csv", folder / f"{name}.tex"


def dots(ax):
    """Positions of the marks drawn with intervals, by label."""
    return {c.get_label(): c.lines[0].get_xydata().tolist() for c in ax.containers}


@pytest.mark.parametrize("plot", FIGURES, ids=lambda plot: plot.__name__)
def test_every_figure_is_drawn_and_saved_alike_twice(plot, home):
    files = []
    for name in ("one", "two"):
        figure, ax = plots.subplots()
        assert plot(FIGURES[plot], ax) is ax
        files.append([path.read_bytes() for path in saved(figure, name, home)])
    assert files[0] == files[1]


@pytest.mark.parametrize(("width", "pixels"), [(plots.ONE_COLUMN, 670), (plots.TWO_COLUMNS, 1380)])
def test_a_saved_column_is_a_column(width, pixels, home):
    figure, ax = plots.subplots(width=width)
    plots.plot_accuracy(ACCURACY, ax, LIFTS)
    _, png = saved(figure, "column", home)
    with Image.open(png) as picture:
        assert picture.width == pixels


def test_beside_a_figure_and_a_table_stands_what_they_were_made_from(home):
    manifest = home / "data/runs/mine/manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"parameters": {"seed": 42}, "provenance": {"python": "3"}}))
    figure, ax = plots.subplots()
    plots.plot_outcomes(OUTCOMES, ax)
    plots.save(figure, "one", "mine", nulls="nulls")
    plots.save_table(OUTCOMES, "one", "Ends of rounds.")
    plt.close(figure)
    facts = [home / "figures/one.json", home / "figures/tables/one.json"]
    of_figure, of_table = (json.loads(path.read_text()) for path in facts)
    made_by = {"run": "mine", "asked": {"seed": 42}, "parameters": {"nulls": "nulls"}}
    assert of_figure == made_by | {"sources": store.sources()}
    assert of_table == {"run": None, "asked": None, "parameters": {}, "sources": store.sources()}
    assert str(home) not in facts[0].read_text()


def test_figures_hold_no_date_and_no_version(home):
    figure, ax = plots.subplots()
    plots.plot_outcomes(OUTCOMES, ax)
    pdf, png = saved(figure, "06_outcomes", home)
    for word in (b"Date", b"atplotlib", b"Type3"):
        assert word not in pdf.read_bytes()
    assert b"atplotlib" not in png.read_bytes()


def test_outcomes_stand_at_their_shares(axes):
    plots.plot_outcomes(OUTCOMES, axes)
    assert [x for x, _ in dots(axes)["partial"]] == [0.5, 0.25]
    assert [x for x, _ in dots(axes)["all wrong"]] == [0.125, 0.75]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    lines = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert sorted(lines) == pytest.approx([1 / 27, 8 / 27, 2 / 3])


def test_an_interval_reaches_from_low_to_high(axes):
    plots.plot_outcomes(OUTCOMES, axes)
    partial = next(c for c in axes.containers if c.get_label() == "partial")
    (bars,) = partial.lines[2]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [
        pytest.approx([0.4, 0.6]),
        pytest.approx([0.1, 0.4]),
    ]


def test_expected_and_observed_partial_rounds(axes):
    plots.plot_partial(INDEPENDENCE, axes)
    assert [x for x, _ in dots(axes)["observed"]] == [0.3, 0.5]
    expected = next(line for line in axes.lines if line.get_label() == "if independent")
    assert list(expected.get_xdata()) == [0.6, 0.7]
    bars = axes.containers[0].lines[2][0].get_segments()
    assert bars[0][:, 0].tolist() == pytest.approx([0.2, 0.4])


def test_accuracy_shows_chance_and_what_needs_no_clue(axes):
    plots.plot_accuracy(ACCURACY, axes, LIFTS)
    assert [y for _, y in dots(axes)["a"]] == [0.5] * 3
    assert [label.get_text() for label in axes.get_xticklabels()] == ["hard", "easy", "blocks"]
    free = [line.get_ydata().tolist() for line in axes.lines if line.get_marker() == "_"]
    assert free == [[0.3] * 3] * 2
    assert 1 / 6 in [line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert "without the clue" in axes.get_xlabel()


def test_a_player_that_skipped_a_tier_is_drawn_where_it_played(axes):
    plots.plot_accuracy(ACCURACY.iloc[:4], axes)
    heights = [y for _, y in dots(axes)["b"]]
    assert heights[0] == 0.5
    assert np.isnan(heights[1:]).all()


def test_meaning_marks_the_means_of_outcomes(axes):
    plots.plot_meaning(ROUNDS, axes)
    marks = [
        c for c in axes.collections if isinstance(c, PathCollection) and c.get_label()[0] != "_"
    ]
    means = {c.get_label(): c.get_offsets()[0].tolist() for c in marks}
    assert means["partial"] == pytest.approx([0.2, 0.5])
    assert means["all wrong"] == pytest.approx([-0.2, 0.1])
    assert "all correct" not in means


def test_colour_and_marker_together_tell_players_apart():
    looks = {(colour, marker) for _, _, colour, marker in styled(range(24), range(24))}
    assert len(looks) == 24
    assert len(set(COLOURS)) == len(COLOURS)


# --- tables -----------------------------------------------------------------------------


def test_tables_are_csv_and_booktabs_of_fixed_precision(home):
    csv, tex = tabled(OUTCOMES, "06_outcomes", "Outcomes of the rounds told.", home)
    lines = csv.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "player,outcome,rounds,share,low,high"
    assert lines[1] == "a,partial,40,0.5000,0.4000,0.6000"
    assert lines[3] == "a,all_wrong,10,0.1250,,"
    assert lines[-1] == "chance,all_wrong,,0.2963,,"
    text = tex.read_text(encoding="utf-8")
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\label{tab:06_outcomes}"):
        assert part in text
    assert r"a & all\_wrong & 10 & 0.1250 & -- & -- \\" in text
    assert csv == home / "figures" / "tables" / "06_outcomes.csv"


def test_names_are_escaped_and_zero_has_no_sign(home):
    frame = pd.DataFrame({"a_b & c%": ["50% #1_x"], "share": [-0.00001]})
    csv, tex = tabled(frame, "odd", "Odd.", home)
    assert r"a\_b \& c\% & share \\" in tex.read_text(encoding="utf-8")
    assert r"50\% \#1\_x & 0.0000 \\" in tex.read_text(encoding="utf-8")
    assert csv.read_text(encoding="utf-8").splitlines()[1] == "50% #1_x,0.0000"


def test_tables_are_the_same_bytes_twice(home):
    first = [p.read_bytes() for p in tabled(OUTCOMES, "one", "A caption.", home)]
    again = [p.read_bytes() for p in tabled(OUTCOMES, "one", "A caption.", home)]
    assert first == again
    assert b"\r" not in first[0] + first[1]
