"""Runs that can't answer: no number comes of nothing, and what is missing is said.

Every estimator is put to the committed runs, cut down: to nothing, to void rounds, to one
match, to one model, to rounds none of which is partial. Warnings are errors here.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dixitlib import store
from dixitlib.analysis import (
    accuracy,
    bench_arena,
    claims,
    clues,
    contrasts,
    crossed,
    entailment,
    failures,
    inference,
    opponents,
    outcomes,
    position,
    ratings,
    regression,
    robustness,
    scores,
    swap,
    variance,
)
from dixitlib.analysis.skill import skill_and_clarity
from dixitlib.paths import REPOSITORY

PLACE = ["match", "phase", "round"]
WEAK = ["s-literal", "s-partial"]

# What is asked of rounds and votes, and where its estimates stand.
ESTIMATORS = {
    "coverage": (lambda r, v: outcomes.coverage(r), []),
    "decomposition": (lambda r, v: outcomes.decomposition(r), ["share"]),
    "independence": (lambda r, v: outcomes.independence(v), ["partial", "expected", "correlation"]),
    "failures": (lambda r, v: outcomes.failures(r), ["mean"]),
    "modes": (lambda r, v: failures.modes(r), ["share"]),
    "endings": (lambda r, v: failures.endings(r), ["share"]),
    "proxies": (lambda r, v: clues.proxies(r), ["mean"]),
    "leakage": (lambda r, v: clues.leakage(r), ["share"]),
    "scores": (lambda r, v: scores.scores(r, v), ["score"]),
    "listening": (lambda r, v: scores.listening(v), ["accuracy"]),
    "strength": (lambda r, v: opponents.strength(v).to_frame(), ["strength"]),
    "match scores": (lambda r, v: opponents.match_scores(r, v), ["score"]),
    "variance ratio": (
        lambda r, v: opponents.variance_ratio(opponents.match_scores(r, v), WEAK),
        ["estimate", "p"],
    ),
    "skill": (lambda r, v: skill_and_clarity(v), ["estimate"]),
    "Bradley-Terry": (
        lambda r, v: ratings.bradley_terry(ratings.match_results(r, v)),
        ["rating"],
    ),
    "Davidson": (lambda r, v: ratings.davidson(ratings.match_results(r, v)), ["rating"]),
    "matrix": (lambda r, v: crossed.matrix(v), ["accuracy"]),
    "leave one out": (lambda r, v: robustness.leave_one_out(v), ["change", "stability"]),
    "named": (lambda r, v: robustness.named(v), ["change"]),
    "shuffler": (lambda r, v: position.shuffler(v), []),  # void rounds were dealt too
    "preferences": (lambda r, v: position.preferences(v).table, ["estimate", "p"]),
    "advantages": (lambda r, v: swap.advantages(swap.pairs(r)), ["difference"]),
    "hands": (lambda r, v: swap.hand_correlation(swap.pairs(r)), ["estimate"]),
    "seats": (lambda r, v: swap.seat_pairs(swap.seats(r, v)), ["difference"]),
    "share": (lambda r, v: inference.share_interval(v, "correct", "match"), ["estimate"]),
    "equivalence": (
        lambda r, v: contrasts.equivalence(r, "storyteller_points", "match", 0.3),
        ["estimate", "p"],
    ),
    "correlation": (lambda r, v: variance.intraclass(v, "correct", "match"), ["estimate"]),
    "slope": (
        lambda r, v: claims.coefficient(regression.linear, v, "correct ~ 1", "match", "Intercept"),
        ["estimate", "p"],
    ),
}
BY_MATCH = ["decomposition", "independence", "scores", "listening", "skill", "Bradley-Terry"]
BY_MATCH += ["Davidson", "share", "equivalence", "hands", "advantages", "slope"]

every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


@pytest.fixture(scope="module")
def offline():
    run = REPOSITORY / "data/runs/offline"
    return store.read_rounds(run), store.read_votes(run)


@pytest.fixture(scope="module")
def one_model():
    run = REPOSITORY / "data/runs/faulty"
    return store.read_rounds(run), store.read_votes(run)


def asked(name, run):
    """What an estimator answers, as rows, and its columns of estimates."""
    estimator, columns = ESTIMATORS[name]
    found = estimator(*run)
    return found if isinstance(found, pd.DataFrame) else pd.DataFrame([found._asdict()]), columns


def of_players(frame):
    """The rows that speak of what was played; those of chance need no rounds."""
    named = [c for c in ("player", "storyteller", "listener") if c in frame]
    return frame[~frame[named].isin(["chance"]).any(axis=1)]


def void(run):
    """The same run, had every storyteller refused."""
    rounds, votes = run
    nothing = {"outcome": None, "correct": np.nan, "storyteller_points": np.nan}
    rounds = rounds.assign(**nothing, status="refused", failed=True)
    gone = {"vote": None, "correct": pd.NA, "points": np.nan, "choice_position": np.nan}
    votes = votes.assign(**gone, status="refused").astype({"correct": "boolean"})
    return rounds.astype({"outcome": run[0]["outcome"].dtype}), votes


@every_estimator
@pytest.mark.parametrize("how", ["nothing", "void"])
def test_no_number_comes_of_nothing(name, how, offline):
    run = void(offline) if how == "void" else tuple(frame[:0] for frame in offline)
    frame, columns = asked(name, run)
    assert of_players(frame)[columns].isna().all(axis=None)


@every_estimator
def test_one_match_has_estimates_and_no_interval_over_matches(name, offline):
    frame, columns = asked(name, tuple(frame[frame["match"] == 1] for frame in offline))
    if name in BY_MATCH:
        assert frame["low"].isna().all() and frame["high"].isna().all()
    assert not np.isinf(frame[columns].to_numpy(dtype=float)).any()


@every_estimator
def test_one_model_has_no_opponents_and_stops_nothing(name, one_model):
    frame, columns = asked(name, one_model)
    assert not np.isinf(frame[columns].to_numpy(dtype=float)).any()
    if name in ("match scores", "Bradley-Terry", "Davidson", "advantages"):
        assert frame.empty
    if name == "strength":
        assert frame["strength"].isna().all()  # one player has no spread to be measured by


@every_estimator
def test_without_a_partial_round_shares_are_observed_zeros(name, offline):
    rounds, votes = offline
    rounds = rounds[rounds["outcome"] != "partial"]
    frame, _ = asked(name, (rounds, votes.merge(rounds[PLACE], on=PLACE)))
    if name == "decomposition":
        partial = of_players(frame).query("outcome == 'partial'")
        assert (partial["share"] == 0).all() and (partial["high"] > 0.05).all()
    if name == "equivalence":  # every round paid 0, so nothing says how rounds differ
        assert frame["note"].item() == "all clusters alike: no error"


def test_unequal_coverage_is_counted(offline):
    rounds, _ = offline
    lost = (rounds["storyteller"] == "l-partial") & (rounds["phase"] == 2)
    half = rounds.assign(
        outcome=rounds["outcome"].mask(lost), status=np.where(lost, "refused", "ok")
    )
    covered = outcomes.coverage(half).set_index("player")
    assert covered.loc["l-partial", "coverage"] == 0.5
    assert (covered.drop(index="l-partial")["coverage"] == 1).all()


def test_a_refused_regression_gives_no_number_and_says_what_it_lacked(one_model):
    _, votes = one_model
    alone = votes.assign(own=votes["listener"].map(opponents.strength(votes)))
    found = claims.coefficient(regression.linear, alone, "correct ~ own", "match", "own")
    assert np.isnan(found[:4]).all()
    assert found.note == "no row is complete for 'correct ~ own': no own"


def test_an_error_that_is_only_rounding_gives_no_p():
    alike = pd.DataFrame({"hit": [0.0, 1.0, 0.0, 1.0], "match": [1, 1, 2, 2]})
    fitted = regression.linear(alike, "hit ~ 1", "match")
    assert np.isnan(fitted["p"].item()) and fitted["note"].item() == "all clusters alike: no p"


@pytest.fixture(scope="module")
def exam():
    names = ("dixitbench", "dixitbench_blocks")
    files = [REPOSITORY / f"data/bench/{name}.csv" for name in names]
    items = pd.concat([pd.read_csv(path, dtype={"target": str}) for path in files])
    return store.read_answers(REPOSITORY / "data/runs/faulty"), items


def test_a_method_that_was_not_asked_is_missing_and_named(exam):
    answers, items = exam
    square = entailment.two_by_two(entailment.credits(answers, items))
    absent = square[square["accuracy"].isna()]
    assert len(absent) and (absent["note"] != "").all()


def test_a_tier_that_was_not_asked_has_no_row(exam):
    answers, items = exam
    found = accuracy.accuracy(answers[answers["tier"] == "hard"], items)
    assert set(found["tier"]) == {"hard", "all"}
    assert accuracy.accuracy(answers[:0], items).empty


def test_one_player_has_no_correlation_and_the_note_says_so(exam, one_model):
    measured = bench_arena.measures(*exam, one_model[1])
    found = bench_arena.correlations(measured)
    assert found["estimate"].isna().all() and (found["note"] != "").all()
