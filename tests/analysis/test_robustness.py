import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.analysis import robustness


def votes(rounds, tellers="t", listeners="abc"):
    """One row a vote, from the hits of each round's three listeners."""
    rows = [
        {"match": k // 2, "phase": 1, "round": k % 2 + 1, "storyteller": tellers[k % len(tellers)],
         "listener": name, "target": f"card {k % 3}", "correct": hit}
        for k, hits in enumerate(rounds)
        for name, hit in zip(listeners, hits, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"correct": "boolean"})


def test_who_is_alone_with_its_vote_is_pivotal():
    # 2 of 3 right: without the wrong one all are right, and 3 points are lost; 1 of 3 right:
    # without the right one none is. Where all agree nothing is lost.
    found = robustness.drops(votes([(1, 1, 0), (1, 0, 0), (1, 1, 1), (0, 0, 0)]))
    changes = found["change"].to_numpy().reshape(-1, 3)
    assert changes.tolist() == [[0, 0, -3], [-3, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found["pivotal"].tolist() == (found["change"] == -3).tolist()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=40))
def test_the_published_statistic_is_the_share_of_partial_rounds_over_again(rounds):
    found = robustness.leave_one_out(votes(rounds)).set_index("storyteller").loc["all"]
    p = np.mean([0 < sum(hits) < 3 for hits in rounds])
    assert found["partial"] == pytest.approx(p)
    assert found["change"] == pytest.approx(-p)
    assert found["stability"] == pytest.approx(1 - np.sqrt(p * (1 - p)) / 3)
    assert found["identity"] == pytest.approx(found["stability"])


def test_the_published_ranges_are_partial_rates_of_7_and_24_of_84():
    # facts: Robustness as published: changes -0.08 to -0.29, stability 0.849 to 0.908.
    assert [round(-k / 84, 2) for k in (7, 24)] == [-0.08, -0.29]
    assert [round(robustness.identity(k / 84), 3) for k in (24, 7)] == [0.849, 0.908]


def test_storytellers_stand_apart_and_beside_all():
    found = robustness.leave_one_out(votes([(1, 1, 0), (1, 1, 1)] * 3, tellers="xy"))
    assert found.set_index("storyteller")["partial"].to_dict() == {"all": 0.5, "x": 1.0, "y": 0.0}


def test_a_named_listener_changes_what_p_does_not_fix():
    # Both tournaments have p = 1, but only in the first it is always c that stands alone.
    lonely = robustness.named(votes([(1, 1, 0)] * 6)).set_index(["listener", "cluster"])
    turns = robustness.named(votes([(1, 1, 0), (1, 0, 1), (0, 1, 1)] * 2))
    turns = turns.set_index(["listener", "cluster"])
    assert lonely.loc[("c", "match"), "change"] == -3 and lonely.loc[("a", "match"), "change"] == 0
    for name in "abc":
        assert turns.loc[(name, "card"), "change"] == pytest.approx(-1)
        assert turns.loc[(name, "card"), "pivotal"] == pytest.approx(1 / 3)
    assert lonely.loc[("all", "match"), "change"] == turns.loc[("all", "match"), "change"] == -1


def test_the_jackknife_leaves_out_matches_or_cards():
    found = robustness.named(votes([(1, 1, 0), (1, 1, 1)] * 3)).set_index(["listener", "cluster"])
    # Each match has one partial round of two, so matches agree; cards 0, 1 and 2 have each
    # been told once with and once without a lonely c.
    row = found.loc[("c", "match")]
    assert (row["change"], row["low"], row["high"]) == (-1.5, -1.5, -1.5)
    uneven = robustness.named(votes([(1, 1, 0), (1, 1, 1), (1, 1, 1)] * 2))
    row = uneven.set_index(["listener", "cluster"]).loc[("c", "card")]
    # By card the changes are -3, 0 and 0: mean -1, standard error 1, t with 2 df.
    assert row["low"] == pytest.approx(-1 - 4.302653, abs=1e-5)


def test_rounds_with_a_missing_vote_are_left_out():
    frame = votes([(1, 1, 0), (1, 0, 0)])
    frame.loc[0, "correct"] = pd.NA
    assert robustness.leave_one_out(frame)["rounds"].tolist() == [1, 1]
    gone = robustness.leave_one_out(frame.assign(correct=pd.NA).astype({"correct": "boolean"}))
    assert gone["rounds"].tolist() == [0] and gone["change"].isna().all()
