"""From a player's name to the player: one plain dict of constructors.

To bring a player of your own, write a class with the methods of `records.Player` (and of
`records.Chooser` if it is to sit DixitBench) and add a line to `PLAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Protocol

from dixitlib.cards import painter, scenes
from dixitlib.cards.deck import from_picture
from dixitlib.models import glimpse
from dixitlib.models.glimpse import Glimpse
from dixitlib.models.sentences import Encoder
from dixitlib.players import null
from dixitlib.players.pragmatic import Pragmatic, calibrate
from dixitlib.records import Card, Chooser, Player

CALIBRATION_SEED = 2026  # scales are set on cards that are never played
CALIBRATION_CARDS = 96
# With hundreds of clues to draw from, alpha = 1 tells hardly more than chance: most clues it
# draws fit no better than many others, and votes on them barely differ from random ones.
ALPHA = 3.0
SIZES = ("s", "m", "l")
POLICIES = ("literal", "partial")


class Participant(Player, Chooser, Protocol):
    """Who can sit the arena and the benchmark alike."""


@dataclass(frozen=True)
class Setting:
    """What players are made from: the clues they may say and the encoder that reads them."""

    bank: tuple[str, ...]
    encoder: Encoder


def make(names: Iterable[str], setting: Setting) -> list[Participant]:
    """Make players by name.

    Raises
    ------
    ValueError
        If a name is unknown; all unknown ones are named, with those there are.
    """
    names = list(names)
    if unknown := [name for name in names if name not in PLAYERS]:
        raise ValueError(
            f"no player is called {', '.join(unknown)}; there are {', '.join(PLAYERS)}"
        )
    return [PLAYERS[name](setting) for name in names]


def _local(size: glimpse.Size, policy: str, setting: Setting) -> Participant:
    eyes = _eyes(size)
    scale = calibrate(eyes, setting.encoder, setting.bank, calibration_cards())
    name = f"{size}-{policy}"
    return Pragmatic(name, eyes, setting.encoder, setting.bank, scale, policy, alpha=ALPHA)


@cache
def _eyes(size: glimpse.Size) -> Glimpse:
    return Glimpse.load(size)


@cache
def calibration_cards() -> tuple[Card, ...]:
    """Paint the cards on which scales are set, as small as the local models see them."""
    chosen = scenes.sample(CALIBRATION_CARDS, CALIBRATION_SEED)
    pictures = [painter.paint(scene, glimpse.WIDTH) for scene in chosen]
    return tuple(
        from_picture(str(number), picture, scenes.caption(scene))
        for number, (picture, scene) in enumerate(zip(pictures, chosen, strict=True))
    )


PLAYERS: dict[str, Callable[[Setting], Participant]] = {
    **{f"{size}-{p}": partial(_local, size, p) for size in SIZES for p in POLICIES},
    "random": lambda setting: null.random(setting.bank),
    "first": lambda setting: null.first(setting.bank),
    "central": lambda setting: null.central(setting.bank, setting.encoder),
    "clue-only": lambda setting: null.clue_only(setting.bank),
    "caption-oracle": lambda setting: null.caption_oracle(setting.bank, setting.encoder),
    "literal-caption": lambda setting: null.literal_caption(),
}
