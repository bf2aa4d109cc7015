"""The certificate: what is true is computed right, and what was committed comes back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dixitlib.analysis import position
from dixitlib.analysis.skill import skill_and_clarity
from dixitlib.paths import REPOSITORY
from dixitlib.study import certify, curves, recovery, reported, trials
from dixitlib.study.reported import Found
from dixitlib.study.simulator import Setting, SimulatedPlayer, play
from dixitlib.study.truths import truths

COMMITTED = REPOSITORY / "data/certificate"


@pytest.mark.parametrize("trial", trials.TRIALS)
def test_the_committed_slice_comes_back(trial):
    kept = pd.read_csv(COMMITTED / "slice.csv").query("trial == @trial").reset_index(drop=True)
    found = certify.findings(trial, 0, 1)
    assert len(kept) > 5
    names = ["trial", "tournament", "statistic", "who"]
    pd.testing.assert_frame_equal(found[names], kept[names], check_dtype=False)
    numbers = ["estimate", "low", "high", "p"]
    # Optimisers may differ in the last digits from machine to machine.
    np.testing.assert_allclose(found[numbers].astype(float), kept[numbers], atol=2e-5)


def test_the_committed_certificate_is_of_these_trials_and_statistics():
    table = pd.read_csv(COMMITTED / "certificate.csv")
    found = pd.read_csv(COMMITTED / "slice.csv")
    both = ["trial", "statistic"]
    assert set(table[both].itertuples(index=False)) == set(found[both].itertuples(index=False))
    assert len(set(table["tournaments"])) == 1
    assert set(pd.read_csv(COMMITTED / "power.csv")["question"]) == set(curves.QUESTIONS)


@pytest.mark.parametrize("trial", trials.TRIALS)
def test_every_estimate_has_a_truth(trial):
    asked = trials.TRIALS[trial]
    true = asked.truths(asked.field(0), asked.setting)
    kept = pd.read_csv(COMMITTED / "slice.csv").query("trial == @trial").dropna(subset="estimate")
    without = {key for key in kept[["statistic", "who"]].itertuples(index=False) if key not in true}
    # Where cards are plain or dark, hands do matter; by how much is not derived.
    assert {name for name, _ in without} <= {"hand correlation"}


def test_truths_of_the_logit_models_are_those_of_many_votes():
    players = trials.DIFFERENT
    true = truths(players, Setting())
    played = play(players, 30, seed=1)
    votes = pd.concat([played.votes(k).assign(half=k % 2) for k in range(30)])
    table = skill_and_clarity(votes, "half").set_index(["term", "player"])["estimate"]
    # A skill has a standard error of 0.14 in one tournament; four of them, over 30.
    assert table["skill", "f"] == pytest.approx(true["rating, skill", "f"], abs=0.1)
    assert table["clarity", "d"] == pytest.approx(true["rating, clarity", "d"], abs=0.1)
    assert table["own_clue"].iloc[0] == pytest.approx(true["rating, own_clue", "all"], abs=0.1)
    assert true["position, place 2", "all"] > -0.3  # what went in, blurred


def test_truths_without_blur_are_what_went_in():
    player = SimulatedPlayer("", spread=0.0, position=(0.4, 0.1))
    players = [replace(player, name=name) for name in "ab"]
    true = truths(players, Setting())
    assert true["position, place 2", "all"] == pytest.approx(-0.3, abs=1e-4)
    assert true["position, place 3", "all"] == pytest.approx(-0.4, abs=1e-4)
    places = position.preferences(play(players, 1, seed=3).votes(0)).table
    assert places["low"].iloc[2] < -0.4 < places["high"].iloc[2]


def made(estimates, low, high, p=np.nan, statistic="seat"):
    """Findings of the trial of players alike, whose seats differ by 0."""
    rows = [
        ("alike", k, *Found(statistic, "all", *row))
        for k, row in enumerate(zip(estimates, low, high, np.broadcast_to(p, 4), strict=True))
    ]
    return pd.DataFrame(rows, columns=certify.COLUMNS)


def test_bias_coverage_and_error_are_counted_right():
    # Four intervals about a truth of 0: one lies above it, one below.
    found = made([1, -1, 0, 2], [0.5, -2, -1, -1], [1.5, -0.5, 1, 3])
    row = certify.certificate(found).iloc[0]
    assert (row["bias"], row["coverage"], row["rejected"]) == (0.5, 0.5, 0.5)
    assert row["error"] == pytest.approx(np.sqrt(6 / 4))
    assert row["null"] and row["verdict"] == "astray: covers 0.500, rejects 0.500"


@pytest.mark.parametrize(
    ("statistic", "null"), [("wild bootstrap", True), ("TOST, equal phases", False)]
)
def test_a_test_is_judged_by_its_type_of_error(statistic, null):
    nothing = [np.nan] * 4
    found = made(nothing, nothing, nothing, [0.01, 0.5, 0.5, 0.5], statistic)
    row = certify.certificate(found).iloc[0]
    assert (row["null"], row["rejected"]) == (null, 0.25)
    assert row["verdict"] == ("astray: rejects 0.250" if null else "holds")


def test_an_interval_that_always_holds_is_astray():
    found = made([0.1, -0.1, 0, 0], [-1] * 4, [1] * 4, statistic="seat")
    row = certify.certificate(found.assign(who="all")).iloc[0]
    assert (row["coverage"], row["verdict"]) == (1, "astray: covers 1.000")


def test_drawn_fields_ask_each_player_in_turn_and_nobody_else():
    asked = trials.TRIALS["drawn"]
    fields = [asked.field(number) for number in range(12)]
    assert [players[0] for players in fields[:6]] == list(trials.DIFFERENT)
    assert fields[0][0] == fields[6][0] and fields[0][1:] != fields[6][1:]
    assert [asked.asks(name, fields[1]) for name in ("a", "b", "all")] == [False, True, False]
    assert all(len({player.name for player in players}) == 6 for players in fields)


def test_hits_over_simulated_tables_are_as_often_as_expected():
    asked = trials.TRIALS["tables"]
    players = asked.field(0)
    true = asked.truths(players, asked.setting)
    votes = pd.concat([asked.study(players, k, seed=1, setting=asked.setting)[0] for k in range(6)])
    pairs = votes.groupby(["listener", "storyteller"])["correct"].mean()
    # 504 votes a pair: a standard error of 0.022, and 36 pairs.
    for (listener, storyteller), share in pairs.items():
        expected = true["accuracy of a pair", f"{listener} of {storyteller}"]
        assert share == pytest.approx(expected, abs=0.08)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    work = [certify.Job("findings", certify.findings, ("independent", k, 1)) for k in range(2)]
    with ThreadPoolExecutor(1) as pool:
        whole = certify.run(work, pool, tmp_path)["findings"]
        (tmp_path / "0001.parquet").unlink()
        done = (tmp_path / "0000.parquet").stat().st_mtime_ns
        again = certify.run(work, pool, tmp_path)["findings"]
    assert whole["tournament"].unique().tolist() == [0, 1]
    pd.testing.assert_frame_equal(again, whole)
    assert (tmp_path / "0000.parquet").stat().st_mtime_ns == done


def test_power_grows_with_rounds_and_pairs_differ_as_asked():
    question = curves.QUESTIONS["partial share"]
    low, high = curves.players_apart(question, 0.2)[:2]
    assert question.share(high) - question.share(low) == pytest.approx(0.2)
    curve = curves.curve("partial share", 0.2, repeats=8)
    assert curve["rounds"].tolist() == [84, 168, 336, 672]
    assert curve["power"].iloc[-1] > 0.9 and curve["power"].is_monotonic_increasing
    assert (curve["tests"] == 24).all()


def test_what_goes_in_comes_back():
    row = recovery.recovered("place", 0.0, 0.5, 8).iloc[0]
    # One tournament's standard error is about 0.07.
    assert row["estimate"] == pytest.approx(0.5, abs=0.1)
    assert row["low"] < row["estimate"] < row["high"] and row["studies"] == 8


def test_a_job_for_every_table_and_all_tournaments():
    work = list(certify.jobs(50))
    blocks = [job.arguments for job in work if job.table == "findings"]
    assert {"findings", "power", "recovery"} == {job.table for job in work}
    assert sum(size for trial, _, size in blocks if trial == "alike") == 50
    assert reported.shares in trials.TRIALS["drawn"].reports
