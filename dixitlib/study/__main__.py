"""``python -m dixitlib.study PARAMS.yaml``: play what the file says, in the home.

What is there already is kept: a run that was stopped goes on, and a finished one is
played through without asking anybody anything. With ``--dry-run`` the plan and its
estimated cost are printed, and no model is called.
"""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dixitlib import paths, store
from dixitlib.bench.items import BenchError
from dixitlib.cards.deck import Deck, DeckError
from dixitlib.game import arena
from dixitlib.models.faults import EndpointUnusable, MissingKey, PayloadTooLarge
from dixitlib.models.prices import Budget, BudgetSpent, PriceError
from dixitlib.models.replies import LogError, ReplyLog, TakenOver
from dixitlib.models.sentences import Encoder, default_encoder
from dixitlib.records import Item
from dixitlib.study import laying, model_panel, panel_run, params, players, playing, raters
from dixitlib.study.checks import ParamsError
from dixitlib.study.laying import WordsError
from dixitlib.study.players import Participant, Setting
from dixitlib.study.playing import Threads

if TYPE_CHECKING:
    from dixitlib.study.asking import Asking

BAD_INPUT = (
    ParamsError,
    DeckError,
    WordsError,
    BenchError,
    PriceError,
    LogError,
    MissingKey,
    PayloadTooLarge,
    store.RunError,
    store.FolderInUse,
    paths.DiskFull,
    TakenOver,
)
"""What whoever started this can mend, and is told in one message; our mistakes show where."""
FULL = (errno.ENOSPC, errno.EDQUOT)
EXTRAS = {"openai": "api", "httpx2": "api", "urllib3": "api", "distributed": "dask"}
"""Packages that not everybody needs, by the extra that brings them."""


@dataclass(frozen=True)
class Run:
    """A run that is being played: where its results go, and its players by name."""

    name: str
    sink: store.RunWriter
    players: dict[str, Participant]

    def seat(self, names: Sequence[str]) -> list[Participant]:
        """Return players of the run in the order of their names."""
        return [self.players[name] for name in names]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.study", description=__doc__)
    parser.add_argument("params", type=Path, help="a file of notebooks/params")
    parser.add_argument("--dry-run", action="store_true", help="show plan and estimate only")
    options = parser.parse_args(arguments)
    try:
        for asked in params.with_others(options.params):
            preview(asked) if options.dry_run else run(asked)
    except BAD_INPUT as fault:
        parser.exit(2, f"{parser.prog}: {fault}\n")
    except (BudgetSpent, EndpointUnusable) as stopped:
        sys.exit(f"{asked.name} was stopped; all replies are kept. {stopped}")
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        how = f"pip install -e .[{EXTRAS[missing.name]}]"
        parser.exit(2, f"{parser.prog}: {missing.name} is not installed: {how}\n")
    except OSError as error:
        if error.errno not in FULL:
            raise
        parser.exit(2, f"{parser.prog}: the disk is full: make room and go on. {error}\n")


def preview(asked: params.Params) -> None:
    """Print what would be played and what models would cost; call none."""
    players.check(asked)
    with _asking(asked) as asking:
        _show(asked, laying.deck(asked), asking)


def run(asked: params.Params) -> None:
    """Lay the table and play every run.

    Raises
    ------
    BudgetSpent, EndpointUnusable
        If models can't be asked any more; all that was said and finished is kept.
    ClusterError, FolderInUse, DiskFull
        If there is nowhere to work, or nowhere to write to.
    """
    players.check(asked)
    deck, encoder = laying.deck(asked), default_encoder()
    with _asking(asked) as asking, ExitStack() as stack:
        if asking:
            _show(asked, deck, asking)
        setting = Setting(laying.bank(asked), encoder, asking)
        deck, items = _lay(asked, deck, setting)
        runs = [stack.enter_context(opened(asked, name, deck, setting)) for name in asked.runs]
        with _working(asked, asking) as threads:
            for each in runs:
                play(asked, each, items, deck, encoder, threads, setting.budget)
                if each.name in asked.eyes:
                    playing.write_fits(asked, each.name, deck, setting)
            if asked.model_panel:
                model_panel.play(asked, deck, items, setting, threads.work)
            if asked.people:
                local = players.make(asked.people.players, setting)
                raters.prepare(asked.people, local, deck, items, encoder, asked.seed)
            if asked.panel:
                panel_run.play(asked, deck, items, setting, threads.work)


def _asking(asked: params.Params) -> AbstractContextManager[Asking | None]:
    if not asked.models:
        return nullcontext()
    from dixitlib.study import asking  # loads the client library: a second that others save

    return asking.opened(asked, playing.adapted(asked))


def _show(asked: params.Params, deck: Deck, asking: Asking | None) -> None:
    """Print the plan and the estimate, before anything is paid."""
    from dixitlib.study import money  # loads the client library too

    print("\n".join(money.plan(asked, deck)))
    print(money.estimate(asked, deck, asking) if asking else "no model is asked: nothing to pay")
    if asked.max_usd is not None:
        print(f"max_usd stops it at {asked.max_usd:.2f} USD", flush=True)


def _lay(asked: params.Params, deck: Deck, setting: Setting) -> tuple[Deck, tuple[Item, ...]]:
    """Return the deck with its captions and the items, written first where models write."""
    if not (asked.captions_by or asked.clues_by):
        words = laying.clues(asked, deck, setting.bank, setting.encoder)
        return deck, laying.bench(asked, deck, words, setting.encoder)
    from dixitlib.study import writing  # loads the client library too

    with _working(asked, setting.asking) as threads:
        deck, words = writing.words(asked, deck, setting, threads.work)
    return deck, laying.bench(asked, deck, words, setting.encoder)


@contextmanager
def opened(asked: params.Params, name: str, deck: Deck, setting: Setting) -> Iterator[Run]:
    """Hold a run open; at the end what its models cost is written into its manifest."""
    models = playing.models_of(asked, name)
    with playing.open_run(asked, name, deck, setting.asking) as sink:
        log = ReplyLog(sink.folder / "replies") if models else None
        seated = players.make(asked.seated(name), replace(setting, log=log))
        try:
            yield Run(name, sink, {player.name: player for player in seated})
        finally:
            if models:
                log.close()
                sink.account(setting.asking.account(log, models))


@contextmanager
def _working(asked: params.Params, asking: Asking | None) -> Iterator[Threads]:
    """Give a cluster or threads to work on, or none to a single worker."""
    if asked.executor == "dask":
        from dixitlib.study import away  # an extra, and a second that others save

        with away.working(asked, asking) as threads:
            yield threads
        return
    if asked.workers <= 1:
        yield Threads()
        return
    with ThreadPoolExecutor(asked.workers) as work, ExitStack() as stack:
        ask = arena.ask_in_turn
        if asked.models:
            seats = stack.enter_context(ThreadPoolExecutor(playing.TOGETHER * asked.workers))
            ask = arena.ask_together(seats)
        try:
            yield Threads(work, ask)
        except BaseException:
            if asking:
                asking.budget.stop()  # else phases in flight would be played, and paid, to the end
            raise


def play(
    asked: params.Params,
    run: Run,
    items: Sequence[Item],
    deck: Deck,
    encoder: Encoder,
    threads: Threads,
    budget: Budget | None,
) -> None:
    """Play all of a run, as far as the file asks for it."""
    table = asked.arena.tables.get(run.name)
    if table:
        playing.play_table(asked, run.seat(table), deck, run.sink, threads, budget)
        playing.write_meaning(run.name, deck, encoder)
    if run.name == asked.bench.run:
        sitting = run.seat(asked.bench.players)
        playing.sit_bench(asked, sitting, items, deck, run.sink, threads, budget)
    if crossed := asked.crossed(run.name):
        both = run.seat(crossed.storytellers), run.seat(crossed.listeners)
        playing.play_counterfactual(asked, *both, deck, encoder, threads, budget)
    if asked.sensitivity and run.name == asked.sensitivity.run:
        playing.play_again(asked, run.seat(table), deck, threads)


if __name__ == "__main__":
    main()
