"""Shares, chance and independence: worked by hand, against brute force, and degenerate."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis.inference import match_share
from dixitlib.analysis.outcomes import (
    against_independence,
    chance,
    coverage,
    decomposition,
    failures,
    independence,
)

AABB = ("a", "a", "b", "b")


@pytest.fixture
def played(make_tournament):
    return make_tournament(1, {"a": 0.3, "b": 0.5, "c": 0.8})


# --- decomposition ----------------------------------------------------------------------


def test_shares_by_hand(make_frames):
    # a tells four rounds in two matches: partial, partial, all correct; all wrong.
    rounds, _ = make_frames(
        [
            (0, 1, AABB, 0, (1, 0, 0)),
            (0, 2, AABB, 1, (1, 1, 0)),
            (0, 5, AABB, 0, (1, 1, 1)),
            (1, 1, AABB, 0, (0, 0, 0)),
        ]
    )
    frame = decomposition(rounds, n_candidates=None)
    assert list(frame.columns) == ["player", "outcome", "rounds", "share", "low", "high"]
    assert frame["outcome"].tolist() == ["partial", "all_correct", "all_wrong"]
    assert frame["rounds"].tolist() == [2, 1, 1]
    assert frame["share"].tolist() == [0.5, 0.25, 0.25]


def test_three_rows_a_player_that_add_up_and_chance_at_the_end(played):
    frame = decomposition(played[0])
    assert frame["player"].unique().tolist() == ["a", "b", "c", "chance"]
    sums = frame.groupby("player", sort=False)[["rounds", "share"]].sum()
    assert np.allclose(sums["share"], 1)
    # Three cross or self matches each: 2 x 12 in cross matches, 24 in self-play.
    assert sums["rounds"].tolist() == [48, 48, 48, 0]
    assert frame["low"].dropna().between(0, 1).all()
    assert frame["high"].dropna().between(0, 1).all()
    assert (frame["low"].dropna() <= frame["share"][frame["low"].notna()]).all()


def test_intervals_respect_matches(played):
    rounds = played[0]
    told = rounds[rounds["storyteller"] == "b"].assign(hit=lambda f: f["outcome"] == "partial")
    row = decomposition(rounds).query("player == 'b' and outcome == 'partial'").iloc[0]
    assert (row["share"], row["low"], row["high"]) == match_share(told, "hit")


def test_void_rounds_are_in_no_share_but_counted(make_frames):
    rows = [(m, n, AABB, 0, (1, 0, 0)) for m in range(3) for n in (1, 5)]
    rounds, _ = make_frames([*rows, (0, 9, AABB, 0, None), (2, 9, AABB, 0, None)])
    partial = decomposition(rounds).iloc[0]
    assert (partial["rounds"], partial["share"]) == (6, 1.0)
    row = coverage(rounds).iloc[0]
    assert (row["told"], row["played"], row["coverage"], row["matches"]) == (8, 6, 0.75, 3)
    assert row["note"] == ""


def test_nothing_played_is_nan_with_a_reason(make_frames):
    rounds, _ = make_frames([(0, 1, AABB, 0, None), (1, 1, AABB, 0, None)])
    frame = decomposition(rounds, n_candidates=None)
    assert frame["rounds"].tolist() == [0, 0, 0]
    assert frame[["share", "low", "high"]].isna().all().all()
    assert coverage(rounds)["note"].tolist() == ["all rounds void: no shares"]


def test_one_match_has_shares_but_no_intervals(make_frames):
    rounds, _ = make_frames([(0, n, AABB, 0, (n % 2, 0, 0)) for n in (1, 2, 3)])
    frame = decomposition(rounds, n_candidates=None)
    assert frame["share"].tolist() == [2 / 3, 0, 1 / 3]
    assert frame[["low", "high"]].isna().all().all()
    assert coverage(rounds)["note"].tolist() == ["one match: no intervals"]


@pytest.mark.parametrize("n_candidates", [3, 4, 6])
def test_chance_is_what_counting_all_votes_gives(n_candidates):
    # Every combination of three votes is equally likely; card 0 is the target.
    hits = [votes.count(0) for votes in product(range(n_candidates), repeat=3)]
    expected = {
        "partial": np.mean([h in (1, 2) for h in hits]),
        "all_correct": np.mean([h == 3 for h in hits]),
        "all_wrong": np.mean([h == 0 for h in hits]),
    }
    frame = chance(n_candidates).set_index("outcome")
    assert frame["share"].to_dict() == pytest.approx(expected)
    assert frame["rounds"].isna().all()


def test_chance_of_the_facts():
    assert chance()["share"].tolist() == pytest.approx([2 / 3, 1 / 27, 8 / 27])
    assert chance(4)["share"].iloc[0] == pytest.approx(0.5625)  # own card votable


# --- independence -----------------------------------------------------------------------


def test_independence_by_hand(make_frames):
    # b tells nothing. On a's clues: a hits 1 of 2, b hits 3 of 4, so p = 1/2, 3/4, 3/4.
    # Pairs of votes in different rounds: a with b (1 * 3 - 2) / (2 * 4 - 4) = 1/4, b with b
    # (9 - 5) / (16 - 8) = 1/2, a with a (1 - 1) / (4 - 2) = 0.
    # Expected: 1/2 + 3/4 + 3/4 - 1/4 - 1/4 - 1/2 = 1. Observed: all correct, partial.
    _, votes = make_frames([(0, 1, AABB, 0, (1, 1, 1)), (0, 2, AABB, 1, (0, 1, 0))])
    row = independence(votes).iloc[0]
    assert row["storyteller"] == "a"
    assert row["rounds"] == 2
    assert row["partial"] == 0.5
    assert row["expected"] == pytest.approx(1)
    assert row["excess"] == pytest.approx(-0.5)
    # Pairs that hit together: 3 and 0, where 1 each is expected. Variances: a 1/2 - 0,
    # b 3/4 - 1/2, so each round has 2 sqrt(1/2) sqrt(1/4) + 1/4.
    assert row["correlation"] == pytest.approx((3 - 2) / (2 * (np.sqrt(1 / 2) + 1 / 4)))
    assert np.isnan(row["low"])  # one match


def test_chance_is_that_of_all_pairs_of_votes_in_different_rounds(played):
    votes = played[1].astype({"correct": float}).query("storyteller == 'b'")
    place = votes.groupby(["match", "phase", "round"]).ngroup().to_numpy()
    hit, who = votes["correct"].to_numpy(), votes["listener"].to_numpy()
    apart = place[:, None] != place
    found = against_independence(played[1]).query("storyteller == 'b'").iloc[0]
    of_round = votes[place == place[0]]["listener"]
    chances = [
        np.outer(hit, hit)[apart & np.outer(who == one, who == other)].mean()
        for one, other in combinations(of_round, 2)
    ]
    p = [hit[who == name].mean() for name in of_round]
    assert found["expected"] == pytest.approx(sum(p) - sum(chances))


def test_rounds_against_independence_are_what_storytellers_are_averaged_from(played):
    rounds = against_independence(played[1])
    assert len(rounds) == len(played[0])
    assert rounds["excess"].tolist() == (-rounds["together"]).tolist()
    means = rounds.groupby("storyteller")[["excess", "partial", "expected"]].mean()
    frame = independence(played[1]).set_index("storyteller")
    assert frame["excess"].to_dict() == pytest.approx(means["excess"].to_dict())
    assert frame["excess"].to_dict() == pytest.approx(
        (means["partial"] - means["expected"]).to_dict()
    )


def test_independent_listeners_show_no_excess_and_no_correlation(make_tournament):
    _, votes = make_tournament(3, {"a": 0.3, "b": 0.5, "c": 0.8}, rounds=400)
    frame = independence(votes)
    assert (frame["excess"].abs() < 0.04).all()
    assert (frame["correlation"].abs() < 0.04).all()


def test_listeners_that_share_their_luck_show_both(make_tournament):
    # In half the rounds one draw decides for all: the correlation of equals is 1/2.
    _, votes = make_tournament(4, {"a": 0.5, "b": 0.5, "c": 0.5}, rounds=400, shared=0.5)
    frame = independence(votes)
    assert frame["correlation"].tolist() == pytest.approx([0.5] * 3, abs=0.06)
    # Partial then in half of 3/4 of the rounds.
    assert frame["partial"].tolist() == pytest.approx([0.375] * 3, abs=0.05)
    assert frame["expected"].tolist() == pytest.approx([0.75] * 3, abs=0.02)


@pytest.mark.parametrize(("shared", "correlation"), [(0.0, 0.0), (0.5, 0.5)])
def test_twelve_rounds_a_pair_do_not_pull_the_correlation_down(
    make_tournament, shared, correlation
):
    # The means of 25 tournaments have standard errors of about 0.013; `make certify` plays 1,000.
    chances = {"a": 0.5, "b": 0.5}
    found = [
        independence(make_tournament(seed, chances, names="ab", rounds=12, shared=shared)[1])
        for seed in range(25)
    ]
    assert pd.concat(found)["correlation"].mean() == pytest.approx(correlation, abs=0.03)


def test_a_listener_that_heard_one_round_leaves_nothing_to_compare(make_frames):
    _, votes = make_frames([(0, 1, AABB, 0, (1, 0, 1))])
    row = independence(votes).iloc[0]
    assert (row["storyteller"], row["rounds"]) == ("a", 0)
    assert row[["partial", "expected", "excess", "correlation"]].isna().all()
    assert against_independence(votes)["partial"].tolist() == [1]


def test_listeners_that_never_miss_have_no_correlation(make_frames):
    _, votes = make_frames([(m, 1, AABB, 0, (1, 1, 1)) for m in range(3)])
    row = independence(votes).iloc[0]
    assert (row["partial"], row["expected"]) == (0, 0)
    assert np.isnan(row["correlation"])


def test_void_rounds_are_left_out_of_independence(make_frames):
    rows = [(0, 1, AABB, 0, (1, 1, 1)), (0, 2, AABB, 1, (0, 1, 0))]
    _, votes = make_frames(rows)
    _, voided = make_frames([*rows, (0, 3, AABB, 0, None)])
    pd.testing.assert_frame_equal(independence(votes), independence(voided))


# --- failures ---------------------------------------------------------------------------


def test_failures_average_the_measures_by_outcome(make_frames):
    rounds, _ = make_frames(
        [
            (0, 1, AABB, 0, (1, 1, 1)),
            (1, 1, AABB, 0, (1, 1, 1)),
            (0, 2, AABB, 0, (0, 0, 0)),
            (0, 3, AABB, 0, None),
        ]
    )
    rounds["similarity"] = [0.6, 0.8, 0.1, np.nan]
    rounds["margin"] = [0.3, 0.4, -0.2, np.nan]
    frame = failures(rounds).set_index(["outcome", "measure"])
    assert frame.loc[("all_correct", "similarity"), "mean"] == pytest.approx(0.7)
    assert frame.loc[("all_correct", "margin"), "rounds"] == 2
    assert frame.loc[("all_wrong", "margin"), "mean"] == pytest.approx(-0.2)
    assert frame.loc[("partial", "margin"), "rounds"] == 0
    assert np.isnan(frame.loc[("partial", "margin"), "mean"])


def test_rounds_without_measures_are_refused(played):
    with pytest.raises(ValueError, match=r"no column similarity, margin.*meaning\.csv"):
        failures(played[0])
