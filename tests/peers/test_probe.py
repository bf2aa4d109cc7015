"""The probe shows a card without its name, and asks for it."""

from __future__ import annotations

import base64
import io
from dataclasses import replace

import pandas as pd
import pytest
from PIL import Image

from dixitlib.cards.deck import Deck
from dixitlib.peers import exam, probe


def test_each_named_card_is_a_row(toy_deck, tmp_path):
    named = [replace(card, aspects={"name": f"The {card.id}"}) for card in toy_deck[:3]]
    deck = Deck((*named, toy_deck[3]))
    table = pd.read_csv(probe.write(deck, tmp_path, 48), sep="\t", dtype={"item": str})
    assert tuple(table.columns) == probe.COLUMNS
    assert table["answer"].tolist() == ["The 000", "The 001", "The 002"]
    assert not any(name in q for name, q in zip(table["answer"], table["question"], strict=True))
    assert set(table["canary"]) == {exam.canary(deck)}
    shown = Image.open(io.BytesIO(base64.b64decode(table["image"][1])))
    assert max(shown.size) == 48


def test_a_deck_without_names_probes_nothing(toy_deck, tmp_path):
    with pytest.raises(ValueError, match="no card of this deck has a name"):
        probe.write(Deck(tuple(toy_deck)), tmp_path)
