"""A small exam of plain cards: 12 items of two tiers."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from dixitlib.cards.deck import Deck
from dixitlib.peers import exam as exams
from dixitlib.records import Item

PEERS = ("datasets", "inspect_ai", "lmms_eval", "mlcroissant")

if os.environ.get("PEERS_REQUIRED"):  # as in `make peers`, where no test may be skipped
    for peer in PEERS:
        import_module(peer)


@pytest.fixture(scope="session")
def exam(toy_deck):
    ids = [card.id for card in toy_deck]
    items = [
        Item(f"{tier}-{n:03d}", tier, f'clue "{n}" of {tier}', ids[n], _options(ids, n))
        for tier in ("hard", "blocks")
        for n in range(6)
    ]
    return exams.make(items, Deck(tuple(toy_deck)))


def _options(ids, n):
    """Six cards with the target at place n, so that every place is the target's once."""
    others = ids[20 + n : 25 + n]
    return (*others[:n], ids[n], *others[n:])
