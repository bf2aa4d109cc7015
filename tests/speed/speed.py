"""How fast the study runs. `make bench` measures this; no other test looks at a clock.

Times say little about another machine, so each is also given as a multiple of one
reference, a million additions in plain Python, measured in the same run.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from dixitlib import paths, store
from dixitlib.analysis.bootstrap import bootstrap_interval
from dixitlib.bench import build
from dixitlib.bench.items import read_items
from dixitlib.cards import painter, scenes
from dixitlib.cards.deck import Deck
from dixitlib.game.arena import round_robin
from dixitlib.models.sentences import default_encoder
from dixitlib.records import Move
from dixitlib.store import partitions
from dixitlib.study import laying, panel_run, panels, params, players, simulator, sitting

OFFLINE = paths.REPOSITORY / "notebooks/params/offline.yaml"
ROUNDS = 504
QUESTIONS = 12


@pytest.fixture(scope="module")
def asked():
    return params.read(OFFLINE)


@pytest.fixture(scope="module")
def deck():
    return Deck.load(paths.data("cards"))


@pytest.fixture(scope="module")
def local_players(asked, deck):
    setting = players.Setting(laying.bank(asked), default_encoder())
    seated = players.make(asked.arena.tables["offline"], setting)
    round_robin(seated, deck)  # looks at every card once, as loading would
    return seated


def add_up(n=1_000_000):
    total = 0
    for number in range(n):
        total += number
    return total


def test_reference(benchmark):
    assert benchmark(add_up) == 499_999_500_000


def test_engine_scripted_tournament(benchmark, scripted, toy_deck):
    moves = {step: Move(choice=0, clue="a clue") for step in ("tell", "submit", "vote")}
    seated = [scripted(str(number), moves) for number in range(6)]
    benchmark.extra_info["rounds"] = ROUNDS
    assert len(benchmark(round_robin, seated, toy_deck)) == ROUNDS


def test_local_tournament(benchmark, local_players, deck):
    benchmark.extra_info["rounds"] = ROUNDS
    assert len(benchmark(round_robin, local_players, deck)) == ROUNDS


def test_simulated_tournaments(benchmark):
    asked = [simulator.SimulatedPlayer(name) for name in "abcdef"]
    benchmark.extra_info["rounds"] = 100 * ROUNDS
    played = benchmark(lambda: list(simulator.play(asked, 100)))
    assert len(played) == 100 and len(played[0][0]) == ROUNDS


def test_store_rounds_in_parts(benchmark, tmp_path):
    asked = [simulator.SimulatedPlayer(name) for name in "abcdef"]
    each = [rounds for rounds, _ in simulator.play(asked, 10)]
    benchmark.extra_info["rounds"] = 10 * ROUNDS

    def stored():
        for number, rounds in enumerate(each):
            partitions.write_part(tmp_path, number, rounds)
        return partitions.counts(partitions.scan(tmp_path), ["storyteller"])

    assert benchmark(stored)["count"].tolist() == [10 * ROUNDS // 6] * 6


def test_paint_card(benchmark):
    scene = scenes.deck()[0]
    assert benchmark.pedantic(painter.paint, (scene,), rounds=5).size == (600, 900)


def test_build_dixitbench(benchmark, asked, deck):
    encoder = default_encoder()
    clues = laying.clues(asked, deck, laying.bank(asked), encoder)
    made = benchmark(build.build, deck, clues, encoder=encoder)
    assert len(made) == 3 * len(deck)


def test_bootstrap(benchmark):
    answers = store.read_answers(paths.data("runs/offline"))
    found = benchmark(bootstrap_interval, answers, "credit", "item")
    assert found.low < found.estimate < found.high


def test_panel(benchmark, deck):
    company = panels.company(panel_run.seated("panel", default_encoder()), {})
    items = read_items(paths.data("bench/dixitbench.csv"))[:QUESTIONS]

    def debated():
        return list(sitting.sit(company.first[:1], items, deck.by_id))

    debated()  # looks at every card once, as loading would
    assert len(benchmark.pedantic(debated, rounds=3)) == QUESTIONS


@pytest.mark.parametrize(
    "room", ["game.rules", "analysis.outcomes", "plots", "store", "players.pragmatic"]
)
def test_import(benchmark, room):
    command = [sys.executable, "-c", f"import dixitlib.{room}"]
    done = benchmark.pedantic(subprocess.run, (command,), {"check": True}, rounds=3)
    assert done.returncode == 0
