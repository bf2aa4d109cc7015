"""Play the runs of a params file: the arena's tables, then DixitBench."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from tqdm import tqdm

from dixitlib import paths, store
from dixitlib.bench import evaluate
from dixitlib.cards.deck import Deck
from dixitlib.game import arena, rules
from dixitlib.models.sentences import Encoder
from dixitlib.records import Item
from dixitlib.study import exam, meaning
from dixitlib.study.params import Params
from dixitlib.study.players import Participant

METHODS = {
    "direct": evaluate.direct,
    "entailment": evaluate.entailment,
    "circular": evaluate.circular,
}
CLUES = {"own": "own", "none": None, "permuted": "permuted"}


def folder(run: str) -> Path:
    """Return the folder of a run of the home."""
    return paths.data("runs", run)


def open_run(params: Params, run: str, deck: Deck) -> AbstractContextManager[store.RunWriter]:
    """Begin or resume a run, whose manifest says all that its results depend on."""
    bench = params.bench
    parameters = {"seed": params.seed, "preset": params.arena.preset}
    if run in params.arena.tables:
        parameters["table"] = list(params.arena.tables[run])
    if run == bench.run:
        asked = {"players": bench.players, "methods": bench.methods, "controls": bench.controls}
        parameters["bench"] = {"basis": bench.basis} | {k: list(v) for k, v in asked.items()}
    return store.open_run(folder(run), parameters=parameters, inputs=_inputs(params, deck))


def _inputs(params: Params, deck: Deck) -> dict[str, str]:
    weights = sorted(paths.data("weights").glob("*.safetensors"))
    files = [paths.home() / params.clues, *weights, *sorted(paths.data("bench").glob("*.csv"))]
    hashes = {p.relative_to(paths.home()).as_posix(): _sha256(p) for p in files}
    return {"deck": deck.hash, **hashes}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def play_table(
    params: Params,
    players: Sequence[Participant],
    deck: Deck,
    sink: store.RunWriter,
    executor: Executor | None,
) -> None:
    """Play a round robin, phase by phase."""
    arena.round_robin(
        players,
        deck,
        preset=rules.PRESETS[params.arena.preset],
        seed=params.seed,
        executor=executor,
        sink=sink,
        progress=partial(tqdm, desc="arena", unit="phase"),
    )


def sit_bench(
    params: Params,
    players: Sequence[Participant],
    items: Sequence[Item],
    deck: Deck,
    sink: store.RunWriter,
    executor: Executor | None,
) -> None:
    """Put every item to every player, by each method and under each control."""
    sittings = [
        (player, method, control)
        for player in players
        for method in params.bench.methods
        for control in params.bench.controls
        # A control says what options alone give away, which has nothing to do with ratings.
        if method == "direct" or control == "own"
    ]
    for player, method, control in tqdm(sittings, desc="bench", unit="sitting"):
        METHODS[method](
            player,
            items,
            deck,
            clue=CLUES[control],
            seed=params.seed,
            executor=executor,
            sink=sink,
        )


def sit_exam(params: Params, listeners: Sequence[Participant], deck: Deck, seed: int) -> None:
    """Let all listeners vote on the clues of other storytellers; see `exam`."""
    asked = params.exam
    rounds = store.iter_rounds(folder(asked.tables))
    told = (r for r in rounds if r.players[r.storyteller] in asked.storytellers)
    votes = exam.sit(tqdm(told, desc="exam", unit="round"), deck.by_id, listeners, seed)
    path = folder(asked.run) / "exam.csv"
    votes.to_csv(path, index=False, lineterminator="\n")


def write_meaning(run: str, deck: Deck, encoder: Encoder) -> None:
    """Store beside a run's rounds how near its clues are to the cards on the table."""
    captions: Mapping[str, str] = {card.id: card.caption for card in deck}
    if not all(captions.values()):
        print(f"{run}: no meaning.csv, since the deck's cards have no literal captions")
        return
    measured = meaning.measure(store.iter_rounds(folder(run)), captions, encoder)
    path = folder(run) / "meaning.csv"
    measured.to_csv(path, index=False, lineterminator="\n", float_format="%.6f")
