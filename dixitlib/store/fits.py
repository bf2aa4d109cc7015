"""How well clues fit cards in the eyes of local models: what a speaker's choice is held against.

A run's ``fits.parquet`` holds a cosine for every clue and card, and ``fits.json`` what
else the score of a clue takes, so that analysis needs no model. Cosines are kept to three
decimals: they spread over 0.07, and whoever chose by them is not known any better.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from dixitlib.store.manifest import existing, locate

FILE, FACTS = "fits.parquet", "fits.json"
DECIMALS = 3


@dataclass(frozen=True, eq=False)
class View:
    """Clues and cards in one pair of eyes.

    Parameters
    ----------
    fit
        Cosine of each card with each clue, shape (cards, clues).
    decoys
        The same of the cards that imagined listeners hold, shape (n, clues).
    tau
        Temperature of the literal listener with these eyes.
    spread
        Standard deviation of each policy's score, over cards that are not in the deck.
    """

    fit: np.ndarray
    decoys: np.ndarray
    tau: float
    spread: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Fits:
    """What a run's clues are held against.

    Parameters
    ----------
    clues
        The bank's, and after them what was told in the run besides.
    bank
        How many of the clues are the bank's.
    cards
        The deck's, by id.
    hands
        Which decoys each listener of each imagined table holds, shape (K, 3, 4).
    views
        By the name of the eyes.
    """

    clues: tuple[str, ...]
    bank: int
    cards: tuple[str, ...]
    hands: np.ndarray
    views: Mapping[str, View]


def write_fits(run: str | Path, fits: Fits) -> None:
    """Write a run's fits, as one row an eye, card and clue, and the rest beside them."""
    named = [*fits.cards, *(f"decoy {number}" for number in range(len(_first(fits).decoys)))]
    places = pd.MultiIndex.from_product(
        [fits.views, named, fits.clues], names=["eyes", "card", "clue"]
    )
    cosines = np.stack([np.concatenate([view.fit, view.decoys]) for view in fits.views.values()])
    frame = pd.DataFrame({"fit": cosines.ravel().round(DECIMALS).astype("float32") + 0}, places)
    frame.reset_index().to_parquet(
        locate(run) / FILE, index=False, compression="zstd", compression_level=19
    )
    facts = {
        "bank": fits.bank,
        "views": {eyes: {"tau": v.tau, "spread": dict(v.spread)} for eyes, v in fits.views.items()},
        "hands": fits.hands.tolist(),
    }
    (locate(run) / FACTS).write_text(json.dumps(facts, separators=(",", ":")) + "\n", "utf-8")


def read_fits(run: str | Path) -> Fits:
    """Read a run's fits.

    Raises
    ------
    FileNotFoundError
        If the run has none: a params file asks for them under ``eyes``.
    """
    facts = json.loads(existing(run, FACTS).read_text("utf-8"))
    frame = pd.read_parquet(existing(run, FILE))
    names = {name: tuple(frame[name].unique()) for name in ("eyes", "card", "clue")}
    cosines = frame["fit"].to_numpy(dtype=float).round(DECIMALS)
    cards = tuple(card for card in names["card"] if not card.startswith("decoy "))
    views = {
        eyes: _view(table, len(cards), facts["views"][eyes])
        for eyes, table in zip(
            names["eyes"], cosines.reshape([len(n) for n in names.values()]), strict=True
        )
    }
    return Fits(names["clue"], facts["bank"], cards, np.array(facts["hands"]), views)


def _view(table: np.ndarray, cards: int, facts: Mapping[str, object]) -> View:
    return View(table[:cards], table[cards:], facts["tau"], facts["spread"])


def _first(fits: Fits) -> View:
    return next(iter(fits.views.values()))
