"""Replies are paid once: a run killed at any byte resumes, and what was lost is counted."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import resource
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dixitlib import paths
from dixitlib.models.base import Message, Replayed, Scripted
from dixitlib.models.faults import EndpointUnusable
from dixitlib.models.kept import from_line, to_line
from dixitlib.models.prices import Budget, BudgetSpent, Price
from dixitlib.models.replies import Kept, Recorded, ReplyLog, TakenOver, read
from dixitlib.records import Card, Reply, Token

QUESTIONS = [(Message("user", (f"question {number}",)),) for number in range(12)]


def echo(messages: Sequence[Message]) -> Reply:
    return Reply(f"answer to {messages[-1].parts[0]} — “é”", tokens_in=7, tokens_out=3, cost=0.01)


def play(folder: Path, model: Scripted) -> list[Reply]:
    recorded = Recorded(model, ReplyLog(folder))
    return [recorded.ask(question) for question in QUESTIONS]


def test_a_finished_run_replays_without_a_call(tmp_path: Path) -> None:
    first = play(tmp_path, Scripted(echo))
    silent = Scripted([])
    assert play(tmp_path, silent) == first
    assert silent.calls == []
    log = ReplyLog(tmp_path)
    replayed = Replayed(log.replies, silent.identity, "scripted")
    assert [replayed.ask(question) for question in QUESTIONS] == first
    assert log.unanswered == 0


def test_a_run_killed_at_any_byte_resumes_to_the_same_replies(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    replies = play(whole, Scripted(echo))
    content = (whole / "main.jsonl").read_bytes()
    for cut in random.Random(3).sample(range(len(content) + 1), 200):
        killed = tmp_path / "killed"
        shutil.copytree(whole, killed)
        (killed / "main.jsonl").write_bytes(content[:cut])
        kept = content[:cut].count(b"\n")
        # calls are noted before they are made: keep those of the lines kept and one in flight
        noted = (whole / "main.calls").read_bytes().splitlines(keepends=True)[: kept + 1]
        (killed / "main.calls").write_bytes(b"".join(noted))
        assert ReplyLog(killed).unanswered == len(noted) - kept
        again = Scripted(echo)
        assert play(killed, again) == replies
        assert len(again.calls) == len(QUESTIONS) - kept
        assert (killed / "main.jsonl").read_bytes() == content
        assert ReplyLog(killed).unanswered == len(noted) - kept  # still counted afterwards
        shutil.rmtree(killed)


def test_a_torn_note_of_a_call_is_no_call(tmp_path: Path) -> None:
    play(tmp_path, Scripted(echo))
    calls = tmp_path / "main.calls"
    calls.write_bytes(calls.read_bytes() + b"0123456789")
    assert ReplyLog(tmp_path).unanswered == 0


def test_an_error_is_kept_but_asked_anew(tmp_path: Path) -> None:
    # OpenHands/benchmarks#771: errored rows must not count as done
    error = Reply(None, "error", faults=("429",), problem="slow down")
    play(tmp_path, Scripted(itertools.chain([error], map(echo, QUESTIONS[1:]))))
    again = Scripted(echo)
    assert play(tmp_path, again)[0].status == "ok"
    assert again.calls == [QUESTIONS[0]]
    lines = [json.loads(line) for line in (tmp_path / "main.jsonl").read_text().splitlines()]
    assert [line.get("status", "ok") for line in lines] == ["error"] + ["ok"] * len(QUESTIONS)


@pytest.mark.parametrize("status", ["empty", "refused", "truncated"])
def test_a_failing_answer_that_was_paid_for_is_not_asked_anew(tmp_path: Path, status: str) -> None:
    recorded = Recorded(Scripted([Reply(None, status)]), ReplyLog(tmp_path))
    assert [recorded.ask(QUESTIONS[0]).status for _ in range(3)] == [status] * 3


def test_a_call_that_stops_the_run_leaves_an_error_and_no_loose_end(tmp_path: Path) -> None:
    def unusable(messages: Sequence[Message]) -> Reply:
        raise EndpointUnusable("no key")

    with pytest.raises(EndpointUnusable):
        Recorded(Scripted(unusable), ReplyLog(tmp_path)).ask(QUESTIONS[0])
    log = ReplyLog(tmp_path)
    assert log.unanswered == 0
    assert [reply.problem for reply in log.replies.values()] == ["no key"]


def test_the_repeat_index_is_another_sample(tmp_path: Path) -> None:
    recorded = Recorded(Scripted(["one", "two"]), ReplyLog(tmp_path))
    said = [recorded.ask(QUESTIONS[0], repeat=repeat).text for repeat in (0, 1, 0, 1)]
    assert said == ["one", "two", "one", "two"]


def test_images_are_referred_to_by_hash(tmp_path: Path, toy_deck: Sequence[Card]) -> None:
    Recorded(Scripted(["A"]), ReplyLog(tmp_path)).ask((Message("user", ("Which?", *toy_deck[:2])),))
    line = json.loads((tmp_path / "main.jsonl").read_text())
    assert line["images"] == [card.sha256 for card in toy_deck[:2]]
    assert set(line) == {"key", "model", "images", "text"}  # and no header


def test_workers_write_apart_and_read_together(tmp_path: Path) -> None:
    for worker, question in zip("ab", QUESTIONS, strict=False):
        Recorded(Scripted(echo), ReplyLog(tmp_path, worker)).ask(question)
    assert len(ReplyLog(tmp_path, "c").replies) == 2
    assert [each.model for each in read(tmp_path)] == ["scripted", "scripted"]


def test_a_log_that_was_sent_away_writes_apart_and_reads_what_others_wrote(tmp_path: Path) -> None:
    log = ReplyLog(tmp_path)
    away = pickle.loads(pickle.dumps(log))
    assert away is pickle.loads(pickle.dumps(log)) is not log  # one for the whole process
    budget, silent = Budget(), Scripted([])
    Recorded(silent, log, budget)
    Recorded(Scripted(echo), away, Budget()).ask(QUESTIONS[0])
    assert not (tmp_path / "main.jsonl").exists()
    budget.look()
    assert budget.spent == pytest.approx(0.01)
    assert Recorded(silent, log, budget).ask(QUESTIONS[0]).status == "ok"
    Recorded(Scripted(echo), log, budget).ask(QUESTIONS[1])
    assert Recorded(silent, away, Budget()).ask(QUESTIONS[1]).status == "ok"
    assert silent.calls == [] and log.unanswered == 0


def test_what_a_killed_run_left_behind_pays_no_more_once_another_goes_on(tmp_path: Path) -> None:
    model = Scripted(echo)
    left = Recorded(model, pickle.loads(pickle.dumps(ReplyLog(tmp_path))))
    left.ask(QUESTIONS[0])
    ReplyLog(tmp_path)
    with pytest.raises(TakenOver, match="no longer written by the run that sent this work"):
        left.ask(QUESTIONS[1])
    assert left.ask(QUESTIONS[0]).status == "ok" and len(model.calls) == 1


def test_a_call_that_two_workers_made_is_counted(tmp_path: Path) -> None:
    for worker in "ab":
        log = ReplyLog(tmp_path, worker)
        log.begin("key")
        log.end(Kept("key", "scripted", (), Reply("twice")))
    assert log.unanswered == 1


def test_no_call_is_made_whose_reply_would_find_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Scripted(echo)
    recorded = Recorded(model, ReplyLog(tmp_path))
    monkeypatch.setattr(paths, "ROOM", float("inf"))
    with pytest.raises(paths.DiskFull, match="make room and go on"):
        recorded.ask(QUESTIONS[0])
    assert model.calls == []


def test_a_line_that_a_full_disk_cuts_is_taken_back(tmp_path: Path) -> None:
    log = ReplyLog(tmp_path)
    log.end(Kept("one", "scripted", (), Reply("first")))
    before = (tmp_path / "main.jsonl").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))
    try:
        with pytest.raises(OSError, match="could not be written"):
            log.end(Kept("two", "scripted", (), Reply("second")))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "main.jsonl").read_bytes() == before
    log.end(Kept("two", "scripted", (), Reply("second")))
    assert list(ReplyLog(tmp_path).replies) == ["one", "two"]


def test_threads_tear_no_line(tmp_path: Path) -> None:
    recorded = Recorded(Scripted(echo), ReplyLog(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda repeat: recorded.ask(QUESTIONS[0], repeat=repeat), range(200)))
    assert len(ReplyLog(tmp_path).replies) == 200


@pytest.mark.parametrize("damage", [b'{"ke', b'{"other"'])
def test_a_damaged_line_is_named(tmp_path: Path, damage: bytes) -> None:
    play(tmp_path, Scripted(echo))
    log = tmp_path / "main.jsonl"
    log.write_bytes(log.read_bytes().replace(b'{"key"', damage, 1))
    with pytest.raises(ValueError, match=r"main.jsonl, line 1 is damaged"):
        ReplyLog(tmp_path)


def test_spending_stops_before_the_next_call_and_goes_on_when_raised(tmp_path: Path) -> None:
    log = ReplyLog(tmp_path)
    recorded = Recorded(Scripted(echo), log, Budget(max_usd=0.03))
    for question in QUESTIONS[:3]:
        recorded.ask(question)
    with pytest.raises(BudgetSpent, match=r"0.03 of 0.03 USD are spent: raise max_usd"):
        recorded.ask(QUESTIONS[3])
    assert recorded.ask(QUESTIONS[0]).status == "ok"  # what is kept costs nothing
    raised = Budget(max_usd=0.04)
    resumed = Recorded(Scripted(echo), ReplyLog(tmp_path), raised)
    assert raised.spent == pytest.approx(0.03)
    assert resumed.ask(QUESTIONS[3]).status == "ok"
    with pytest.raises(BudgetSpent):
        resumed.ask(QUESTIONS[4])


def test_only_calls_in_flight_pass_the_limit(tmp_path: Path) -> None:
    budget = Budget(max_usd=0.10)
    recorded = Recorded(Scripted(echo), ReplyLog(tmp_path), budget)

    def ask(repeat: int) -> bool:
        try:
            return recorded.ask(QUESTIONS[0], repeat=repeat).status == "ok"
        except BudgetSpent:
            return False

    with ThreadPoolExecutor(8) as pool:
        answered = sum(pool.map(ask, range(100)))
    assert 10 <= answered <= 10 + 7  # a cent a call; seven may fly beside the tenth
    assert budget.spent == pytest.approx(answered * 0.01)


def test_a_limit_that_cannot_be_kept_stops_too(tmp_path: Path) -> None:
    free = Scripted(["one", "two"])
    recorded = Recorded(free, ReplyLog(tmp_path), Budget(max_usd=1))
    recorded.ask(QUESTIONS[0])
    with pytest.raises(BudgetSpent, match="cost of 1 calls is unknown"):
        recorded.ask(QUESTIONS[1])
    assert len(free.calls) == 1


def test_tokens_are_priced_where_no_cost_is_stated(tmp_path: Path) -> None:
    budget = Budget()
    model = Scripted([Reply("x", tokens_in=1_000_000, tokens_out=100_000)])
    Recorded(model, ReplyLog(tmp_path), budget, Price(2.5, 10)).ask(QUESTIONS[0])
    assert budget.spent == pytest.approx(2.5 + 1.0)


TOKENS = st.builds(
    Token,
    st.text(),
    st.floats(-50, 0),
    st.lists(st.tuples(st.text(), st.floats(-50, 0)), max_size=3).map(tuple),
)


@given(
    reply=st.builds(
        Reply,
        text=st.none() | st.text(),
        status=st.sampled_from(["ok", "empty", "error", "refused", "truncated"]),
        finish=st.none() | st.just("stop"),
        tokens_in=st.none() | st.integers(0, 10**6),
        cost=st.none() | st.floats(0, 10),
        tokens=st.none() | st.lists(TOKENS, max_size=3).map(tuple),
        faults=st.lists(st.sampled_from(["429", "timeout"]), max_size=3).map(tuple),
        problem=st.text(),
    )
)
def test_a_reply_is_one_line_and_comes_back(reply: Reply) -> None:
    kept = Kept("0" * 64, "toy", ("1" * 64,), reply)
    assert "\n" not in to_line(kept)
    assert from_line(to_line(kept)) == kept
