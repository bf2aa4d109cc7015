"""``python -m dixitlib.study PARAMS.yaml``: play what the file says, in the home.

What is there already is kept: a run that was stopped goes on, and a finished one is
played through without asking anybody anything.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from dixitlib.models.sentences import default_encoder
from dixitlib.study import laying, params, players, playing


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.study", description=__doc__)
    parser.add_argument("params", type=Path, help="a file of notebooks/params")
    run(params.read(parser.parse_args(arguments).params))


def run(asked: params.Params) -> None:
    """Lay the table, play every run, sit the benchmark and the listening exam."""
    encoder = default_encoder()
    deck, bank = laying.deck(asked), laying.bank(asked)
    clues = laying.clues(deck, bank, encoder)
    items = laying.bench(asked, deck, clues, encoder)
    setting = players.Setting(bank, encoder)
    with workers(asked.workers) as executor:
        for name, table in asked.arena.tables.items():
            seated = players.make(table, setting)
            with playing.open_run(asked, name, deck) as sink:
                playing.play_table(asked, seated, deck, sink, executor)
            playing.write_meaning(name, deck, encoder)
        sitting = players.make(asked.bench.players, setting)
        with playing.open_run(asked, asked.bench.run, deck) as sink:
            playing.sit_bench(asked, sitting, items, deck, sink, executor)
    if asked.exam:
        listeners = players.make(asked.exam.listeners, setting)
        playing.sit_exam(asked, listeners, deck, asked.seed)


def workers(count: int) -> AbstractContextManager[Executor | None]:
    """Return threads to work on, or none for a single worker."""
    return ThreadPoolExecutor(count) if count > 1 else nullcontext()


if __name__ == "__main__":
    main()
