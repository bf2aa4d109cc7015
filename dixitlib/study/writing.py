"""Captions and clues by a model: one text a card, asked for once and kept.

``data/clues/NAME/`` holds what was written (``literal.csv``, ``abstract.csv``) and, under
``replies/``, what the models said. A row that stands there already is not asked for, so a
text can as well be typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from dixitlib import paths, store
from dixitlib.cards.deck import Deck
from dixitlib.models.replies import ReplyLog
from dixitlib.players.vlm import VLM
from dixitlib.records import Card
from dixitlib.seeds import place
from dixitlib.study import laying
from dixitlib.study.params import Params
from dixitlib.study.players import Setting

Kind = Literal["literal", "abstract"]
TRIES = 3
"""How often a text is asked for anew, each time as another sample, before a person is needed."""


def folder(params: Params) -> Path:
    """Return where the words of a params file's models are kept."""
    return paths.data("clues", params.bench_name)


def words(
    params: Params, deck: Deck, setting: Setting, executor: Executor | None
) -> tuple[Deck, dict[str, str]]:
    """Return the deck with its literal captions, and its clues, by whoever shall write them.

    Raises
    ------
    WordsError
        If a writer found no words for some cards; the others are kept.
    FolderInUse
        If another process is writing them.
    """
    with store.hold(folder(params)), closing(ReplyLog(folder(params) / "replies")) as log:
        return _words(params, deck, setting, executor, log)


def _words(
    params: Params, deck: Deck, setting: Setting, executor: Executor | None, log: ReplyLog
) -> tuple[Deck, dict[str, str]]:
    asking = setting.asking
    names = {params.captions_by, params.clues_by} - {None}
    writers = {name: asking.player(name, log) for name in sorted(names)}
    if params.captions_by:
        writer = writers[params.captions_by]
        captions = _written(params, writer, "literal", deck, executor)
        deck = Deck(tuple(replace(card, caption=captions[card.id]) for card in deck))
    if params.clues_by:
        return deck, _written(params, writers[params.clues_by], "abstract", deck, executor)
    return deck, laying.clues(params, deck, setting.bank, setting.encoder)


def _written(
    params: Params, writer: VLM, kind: Kind, deck: Deck, executor: Executor | None
) -> dict[str, str]:
    """Return one text for each card, asking the writer for those that are missing."""
    path = folder(params) / f"{kind}.csv"
    words = laying.read_words(path) if path.exists() else {}
    missing = [card for card in deck if card.id not in words]
    if missing:
        words |= _found(missing, _each(executor)(partial(_write, writer, kind, params), missing))
        laying.write_words(path, {card.id: words[card.id] for card in deck if card.id in words})
    if left := [card.id for card in deck if card.id not in words]:
        raise laying.WordsError(
            f"{writer.name} wrote no {kind} caption for {', '.join(left)}: write these rows into "
            f"{path} yourself, or let another model write, and go on"
        )
    return words


def _each(executor: Executor | None) -> Callable[..., Iterable[str | None]]:
    return executor.map if executor else map


def _found(cards: Sequence[Card], texts: Iterable[str | None]) -> dict[str, str]:
    return {card.id: text for card, text in zip(cards, texts, strict=True) if text}


def _write(writer: VLM, kind: Kind, params: Params, card: Card) -> str | None:
    """Ask for a card's text until one can be read."""
    for sample in range(TRIES):
        move = writer.caption(card, kind, place(params.seed, kind, card.sha256, sample))
        if move.clue:
            return move.clue
    return None
