"""A cluster gives the bytes of one thread, whoever dies, and takes no strangers."""

from __future__ import annotations

import os
import random
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

distributed = pytest.importorskip("distributed")

from dixitlib import store  # noqa: E402
from dixitlib.bench import evaluate  # noqa: E402
from dixitlib.cards.deck import Deck  # noqa: E402
from dixitlib.game import arena  # noqa: E402
from dixitlib.models.glimpse import Glimpse  # noqa: E402
from dixitlib.models.sentences import default_encoder  # noqa: E402
from dixitlib.paths import REPOSITORY  # noqa: E402
from dixitlib.players import null  # noqa: E402
from dixitlib.players.pragmatic import Pragmatic, calibrate  # noqa: E402
from dixitlib.records import Item  # noqa: E402
from dixitlib.study import certify, cluster, sensitivity  # noqa: E402

# Processes that are killed leave connections half closed.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
BANK = tuple(f"dream {number}" for number in range(50))
CARDS = 6
RUNS = int(os.environ.get("CLUSTER_RUNS", "1"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A deck of few cards, on disk as workers need it."""
    home = tmp_path_factory.mktemp("cards")
    for number in range(1, CARDS + 1):
        shutil.copy(REPOSITORY / "data" / "cards" / f"{number:03d}.webp", home)
    return home


@pytest.fixture(scope="module")
def processes(forked):
    with cluster.local(2) as started:
        yield started


@pytest.fixture
def client(processes):
    with distributed.Client(processes) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected


@pytest.fixture(scope="module")
def passport(folder):
    return cluster.Passport.of(folder)


@pytest.fixture
def executor(client, passport):
    return cluster.Chunked(client, passport)


def played(folder, deck, executor=None, progress=iter) -> tuple[bytes, bytes]:
    """Play a round robin and let one sit a few items; return the bytes of both files."""
    players = [null.random(BANK), null.first(BANK)]
    ids = [card.id for card in deck]
    items = [
        Item(f"i{n:02d}", "easy", f"clue {n}", ids[n], tuple(ids[n : n + 6])) for n in range(40)
    ]
    with store.open_run(folder, parameters={}, inputs={}) as sink:
        arena.round_robin(players, deck, executor=executor, sink=sink, progress=progress)
        evaluate.direct(players[0], items, deck, executor=executor, sink=sink, progress=progress)
    return tuple((folder / name).read_bytes() for name in ("rounds.jsonl", "answers.jsonl"))


def test_a_cluster_gives_the_bytes_of_one_thread(executor, toy_deck, tmp_path):
    there = played(tmp_path / "there", toy_deck, executor)
    assert there == played(tmp_path / "here", toy_deck)


def test_workers_killed_in_the_middle_lose_nothing(client, executor, toy_deck, tmp_path):
    whole, draw, killed = played(tmp_path / "here", toy_deck), random.Random(7), []

    def progress(work):
        for done, each in enumerate(work):
            if done == 1:
                killed.append(kill_one(client, draw))
            yield each

    for number in range(RUNS):
        run = tmp_path / f"killed{number}"
        assert played(run, toy_deck, executor, progress) == whole
    assert len(set(killed)) == 2 * RUNS  # in each run once in the arena and once in a sitting


def kill_one(client, draw) -> int:
    """Kill a worker's process without warning, once there are two; return its number."""
    client.wait_for_workers(2, timeout=60)
    process = draw.choice(sorted(client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL)
    return process


def test_order_and_pieces_are_those_of_map(executor):
    for chunksize in (1, 4, 100):
        found = executor.map(pow, range(10), [2] * 10, chunksize=chunksize)
        assert list(found) == [number**2 for number in range(10)]
    assert list(executor.map(pow, [], [])) == []


@pytest.fixture
def nearby(passport):
    """A worker within this process, to which all is sent as to any other; it has the encoder."""
    with (
        distributed.LocalCluster(
            n_workers=1, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0"
        ) as started,
        distributed.Client(started) as client,
    ):
        yield cluster.Chunked(client, passport)


def test_players_with_eyes_see_the_same_there(nearby):
    deck = Deck.load(REPOSITORY / "data" / "cards")
    bank = tuple(pd.read_csv(REPOSITORY / "data" / "clues" / "bank.csv")["clue"][:12])
    eyes, encoder = Glimpse.load("s", REPOSITORY / "data" / "weights"), default_encoder()
    scale = calibrate(eyes, encoder, bank, deck[:24])
    twins = [Pragmatic("s-partial", eyes, encoder, bank, scale) for _ in range(2)]
    planned = [("CORRECTED", 5)]
    there = sensitivity.play(twins[:1], deck, planned, nearby)
    pd.testing.assert_frame_equal(there, sensitivity.play(twins[1:], deck, planned))


def test_simulated_tournaments_are_the_same_there(executor, tmp_path):
    work = [certify.Job("findings", certify.findings, ("independent", n, 1)) for n in range(2)]
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    there = certify.run(work, executor, tmp_path / "there")
    with ThreadPoolExecutor(1) as here:
        expected = certify.run(work, here, tmp_path / "here")
    assert there.keys() == expected.keys() == {"findings"}
    pd.testing.assert_frame_equal(there["findings"], expected["findings"])


def test_what_a_task_raises_is_raised_here(executor):
    with pytest.raises(ZeroDivisionError):
        list(executor.map(partial(divmod, 1), [1, 0]))


def test_workers_of_the_same_library_and_deck_are_taken(client, passport, tmp_path):
    cluster.check(client, passport, tmp_path)


def test_workers_with_other_cards_or_another_library_are_named(client, passport):
    workers = sorted(client.scheduler_info()["workers"])
    with pytest.raises(cluster.ClusterError) as refused:
        cluster.check(client, replace(passport, cards="others"))
    assert all(f"{worker} has other cards" in str(refused.value) for worker in workers)
    with pytest.raises(cluster.ClusterError, match="another version of dixitlib"):
        cluster.check(client, replace(passport, library="of yesterday"))


def test_workers_without_the_deck_are_named(client, passport, tmp_path):
    elsewhere = replace(passport, folder=str(tmp_path / "nowhere"))
    with pytest.raises(cluster.ClusterError, match=r"fails \(.*no folder"):
        cluster.check(client, elsewhere)


def test_a_stranger_that_joins_late_does_no_task(client, passport):
    executor = cluster.Chunked(client, replace(passport, library="of tomorrow", name="late"))
    with pytest.raises(cluster.ClusterError, match="joined late has another version"):
        list(executor.map(abs, [-1]))
    with pytest.raises(cluster.ClusterError, match="joined late"):
        executor.submit(abs, -1).result()


def test_workers_that_do_not_see_where_replies_are_kept_are_named(
    client, passport, tmp_path, monkeypatch
):
    gone = tmp_path / "gone"
    monkeypatch.setattr(cluster.tempfile, "NamedTemporaryFile", lambda **_: nullcontext(Path(gone)))
    with pytest.raises(cluster.ClusterError) as refused:
        cluster.check(client, passport, tmp_path)
    for worker in client.scheduler_info()["workers"]:
        assert f"{worker} does not see {tmp_path}" in str(refused.value)


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


def test_without_an_address_processes_are_started_here(folder, forked, capsys):
    with cluster.working(None, 1, folder) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()
    assert "dashboard http://" in capsys.readouterr().out
