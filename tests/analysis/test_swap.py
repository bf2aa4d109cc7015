import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import contrasts, swap


def rounds(points, matches=(("a", "b"),)):
    """Rounds of matches in which `points(match, stream, player, phase, rng)` are won."""
    rows = []
    for match, (a, b) in enumerate(matches):
        for phase in (1, 2):
            for stream in range(4):
                player = (a, a, b, b)[(stream + 2 * (phase == 2)) % 4]
                seat = (stream + 2 * (phase == 2)) % 4
                rows += [
                    {"match": match, "stream": stream, "phase": phase, "storyteller": player,
                     "storyteller_seat": seat, "cross": a != b,
                     "storyteller_points": points(match, stream, player, phase)}
                ] * 3  # fmt: skip
    return pd.DataFrame(rows)


HANDS = {0: 0.0, 1: 0.7, 2: -0.2, 3: 0.4}
SKILL = {"a": 1.0, "b": 1.6}


def known(match, stream, player, phase):
    return HANDS[stream] + SKILL[player] + 0.25 * (phase == 2)


def test_model_phase_and_hand_are_told_apart():
    paired = swap.pairs(rounds(known))
    # Within a stream the hand drops out: streams 0 and 1 give -0.6 - 0.25, the others -0.6 + 0.25.
    assert paired["model"].tolist() == pytest.approx([-0.85, -0.85, -0.35, -0.35])
    assert paired["model"].mean() == pytest.approx(SKILL["a"] - SKILL["b"])
    assert paired["phase"].mean() == pytest.approx(0.25)
    found = swap.advantages(paired).set_index("player")["difference"]
    assert found.to_dict() == pytest.approx({"a": -0.6, "b": 0.6})
    # The better hand stays the better by as much, whoever holds it.
    assert swap.hand_correlation(paired).estimate == pytest.approx(1)


def test_hands_that_do_not_matter_correlate_by_nothing():
    rng = np.random.default_rng(1)
    noise = swap.pairs(rounds(lambda *_: rng.normal(), [("a", "b")] * 300))
    found = swap.hand_correlation(noise)
    assert found.low < 0 < found.high and abs(found.estimate) < 0.15
    tested = contrasts.equivalence(noise, "phase", "match", 0.3)
    assert tested.equivalent


def test_self_play_has_a_phase_and_no_model_contrast():
    paired = swap.pairs(rounds(known, [("a", "a")]))
    assert paired["model"].isna().all() and paired["phase"].mean() == pytest.approx(0.25)
    assert swap.advantages(paired).empty
    one = swap.hand_correlation(paired)
    assert np.isnan(one.low), "one match tells nothing of how matches differ"


def test_hands_that_were_not_swapped_are_refused():
    frame = rounds(known)
    frame["storyteller"] = frame["stream"].map({0: "a", 1: "a", 2: "b", 3: "b"})
    with pytest.raises(ValueError, match="hands were not swapped in match 0"):
        swap.pairs(frame)


def test_void_rounds_and_streams_with_one_owner_are_left_out():
    frame = rounds(known)
    lost = (frame["stream"] == 0) & (frame["phase"] == 2)
    frame.loc[lost, "storyteller_points"] = np.nan
    assert swap.pairs(frame)["stream"].tolist() == [1, 2, 3]
    assert swap.pairs(frame.assign(storyteller_points=np.nan)).empty


def test_seats_are_compared_within_one_player():
    told = pd.DataFrame(
        {"match": 0, "storyteller_seat": [0, 1, 2, 3], "storyteller": list("aabb"),
         "storyteller_points": [3.0, 0.0, 3.0, 3.0]}
    )  # fmt: skip
    heard = pd.DataFrame(
        {"match": 0, "listener_seat": [0, 1, 2, 3], "listener": list("aabb"),
         "points": [1.0, 2.0, 3.0, 1.0]}
    )  # fmt: skip
    seated = swap.seats(told, heard)
    assert seated["points"].tolist() == [2.0, 1.0, 3.0, 2.0]
    assert swap.seat_pairs(seated)["difference"].tolist() == [1.0, 1.0]
