"""Proxies by hand and against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.clues import leakage, lexical_diversity, proxies, without_leaks

ROUNDS = pd.DataFrame(
    {
        "storyteller": ["a", "a", "a", "b", "b"],
        "match": [0, 0, 1, 1, 0],
        "clue": ["one two", "Two, three!", "three don't", "four", None],
        "status": ["ok", "ok", "ok", "ok", "refused"],
        "similarity": [0.1, 0.3, 0.2, 0.9, np.nan],
        "words": [2.0, 2.0, 2.0, 1.0, np.nan],
        "novelty": [0.5, 0.7, 0.9, np.nan, np.nan],
        "leaks": [0.0, 1.0, 2.0, 0.0, np.nan],
        "round": 1,
        "cross": True,
    }
)


def test_lexical_diversity_is_the_mean_over_all_samples():
    clues = ["a b a c", "B d"]
    words = ["a", "b", "a", "c", "b", "d"]
    expected = np.mean([len(set(sample)) / 3 for sample in combinations(words, 3)])
    assert lexical_diversity(clues, sample=3) == pytest.approx(expected)


def test_lexical_diversity_does_not_fall_with_length():
    rng = np.random.default_rng(0)
    vocabulary = [f"w{k}" for k in range(60)]
    short, long = (" ".join(rng.choice(vocabulary, n)) for n in (150, 3000))
    plain = [len(set(text.split())) / len(text.split()) for text in (short, long)]
    assert plain[1] < plain[0] / 5
    assert lexical_diversity([long]) == pytest.approx(lexical_diversity([short]), abs=0.03)


def test_too_few_words_have_no_lexical_diversity():
    assert np.isnan(lexical_diversity(["only three words"]))
    assert lexical_diversity(["Word word"], sample=2) == 0.5  # one of two, whatever its case


def test_means_by_storyteller():
    frame = proxies(ROUNDS).set_index(["player", "measure"])
    assert frame.loc[("a", "length"), ["clues", "mean"]].tolist() == [3, 2]
    assert frame.loc[("a", "semantic diversity"), "mean"] == pytest.approx(0.7)
    assert frame.loc[("a", "creativity"), "mean"] == pytest.approx(0.8)
    assert frame.loc[("b", "creativity"), "mean"] == pytest.approx(0.1)
    assert frame.loc[("b", "semantic diversity"), ["mean", "low"]].isna().all()
    assert np.isnan(frame.loc[("a", "lexical diversity"), "mean"])


def test_lexical_diversity_has_an_interval_by_match():
    rng = np.random.default_rng(1)
    clues = [" ".join(rng.choice([f"w{k}" for k in range(40)], 5)) for _ in range(40)]
    rounds = pd.DataFrame({"storyteller": "a", "match": np.arange(40) % 4, "clue": clues})
    rounds = rounds.assign(status="ok", similarity=0.1, words=5.0, novelty=0.5)
    row = proxies(rounds).set_index("measure").loc["lexical diversity"]
    assert row["low"] < row["mean"] < row["high"]
    assert row["mean"] == pytest.approx(lexical_diversity(clues))


def test_leaks_are_counted_and_left_out():
    frame = leakage(ROUNDS).set_index("player")
    assert frame[["clues", "leaking"]].to_numpy().tolist() == [[3, 2], [1, 0]]
    assert frame["share"].tolist() == pytest.approx([2 / 3, 0])
    kept = without_leaks(ROUNDS)
    assert kept["clue"].tolist()[:2] == ["one two", "four"]
    assert kept["status"].tolist() == ["ok", "ok", "refused"]


@pytest.mark.parametrize("analysis", [proxies, leakage, without_leaks])
def test_rounds_without_measures_are_refused(analysis):
    with pytest.raises(ValueError, match=r"no column .*meaning\.csv"):
        analysis(ROUNDS[["storyteller", "match", "clue", "status"]])
