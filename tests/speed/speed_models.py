"""How fast models are asked: the whole study against the bare client, on a server of 200 ms.

The server is a process of its own, see `endpoint`. Beforehand, on both sides, pictures are
encoded and clients made.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import openai
import pytest

from dixitlib import paths, store
from dixitlib.bench import evaluate
from dixitlib.cards.deck import Deck
from dixitlib.game.arena import ask_together, round_robin
from dixitlib.game.rules import CORRECTED, ROUNDS
from dixitlib.models import wire
from dixitlib.models.openai_api import Endpoint, OpenAIModel
from dixitlib.models.pictures import Pictures
from dixitlib.models.replies import Recorded, ReplyLog
from dixitlib.players import prompts
from dixitlib.players.vlm import VLM
from dixitlib.records import Item
from dixitlib.study.asking import stated_rules

LATENCY = 0.2
CONNECTIONS = 32
ITEMS = 252
PLAYERS = 6
PHASES = PLAYERS * (PLAYERS + 1)
CRITICAL_PATH = ROUNDS * 4 * LATENCY  # target, clue, cards laid, votes: four waits a round


@pytest.fixture(scope="module")
def url():
    command = [sys.executable, Path(__file__).with_name("endpoint.py"), str(LATENCY)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as server:
        said = server.stdout.readline().strip()
        assert said.startswith("http"), f"the server did not start: exit code {server.wait()}"
        yield said
        assert server.poll() is None, "the server ended while it was measured"
        server.stdin.close()


@pytest.fixture(scope="module")
def deck():
    return Deck.load(paths.data("cards"))


@pytest.fixture(scope="module")
def pictures(deck):
    made = Pictures()
    for card in deck:
        made.encode(card)
    return made


@pytest.fixture(scope="module")
def items(deck):
    ids = [card.id for card in deck] * 2
    return [
        Item(f"{n}", "easy", f"clue {n}", ids[n % 84], tuple(ids[n % 84 : n % 84 + 6]))
        for n in range(ITEMS)
    ]


def timed(benchmark, work, calls):
    """Measure once, with the processor time of a call beside the wall time."""
    start = time.process_time()
    made = benchmark.pedantic(work, rounds=1)
    benchmark.extra_info["cpu_ms_per_call"] = 1000 * (time.process_time() - start) / calls
    return made


def connected(url, concurrency):
    endpoint = Endpoint(url, concurrency=concurrency)
    with endpoint.connection():
        return endpoint


def test_bare_client(benchmark, url, deck, items, pictures):
    cards = deck.by_id
    asks = [prompts.choose(i.clue, [cards[o] for o in i.options], prompts.Wording()) for i in items]
    bodies = [json.loads(wire.body("m", a.messages, pictures, {}))["messages"] for a in asks]
    shape = {"name": "choose", "schema": asks[0].schema.body}
    form = {"type": "json_schema", "json_schema": shape}
    client = openai.OpenAI(base_url=url, api_key="none")

    def ask(messages):
        return client.chat.completions.create(model="m", messages=messages, response_format=form)

    def work():
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return list(pool.map(ask, bodies))

    assert len(timed(benchmark, work, ITEMS)) == ITEMS
    client.close()


def test_dixitbench_over_http(benchmark, url, deck, items, pictures, tmp_path):
    endpoint = connected(url, CONNECTIONS)
    model = OpenAIModel("m", endpoint, pictures=pictures)

    def work():
        with store.open_run(tmp_path, parameters={}, inputs={}) as sink:
            player = VLM(Recorded(model, ReplyLog(tmp_path / "replies")))
            with ThreadPoolExecutor(CONNECTIONS) as pool:
                return evaluate.direct(player, items, deck, executor=pool, sink=sink)

    assert all(each.status == "ok" for each in timed(benchmark, work, ITEMS))
    size = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    benchmark.extra_info["kilobytes"] = size / 1000
    assert size < 1_000_000
    endpoint.close()


@pytest.mark.filterwarnings("ignore")  # what Inspect leaves open is its own affair
def test_inspect_over_http(benchmark, url, deck, items, tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai", reason="lives in the environment of make peers")
    from inspect_ai.model import get_model

    from dixitlib.peers import exam, inspect_task

    model = get_model("openai/m", base_url=url, api_key="none", responses_api=False)
    turned = [_turned(item, place % 6) for place, item in enumerate(items)]
    task = inspect_task.task_of(exam.make(turned, deck), longest=768)
    limits = {"max_connections": CONNECTIONS, "max_samples": ITEMS}

    def work():
        return inspect_ai.eval(task, model, log_dir=str(tmp_path), display="none", **limits)

    (log,) = timed(benchmark, work, ITEMS)
    assert log.status == "success" and len(log.samples) == ITEMS
    gc.collect()  # else what it leaves open is found in the next test


def _turned(item, places):
    """An exam has its targets at all places alike."""
    return replace(item, options=item.options[places:] + item.options[:places])


def test_tournament_over_http(benchmark, url, deck, pictures, tmp_path):
    endpoint = connected(url, 3 * PHASES)
    model, log = OpenAIModel("m", endpoint, pictures=pictures), ReplyLog(tmp_path)
    recorded, stated = Recorded(model, log), stated_rules(CORRECTED)
    seated = [VLM(recorded, stated, name=str(number)) for number in range(PLAYERS)]

    def work():
        with ThreadPoolExecutor(PHASES) as phases, ThreadPoolExecutor(3 * PHASES) as seats:
            return round_robin(seated, deck, executor=phases, ask=ask_together(seats))

    rounds = timed(benchmark, work, PHASES * ROUNDS * 8)
    assert len(rounds) == PHASES * ROUNDS and all(each.status == "ok" for each in rounds)
    benchmark.extra_info["critical_path_s"] = CRITICAL_PATH
    endpoint.close()
