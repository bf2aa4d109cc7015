"""The runs of a params file on a Dask cluster: who works there, and what models share.

Local players take one thread a process. Models wait more than they work, so as many calls
as the file asks for are spread over few processes. Each worker keeps what it pays for, in
files of its own in the run's folder, before it gives a result back, and takes its part of
what an endpoint allows.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dixitlib import paths
from dixitlib.game import arena
from dixitlib.models.replies import adapted_here
from dixitlib.study import cluster
from dixitlib.study.params import Params
from dixitlib.study.playing import Threads

if TYPE_CHECKING:
    from dixitlib.study.asking import Asking


@contextmanager
def working(asked: Params, asking: Asking | None) -> Iterator[Threads]:
    """Give a cluster to work on.

    Raises
    ------
    ClusterError
        If it can't be used, or has more workers than an endpoint allows calls.
    """
    folder = paths.home() / asked.deck.folder
    if asking is None:
        with cluster.working(asked.scheduler, asked.workers, folder) as work:
            yield Threads(work)
        return
    processes = min(asked.workers, os.cpu_count() or 1)
    threads = math.ceil(asked.workers / processes)
    with cluster.working(
        asked.scheduler, processes, folder, threads=threads, kept=paths.data()
    ) as work:
        _share(work, asking)
        try:
            yield Threads(work, arena.ask_in_threads)
        finally:
            for found in work.everywhere(adapted_here, asking.budget.name):
                asking.adapt(found)


def _share(work: cluster.Chunked, asking: Asking) -> None:
    try:
        asking.share(len(work.client.scheduler_info()["workers"]))
    except ValueError as too_many:
        raise cluster.ClusterError(str(too_many)) from too_many
