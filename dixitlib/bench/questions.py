"""What a chooser is asked: each item with its cards, and with the clue that a control gives it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.optimize import linear_sum_assignment

from dixitlib.records import Answer, Card, Chooser, Item
from dixitlib.seeds import place

Method = Literal["direct", "entailment", "circular", "rate_together", "choose_alone"]


@dataclass(frozen=True, slots=True)
class Question:
    """An item as it is put to a chooser, with the answer it gets if the reply fails."""

    item: Item
    cards: tuple[Card, ...]
    clue: str | None
    blank: Answer
    seed: int

    @property
    def unit(self) -> tuple[str, str, str, str]:
        """Name of the unit of work it belongs to: (player, method, control, tier)."""
        return self.blank.player, self.blank.method, self.blank.control, self.blank.tier

    def chance(self, step: int) -> np.random.Generator:
        """Return the generator of one asking, the same under every control."""
        return place(self.seed, self.blank.player, self.item.id, self.blank.method, step)

    def __str__(self) -> str:
        return f"{self.blank.player} at item {self.item.id}"


def prepare(
    chooser: Chooser,
    method: Method,
    items: Sequence[Item],
    deck: Iterable[Card],
    clue: str | None,
    seed: int,
) -> list[Question]:
    """Return what is asked, tier by tier in the order of the items."""
    if clue not in ("own", "permuted", None):
        raise ValueError(f"clue is 'own', 'permuted' or None, not {clue!r}")
    cards = {card.id: card for card in deck}
    missing = sorted({card for item in items for card in item.options} - cards.keys())
    if missing:
        raise ValueError(f"the items show cards that the deck lacks: {', '.join(missing)}")
    tiers: dict[str, list[Item]] = {}
    for item in items:
        tiers.setdefault(item.tier, []).append(item)
    blank = Answer(chooser.name, "", "", method, clue or "none", 0, choice=None, credit=None)
    return [
        Question(
            item=item,
            cards=tuple(cards[card] for card in item.options),
            clue=shown,
            blank=replace(blank, item=item.id, tier=tier),
            seed=seed,
        )
        for tier, batch in tiers.items()
        for item, shown in zip(batch, _clues(batch, clue, seed), strict=True)
    ]


def _clues(items: Sequence[Item], clue: str | None, seed: int) -> list[str | None]:
    """Return the clue shown with each item of a tier."""
    if clue is None:
        return [None] * len(items)
    if clue == "own":
        return [item.clue for item in items]
    # The cheapest assignment under random costs is a random permutation that avoids
    # what is forbidden, if any does.
    forbidden = np.array(
        [[o.target in item.options or o.clue == item.clue for o in items] for item in items]
    )
    draws = place(seed, "permuted", items[0].tier).random(forbidden.shape)
    rows, others = linear_sum_assignment(draws + len(items) * forbidden)
    if forbidden[rows, others].any():
        raise ValueError(
            f"tier {items[0].tier!r} has too few items to give each the clue of a card "
            "it does not show; ask it with clue=None instead"
        )
    return [items[other].clue for other in others]
