"""How work grows: with the deck up to a hundred thousand cards, and over a cluster's workers.

What shares the machine stretches wall times, so ratios that a figure is wanted of are also
taken of processor time, both sides in the same run.
"""

from __future__ import annotations

import time
import tracemalloc
from functools import partial
from itertools import repeat

import numpy as np
import pytest

from dixitlib import paths
from dixitlib.bench import windows
from dixitlib.bench.nearness import Space
from dixitlib.study import certify, cluster

RANKS = 80
WIDTH = 384  # of a sentence's vector
PART = 8  # blocks of the largest deck; all are alike, and all would take half an hour
TRIAL, TOURNAMENTS, AT_ONCE = "independent", 48, 4
TASKS = 200


def cards(number: int) -> Space:
    rng = np.random.default_rng(number)
    vectors = rng.normal(size=(number, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = tuple(map(str, range(number)))
    return Space(names, names, vectors, vectors)


def ranked(space: Space, blocks: int | None = None) -> list[slice]:
    """Rank the first blocks of a deck, and return them."""
    done: list[slice] = []

    def progress(planned):
        done.extend(planned[:blocks])
        return done

    windows.rank(space, RANKS, np.random.default_rng(0), progress=progress)
    return done


def spent(work) -> tuple[float, object]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


@pytest.mark.parametrize("number", [84, 1_000, 10_000])
def test_windows(benchmark, number):
    space = cards(number)
    assert benchmark.pedantic(ranked, (space,), rounds=1)[-1].stop == number


def test_windows_of_a_hundred_thousand(benchmark):
    tracemalloc.start()
    space = cards(100_000)
    ranked(space, 1)
    benchmark.extra_info["peak_mb"] = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    seconds, done = spent(lambda: benchmark.pedantic(ranked, (space, PART), rounds=1))
    product, _ = spent(lambda: [space.basis[block] @ space.basis.T for block in done])
    benchmark.extra_info["of_matrix_product"] = product / seconds
    benchmark.extra_info["part"] = done[-1].stop / len(space.cards)
    assert len(done) == PART


@pytest.fixture(params=[1, 2])
def workers(request):
    deck = paths.data("cards")
    with cluster.working(None, request.param, deck) as work:
        work.client.wait_for_workers(request.param, timeout=60)
        found = partial(certify.findings, TRIAL)
        list(work.map(found, range(request.param), repeat(1)))  # imports what it takes
        yield work


def test_simulations_on_workers(benchmark, workers):
    firsts = range(0, TOURNAMENTS, AT_ONCE)
    found = partial(certify.findings, TRIAL)

    def simulate():
        clock = lambda: time.process_time()  # noqa: E731 -- local, so that it travels by value
        before = sum(workers.everywhere(clock))
        made = list(workers.map(found, firsts, repeat(AT_ONCE)))
        benchmark.extra_info["cpu_s"] = sum(workers.everywhere(clock)) - before
        return made

    assert len(benchmark.pedantic(simulate, rounds=1)) == len(firsts)


def test_tasks_of_nothing_on_workers(benchmark, workers):
    done = benchmark.pedantic(lambda: list(workers.map(abs, range(TASKS))), rounds=3)
    assert done == list(range(TASKS))
    benchmark.extra_info["ms_per_task"] = 1000 * benchmark.stats.stats.median / TASKS
