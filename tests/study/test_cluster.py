"""A cluster gives the bytes of one thread, whoever dies, and takes no strangers."""

from __future__ import annotations

import os
import random
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pandas as pd
import pytest

distributed = pytest.importorskip("distributed")

from dixitlib import store  # noqa: E402
from dixitlib.bench import evaluate  # noqa: E402
from dixitlib.cards.deck import Deck  # noqa: E402
from dixitlib.game import arena  # noqa: E402
from dixitlib.paths import REPOSITORY  # noqa: E402
from dixitlib.players import null  # noqa: E402
from dixitlib.records import Item  # noqa: E402
from dixitlib.study import certify, cluster  # noqa: E402

# Processes that are killed leave connections half closed.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
BANK = tuple(f"dream {number}" for number in range(50))
CARDS = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A deck of few cards, on disk as workers need it."""
    home = tmp_path_factory.mktemp("cards")
    for number in range(1, CARDS + 1):
        shutil.copy(REPOSITORY / "data" / "cards" / f"{number:03d}.webp", home)
    return home


@pytest.fixture(scope="module")
def processes():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as started:
        yield started


@pytest.fixture
def client(processes):
    with distributed.Client(processes) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected


def played(folder, deck, executor=None, progress=iter) -> tuple[bytes, bytes]:
    """Play a round robin and sit a few items; return the bytes of both files."""
    players = [null.random(BANK), null.first(BANK)]
    ids = [card.id for card in deck]
    items = [
        Item(f"i{n:02d}", "easy", f"clue {n}", ids[n], tuple(ids[n : n + 6])) for n in range(40)
    ]
    with store.open_run(folder, parameters={}, inputs={}) as sink:
        arena.round_robin(players, deck, executor=executor, sink=sink, progress=progress)
        for player in players:
            evaluate.direct(player, items, deck, executor=executor, sink=sink, progress=progress)
    return tuple((folder / name).read_bytes() for name in ("rounds.jsonl", "answers.jsonl"))


def test_a_cluster_gives_the_bytes_of_one_thread(client, toy_deck, tmp_path):
    there = played(tmp_path / "there", toy_deck, cluster.Chunked(client))
    assert there == played(tmp_path / "here", toy_deck)


def test_workers_killed_in_the_middle_lose_nothing(client, toy_deck, tmp_path):
    whole, draw, killed = played(tmp_path / "here", toy_deck), random.Random(7), []

    def progress(work):
        for done, each in enumerate(work):
            if done == 1:
                killed.append(kill_one(client, draw))
            yield each

    for number in range(2):
        run = tmp_path / f"killed{number}"
        assert played(run, toy_deck, cluster.Chunked(client), progress) == whole
    assert len(set(killed)) == 6  # in each run once in the arena and in each sitting


def kill_one(client, draw) -> int:
    """Kill a worker's process without warning, once there are two; return its number."""
    client.wait_for_workers(2, timeout=60)
    process = draw.choice(sorted(client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL)
    return process


def test_order_and_pieces_are_those_of_map(client):
    executor = cluster.Chunked(client)
    for chunksize in (1, 4, 100):
        found = executor.map(pow, range(10), [2] * 10, chunksize=chunksize)
        assert list(found) == [number**2 for number in range(10)]
    assert list(executor.map(pow, [], [])) == []


def test_simulated_tournaments_are_the_same_there(client, tmp_path):
    trials = list(certify.TRIALS)[:2]
    work = [certify.Job("findings", certify.findings, (trial, 0, 1)) for trial in trials]
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    there = certify.run(work, cluster.Chunked(client), tmp_path / "there")
    with ThreadPoolExecutor(1) as here:
        expected = certify.run(work, here, tmp_path / "here")
    assert there.keys() == expected.keys() == {"findings"}
    pd.testing.assert_frame_equal(there["findings"], expected["findings"])


def test_what_a_task_raises_is_raised_here(client):
    with pytest.raises(ZeroDivisionError):
        list(cluster.Chunked(client).map(partial(divmod, 1), [1, 0]))


def test_workers_of_the_same_library_and_deck_are_taken(client, folder):
    cluster.check(client, folder)


def test_workers_with_other_cards_or_another_library_are_named(client, folder, monkeypatch):
    workers = sorted(client.scheduler_info()["workers"])
    with monkeypatch.context() as patch:  # of this process alone
        other = Deck.load(folder)[1:]
        patch.setattr(cluster.Deck, "load", lambda _: other)
        with pytest.raises(cluster.ClusterError) as refused:
            cluster.check(client, folder)
    assert all(f"{worker} has other cards" in str(refused.value) for worker in workers)
    monkeypatch.setattr(cluster.store, "sources", lambda: "of yesterday")
    with pytest.raises(cluster.ClusterError, match="another version of dixitlib"):
        cluster.check(client, folder)


def test_workers_without_the_deck_are_named(client, folder, monkeypatch, tmp_path):
    deck = Deck.load(folder)
    monkeypatch.setattr(cluster.Deck, "load", lambda _: deck)
    with pytest.raises(cluster.ClusterError, match=r"fails \(.*no folder"):
        cluster.check(client, tmp_path / "nowhere")


def test_a_scheduler_that_is_not_there_is_said_so(folder, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        pytest.raises(cluster.ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster.working("tcp://127.0.0.1:9", 1, folder),
    ):
        pass


def test_a_cluster_without_workers_is_said_so(folder, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(cluster.ClusterError, match="no worker joined"),
        cluster.working(empty.scheduler_address, 1, folder),
    ):
        pass


def test_without_an_address_processes_are_started_here(folder, capsys):
    with cluster.working(None, 1, folder) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()
    assert "dashboard http://" in capsys.readouterr().out
