"""Models asked from a cluster: the same rows, and each call paid once, whoever is killed.

`make cluster` kills workers and clients in 50 runs, other tests in one.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

distributed = pytest.importorskip("distributed")

from dixitlib import paths, store  # noqa: E402
from dixitlib.cards.deck import write_cards  # noqa: E402
from dixitlib.models import replies  # noqa: E402
from dixitlib.models.loopback import Loopback, Served, completion  # noqa: E402
from dixitlib.models.prices import BudgetSpent  # noqa: E402
from dixitlib.paths import REPOSITORY  # noqa: E402
from dixitlib.study import __main__ as study  # noqa: E402
from dixitlib.study import cluster, laying, params  # noqa: E402

# Processes that are killed leave connections half closed.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
RUNS = int(os.environ.get("CLUSTER_RUNS", "1"))
DEATHS = 3  # of workers and clients in a run, at most
MINE = """
name: mine
deck: {folder: data/cards}
clues: data/clues/bank.csv
endpoints:
  here: {url: "URL", wait: 0.01, concurrency: 6}
models:
  a: {endpoint: here, id: toy, parameters: {seed: 1}, pictures: {longest: 96}}
arena: {tables: {mine: [a]}}
bench: {run: mine, players: [a], per_tier: 7, controls: [own]}
workers: 2
"""
CARDS = 60
CALLS = 24 * 8 + 4 * 7  # target and clue, three cards laid and three votes a round; items
WORKERS = 2
IN_FLIGHT = WORKERS * 3  # each plays one phase, in which three seats are asked at once
CLIENT = """
import os
os.environ["DIXITWORLD_HOME"] = {home!r}
from dixitlib.study.__main__ import main
main([{file!r}])
"""


class Hashed:
    """An encoder that knows texts only by their letters."""

    def encode(self, texts):
        rows = [np.random.default_rng(list(text.encode())).normal(size=16) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows]).reshape(-1, 16)


def answer(request) -> Served:
    """Answer by words and pictures alone, once the parameter `seed` is left out."""
    if "seed" in request:
        problem = {"message": "Unsupported parameter: 'seed'", "param": "seed"}
        return Served({"error": problem}, 400)
    draw = random.Random(json.dumps(request["messages"]))
    shape = request["response_format"]["json_schema"]["schema"]["properties"]
    said = {
        name: draw.choice(wanted["enum"]) if "enum" in wanted else f"dream {draw.randrange(999)}"
        for name, wanted in shape.items()
    }
    return Served(completion(json.dumps(said)), delay=0.01)


def paid(server) -> int:
    return sum("seed" not in request for request in server.requests)


@pytest.fixture(scope="module")
def laid(tmp_path_factory, toy_deck):
    """A home with cards that have no caption, so that nobody waits for the text encoder."""
    home = tmp_path_factory.mktemp("laid")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(home))
        mute = [replace(card, caption="") for card in toy_deck[:CARDS]]
        write_cards(paths.data("cards"), mute, "none", "nobody")
        paths.data("clues").mkdir()
        for name in ("clues/bank.csv", "prices.yaml"):
            shutil.copy(REPOSITORY / "data" / name, paths.data(name))
        asked = written(home, "http://127.0.0.1:9/v1")
        deck = laying.deck(asked)
        words = laying.clues(asked, deck, laying.bank(asked), Hashed())
        laying.bench(asked, deck, words, Hashed())
    return home


@pytest.fixture(scope="module")
def server():
    """One for all: an endpoint's address is part of every reply's key."""
    with Loopback(answer) as started:
        yield started


@pytest.fixture(scope="module")
def whole(laid, server, tmp_path_factory):
    """What threads of this process make of it."""
    home = shutil.copytree(laid, tmp_path_factory.mktemp("whole") / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(home))
        study.run(written(home, server.url))
    return rows(home)


def written(home, url, more="") -> params.Params:
    path = home / "mine.yaml"
    path.write_text(MINE.replace("URL", url) + more)
    return params.read(path)


def on_cluster(address) -> str:
    return f"executor: dask\nscheduler: {address}\n"


def rows(home):
    run = home / "data/runs/mine"
    return [(run / name).read_bytes() for name in ("rounds.jsonl", "answers.jsonl")]


@pytest.fixture
def home(laid, tmp_path, monkeypatch):
    home = shutil.copytree(laid, tmp_path / "home")
    monkeypatch.setenv("DIXITWORLD_HOME", str(home))
    return home


@pytest.fixture
def threads():
    """A cluster within this process, to whose workers all is sent as to any other."""
    with distributed.LocalCluster(
        n_workers=WORKERS,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
    ) as started:
        yield started.scheduler_address


def test_models_are_asked_from_a_cluster_to_the_same_bytes(home, whole, server, threads, capsys):
    server.requests.clear()
    study.run(written(home, server.url, on_cluster(threads)))
    assert paid(server) == CALLS
    assert rows(home) == whole
    account = store.read_manifest("data/runs/mine")["account"]
    assert account["possibly_paid_twice"] == 0
    assert account["models"]["a"]["calls"] == CALLS
    assert account["models"]["a"]["adapted"] == {"seed": "dropped"}
    log = home / "data/runs/mine/replies"
    assert len(replies.read(log)) == CALLS
    assert not (log / "main.jsonl").exists() and not (log / "holder").exists()
    assert f"dask: {threads}" in capsys.readouterr().out


def test_more_workers_than_an_endpoint_allows_calls_are_refused(home, threads):
    asked = written(home, "http://127.0.0.1:9/v1", on_cluster(threads))
    few = {"here": replace(asked.endpoints["here"], concurrency=1)}
    with pytest.raises(cluster.ClusterError, match=r"2 workers can't share .*9/v1 allows 1;"):
        study.run(replace(asked, endpoints=few))
    assert not list((home / "data/runs/mine/replies").iterdir())


def test_max_usd_holds_over_all_workers(home, threads):
    def priced(request):
        served = answer(request)
        usage = {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.01}}
        return replace(served, body={**served.body, **usage}) if served.status == 200 else served

    with Loopback(priced) as server:
        asked = written(home, server.url, on_cluster(threads) + "max_usd: 1\n")
        with pytest.raises(BudgetSpent, match=r"of 1.00 USD are spent"):
            study.run(asked)
        # A cent a call: beside the hundredth only those pass that are in flight.
        assert 100 <= paid(server) <= 100 + IN_FLIGHT
        study.run(replace(asked, max_usd=None))
        assert paid(server) == CALLS


@pytest.fixture(scope="module")
def processes(forked):
    with cluster.local(WORKERS) as started, distributed.Client(started) as client:
        yield client


@pytest.fixture(scope="module")
def start(forked):
    """Return a way to start a client as a process of its own."""

    def start(home):
        code = CLIENT.format(home=str(home), file=str(home / "mine.yaml"))
        process = forked.Process(target=exec, args=(code, {}))
        process.start()
        return process

    return start


def test_workers_and_clients_killed_at_random_change_no_row(
    laid, whole, server, processes, start, tmp_path
):
    for number in range(RUNS):
        draw, home = random.Random(number), shutil.copytree(laid, tmp_path / f"{number}")
        server.requests.clear()
        written(home, server.url, on_cluster(processes.scheduler.address))
        killed = play_through(partial(start, home), server, processes, draw)
        again = paid(server) - CALLS
        assert rows(home) == whole, f"run {number}"
        account = json.loads((home / "data/runs/mine/manifest.json").read_text())["account"]
        assert again <= account["possibly_paid_twice"] <= killed * IN_FLIGHT, f"run {number}"
        print(f"run {number}: {killed} killed, {again} calls repeated, {account}")
        shutil.rmtree(home)


def play_through(start, server, workers, draw) -> int:
    """Start a client until one ends by itself, killing it or a worker at random calls.

    Returns how many were killed.
    """
    moments = sorted(draw.sample(range(1, CALLS), draw.randint(1, DEATHS)))
    killed = 0
    while True:
        client = start()
        while client.is_alive() and killed < len(moments):
            if paid(server) >= moments[killed]:
                kill_one(client, workers, draw)
                killed += 1
            time.sleep(0.002)
        client.join(timeout=600)
        if client.exitcode == 0:
            return killed
        assert client.exitcode == -signal.SIGKILL


def kill_one(client, workers, draw) -> None:
    """Kill, without warning, the client or the process of a worker."""
    if draw.random() < 0.5:
        client.kill()
        client.join()
        return
    workers.wait_for_workers(1, timeout=60)
    pids = workers.run(os.getpid, on_error="ignore").values()
    os.kill(draw.choice(sorted(pids)), signal.SIGKILL)
