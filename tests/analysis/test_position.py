import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.discrete.conditional_models import ConditionalLogit

from dixitlib.analysis import position


def simulated(rng, rounds, target=0.8, places=(0.0, 0.0, 0.0), sizes=(3,), common=0.0):
    """Votes by a conditional logit; `common` is the sd of what a round adds to its target."""
    rows = []
    for number in range(rounds):
        plain = target + common * rng.normal()
        for _ in range(3):
            size = int(rng.choice(sizes))
            stood = int(rng.integers(size))
            pull = np.array(places[:size]) + plain * (np.arange(size) == stood)
            chosen = int((pull + rng.gumbel(size=size)).argmax())
            rows.append((number // 24, 1, number, stood + 1, chosen + 1, size))
    return pd.DataFrame(rows, columns=["match", "phase", "round", *position.SHOWN])


def test_the_shuffler_is_tested_by_counts():
    places = [1] * 10 + [2] * 20 + [3] * 30
    votes = pd.DataFrame({"target_position": places, "n_candidates": 3})
    found = position.shuffler(votes)
    # (10 - 20)^2 / 20 + 0 + (30 - 20)^2 / 20 = 10 with two degrees of freedom: p = exp(-5).
    assert found["targets"].tolist() == [10, 20, 30] and set(found["expected"]) == {20}
    assert set(found["chi2"]) == {10} and found["p"].tolist() == pytest.approx([np.exp(-5)] * 3)


def test_the_published_chi_squared_of_the_target_position():
    # facts: 1.83 with three degrees of freedom, p = 0.61.
    assert stats.chi2.sf(1.83, 3) == pytest.approx(0.608, abs=5e-4)


def test_estimates_are_those_of_statsmodels_with_choice_sets_of_two_sizes():
    votes = simulated(np.random.default_rng(1), 60, places=(0, 0.5, -0.3, 0.2), sizes=(3, 4))
    choices = position._choices(votes)
    groups = np.repeat(np.arange(len(votes)), choices.open.sum(axis=1))
    taken = np.eye(4)[choices.chosen][choices.open]
    theirs = ConditionalLogit(taken, choices.x[choices.open], groups=groups).fit(disp=False)
    assert position.fit(choices) == pytest.approx(theirs.params, abs=1e-3)
    alone = position.sandwich(choices, theirs.params, np.arange(len(votes)))
    assert np.sqrt(np.diag(alone)) == pytest.approx(theirs.bse, rel=0.2)


def test_a_preference_for_a_place_is_found_and_none_is_not():
    rng = np.random.default_rng(2)
    found = position.preferences(simulated(rng, 500, places=(0, 0, 0.5)))
    table = found.table.set_index("term")
    for term, truth in (("target", 0.8), ("place 2", 0.0), ("place 3", 0.5)):
        assert abs(table.loc[term, "estimate"] - truth) < 3 * table.loc[term, "error"]
    assert found.joint.p < 1e-4
    assert position.preferences(simulated(rng, 500)).joint.p > 0.01


def test_the_joint_test_keeps_its_level_though_votes_of_a_round_are_alike():
    rng = np.random.default_rng(3)
    p = [position.preferences(simulated(rng, 60, common=1.5)).joint.p for _ in range(50)]
    # 2.5 rejections are expected at 0.05; 7 would be three standard errors above.
    assert sum(value < 0.05 for value in p) <= 7


def test_the_interval_of_a_place_covers():
    rng, inside = np.random.default_rng(4), 0
    for _ in range(50):
        table = position.preferences(simulated(rng, 60, places=(0, 0.4, 0), common=1.0)).table
        row = table.set_index("term").loc["place 2"]
        inside += row["low"] <= 0.4 <= row["high"]
    assert inside >= 43  # 47.5 are expected, with a standard error of 1.5


def test_what_follows_without_fail_is_nan_with_a_reason():
    votes = simulated(np.random.default_rng(5), 20)
    sure = votes.assign(choice_position=votes["target_position"])
    found = position.preferences(sure)
    assert found.table["estimate"].isna().all() and np.isnan(found.joint.p)
    assert "separated" in found.joint.note
    one = position.preferences(votes.assign(match=0, phase=1, round=1))
    assert set(one.table["note"]) == {"fewer than two clusters of votes"}
    none = position.preferences(votes.assign(choice_position=np.nan))
    assert none.table["estimate"].isna().all() and set(none.table["votes"]) == {0}
    assert position.shuffler(votes.assign(target_position=np.nan)).empty
