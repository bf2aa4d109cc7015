"""What was printed, and the counts behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import paths
from dixitlib.analysis.published import arena_shares, attainable_count, load


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    monkeypatch.delenv("DIXITWORLD_HOME", raising=False)


def test_every_table_loads():
    tables = sorted(path.stem for path in paths.data("published").glob("*.csv"))
    assert "dixitworld_arena" in tables
    assert all(len(load(name)) > 0 for name in tables)


def test_an_unknown_table_names_those_there_are(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no published table 'arena' .*dixitworld_arena"):
        load("arena")
    with pytest.raises(FileNotFoundError, match="there are: none"):
        load("arena", tmp_path)


def test_published_storyteller_scores_are_84ths():
    # Facts: 12, 13, 17, 27, 16 and 26 partial rounds, 111 of 504 in all.
    partial = arena_shares(load("dixitworld_arena")).query("outcome == 'partial'")
    counts = dict(partial[["player", "rounds"]].itertuples(index=False))
    assert counts == {
        "Qwen2.5-VL-7B": 12,
        "Qwen2.5-VL-32B": 13,
        "Gemma3-12B": 17,
        "Gemma3-27B": 27,
        "GPT-4o": 16,
        "Gemini-2.5-Flash": 26,
    }
    assert sum(counts.values()) == 111
    assert (partial["low"] < partial["share"]).all()


def test_shares_of_a_model_add_up():
    frame = arena_shares(load("dixitworld_arena"))
    assert frame.groupby("player")["share"].sum().tolist() == pytest.approx([1] * 6)
    assert frame.groupby("player")["rounds"].sum().tolist() == [84] * 6


@pytest.mark.parametrize(
    ("percentage", "count"), [(14.29, 12), (100, 84), (0, 0), (14.0, np.nan), (np.nan, np.nan)]
)
def test_a_percentage_is_a_count_or_nothing(percentage, count):
    assert attainable_count(percentage, 84) == pytest.approx(count, nan_ok=True)


def test_a_score_that_is_no_count_gives_nan_not_a_guess():
    frame = arena_shares(pd.DataFrame({"model": ["m"], "storyteller_pct": [14.0]}))
    assert frame[["rounds", "share", "low", "high"]].isna().all().all()
