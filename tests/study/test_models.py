"""Models through the whole study: asked over HTTP, paid once, stopped, killed and resumed."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dixitlib import paths, store
from dixitlib.bench import evaluate
from dixitlib.cards.deck import Deck, write_cards
from dixitlib.game import arena
from dixitlib.game.rules import CORRECTED
from dixitlib.models.base import Scripted
from dixitlib.models.faults import EndpointUnusable
from dixitlib.models.loopback import Loopback, Served, completion
from dixitlib.models.pictures import Pictures
from dixitlib.models.prices import BudgetSpent
from dixitlib.paths import REPOSITORY
from dixitlib.players.prompts import Wording
from dixitlib.players.vlm import VLM
from dixitlib.records import Card
from dixitlib.study import __main__ as study
from dixitlib.study import asking, laying, params

KEY = "sk-never-to-be-written-anywhere"
PICTURES = Pictures(longest=96)
MINE = """
name: mine
deck: {folder: data/cards}
clues: data/clues/bank.csv
endpoints:
  here: {url: "URL", key_env: TOY_KEY, wait: 0.01, concurrency: 8}
models:
  a: {endpoint: here, id: toy, pictures: {longest: 96}}
  b: {endpoint: here, id: toy, pictures: {longest: 96}, wording: {paraphrase: 1}}
arena: {tables: {mine: [a, b]}}
bench: {run: mine, players: [b], per_tier: 7, controls: [own], methods: [direct, entailment]}
workers: 4
"""
CARDS = 60
# Two models: a match between them and two against themselves, 24 rounds of 8 calls each.
ARENA_CALLS = 3 * 24 * 8
# 7 items of each of four tiers, chosen once and rated six times.
BENCH_CALLS = 4 * 7 * (1 + 6)


class Hashed:
    """An encoder that knows texts only by their hashes."""

    def encode(self, texts):
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) for text in texts]
        rows = [np.random.default_rng(seed).normal(size=16) for seed in seeds]
        return np.array([row / np.linalg.norm(row) for row in rows]).reshape(-1, 16)


def reply_to(words: str) -> str:
    """Answer a question by its words and pictures alone, in the shape that it asks for."""
    draw = random.Random(hashlib.sha256(words.encode()).digest())
    if labels := re.search(r"one of ((?:[A-Z], )*[A-Z])\b", words):
        return json.dumps({"choice": draw.choice(labels[1].split(", "))})
    key = re.search(r'\{"(\w+)": "?<', words)[1]
    number = draw.randrange(101)
    return json.dumps({key: number if key == "rating" else f"dream {number}"})


def over_http(request):
    content = [m["content"] for m in request["messages"]]
    parts = [[p.get("text") or p["image_url"]["url"] for p in c] for c in content[1:]]
    return reply_to("\n".join([content[0], *parts[0]]))


def in_memory(messages):
    parts = [part for message in messages for part in message.parts]
    return reply_to("\n".join(PICTURES.encode(p).url if isinstance(p, Card) else p for p in parts))


@pytest.fixture(scope="module")
def laid(tmp_path_factory, toy_deck):
    """A home with a toy deck of 60 cards, and its benchmark built."""
    folder = tmp_path_factory.mktemp("laid")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(folder))
        write_cards(paths.data("cards"), toy_deck[:CARDS], "none", "nobody")
        paths.data("clues").mkdir()
        for name in ("clues/bank.csv", "prices.yaml"):
            shutil.copy(REPOSITORY / "data" / name, paths.data(name))
        asked = written(folder, "http://127.0.0.1:9/v1")
        deck, encoder = laying.deck(asked), Hashed()
        words = laying.clues(asked, deck, laying.bank(asked), encoder)
        laying.bench(asked, deck, words, encoder)
    return folder


@pytest.fixture
def home(laid, tmp_path, monkeypatch):
    folder = shutil.copytree(laid, tmp_path / "home")
    monkeypatch.setenv("DIXITWORLD_HOME", str(folder))
    monkeypatch.setenv("TOY_KEY", KEY)
    monkeypatch.setattr(study, "default_encoder", Hashed)
    return folder


def written(home: Path, url: str, **changes) -> params.Params:
    path = home / "mine.yaml"
    path.write_text(MINE.replace("URL", url))
    return replace(params.read(path), **changes)


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def run_of(home):
    return home / "data/runs/mine"


def priced(answer, cost=0.01):
    def served(request):
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "cost": cost}
        return Served(completion(answer(request), usage=usage))

    return served


def test_a_tournament_and_dixitbench_over_http_are_those_played_in_memory(home):
    with Loopback(over_http) as server:
        study.run(asked := written(home, server.url))
        assert len(server.requests) == ARENA_CALLS + BENCH_CALLS
        assert {k.lower(): v for k, v in server.headers.items()}["authorization"] == f"Bearer {KEY}"
    manifest = store.read_manifest("data/runs/mine")
    deck, seated = Deck.load(paths.data("cards")), []
    for name, paraphrase in (("a", 0), ("b", 1)):
        model = Scripted(in_memory, name)
        described = manifest["parameters"]["models"][name]
        model.identity = {k: v for k, v in described.items() if k not in ("wording", "reasks")}
        seated.append(VLM(model, asking.stated_rules(CORRECTED), Wording(paraphrase)))
    assert list(store.iter_rounds("data/runs/mine")) == arena.round_robin(seated, deck)
    items = study.playing.part(laying.bench(asked, deck, {}, None), 7)
    answers = [
        answer
        for sit in (evaluate.direct, evaluate.entailment)
        for answer in sit(seated[1], items, deck)
    ]
    assert list(store.iter_answers("data/runs/mine")) == answers
    rounds = store.read_rounds("data/runs/mine")
    assert (rounds["status"] == "ok").all() and rounds["outcome"].nunique() > 1


def test_a_finished_run_plays_again_without_a_call_a_key_or_a_change(home, monkeypatch):
    with Loopback(over_http) as server:
        study.run(written(home, server.url))
        asked, before = len(server.requests), contents(run_of(home))
        monkeypatch.delenv("TOY_KEY")
        study.run(written(home, server.url))
        assert len(server.requests) == asked
        assert contents(run_of(home)) == before
        # Even of lost rounds no reply is paid again: they are read from the log.
        (run_of(home) / "rounds.jsonl").unlink()
        study.run(written(home, server.url))
        assert len(server.requests) == asked
    assert contents(run_of(home)) == before


def test_neither_key_nor_address_of_a_secret_kind_is_ever_written(home, capsys):
    with Loopback(
        lambda request: Served({"error": {"message": f"no entry for {KEY}"}}, 401)
    ) as server:
        url = server.url.replace("http://", "http://user:word@") + "?team=7"
        (home / "mine.yaml").write_text(MINE)
        asked = params.read(home / "mine.yaml")
        asked = replace(asked, endpoints={"here": replace(asked.endpoints["here"], url=url)})
        with pytest.raises(EndpointUnusable) as stopped:
            study.run(asked)
    said = "".join(capsys.readouterr()) + str(stopped.value)
    everything = said.encode() + b"".join(contents(home / "data").values())
    for secret in (KEY, "user:word", "team=7", "Bearer"):
        assert secret.encode() not in everything
    assert b"127.0.0.1" in (run_of(home) / "manifest.json").read_bytes()


def test_max_usd_stops_cleanly_and_goes_on_when_raised(home):
    with Loopback(priced(over_http)) as server:
        with pytest.raises(BudgetSpent, match=r"of 1.00 USD are spent: raise max_usd and resume"):
            study.run(written(home, server.url, max_usd=1))
        stopped = len(server.requests)
        # A cent a call; beside the hundredth as many may fly as the endpoint takes at a time.
        assert 100 <= stopped <= 100 + 8
        account = store.read_manifest("data/runs/mine")["account"]["models"]
        assert sum(each["usd"] for each in account.values()) == pytest.approx(stopped / 100)
        study.run(written(home, server.url, max_usd=50))
        assert len(server.requests) == ARENA_CALLS + BENCH_CALLS
    assert store.read_manifest("data/runs/mine")["account"]["possibly_paid_twice"] == 0


def test_the_command_says_how_to_go_on(home):
    with Loopback(priced(over_http, cost=1)) as server:
        written(home, server.url)
        text = (home / "mine.yaml").read_text() + "max_usd: 3\n"
        (home / "mine.yaml").write_text(text)
        with pytest.raises(SystemExit, match=r"all replies are kept.*raise max_usd and resume"):
            study.main([str(home / "mine.yaml")])


def test_a_dry_run_tells_the_plan_and_calls_nothing(home, capsys, monkeypatch):
    monkeypatch.delenv("TOY_KEY")
    with Loopback(over_http) as server:
        written(home, server.url)
        before = contents(home)
        study.main([str(home / "mine.yaml"), "--dry-run"])
        assert not server.requests
    assert contents(home) == before
    said = capsys.readouterr().out
    assert "mine: 3 matches, 72 rounds" in said
    assert f"{ARENA_CALLS + BENCH_CALLS}" in said and "unknown" in said


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (completion(None), "empty"),
        (completion("I'm sorry, but I can't help with that."), "refused"),
        (completion('{"choice": "A', "length"), "truncated"),
        (completion("None of these."), "unparsed"),
    ],
)
def test_votes_that_fail_leave_void_rounds_that_count_as_not_played(home, failure, status):
    def answer(request):
        shape = request["response_format"]["json_schema"]
        failed = shape["name"] == "vote" and "paraphrase" not in shape
        return Served(failure) if failed else over_http(request)

    with Loopback(answer) as server:
        asked = written(home, server.url)
        table = replace(asked.arena, tables={"mine": ("a",)})
        study.run(replace(asked, arena=table, bench=replace(asked.bench, players=())))
    rounds, votes = store.read_rounds("data/runs/mine"), store.read_votes("data/runs/mine")
    assert (rounds["status"] == status).all() and rounds["outcome"].isna().all()
    assert votes["failed"].all() and votes["points"].isna().all()
    assert not rounds["failed"].any(), "the storyteller has done its part"


def test_units_with_errors_are_asked_again_on_resume(home):
    broken = Counter()

    def answer(request):
        if broken["left"] and request["response_format"]["json_schema"]["name"] == "choose":
            broken["left"] -= 1
            return Served({"error": {"message": "unprocessable"}}, 422)
        return over_http(request)

    broken["left"] = 3
    with Loopback(answer) as server:
        asked = written(home, server.url)
        asked = replace(asked, arena=replace(asked.arena, tables={}))
        study.run(asked)
        answers = store.read_answers("data/runs/mine")
        assert (answers["status"] == "error").sum() == 3
        assert answers["credit"].isna().sum() == 3
        calls = len(server.requests)
        study.run(asked)
        assert len(server.requests) == calls + 3
    assert (store.read_answers("data/runs/mine")["status"] == "ok").all()


def test_a_model_may_write_captions_and_clues_and_is_marked_when_it_sits_them(home):
    with Loopback(over_http) as server:
        asked = written(home, server.url, captions_by="a", clues_by="b")
        study.run(replace(asked, arena=replace(asked.arena, tables={})))
        assert len(server.requests) == 2 * CARDS + BENCH_CALLS
        literal = laying.read_words(paths.data("clues/mine/literal.csv"))
        abstract = laying.read_words(paths.data("clues/mine/abstract.csv"))
        study.run(replace(asked, arena=replace(asked.arena, tables={})))
        assert len(server.requests) == 2 * CARDS + BENCH_CALLS
    assert len(literal) == len(abstract) == CARDS and literal != abstract
    items = laying.bench(asked, (), {}, None)
    assert {item.clue for item in items} == set(abstract.values())
    manifest = store.read_manifest("data/runs/mine")
    assert manifest["parameters"]["bench"]["clues_by"] == "b"
    assert "data/bench/mine/dixitbench.csv" in manifest["inputs"]


def crossed_only(asked):
    """Let both models tell five targets and vote on both clues: 5 x 2 and 5 x 4 calls."""
    tables = params.CounterfactualParams("mine", ("a", "b"), ("a", "b"), tables=5)
    nothing = {"arena": replace(asked.arena, tables={}), "bench": replace(asked.bench, players=())}
    return replace(asked, counterfactual=tables, **nothing)


def test_counterfactual_tables_are_paid_once_and_estimated_before(home, capsys, monkeypatch):
    with Loopback(over_http) as server:
        asked = crossed_only(written(home, server.url))
        study.preview(asked)
        assert not server.requests
        assert "mine: 10 clues over fixed tables, 20 votes on them" in capsys.readouterr().out
        study.run(asked)
        assert len(server.requests) == 10 + 20
        before = contents(run_of(home))
        monkeypatch.delenv("TOY_KEY")
        study.run(asked)
        assert len(server.requests) == 30 and contents(run_of(home)) == before
    votes = store.read_counterfactual("data/runs/mine")
    assert (votes["status"] == "ok").all() and votes["own_clue"].sum() == 10
    assert votes.groupby(["target", "storyteller"])["clue"].nunique().eq(1).all()


def test_failed_moves_over_counterfactual_tables_are_no_votes(home):
    def answer(request):
        failed = request["response_format"]["json_schema"]["name"] == "clue"
        return Served(completion(None)) if failed else over_http(request)

    with Loopback(answer) as server:
        study.run(crossed_only(written(home, server.url)))
    votes = store.read_counterfactual("data/runs/mine")
    assert len(votes) == 20 and (votes["status"] == "empty").all()
    assert votes[["clue", "choice", "correct"]].isna().all(axis=None)
