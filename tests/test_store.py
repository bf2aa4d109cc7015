from __future__ import annotations

import hashlib
import json
import multiprocessing
import platform
import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib import paths, store
from dixitlib.game import arena
from dixitlib.records import Answer, Move, Round
from dixitlib.store.lines import encode, finished_units

ASKED = {"parameters": {"seed": 42, "arena": {"preset": "CORRECTED"}}, "inputs": {"deck": "abc"}}
UNITS = [(name, method, "own") for name in ("ann", "bob") for method in ("direct", "entailment")]

# One round by hand: bob at seat 2 tells of c; ann at seat 0 finds it and draws the votes
# of her other self at seat 1 and of bob at seat 3, so the points are 3 + 2, 0, 3, 0.
ROUND = Round(
    match=0,
    phase=1,
    round=3,
    players=("ann", "ann", "bob", "bob"),
    storyteller=2,
    streams=(0, 1, 2, 3),
    hands=(("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")),
    clue="a clue",
    target="c",
    submissions=("a", "b", "c", "d"),
    candidates=(("b", "c", "d"), ("d", "c", "a"), (), ("a", "b", "c")),
    votes=("c", "a", None, "a"),
    outcome="partial",
    points=(5, 0, 3, 0),
)
VOID = replace(
    ROUND,
    round=4,
    storyteller=3,
    target="d",
    candidates=(("b", "c", "d"), ("d", "c", "a"), ("a", "b", "d"), ()),
    votes=("d", None, "a", None),
    outcome=None,
    points=(0, 0, 0, 0),
    status="unparsed",
    failed=(1,),
)
UNTOLD = replace(
    ROUND,
    round=5,
    storyteller=0,
    clue=None,
    target=None,
    submissions=(None,) * 4,
    candidates=((),) * 4,
    votes=(None,) * 4,
    outcome=None,
    points=(0, 0, 0, 0),
    status="refused",
    failed=(0,),
)


def answers_of(unit):
    """Return three answers of a unit, one of them failed."""
    player, method, control = unit
    right = Answer(player, "hard-1", "hard", method, control, 0, "a", 1.0, scores=(2 / 3, 1 / 3))
    tied = replace(right, item="hard-2", credit=1 / 3, tied=3)
    failed = replace(right, item="hard-3", choice=None, credit=None, scores=(), status="refused")
    return [right, tied, failed]


def play(folder, players, deck, executor=None):
    """Play a run to its end: a round robin, then four batches of answers."""
    with store.open_run(folder, **ASKED) as sink:
        arena.round_robin(players, deck, sink=sink, executor=executor)
        for unit in UNITS:
            if unit not in sink.finished():
                sink.write(unit, answers_of(unit))


def contents(folder):
    """Return the bytes of every file, and of the manifest what is compared."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    if "manifest.json" in files:
        files["manifest.json"] = {key: store.read_manifest(folder)[key] for key in ASKED}
    return files


def write_rounds(folder, *rounds):
    with store.open_run(folder, **ASKED) as sink:
        sink.write((0, 1), rounds)
    return folder


@pytest.fixture(scope="session")
def players(scripted):
    # A player that often fails makes void rounds, which must survive like any other.
    return [scripted("ann"), scripted("bob", {"submit": Move(status="unparsed", replies=("k",))})]


@pytest.fixture(scope="session")
def finished(tmp_path_factory, players, toy_deck):
    """Folder of a run that was never interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    play(folder, players, toy_deck)
    return folder


# Resuming


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_run_killed_at_any_byte_and_resumed_equals_one_that_was_not(
    finished, players, toy_deck, data
):
    torn = finished.parent / "torn"
    shutil.rmtree(torn, ignore_errors=True)
    shutil.copytree(finished, torn)
    for name in ("rounds.jsonl", "answers.jsonl"):
        whole = (finished / name).read_bytes()
        (torn / name).write_bytes(whole[: data.draw(st.integers(0, len(whole)), label=name)])
    play(torn, players, toy_deck)
    assert contents(torn) == contents(finished)


@pytest.mark.parametrize("left", ["", ".lock", "manifest.draft"])
def test_a_run_killed_before_its_first_record_is_begun_anew(
    tmp_path, finished, players, toy_deck, left
):
    run = tmp_path / "run"
    run.mkdir()
    if left:
        (run / left).write_text("{")
    play(run, players, toy_deck)
    assert contents(run) == contents(finished)


def test_a_finished_run_is_not_played_again(finished, players, toy_deck):
    before = contents(finished)
    asked = len(players[0].calls)
    play(finished, players, toy_deck)
    assert (contents(finished), len(players[0].calls)) == (before, asked)


def test_executors_give_the_same_bytes(tmp_path, finished, players, toy_deck):
    fork = multiprocessing.get_context("fork")  # the players live in conftest.py
    for executor in (ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=fork)):
        run = tmp_path / type(executor).__name__
        with executor:
            play(run, players, toy_deck, executor)
        assert contents(run) == contents(finished)


def test_the_finished_units_are_known_by_name(finished):
    with store.open_run(finished, **ASKED) as sink:
        rounds = {(match, phase) for match in range(3) for phase in (1, 2)}
        assert sink.finished() == rounds | set(UNITS)
        with pytest.raises(ValueError, match=r"has unit \(0, 1\) already"):
            sink.write((0, 1), [ROUND])


def test_an_infrastructure_error_is_not_an_end(tmp_path):
    # behaviours 19: errored rows are retried after a resume, refusals are not.
    refused, down = answers_of(UNITS[0]), [replace(answers_of(UNITS[1])[2], status="error")]
    with store.open_run(tmp_path, **ASKED) as sink:
        for unit, answers in zip(UNITS, (refused, down, answers_of(UNITS[2])), strict=False):
            sink.write(unit, answers)
    assert [a.status for a in store.iter_answers(tmp_path)].count("error") == 1
    with store.open_run(tmp_path, **ASKED) as sink:
        assert sink.finished() == {UNITS[0]}
    assert list(store.iter_answers(tmp_path)) == list(map(rounded, refused))


def test_a_torn_unit_is_not_read(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "run")
    path = tmp_path / "run" / "rounds.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    assert len(list(store.iter_rounds(tmp_path / "run"))) == 5 * 12


@pytest.mark.parametrize("line", ["{}", "5", '"x"', "{", '{"match": 0}'])
def test_damage_that_no_crash_does_is_named(tmp_path, line):
    path = write_rounds(tmp_path, ROUND) / "rounds.jsonl"
    path.write_text(f"{line}\n{path.read_text()}")
    with pytest.raises(ValueError, match=r"line 1 of .*rounds.jsonl is no Round"):
        list(store.iter_rounds(tmp_path))


# The manifest and the lock


def test_another_run_in_the_folder_is_refused(finished):
    other = {
        "parameters": {"seed": 43, "arena": {"preset": "CORRECTED"}, "alpha": 1},
        "inputs": {"deck": "abc"},
    }
    before = contents(finished)
    with (
        pytest.raises(ValueError, match=r"parameters.alpha was None, is 1; parameters.seed was 42"),
        store.open_run(finished, **other),
    ):
        pass
    assert contents(finished) == before


def test_records_without_a_manifest_are_refused(tmp_path):
    (write_rounds(tmp_path, ROUND) / "manifest.json").unlink()
    with pytest.raises(ValueError, match=r"holds rounds\.jsonl but no manifest\.json"):
        write_rounds(tmp_path, VOID)


def test_a_damaged_manifest_is_named(tmp_path):
    (write_rounds(tmp_path, ROUND) / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match=r"manifest\.json is damaged"):
        write_rounds(tmp_path, VOID)


def test_a_full_disk_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "ROOM", float("inf"))
    with pytest.raises(paths.DiskFull, match="MB left"), store.open_run(tmp_path / "run", **ASKED):
        pass
    assert not list((tmp_path / "run").iterdir())


def test_two_writers_exclude_each_other(tmp_path):
    with store.open_run(tmp_path, **ASKED):
        with (
            pytest.raises(RuntimeError, match="another process is writing"),
            store.open_run(tmp_path, **ASKED),
        ):
            pass
        assert (tmp_path / ".lock").exists()
    assert sorted(contents(tmp_path)) == ["manifest.json"]


def test_the_lock_is_given_back_after_an_error(tmp_path):
    with pytest.raises(KeyboardInterrupt), store.open_run(tmp_path, **ASKED):
        raise KeyboardInterrupt
    assert write_rounds(tmp_path, ROUND) == tmp_path


def test_the_manifest_tells_what_made_the_run(finished):
    manifest = store.read_manifest(finished)
    assert {key: manifest[key] for key in ASKED} == ASKED
    made_by = manifest["provenance"]
    assert made_by["python"] == platform.python_version()
    assert made_by["packages"]["numpy"] == np.__version__
    assert "hypothesis" not in made_by["packages"]  # an extra, which no result depends on


def test_the_hash_of_the_sources_tells_any_change(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "REPOSITORY", tmp_path)
    package = tmp_path / "dixitlib"
    (package / "game").mkdir(parents=True)
    hashes = []
    for name, source in [("a.py", "x = 1"), ("a.py", "x = 2"), ("game/b.py", ""), ("c.txt", "?")]:
        (package / name).write_text(source)
        hashes.append(store.provenance()["sources"])
    assert len(set(hashes[:3])) == 3
    assert hashes[3] == hashes[2]  # only Python files count
    # sha256 of "a.py", the length 5 and the content, then "game/b.py" and 0
    assert hashes[2] == hashlib.sha256(b"a.py\x005\x00x = 2game/b.py\x000\x00").hexdigest()


# Records


text = st.text(st.characters())  # surrogates, separators and control characters too
rounds = st.builds(
    replace,
    st.just(ROUND),
    clue=st.none() | text,
    players=st.tuples(*[text] * 4),
    replies=st.lists(text).map(tuple),
)


def rounded(answer):
    six = tuple(round(score, 6) for score in answer.scores)
    return replace(answer, scores=six, credit=answer.credit and round(answer.credit, 6))


@given(units=st.lists(st.lists(rounds, min_size=1, max_size=3), max_size=3))
def test_rounds_come_back_as_they_were(tmp_path_factory, units):
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    path.write_bytes(b"".join(encode(("unit", k), unit) for k, unit in enumerate(units)))
    back = list(finished_units(path, Round))
    assert [list(unit.records) for unit in back] == units
    assert [unit.name for unit in back] == [("unit", k) for k in range(len(units))]
    assert not back or back[-1].end == path.stat().st_size


def test_a_round_is_found_by_its_place(finished, tmp_path):
    for played in store.iter_rounds(finished):
        assert store.read_round(finished, played.match, played.phase, played.round) == played
    with pytest.raises(store.RunError, match=r"no match 20, .* from \[0, 1, 1\] to \[2, 2, 12\]"):
        store.read_round(finished, 20, 1, 1)
    (tmp_path / "rounds.jsonl").touch()
    with pytest.raises(store.RunError, match="was it played"):
        store.read_round(tmp_path, 0, 1, 1)


def test_answers_come_back_with_six_decimals(finished):
    kept = [rounded(answer) for unit in UNITS for answer in answers_of(unit)]
    assert list(store.iter_answers(finished)) == kept
    first = (finished / "answers.jsonl").read_text().splitlines()[0]
    assert '"scores":[0.666667,0.333333]' in first


@pytest.mark.parametrize("unit", [None, [1, 2], 0.1 + 0j, ("a", [1])])
def test_a_unit_needs_a_name_that_lasts(unit):
    with pytest.raises((ValueError, TypeError)):
        encode(unit, [ROUND])


def test_what_is_no_number_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        encode(("ann",), [replace(answers_of(UNITS[0])[0], credit=float("nan"))])
    with pytest.raises(ValueError, match="no records"):
        encode(("ann",), [])


# Frames


def test_a_round_is_a_row(tmp_path):
    scored, void, untold = store.read_rounds(write_rounds(tmp_path, ROUND, VOID, UNTOLD)).to_dict(
        "records"
    )
    assert scored == {
        "match": 0,
        "phase": 1,
        "round": 3,
        "storyteller": "bob",
        "storyteller_seat": 2,
        "stream": 2,
        "opponent": "ann",
        "cross": True,
        "clue": "a clue",
        "target": "c",
        "correct": 1.0,
        "outcome": "partial",
        "storyteller_points": 3.0,
        "status": "ok",
        "failed": False,
    }
    missing = {"correct", "outcome", "storyteller_points"}
    assert {key for key, value in void.items() if pd.isna(value)} == missing
    assert (void["status"], void["failed"], void["target"]) == ("unparsed", False, "d")
    missing |= {"clue", "target"}
    assert {key for key, value in untold.items() if pd.isna(value)} == missing
    assert (untold["status"], untold["failed"]) == ("refused", True)


def test_a_vote_is_a_row(tmp_path):
    votes = store.read_votes(write_rounds(tmp_path, ROUND, VOID, UNTOLD))
    assert len(votes) == 9
    expected = pd.DataFrame(
        {
            "listener": ["ann", "ann", "bob"],
            "listener_seat": [0, 1, 3],
            "own_clue": [False, False, True],
            "vote": ["c", "a", "a"],
            "points": [5.0, 0.0, 0.0],
            "target_position": [2.0, 2.0, 3.0],
            "choice_position": [2.0, 3.0, 1.0],
            "n_candidates": [3.0, 3.0, 3.0],
        }
    )
    pd.testing.assert_frame_equal(votes.loc[:2, list(expected)], expected)
    assert votes["correct"].tolist() == [True, False, False] + [pd.NA] * 6
    assert votes["points"].isna().tolist() == [False] * 3 + [True] * 6
    assert votes["failed"].tolist() == [False] * 4 + [True] + [False] * 4
    assert votes["n_candidates"].isna().tolist() == [False] * 6 + [True] * 3


@pytest.mark.parametrize("read", [store.read_rounds, store.read_votes])
def test_dtypes_are_the_same_whatever_happened(tmp_path, read):
    cases = {"scored": [ROUND], "void": [VOID], "untold": [UNTOLD], "mixed": [ROUND, UNTOLD]}
    seen = [read(write_rounds(tmp_path / name, *case)).dtypes for name, case in cases.items()]
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "rounds.jsonl").touch()
    seen.append(read(tmp_path / "empty").dtypes)
    assert all(dtypes.equals(seen[0]) for dtypes in seen)
    assert str(seen[0]["clue"]) == "str"


def test_an_answer_is_a_row(finished):
    answers = store.read_answers(finished)
    assert len(answers) == len(UNITS) * 3
    assert answers.loc[:2, "credit"].round(6).tolist()[:2] == [1, 0.333333]
    assert answers.loc[2, ["choice", "credit"]].isna().all()
    assert answers.loc[2, "status"] == "refused"


def test_measures_of_meaning_are_joined(tmp_path):
    run = write_rounds(tmp_path, ROUND, VOID)
    (run / "meaning.csv").write_text("match,phase,round,similarity\n0,1,3,0.25\n")
    joined = store.read_rounds(run)["similarity"]
    assert joined.iloc[0] == 0.25
    assert np.isnan(joined.iloc[1])

    (run / "meaning.csv").write_text("match,phase,round,similarity\n0,1,3,0.25\n0,1,3,0.5\n")
    with pytest.raises(pd.errors.MergeError, match="one-to-one"):
        store.read_rounds(run)
    (run / "meaning.csv").write_text("match,phase,round,target\n0,1,3,x\n")
    with pytest.raises(ValueError, match="overlap"):
        store.read_rounds(run)


def test_a_relative_run_lies_in_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    write_rounds("data/runs/mine", ROUND)
    assert json.loads((tmp_path / "data/runs/mine/manifest.json").read_text())["inputs"]
    assert list(store.iter_rounds("data/runs/mine")) == [ROUND]


@pytest.mark.parametrize("read", [store.read_rounds, store.read_votes, store.read_answers])
def test_a_missing_run_says_what_makes_it(tmp_path, read):
    with pytest.raises(FileNotFoundError, match=r"is missing: `python -m dixitlib.study"):
        read(tmp_path / "nowhere")


def test_an_account_is_recorded_in_the_manifest_and_compared_with_nothing(tmp_path):
    with store.open_run(tmp_path, **ASKED, noted={"client": "x 1"}) as sink:
        sink.account({"usd": 0.5})
    with store.open_run(tmp_path, **ASKED, noted={"client": "x 2"}) as sink:
        sink.account({"usd": 0.75})
    manifest = store.read_manifest(tmp_path)
    assert manifest["account"] == {"usd": 0.75}
    assert manifest["provenance"]["client"] == "x 1", "provenance is that of the beginning"


def test_replies_are_read_whole_lines_only(tmp_path):
    with store.open_run(tmp_path, **ASKED):
        (tmp_path / "replies").mkdir()
    lines = (
        '{"key":"k1","model":"m","images":[],"text":"A","tokens_in":7,"faults":["429","429","500"]}\n'
        '{"key":"k2","model":"m","images":[],"status":"empty"}\n{"key":"k3","mod'
    )
    (tmp_path / "replies/main.jsonl").write_text(lines)
    frame = store.read_replies(tmp_path)
    assert frame["key"].tolist() == ["k1", "k2"]
    assert frame["status"].tolist() == ["ok", "empty"]
    assert frame["faults"].tolist() == ["429:2;500:1", ""]
    assert frame["tokens_in"].isna().tolist() == [False, True]
