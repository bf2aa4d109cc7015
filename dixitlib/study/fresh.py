"""``python -m dixitlib.study.fresh --seed 8 FOLDER``: another deck and its DixitBench.

A benchmark that a model has seen is spent. Of another seed the same grammar and painter
make cards that nobody has seen, which take their clues anew. The folder becomes a home:
``DIXITWORLD_HOME=FOLDER python -m dixitlib.peers ...`` exports its benchmark, with a canary
of its own. The bank of clues stays as it is: a clue alone answers nothing.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dixitlib.bench.items import write_items
from dixitlib.cards import scenes
from dixitlib.cards.deck import Deck
from dixitlib.models.sentences import Encoder, default_encoder
from dixitlib.paths import REPOSITORY
from dixitlib.peers.exam import Exam, make
from dixitlib.records import Item
from dixitlib.study import laying

BANK = REPOSITORY / "data" / "clues" / "bank.csv"


class FreshError(ValueError):
    """A deck can't be painted there, or of that seed."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.study.fresh", description=__doc__)
    parser.add_argument("folder", type=Path, help="a new folder, which becomes a home")
    parser.add_argument("--seed", type=int, required=True, help="of scenes and items")
    parser.add_argument("--cards", type=int, default=scenes.DECK_SIZE)
    asked = parser.parse_args(arguments)
    try:
        exam = paint(asked.folder, asked.seed, asked.cards, default_encoder())
    except FreshError as fault:
        parser.exit(2, f"{parser.prog}: {fault}\n")
    print(f"{len(exam.cards)} cards, {len(exam.items)} items: {asked.folder}\n{exam.canary}")


def paint(folder: Path, seed: int, cards: int, encoder: Encoder) -> Exam:
    """Paint a deck into a home of its own, assign its clues and build its DixitBench.

    Parameters
    ----------
    folder
        The new home.
    seed
        Of scenes and items.
    cards
        How many; 84 give 336 items.
    encoder
        Reads captions and clues.

    Raises
    ------
    FreshError
        If the folder holds data already, or a scene is one of the committed deck's.
    """
    data = folder / "data"
    if data.exists():
        raise FreshError(f"{data} is there already: name a new folder")
    chosen = unseen(seed, cards)
    deck = laying.paint(data / "cards", chosen)
    bank = tuple(pd.read_csv(BANK)["clue"])
    clues = laying.assigned(deck, bank, encoder)
    laying.write_words(data / "clues" / "assigned.csv", clues)
    shutil.copyfile(BANK, data / "clues" / BANK.name)
    return make(_build(data / "bench", deck, clues, encoder, seed), deck)


def unseen(seed: int, cards: int) -> tuple[scenes.Scene, ...]:
    """Return the scenes of a seed.

    Raises
    ------
    FreshError
        If one of them is on a card of the committed deck.
    """
    chosen, known = scenes.deck(cards, seed), {scene.key for scene in scenes.deck()}
    if shared := [number for number, scene in enumerate(chosen, 1) if scene.key in known]:
        raise FreshError(
            f"seed {seed} paints {len(shared)} scenes of the committed deck: take another seed"
        )
    return chosen


def _build(
    folder: Path, deck: Deck, clues: dict[str, str], encoder: Encoder, seed: int
) -> list[Item]:
    made: list[Item] = []
    for name, build in laying.PARTS.items():
        part = build(deck, clues, encoder=encoder, seed=seed)
        write_items(part, folder / f"{name}.csv")
        made += part
    return made


if __name__ == "__main__":
    main()
