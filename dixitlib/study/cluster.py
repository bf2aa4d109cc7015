"""Work on a Dask cluster: on several machines, or on several processes of this one.

A cluster is one more executor. What is worked out there reaches the run on this side, in
canonical order, so results have the same bytes as those of one thread. A worker that dies
loses nothing: what it was at, and what it held, is worked out again elsewhere. Every worker
must show the same library and the same cards: all that are there before anything begins,
and one that joins later before its first task.
"""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import dask
from distributed import Client, KilledWorker, LocalCluster

from dixitlib import store
from dixitlib.cards.deck import Deck
from dixitlib.models.once import once
from dixitlib.study.checks import ParamsError

PATIENCE = 15.0  # seconds for a scheduler to answer, and for a first worker to be there
RETRIES = 3  # of a task that raised, such as one whose input died with a worker


class ClusterError(ParamsError):
    """A cluster can't be used; the message says why and how to mend it."""


@dataclass(frozen=True)
class Passport:
    """What every worker must show: the hashes of its library and of its deck.

    Parameters
    ----------
    folder
        Where the deck stands, here and for every worker.
    library, cards
        What is shown on this side.
    name
        Of this work, in which a process is asked but once.
    """

    folder: str
    library: str
    cards: str
    name: str

    @classmethod
    def of(cls, folder: Path) -> Passport:
        """Return what this process shows."""
        return cls(str(folder), *shown(str(folder)), uuid.uuid4().hex)

    def faults(self, library: str, cards: str) -> list[str]:
        """Return what is wrong with what somebody shows."""
        other = []
        if library != self.library:
            other.append("has another version of dixitlib: give it the same commit")
        if cards != self.cards:
            other.append("has other cards: copy the deck's folder there")
        return other

    def show(self) -> None:
        """Refuse to work in a process that shows something else."""
        if faults := self.faults(*once(self.name, shown, self.folder)):
            raise ClusterError(f"a worker that joined late {' and '.join(faults)}")


class Chunked(Executor):
    """A client's executor that sends a function once, and its inputs in pieces.

    Dask's own `map` takes no notice of `chunksize` and sends the function, here players
    with all they have learnt, along with every input. The function is the result of a task
    of its own, so that a worker that takes over from a dead one can have it made again.

    Parameters
    ----------
    client
        Connected to a scheduler.
    passport
        What workers must show.
    """

    def __init__(self, client: Client, passport: Passport) -> None:
        self.client = client
        self._passport = passport
        self._executor = client.get_executor(pure=False, retries=RETRIES)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Work out one call."""
        return self._executor.submit(_call, self._passport, fn, args, kwargs)

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
        function = self.client.submit(_same, fn, pure=False, retries=RETRIES)
        fixed = [[each] * len(pieces) for each in (self._passport, function)]
        return _flat(self._executor.map(_each, *fixed, pieces, timeout=timeout))

    def everywhere(self, fn: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a function in every worker, and return what those say that can be reached."""
        with suppress(OSError):  # a cluster that is gone has nothing to say
            return list(self.client.run(fn, *arguments, on_error="ignore").values())
        return []


@contextmanager
def working(
    scheduler: str | None,
    workers: int,
    folder: Path,
    *,
    threads: int = 1,
    kept: Path | None = None,
) -> Iterator[Chunked]:
    """Connect to a cluster, look at its workers, and give an executor.

    Parameters
    ----------
    scheduler
        Address, such as ``tcp://10.0.0.1:8786``; without one a cluster of processes is
        started on this machine and ended afterwards.
    workers, threads
        How many processes of this machine, of how many threads; of no account with an
        address.
    folder
        Where the deck stands, here and for every worker.
    kept
        The folder that workers write to as well, if they do.

    Raises
    ------
    ClusterError
        If no scheduler answers, if there is no worker, if workers have another library,
        other cards, or another folder where replies are kept, with all of them named; or
        if a task can't be done there.
    """
    with ExitStack() as stack:
        address = scheduler or stack.enter_context(local(workers, threads)).scheduler_address
        client = stack.enter_context(_connected(address))
        passport = Passport.of(folder)
        check(client, passport, kept)
        print(f"dask: {address}, dashboard {client.dashboard_link}", flush=True)
        try:
            yield Chunked(client, passport)
        except (KilledWorker, CancelledError) as lost:
            raise ClusterError(
                f"the cluster at {address} lost a task for good ({lost}): see whether its workers "
                "have memory enough, and go on"
            ) from lost


@contextmanager
def local(workers: int, threads: int = 1) -> Iterator[LocalCluster]:
    """Start processes of this machine, each begun anew however often it dies.

    Dask looks once more some time after a death, and gives up for good a process that it then
    finds between two lives, as one may be that died again. So it is told to look very late.
    """
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"}),
        LocalCluster(
            n_workers=workers, threads_per_worker=threads, dashboard_address="127.0.0.1:0"
        ) as cluster,
    ):
        yield cluster


def check(client: Client, passport: Passport, kept: Path | None = None) -> None:
    """Refuse workers that would not do the same as this process.

    Raises
    ------
    ClusterError
        If there is none, or some have another library, other cards, or not the folder
        where replies are kept.
    """
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as none:
        raise ClusterError(
            f"no worker joined {client.scheduler.address} in {PATIENCE:.0f} s: start "
            f"`dask worker {client.scheduler.address}` in this project's environment"
        ) from none
    found = client.run(shown, passport.folder, on_error="return")
    faults = [*_strangers(found, passport), *(_blind(client, kept) if kept else ())]
    if faults:
        raise ClusterError("these workers can't take part: " + "; ".join(faults))


def shown(folder: str) -> tuple[str, str]:
    """Return what a process works with: the hashes of its library and of its deck."""
    return store.sources(), Deck.load(folder).hash


def _strangers(found: Mapping[str, Any], passport: Passport) -> Iterator[str]:
    for worker, said in sorted(found.items()):
        if isinstance(said, BaseException):
            yield f"{worker} fails ({said}): install this version of dixitlib and the deck there"
        else:
            yield from (f"{worker} {fault}" for fault in passport.faults(*said))


def _blind(client: Client, kept: Path) -> Iterator[str]:
    """Yield the workers that don't see a file which is written here."""
    with tempfile.NamedTemporaryFile(dir=kept, prefix=".seen-") as probe:
        found = client.run(Path.exists, Path(probe.name))
    for worker in sorted(worker for worker, sees in found.items() if not sees):
        yield f"{worker} does not see {kept}: share it, for that is where replies are kept"


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


def _call(
    passport: Passport, fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    passport.show()
    return fn(*args, **kwargs)


def _each(
    passport: Passport, function: Callable[..., Any], piece: Sequence[tuple[Any, ...]]
) -> list[Any]:
    passport.show()
    return [function(*inputs) for inputs in piece]


def _flat(results: Iterator[list[Any]]) -> Iterator[Any]:
    with closing(results):
        yield from chain.from_iterable(results)
