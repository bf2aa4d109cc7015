"""People beside models, on small tables worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dixitlib.analysis import human

RATERS = ("owl", "cat", "elk")


def answer(rater, case, step, origin="person", **scores):
    blank = dict.fromkeys(("clarity", "creativity", "coherence", "plausibility", "difficulty"))
    row = {"rater": rater, "case": case, "step": step, "origin": origin, "choice": None}
    return row | blank | scores


def table(rows):
    frame = pd.DataFrame(rows)
    scores = ["clarity", "creativity", "coherence", "plausibility", "difficulty"]
    return frame.astype(dict.fromkeys(scores, float))


@pytest.fixture
def cases():
    """Four cases, two of each storyteller, in two matches; the target is always 001."""
    return pd.DataFrame(
        {
            "case": ["c1", "c2", "c3", "c4"],
            "match": [0, 1, 0, 1],
            "storyteller": ["s", "s", "m", "m"],
            "target": ["001"] * 4,
            "similarity": [0.1, 0.2, 0.3, 0.4],
            "margin": [0.4, 0.3, 0.2, 0.1],
            "words": [1, 2, 2, 3],
        }
    )


@pytest.fixture
def answers(cases):
    """All find c1, nobody c2, two of three c3 and one of three c4."""
    found = {"c1": 3, "c2": 0, "c3": 2, "c4": 1}
    rows = [
        answer(rater, case, "vote", choice="001" if k < found[case] else "002")
        for case in cases["case"]
        for k, rater in enumerate(RATERS)
    ]
    rows += [
        answer(rater, case, "rating", clarity=2 + k, creativity=score)
        for case, k in zip(cases["case"], (0, 1, 2, 3), strict=True)
        for rater, score in zip(RATERS, (1, 2, 3), strict=True)
    ]
    return table(rows)


@pytest.fixture
def models():
    """The model m finds all but c2, s finds nothing."""
    rows = [("c1", True), ("c2", False), ("c3", True), ("c4", True)]
    told = {"c1": "s", "c2": "s", "c3": "m", "c4": "m"}
    rows = [("m", case, told[case] == "m", hit) for case, hit in rows]
    rows += [("s", case, told[case] == "s", False) for case in told]
    return pd.DataFrame(rows, columns=["listener", "case", "own_clue", "correct"])


def test_accuracy_counts_every_vote_and_says_what_its_interval_is_for(answers, cases):
    frame = human.accuracy(human.votes(answers, cases)).set_index("clusters")
    # 3 + 0 + 2 + 1 of 12 votes.
    assert frame["accuracy"].tolist() == [0.5, 0.5]
    assert frame["number"].to_dict() == {"case": 4, "rater": 3}
    assert frame["chance"].eq(0.25).all() and frame["origin"].eq("person").all()
    # Raters differ little (3, 2, 1 of 4), cases from none to all.
    width = frame["high"] - frame["low"]
    assert width["case"] > 0.5 and (frame["low"] < 0.5).all() and (frame["high"] > 0.5).all()


def test_a_model_is_compared_on_the_same_cases_and_never_on_its_own(answers, cases, models):
    frame = human.against_models(human.votes(answers, cases), models).set_index("listener")
    # m listens to c1 and c2: it found one of two, people 3 of 6.
    assert frame.loc["m", ["cases", "accuracy", "people", "difference"]].tolist() == [
        2, 0.5, 0.5, 0.0,
    ]  # fmt: skip
    # It is right where all people are and wrong where all are: paired, nothing is left to vary.
    assert frame.loc["m", "difference_low"] == frame.loc["m", "difference_high"] == 0
    # s listens to c3 and c4: none of two, people 3 of 6.
    assert frame.loc["s", ["cases", "accuracy", "people", "difference"]].tolist() == [
        2, 0.0, 0.5, 0.5,
    ]  # fmt: skip
    assert frame["chance"].eq(0.25).all()


def test_a_failed_vote_of_a_model_is_no_answer(answers, cases, models):
    failed = models.astype({"correct": object})
    failed.loc[(failed["listener"] == "m") & (failed["case"] == "c2"), "correct"] = None
    frame = human.against_models(human.votes(answers, cases), failed).set_index("listener")
    assert frame.loc["m", ["cases", "accuracy", "people"]].tolist() == [1, 1.0, 1.0]


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([5, 5, 5], 1.0),  # median 5, no deviation
        ([1, 1], 0.0),
        ([3, 3, 3], 0.5),
        ([1, 1, 5, 5], 0.0),  # median 3, each 2 away: 1, the floor
        ([4, 4, 2], 0.75),  # median 4; deviations 0, 0, 2, their median 0
        ([2, 3, 4], 0.25),  # median 3; deviations 1, 0, 1, their median 1: 2
        ([1, 5], 0.0),
    ],
)
def test_clarity_by_hand(ratings, expected):
    assert human.clarity(ratings) == pytest.approx(expected)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_clarity_is_a_share_and_never_above_the_median(ratings):
    found = human.clarity(ratings)
    assert 0 <= found <= (np.median(ratings) - 1) / 4


def test_clarity_of_nothing_is_nothing():
    assert math.isnan(human.clarity([]))


def test_what_random_raters_would_give():
    assert human.random_clarity(1) == pytest.approx(0.5)  # the mean of 0, 1/4, 1/2, 3/4, 1
    # Two raters a <= b: median (a + b) / 2 less (b - a) / 2 is a. E min of two dice of five
    # is (9*1 + 7*2 + 5*3 + 3*4 + 1*5) / 25 = 55 / 25, so (2.2 - 1) / 4.
    assert human.random_clarity(2) == pytest.approx(0.3)


def test_scores_are_one_row_a_case(answers, cases):
    rated = human.scores(answers, cases)
    assert rated["clarity"].tolist() == pytest.approx([0.25, 0.5, 0.75, 1.0])
    assert rated["creativity"].tolist() == [2.0] * 4
    assert rated["raters"].tolist() == [3] * 4


def test_storytellers_are_compared_with_random_raters(answers, cases):
    frame = human.by_storyteller(human.scores(answers, cases))
    clarity = frame[frame["measure"] == "clarity"].set_index("storyteller")
    assert clarity["mean"].to_dict() == pytest.approx({"s": 0.375, "m": 0.875})
    assert clarity["chance"].unique() == pytest.approx([human.random_clarity(3)])
    assert frame.loc[frame["measure"] == "creativity", "chance"].unique().tolist() == [3.0]
    assert (clarity["low"] < clarity["mean"]).all()


def test_agreement_is_perfect_on_clarity_and_none_on_creativity(answers):
    frame = human.agreements(answers).set_index(["measure", "coefficient"])
    ordinal = "Krippendorff's alpha, ordinal"
    assert frame.loc[("clarity", ordinal), "estimate"] == pytest.approx(1.0)
    assert frame.loc[("creativity", ordinal), "estimate"] < 0
    assert set(frame.index.get_level_values("measure")) == {"vote", "clarity", "creativity"}


def test_one_rater_agrees_with_nobody(answers):
    assert human.agreements(answers[answers["rater"] == "owl"]).empty


def test_proxies_rise_and_fall_with_clarity(answers, cases, models):
    frame = human.proxies(human.scores(answers, cases), models)
    clarity = frame[frame["measure"] == "clarity"].set_index("proxy")["correlation"]
    assert clarity["similarity"] == pytest.approx(1) and clarity["margin"] == pytest.approx(-1)
    assert clarity["words"] == pytest.approx(math.sqrt(0.9))  # ranks 1, 2.5, 2.5, 4
    # The models but the storyteller: m on c1 and c2 (right, wrong), s on c3 and c4 (wrong).
    assert frame["cases"].eq(4).all()


def test_annotations_by_tier():
    items = pd.DataFrame({"case": ["i1", "i2"], "tier": ["hard", "easy"]})
    scores = {"coherence": 4, "plausibility": 2}
    given = table(
        [
            answer(rater, case, "annotation", difficulty=d, **scores)
            for case, d in (("i1", 5), ("i2", 1))
            for rater in RATERS
        ]
    )
    frame = human.annotations(given, items).set_index(["tier", "measure"])
    assert frame.loc[("hard", "difficulty"), "mean"] == 5
    assert frame.loc[("easy", "difficulty"), "mean"] == 1
    assert frame["items"].eq(1).all()


def test_answers_to_unknown_cases_are_named(answers, cases):
    with pytest.raises(ValueError, match="lacks: c1, c2"):
        human.votes(answers, cases[2:])
    with pytest.raises(ValueError, match="lacks: c4"):
        human.scores(answers, cases[:3])


def test_every_frame_says_who_answered(answers, cases, models):
    simulated = answers.assign(origin="simulated")
    votes, rated = human.votes(simulated, cases), human.scores(simulated, cases)
    frames = [
        human.accuracy(votes),
        human.against_models(votes, models),
        human.by_storyteller(rated),
        human.agreements(simulated),
        human.proxies(rated, models),
    ]
    assert all(frame["origin"].eq("simulated").all() for frame in frames)
