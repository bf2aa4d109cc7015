"""Play the runs of a params file: the arena's tables, DixitBench, counterfactual tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from tqdm import tqdm

from dixitlib import paths, store
from dixitlib.bench import evaluate
from dixitlib.cards.deck import Deck
from dixitlib.game import arena, rules
from dixitlib.models.prices import Budget
from dixitlib.models.sentences import Encoder
from dixitlib.players import prompts
from dixitlib.records import Item
from dixitlib.study import counterfactual, fits, meaning, sensitivity
from dixitlib.study.params import Params
from dixitlib.study.players import LOCAL, Participant, Setting, observers

if TYPE_CHECKING:
    from dixitlib.study.asking import Asking

METHODS = {
    "direct": evaluate.direct,
    "entailment": evaluate.entailment,
    "circular": evaluate.circular,
    "rate_together": evaluate.rate_together,
    "choose_alone": evaluate.choose_alone,
}
CLUES = {"own": "own", "none": None, "permuted": "permuted"}
PLAN = "analysis_plan.yaml"
TOGETHER = len(rules.SEATS) - 1
"""Most seats that are asked at once."""


@dataclass(frozen=True)
class Threads:
    """Where work is done, None being here, one piece after another; and how seats are asked."""

    work: Executor | None = None
    ask: arena.Ask = arena.ask_in_turn


def folder(run: str) -> Path:
    """Return the folder of a run of the home."""
    return paths.data("runs", run)


def open_run(
    params: Params, run: str, deck: Deck, asking: Asking | None = None
) -> AbstractContextManager[store.RunWriter]:
    """Begin or resume a run, whose manifest says all that its results depend on."""
    bench, models = params.bench, models_of(params, run)
    parameters: dict[str, object] = {"seed": params.seed, "preset": params.arena.preset}
    if run in params.arena.tables:
        parameters["table"] = list(params.arena.tables[run])
    if run == bench.run:
        asked = {"players": bench.players, "methods": bench.methods, "controls": bench.controls}
        parameters["bench"] = {"basis": bench.basis} | {k: list(v) for k, v in asked.items()}
        parameters["bench"] |= _told(params)
    if models:
        parameters["models"] = {name: asking.describe(name) for name in models}
    return store.open_run(
        folder(run), parameters=parameters, inputs=_inputs(params, run, deck), noted=_noted(models)
    )


def models_of(params: Params, run: str) -> tuple[str, ...]:
    """Return the names of the models that play in a run."""
    return tuple(name for name in params.seated(run) if name in params.models)


def adapted(params: Params) -> dict[str, Mapping[str, str]]:
    """Return what earlier parts of the runs found out about their models' endpoints."""
    found: dict[str, Mapping[str, str]] = {}
    for run in params.runs:
        manifest = store.read_manifest(folder(run)) if has_begun(run) else {}
        for name, account in manifest.get("account", {}).get("models", {}).items():
            found[name] = account["adapted"]
    return found


def has_begun(run: str) -> bool:
    """Tell whether a run is there, finished or not."""
    return (folder(run) / store.MANIFEST).exists()


def _told(params: Params) -> dict[str, object]:
    """Return what sets a benchmark apart from that of the offline study."""
    special = {
        "per_tier": params.bench.per_tier,
        "clues_by": params.clues_by,
        "captions_by": params.captions_by,
    }
    return {name: value for name, value in special.items() if value is not None}


def _inputs(params: Params, run: str, deck: Deck) -> dict[str, str]:
    """Return the hashes of all that goes into a run.

    Of a run with models only what its players need, so that retrained weights, say, never
    part a paid run from its replies.
    """
    models, seated = models_of(params, run), set(params.seated(run))
    needed = [
        (paths.data("weights").glob("*.safetensors"), not models or seated & LOCAL),
        (
            paths.data("bench", params.bench_name).glob("*.csv"),
            not models or run == params.bench.run,
        ),
        ([paths.home() / params.clues], seated - set(models)),
    ]
    files = [path for group, wanted in needed if wanted for path in sorted(group)]
    hashes = {p.relative_to(paths.home()).as_posix(): _sha256(p) for p in files}
    return {"deck": deck.hash, **hashes, **({"prompts": prompts.fingerprint()} if models else {})}


def _noted(models: Sequence[str]) -> dict[str, str]:
    """Return what is recorded and decides nothing: the analysis plan's hash, the client."""
    plan = paths.data(PLAN)
    noted = {"analysis_plan": _sha256(plan)} if plan.exists() else {}
    return noted | ({"client": f"openai {metadata.version('openai')}"} if models else {})


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def play_table(
    params: Params,
    players: Sequence[Participant],
    deck: Deck,
    sink: store.RunWriter,
    threads: Threads,
    budget: Budget | None = None,
) -> None:
    """Play a round robin, phase by phase."""
    arena.round_robin(
        players,
        deck,
        preset=rules.PRESETS[params.arena.preset],
        seed=params.seed,
        executor=threads.work,
        sink=sink,
        progress=bar(budget, desc="arena", unit="phase"),
        ask=threads.ask,
    )


def sit_bench(
    params: Params,
    players: Sequence[Participant],
    items: Sequence[Item],
    deck: Deck,
    sink: store.RunWriter,
    threads: Threads,
    budget: Budget | None = None,
) -> None:
    """Put every item to every player, by each method and under each control."""
    asked = part(items, params.bench.per_tier)
    sat = [(player, method, control) for player in players for method, control in sittings(params)]
    for player, method, control in bar(budget, desc="bench", unit="sitting")(sat):
        METHODS[method](
            player,
            asked,
            deck,
            clue=CLUES[control],
            seed=params.seed,
            executor=threads.work,
            sink=sink,
        )


def sittings(params: Params) -> list[tuple[str, str]]:
    """Return each method with the controls under which it is used."""
    return [
        (method, control)
        for method in params.bench.methods
        for control in params.bench.controls
        # A control says what options alone give away, which has nothing to do with ratings.
        if method == "direct" or control == "own"
    ]


def part(items: Sequence[Item], per_tier: int | None) -> list[Item]:
    """Return the first so many items of each tier; all without a number."""
    tiers = groupby(items, key=lambda item: item.tier)
    return [item for _, tier in tiers for item in islice(tier, per_tier)]


def bar(budget: Budget | None, **options: str) -> Callable[[Sequence], Iterable]:
    """Return a progress bar; it shows what is spent so far, if models are paid."""

    def progress(work: Sequence) -> Iterator:
        with tqdm(work, miniters=0, mininterval=0.5, **options) as shown:
            if budget is not None:
                budget.watch = lambda: _show_spent(shown, budget)
                budget.watch()
            for each in shown:
                yield each
                if budget is not None:
                    budget.look()

    return progress


def _show_spent(shown: tqdm, budget: Budget) -> None:
    unknown = f" and {budget.uncounted} calls of unknown cost" if budget.uncounted else ""
    limit = "" if budget.max_usd is None else f" of {budget.max_usd:.2f}"
    shown.set_postfix_str(f"{budget.spent:.2f}{limit} USD{unknown}", refresh=False)
    shown.update(0)


def play_counterfactual(
    params: Params,
    storytellers: Sequence[Participant],
    listeners: Sequence[Participant],
    deck: Deck,
    encoder: Encoder,
    threads: Threads,
    budget: Budget | None = None,
) -> None:
    """Let all listeners vote on the clues of all storytellers; see `counterfactual`.

    The file is made anew each time; models are not asked again what they have answered.
    """
    asked = params.counterfactual
    tables = counterfactual.lay(deck, params.seed, asked.tables)
    play = partial(counterfactual.play, storytellers, listeners, params.seed)
    each = threads.work.map(play, tables) if threads.work else map(play, tables)
    shown = bar(budget, desc="counterfactual", unit="table")(tables)
    rows = [row for _, played in zip(shown, each, strict=True) for row in played]
    votes = pd.DataFrame(rows, columns=counterfactual.COLUMNS)
    if all(card.caption for card in deck):
        votes = counterfactual.with_meaning(votes, tables, encoder)
    positions = {"choice_position": "Int64"}  # a missing number would make the others floats
    path = folder(asked.run) / counterfactual.FILE
    votes.astype(positions).to_csv(path, index=False, lineterminator="\n", float_format="%.4f")


def play_again(
    params: Params, players: Sequence[Participant], deck: Deck, threads: Threads
) -> None:
    """Let a run's table play under other presets and seeds; see `sensitivity`."""
    asked = params.sensitivity
    planned = sensitivity.tournaments(asked.presets, params.seed, asked.seeds, asked.paired)
    shown = bar(None, desc="again", unit="tournament")
    votes = sensitivity.play(players, deck, planned, threads.work, shown)
    votes.to_parquet(folder(asked.run) / sensitivity.FILE, index=False, compression="zstd")


def write_meaning(run: str, deck: Deck, encoder: Encoder) -> None:
    """Store beside a run's rounds how near its clues are to the cards on the table."""
    if not all(card.caption for card in deck):
        print(f"{run}: no meaning.csv, since the deck's cards have no literal captions")
        return
    measured = meaning.measure(store.iter_rounds(folder(run)), deck.by_id, encoder)
    path = folder(run) / "meaning.csv"
    measured.to_csv(path, index=False, lineterminator="\n", float_format="%.6f")


def write_fits(params: Params, run: str, deck: Deck, setting: Setting) -> None:
    """Store beside a run's rounds how its clues, and those passed over, fit every card."""
    seen = observers(params.eyes[run], setting)
    store.write_fits(folder(run), fits.measure(store.iter_rounds(folder(run)), deck, seen))
