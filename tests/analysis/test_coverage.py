"""Coverage and faults, by numbers counted by hand."""

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import coverage


@pytest.fixture
def replies():
    return pd.DataFrame(
        {
            "model": ["a", "a", "a", "b"],
            "status": ["ok", "empty", "ok", "ok"],
            "tokens_in": [100.0, 50.0, np.nan, 10.0],
            "tokens_out": [10.0, 0.0, np.nan, 1.0],
            "served_by": ["north", "south", None, "north"],
            "served_model": ["m", "m", None, "m"],
            "faults": ["429:2;error body:1", "", "429:1", ""],
        }
    )


def test_calls_count_attempts_and_what_nobody_counted(replies):
    frame = coverage.calls(replies).set_index("model")
    # a: three calls, with 3 and 1 attempts before them.
    assert frame.loc["a"].tolist() == [3, 7, 150, 10, 1]
    assert frame.loc["b"].tolist() == [1, 1, 10, 1, 0]


def test_faults_are_counted_by_kind_beside_all_attempts(replies):
    frame = coverage.faults(replies)
    assert frame[["model", "fault", "attempts"]].to_numpy().tolist() == [
        ["a", "429", 3],
        ["a", "error body", 1],
    ]
    assert frame["share"].tolist() == pytest.approx([3 / 7, 1 / 7])


def test_no_fault_is_an_empty_table(replies):
    assert coverage.faults(replies.assign(faults="")).empty


def test_who_served_is_counted_even_where_nobody_says_so(replies):
    frame = coverage.served(replies).set_index(["model", "served_by"])
    assert frame.loc[("a", "not said"), "replies"] == 1
    assert frame.loc[("a", "north"), "share"] == pytest.approx(1 / 3)


def test_what_failed_counts_as_asked():
    rounds = pd.DataFrame({"storyteller": ["a", "a", "b"], "status": ["ok", "empty", "ok"]})
    answers = pd.DataFrame(
        {"player": ["a", "a"], "method": ["direct", "direct"], "status": ["ok", "refused"]}
    )
    frame = coverage.played(rounds, answers).set_index(["player", "asked_for"])
    assert frame.loc[("a", "arena"), ["asked", "played", "ok", "empty"]].tolist() == [2, 0.5, 1, 1]
    assert frame.loc[("a", "direct"), ["asked", "played", "refused"]].tolist() == [2, 0.5, 1]
    assert frame.loc[("b", "arena"), "played"] == 1
