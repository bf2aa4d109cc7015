import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from dixitlib.analysis import crossed


def votes(hits, storytellers=None, listeners=None):
    """One row a vote from an array (cards, storytellers, listeners)."""
    cards, tellers, hearers = np.shape(hits)
    storytellers = storytellers or [f"t{k}" for k in range(tellers)]
    listeners = listeners or [f"l{k}" for k in range(hearers)]
    cells = itertools.product(range(cards), storytellers, listeners)
    frame = pd.DataFrame(cells, columns=["target", "storyteller", "listener"])
    return frame.assign(
        correct=np.ravel(hits),
        own_clue=frame["storyteller"] == frame["listener"],
        n_candidates=4,
    )


def additive(cards=(0.0,), tellers=(0.0,), hearers=(0.0,), mean=0.5):
    parts = np.ix_(np.array(cards), np.array(tellers), np.array(hearers))
    return mean + sum(parts)


def variances(frame):
    found = crossed.components(frame)
    return found.set_index("component")["variance"]


def test_additive_effects_have_their_own_variances_and_no_interaction():
    found = variances(votes(additive((-0.1, 0.1), (-0.2, 0.0, 0.2), (-0.05, 0.05))))
    # Sample variances of the effects: 0.02, 0.04, 0.005.
    expected = {"card": 0.02, "storyteller": 0.04, "listener": 0.005}
    for part, variance in found.items():
        assert variance == pytest.approx(expected.get(part, 0.0), abs=1e-12), part


def test_mean_squares_are_those_of_statsmodels():
    hits = np.random.default_rng(1).random((5, 3, 4))
    frame = votes(hits).rename(columns={"target": "card"}).astype({"card": str})
    formula = "correct ~ (C(card) + C(storyteller) + C(listener)) ** 2"
    table = anova_lm(smf.ols(formula, frame).fit())
    squares = table["sum_sq"] / table["df"]
    names = {(0,): "C(card)", (1, 2): "C(storyteller):C(listener)", (0, 1, 2): "Residual"}
    for part, name in names.items():
        assert crossed._mean_square(hits, part) == pytest.approx(squares[name])


def test_components_are_unbiased_under_random_effects():
    rng = np.random.default_rng(2)
    sd = {"storyteller": 0.3, "listener": 0.2, "card": 0.4, "storyteller x listener": 0.25}
    found = []
    for _ in range(400):
        s, li, c = rng.normal(size=6) * 0.3, rng.normal(size=5) * 0.2, rng.normal(size=20) * 0.4
        pair, noise = rng.normal(size=(6, 5)) * 0.25, rng.normal(size=(20, 6, 5)) * 0.5
        found.append(crossed._components(additive(c, s, li) + pair + noise))
    found = pd.DataFrame(found).set_axis(crossed.PARTS.values(), axis="columns")
    means, errors = found.mean(), found.sem()
    for part, mean in means.items():
        truth = 0.25 if part.startswith("all three") else sd.get(part, 0.0) ** 2
        assert abs(mean - truth) < 4 * errors[part], part


def test_effects_separate_listening_telling_and_the_own_clue():
    names = ["a", "b", "c"]
    hits = additive((0.0, 0.0), (-0.2, 0.0, 0.2, 0.0), (-0.1, 0.0, 0.1), mean=0.4)
    for k in range(3):
        hits[:, k, k] += 0.15  # the players a, b and c understand their own clues better
    hits[0] += 0.1  # one card is plainer, for all
    found = crossed.effects(votes(hits, [*names, "d"], names)).set_index(["effect", "name"])
    expected = {
        ("listening", "a"): -0.1, ("listening", "c"): 0.1, ("telling", "a"): -0.2,
        ("telling", "d"): 0.0, ("shared", "own_clue"): 0.15,
    }  # fmt: skip
    for key, value in expected.items():
        assert found.loc[key, "estimate"] == pytest.approx(value)
    # Cards differ in nothing but their mean, so the effects are known exactly.
    assert found["high"].to_numpy() == pytest.approx(found["low"].to_numpy())
    assert (found["cards"] == 2).all() and (found["note"] == "").all()


def test_the_interval_of_the_own_clue_bonus_covers():
    rng, names, inside = np.random.default_rng(3), ["a", "b", "c"], 0
    chance = additive(rng.normal(size=30) * 0.1, (-0.1, 0, 0.1), (0, 0.1, -0.1), 0.5)
    chance[:, range(3), range(3)] += 0.1
    frame = votes(chance, names, names)
    for _ in range(50):
        hits = (rng.random(len(frame)) < frame["correct"]).astype(float)
        row = crossed.effects(frame.assign(correct=hits)).iloc[-1]
        inside += row["low"] <= 0.1 <= row["high"]
    assert inside >= 43  # 47.5 are expected, with a standard error of 1.5


def test_without_common_players_the_own_clue_bonus_is_undefined_with_a_reason():
    hits = np.random.default_rng(4).integers(2, size=(6, 2, 2)).astype(float)
    found = crossed.effects(votes(hits))
    assert found["estimate"].isna().all()
    assert set(found["note"]) == {"own_clue can't be told from who tells and who listens"}
    assert crossed.effects(votes(hits), shared=())["estimate"].notna().all()


def test_one_listener_gives_nan_with_a_reason():
    found = crossed.components(votes(np.ones((5, 3, 1))))
    assert found[["variance", "low", "high", "share"]].isna().all(axis=None)
    assert set(found["note"]) == {"only 1 listeners without a missing vote"}


def test_tables_with_a_missing_vote_are_left_out_whole():
    frame = votes(np.random.default_rng(5).random((6, 3, 2))).astype({"correct": "Float64"})
    frame.loc[0, "correct"] = pd.NA
    found = crossed.crossed(frame)
    assert (found.hits.shape, found.dropped) == ((5, 3, 2), 1)
    gone = crossed.components(frame.assign(correct=pd.NA).astype({"correct": "boolean"}))
    assert set(gone["note"]) == {"only 0 cards without a missing vote"}


def test_two_votes_on_one_clue_are_refused():
    frame = votes(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="a listener has one vote on a clue"):
        crossed.crossed(pd.concat([frame, frame.iloc[:1]]))


def test_the_matrix_holds_every_pair_and_chance():
    frame = votes([[[1.0, 0.0]], [[1.0, 1.0]]], ["a"], ["a", "b"])
    found = crossed.matrix(frame).set_index("listener")
    assert found["accuracy"].to_dict() == {"a": 1.0, "b": 0.5, "chance": 0.25}
    assert found["own_clue"].to_dict() == {"a": True, "b": False, "chance": False}
    assert found.loc["b", "low"] < 0.5 < found.loc["b", "high"]
