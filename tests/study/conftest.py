"""Processes that tests of a cluster kill, and want back at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext

import pytest

LOADED = ("distributed", "dixitlib.study.__main__", "dixitlib.study.away", "dixitlib.study.certify")


@pytest.fixture(scope="session")
def forked() -> Iterator[ForkServerContext]:
    """Fork workers, and whatever the context starts, from a process that has loaded all.

    A process that loads everything anew takes seconds, and dozens are started.
    """
    dask = pytest.importorskip("dask")
    utils = pytest.importorskip("distributed.utils")
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        utils.get_mp_context()  # it names, once, what is to be loaded; ours is more
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(list(LOADED))
        yield context
