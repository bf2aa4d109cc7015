"""Work on a Dask cluster: on several machines, or on several processes of this one.

A cluster is one more executor. What is worked out there reaches the run on this side, in
canonical order, so results have the same bytes as those of one thread. A worker that dies
loses nothing: what it was at, and what it held, is worked out again elsewhere. Before
anything begins every worker must show the same library and the same cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from dixitlib import store
from dixitlib.cards.deck import Deck
from dixitlib.study.checks import ParamsError

PATIENCE = 15.0  # seconds for a scheduler to answer, and for a first worker to be there
RETRIES = 3  # of a task that raised, such as one whose input died with a worker


class ClusterError(ParamsError):
    """A cluster can't be used; the message says why and how to mend it."""


class Chunked(Executor):
    """A client's executor that sends a function once, and its inputs in pieces.

    Dask's own `map` takes no notice of `chunksize` and sends the function, here a player
    with all it has learnt, along with every input. The function is the result of a task of
    its own, so that a worker that takes over from a dead one can have it made again.

    Parameters
    ----------
    client
        Connected to a scheduler.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False, retries=RETRIES)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Work out one call."""
        return self._executor.submit(fn, *args, **kwargs)

    def map(
        self,
        fn: Callable[..., Any],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Any]:
        """Return the results in order; once closed, calls that have not begun are cancelled."""
        inputs = list(zip(*iterables, strict=False))  # as `map` does
        pieces = [inputs[at : at + chunksize] for at in range(0, len(inputs), chunksize)]
        function = self._client.submit(_same, fn, pure=False, retries=RETRIES)
        results = self._executor.map(_each, [function] * len(pieces), pieces, timeout=timeout)
        return _flat(results)


@contextmanager
def working(scheduler: str | None, workers: int, folder: Path) -> Iterator[Executor]:
    """Connect to a cluster, look at its workers, and give an executor.

    Parameters
    ----------
    scheduler
        Address, such as ``tcp://10.0.0.1:8786``; without one a cluster of processes is
        started on this machine and ended afterwards.
    workers
        How many processes of this machine; of no account with an address.
    folder
        Where the deck stands, here and for every worker.

    Raises
    ------
    ClusterError
        If no scheduler answers, if there is no worker, or if workers have another library
        or other cards; all of them are named.
    """
    with ExitStack() as stack:
        address = scheduler or stack.enter_context(_local(workers)).scheduler_address
        client = stack.enter_context(_connected(address))
        check(client, folder)
        print(f"dask: {address}, dashboard {client.dashboard_link}", flush=True)
        yield Chunked(client)


def check(client: Client, folder: Path) -> None:
    """Refuse workers that would not do the same as this process.

    Raises
    ------
    ClusterError
        If there is none, or some have another library or other cards.
    """
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as none:
        raise ClusterError(
            f"no worker joined {client.scheduler.address} in {PATIENCE:.0f} s: start "
            f"`dask worker {client.scheduler.address}` in this project's environment"
        ) from none
    found = client.run(_shown, str(folder), on_error="return")
    if faults := [*_faults(found, _shown(str(folder)))]:
        raise ClusterError("these workers can't take part: " + "; ".join(faults))


def _faults(found: dict[str, Any], wanted: tuple[str, str]) -> Iterator[str]:
    for worker, shown in sorted(found.items()):
        if isinstance(shown, BaseException):
            yield f"{worker} fails ({shown}): install this version of dixitlib and the deck there"
            continue
        library, cards = (one == other for one, other in zip(shown, wanted, strict=True))
        if not library:
            yield f"{worker} has another version of dixitlib: give it the same commit"
        if not cards:
            yield f"{worker} has other cards: copy the deck's folder there"


def _shown(folder: str) -> tuple[str, str]:
    """Return what a worker would play with: the hashes of its library and of its deck."""
    return store.sources(), Deck.load(folder).hash


@contextmanager
def _local(workers: int) -> Iterator[LocalCluster]:
    """Start processes of one thread each, which leave no file behind."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {address}: start `dask scheduler` there, or leave "
            "`scheduler` out to work on this machine"
        ) from error


def _same(value: Any) -> Any:
    return value


def _each(function: Callable[..., Any], piece: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [function(*inputs) for inputs in piece]


def _flat(results: Iterator[list[Any]]) -> Iterator[Any]:
    with closing(results):
        yield from chain.from_iterable(results)
