"""Lay the table: the deck, the clue of each card, DixitBench.

Each function makes what is missing in the home and reads what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from dixitlib import paths
from dixitlib.bench import build, items
from dixitlib.cards import painter, scenes
from dixitlib.cards.deck import TABLE, Deck, write_cards
from dixitlib.models.sentences import Encoder
from dixitlib.records import Card, Item
from dixitlib.study.params import Params

LICENCE = "CC BY-SA 4.0"
ATTRIBUTION = "Painted by dixitlib; drawings by OpenMoji (openmoji.org), CC BY-SA 4.0, changed"
PAINTERS = 2  # processes
PARTS = {"dixitbench": build.build, "dixitbench_blocks": build.blocks}
"""The files of DixitBench, and what makes their items."""


class WordsError(ValueError):
    """Clues or captions are missing; the message says which, and where they should stand."""


def deck(params: Params) -> Deck:
    """Load the deck, painting it first if its folder holds no cards and it is to be painted."""
    folder = paths.home() / params.deck.folder
    if params.deck.painted and not (folder / TABLE).exists():
        return paint(folder, scenes.deck(params.deck.painted))
    return Deck.load(folder)


def paint(folder: Path, chosen: tuple[scenes.Scene, ...]) -> Deck:
    """Paint scenes into a folder of cards, in processes, with a progress bar."""
    cards = [painted_card(f"{number:03d}", scene) for number, scene in enumerate(chosen, 1)]
    with ProcessPoolExecutor(PAINTERS) as pool:

        def each(work: object, cards: list[Card]) -> object:
            return tqdm(pool.map(work, cards), total=len(cards), desc="paint", unit="card")

        return write_cards(folder, cards, LICENCE, ATTRIBUTION, each=each)


def painted_card(id: str, scene: scenes.Scene, width: int = painter.WIDTH) -> Card:
    """Return a card that paints its scene when it is looked at."""
    aspects = {name: str(value) for name, value in asdict(scene).items()}
    return Card(id, partial(painter.paint, scene, width), "", scenes.caption(scene), aspects)


def bank(params: Params) -> tuple[str, ...]:
    """Read the clues that local storytellers choose from.

    Raises
    ------
    WordsError
        If the file can't be read, or has no column of clues.
    """
    path = paths.home() / params.clues
    try:
        return tuple(pd.read_csv(path, usecols=["clue"])["clue"])
    except (OSError, ValueError) as error:  # pandas' own kinds are ValueErrors
        raise WordsError(f"{path} is no table with a column `clue`: {error}") from error


def clues(params: Params, deck: Deck, bank: tuple[str, ...], encoder: Encoder) -> dict[str, str]:
    """Give each card its benchmark clue: by the text encoder on the literal caption.

    No model under test has a part in it. Written to ``assigned.csv`` on first use.
    """
    path = paths.data("clues", params.bench_name, "assigned.csv")
    if not path.exists():
        write_words(path, assigned(deck, bank, encoder))
    return read_words(path)


def assigned(deck: Deck, bank: tuple[str, ...], encoder: Encoder) -> dict[str, str]:
    """Return the clue of the bank that each card takes; see `build.assign_clues`."""
    captions = encoder.encode([card.caption for card in deck])
    words = build.assign_clues(captions, encoder.encode(bank), bank)
    return dict(zip((card.id for card in deck), words, strict=True))


def write_words(path: Path, words: Mapping[str, str]) -> None:
    """Write a clue or a caption for each card as a table: card, clue."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pd.DataFrame(words.items(), columns=["card", "clue"])
    frame.to_csv(path, index=False, lineterminator="\n")


def read_words(path: Path) -> dict[str, str]:
    """Read a clue or a caption for each card."""
    return dict(pd.read_csv(path, dtype=str, keep_default_na=False).itertuples(index=False))


def bench(
    params: Params, deck: Deck, clues: Mapping[str, str], encoder: Encoder
) -> tuple[Item, ...]:
    """Build DixitBench, the tiers and the blocks, or read it."""
    made: tuple[Item, ...] = ()
    for name, make in PARTS.items():
        path = paths.data("bench", params.bench_name, f"{name}.csv")
        if not path.exists():
            conditions = {"basis": params.bench.basis, "encoder": encoder, "seed": params.seed}
            items.write_items(make(deck, clues, **conditions), path)
        made += items.read_items(path)
    return made
