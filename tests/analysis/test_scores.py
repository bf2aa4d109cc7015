"""Points by hand, the facts' chance scores, and own clues apart."""

from __future__ import annotations

import numpy as np
import pytest

from dixitlib.analysis.scores import listening, scores

AABB = ("a", "a", "b", "b")


@pytest.fixture
def played(make_frames):
    # a tells twice (partial; all wrong), b once (all correct). Listeners get 5, 9 and 9
    # together, shared evenly in these frames.
    return make_frames(
        [
            (0, 1, AABB, 0, (0, 1, 0)),
            (0, 2, AABB, 1, (0, 0, 0)),
            (1, 3, AABB, 2, (1, 1, 1)),
            (1, 4, AABB, 3, None),
        ]
    )


def test_scores_by_hand(played):
    frame = scores(*played).set_index(["player", "measure"])
    assert frame.loc[("a", "storyteller"), ["points", "possible", "score"]].tolist() == [3, 6, 0.5]
    assert frame.loc[("b", "storyteller"), ["points", "possible", "score"]].tolist() == [0, 3, 0]
    # a listens once to a's each clue and twice to b's: 5/3 + 9/3 + 2 * 9/3 of 20.
    assert frame.loc[("a", "listener"), "points"] == pytest.approx(5 / 3 + 9)
    assert frame.loc[("a", "listener"), "possible"] == 20
    assert frame.loc[("a", "overall"), "score"] == pytest.approx((3 + 5 / 3 + 9) / 26)
    assert frame.loc[("a", "vote_accuracy"), ["points", "possible"]].tolist() == [2, 4]
    assert frame.loc[("b", "vote_accuracy"), ["points", "possible"]].tolist() == [2, 5]


def test_chance_scores_are_those_of_the_facts(played):
    frame = scores(*played).query("player == 'chance'").set_index("measure")["score"]
    assert frame["storyteller"] == pytest.approx(2 / 3)
    assert frame["listener"] == pytest.approx(0.452, abs=5e-4)
    assert frame["vote_accuracy"] == pytest.approx(1 / 3)
    # Each round holds out 3 + 15 points; random voters give 2 + 183/27 of them.
    assert frame["overall"] == pytest.approx((2 + 183 / 27) / 18)
    # RELEASED_CODE hands out 6, 6, 9, 9 points a round, of which a partial round's
    # storyteller has 3, and lets listeners vote for their own card.
    released = scores(*played, handed_out=(6, 3, 6, 9), n_candidates=4)
    assert released.query("player == 'chance' and measure == 'listener'")["score"].item() == (
        pytest.approx(0.319, abs=5e-4)
    )


def test_own_and_others_clues_are_apart(played):
    frame = listening(played[1]).set_index(["listener", "clues"])
    assert frame.loc[("a", "own"), ["votes", "accuracy"]].tolist() == [2, 0.0]
    assert frame.loc[("a", "others"), ["votes", "accuracy"]].tolist() == [2, 1.0]
    assert frame.loc[("a", "all"), ["votes", "accuracy"]].tolist() == [4, 0.5]
    assert frame.loc[("b", "own"), ["votes", "accuracy"]].tolist() == [1, 1.0]
    assert frame.loc[("chance", "all"), "accuracy"] == pytest.approx(1 / 3)


def test_a_listener_of_few_clues_has_nan_not_zero(make_frames):
    _, votes = make_frames([(0, 1, ("a", "b", "b", "b"), 0, (1, 0, 0))])
    frame = listening(votes).set_index(["listener", "clues"])
    assert frame.loc[("b", "own"), "votes"] == 0
    assert np.isnan(frame.loc[("b", "own"), "accuracy"])


def test_scores_have_intervals_by_match(make_tournament):
    frame = scores(*make_tournament(2, {"a": 0.3, "b": 0.5, "c": 0.8}))
    real = frame[frame["player"] != "chance"]
    assert (real["low"] < real["score"]).all()
    assert (real["score"] < real["high"]).all()
    assert real["low"].ge(0).all()
    assert real["high"].le(1).all()


def test_all_void_is_nan(make_frames):
    frame = scores(*make_frames([(0, 1, AABB, 0, None)]))
    assert frame["player"].unique().tolist() == ["chance"]


def test_strict_scores_count_a_failed_move_as_nothing_and_others_not_at_all(played):
    # b's second telling failed: 0 of 6 instead of 0 of 3; a listens as often as before.
    loose, strict = (
        scores(*played, strict=strict).set_index(["player", "measure"])["possible"]
        for strict in (False, True)
    )
    assert (loose["b", "storyteller"], strict["b", "storyteller"]) == (3, 6)
    assert loose["a"].equals(strict["a"])


def test_a_listener_that_failed_gets_nothing_of_its_maximum(played):
    rounds, votes = played
    void = votes.index[-1]  # b, listening to b in the void round
    votes.loc[void, "failed"] = True
    rounds["failed"] = False
    frame = scores(rounds, votes, strict=True).set_index(["player", "measure"])
    assert frame.loc[("b", "vote_accuracy"), ["points", "possible"]].tolist() == [2, 6]
    assert frame.loc[("b", "storyteller"), "possible"] == 3
