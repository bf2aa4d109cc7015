import itertools

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import sensitivity


def votes(seed_hits, preset="CORRECTED", points=2.0):
    """Votes of tournaments, by seed: rounds as (storyteller, listeners, hits)."""
    rows = [
        {"preset": preset, "seed": seed, "match": number // 2, "phase": 1, "round": number,
         "storyteller": teller, "listener": listener, "own_clue": teller == listener,
         "correct": bool(hit), "points": points, "n_candidates": 3}
        for seed, rounds in seed_hits.items()
        for number, (teller, listeners, hits) in enumerate(rounds)
        for listener, hit in zip(listeners, hits, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"correct": "boolean"})


ROUNDS = [
    ("a", "abb", (1, 1, 0)),  # partial
    ("b", "aab", (1, 1, 1)),  # all correct
]


def test_standings_by_hand():
    found = sensitivity.standings(votes({1: ROUNDS})).set_index(["measure", "player"])
    # a tells one partial round of one, hears b's clue twice and is right twice.
    assert found.loc[("partial", "a"), "value"] == 1 and found.loc[("partial", "b"), "value"] == 0
    assert found.loc[("listening", "a"), "value"] == 1
    assert found.loc[("listening", "b"), "value"] == 0.5
    # a: 3 points told of 3, 3 turns at 2 points of 5 each: 9 of 18. b: 0 + 6 of 18.
    assert found["value"].xs("overall").to_dict() == pytest.approx({"a": 0.5, "b": 1 / 3})
    assert found["rank"].xs("overall").to_dict() == {"a": 1, "b": 2}


def test_seeds_move_values_and_ranks():
    turned = [("b", "baa", (1, 1, 0)), ("a", "bba", (1, 1, 1))]
    found = sensitivity.seeds(sensitivity.standings(votes({1: ROUNDS, 2: turned, 3: ROUNDS})))
    a = found[(found["measure"] == "partial") & (found["player"] == "a")].iloc[0]
    # Values 1, 0, 1: mean 2/3, sd sqrt(1/3).
    assert (a["seeds"], a["best"], a["worst"], a["rank"]) == (3, 1, 2, 1)
    assert a["mean"] == a["first"] == pytest.approx(2 / 3)
    assert a["sd"] == pytest.approx(np.sqrt(1 / 3))
    alone = sensitivity.seeds(sensitivity.standings(votes({1: ROUNDS})))
    assert alone["sd"].isna().all() and (alone["seeds"] == 1).all()


def test_presets_are_compared_match_by_match():
    rng = np.random.default_rng(1)

    def tournament(p):
        return [("a", "abb", rng.random(3) < p) for _ in range(24)]

    base = votes({seed: tournament(0.5) for seed in range(6)})
    same = base.assign(preset="PAPER")
    sure = votes({seed: tournament(0.98) for seed in range(3)}, preset="RELEASED_CODE")
    found = sensitivity.presets(pd.concat([base, same, sure])).set_index(["preset", "measure"])
    paper = found.loc[("PAPER", "partial")]
    assert paper["difference"] == paper["low"] == 0 and paper["matches"] == 6 * 12
    code = found.loc[("RELEASED_CODE", "all_correct")]
    assert code["low"] > 0.5 and code["matches"] == 3 * 12
    assert np.isnan(found.loc[("CORRECTED", "partial"), "difference"])
    assert found.loc[("PAPER", "accuracy"), "chance"] == pytest.approx(1 / 3)
    assert np.isnan(found.loc[("PAPER", "partial"), "chance"])


def test_ranks_under_other_rules_are_set_beside_ranks_under_other_seeds():
    orders = {("CORRECTED", 1): "abc", ("CORRECTED", 2): "acb", ("PAPER", 1): "cba"}
    rows = [
        {"preset": preset, "seed": seed, "player": player, "measure": "partial", "value": -place}
        for (preset, seed), order in orders.items()
        for place, player in enumerate(order)
    ]
    found = sensitivity.rank_agreement(pd.DataFrame(rows)).set_index("against")
    # abc to acb: two of three pairs agree, tau 1/3; abc to cba: none, tau -1.
    assert found.loc[sensitivity.SAME, "tau"] == pytest.approx(1 / 3)
    assert found.loc["PAPER", "tau"] == pytest.approx(-1)
    assert found["comparisons"].to_dict() == {sensitivity.SAME: 1, "PAPER": 1}


def test_one_seed_and_one_preset_give_nan_and_no_zero():
    frame = votes({1: ROUNDS})
    agreement = sensitivity.rank_agreement(sensitivity.standings(frame))
    assert agreement["tau"].isna().all() and (agreement["comparisons"] == 0).all()
    assert sensitivity.presets(frame)["difference"].isna().all()
    assert sensitivity.preset_differences(frame).empty


def test_every_round_ends_in_one_way():
    hits = list(itertools.product((0, 1), repeat=3))
    found = sensitivity.rounds_of(votes({1: [("a", "bbb", each) for each in hits]}))
    assert found[["partial", "all_correct", "all_wrong"]].sum().tolist() == [6, 1, 1]
