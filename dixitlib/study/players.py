"""From a player's name to the player: one plain dict of constructors.

To bring a player of your own, write a class with the methods of `records.Player` (and of
`records.Chooser` if it is to sit DixitBench) and add a line to `PLAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol

from PIL import Image

from dixitlib import memory
from dixitlib.cards import painter, scenes
from dixitlib.cards.deck import from_picture
from dixitlib.models import glimpse
from dixitlib.models.glimpse import Glimpse
from dixitlib.models.sentences import Encoder
from dixitlib.players import null
from dixitlib.players.pragmatic import Pragmatic, calibrate
from dixitlib.records import Card, Chooser, Player
from dixitlib.study.checks import ParamsError
from dixitlib.study.params import Params

if TYPE_CHECKING:
    from dixitlib.models.prices import Budget
    from dixitlib.models.replies import ReplyLog
    from dixitlib.study.asking import Asking

CALIBRATION_SEED = 2026  # scales are set on cards that are never played
CALIBRATION_CARDS = 96
# With hundreds of clues to draw from, alpha = 1 tells hardly more than chance: most clues it
# draws fit no better than many others, and votes on them barely differ from random ones.
ALPHA = 3.0
SIZES = ("s", "m", "l")
POLICIES = ("literal", "partial")
LOCAL = {f"{size}-{policy}" for size in SIZES for policy in POLICIES}


class Participant(Player, Chooser, Protocol):
    """Who can sit the arena and the benchmark alike."""


@dataclass(frozen=True)
class Setting:
    """What players are made from.

    Parameters
    ----------
    bank, encoder
        The clues that local players may say, and what reads them.
    asking, log
        What models are asked through, and where a run keeps their replies.
    """

    bank: tuple[str, ...]
    encoder: Encoder
    asking: Asking | None = None
    log: ReplyLog | None = None

    @property
    def budget(self) -> Budget | None:
        """What may be spent; None where no model is asked."""
        return self.asking.budget if self.asking else None


def check(params: Params) -> None:
    """Refuse a params file whose players can't be made, before anything else is done.

    Raises
    ------
    ParamsError
        If a player is unknown, or a model has the name of a local player; all are named.
    """
    if shadowed := sorted(PLAYERS.keys() & params.models.keys()):
        raise ParamsError(
            f"models are named like local players: {', '.join(shadowed)}; rename them"
        )
    _refuse_unknown((name for run in params.runs for name in params.seated(run)), params.models)
    panels = [each for each in (params.panel, params.model_panel) if each]
    # Who tells for a panel, and against it, is no model: its match is about listening.
    _refuse_unknown((name for each in panels for name in (each.teller, each.opponent)), ())


def make(names: Iterable[str], setting: Setting) -> list[Participant]:
    """Make players by name.

    Raises
    ------
    ParamsError
        If a name is unknown; all unknown ones are named, with those there are.
    """
    names = list(names)
    models = setting.asking.models if setting.asking else ()
    _refuse_unknown(names, models)
    makers = PLAYERS | {name: partial(_asked, name) for name in models}
    return [makers[name](setting) for name in names]


def _refuse_unknown(names: Iterable[str], models: Iterable[str]) -> None:
    known = [*PLAYERS, *models]
    if unknown := [name for name in dict.fromkeys(names) if name not in known]:
        raise ParamsError(f"no player is called {', '.join(unknown)}; there are {', '.join(known)}")


def _asked(name: str, setting: Setting) -> Participant:
    return setting.asking.player(name, setting.log)


def _local(size: glimpse.Size, policy: str, setting: Setting) -> Participant:
    eyes = _eyes(size)
    scale = calibrate(eyes, setting.encoder, setting.bank, calibration_cards())
    name = f"{size}-{policy}"
    return Pragmatic(name, eyes, setting.encoder, setting.bank, scale, policy, alpha=ALPHA)


def observers(sizes: Iterable[str], setting: Setting) -> dict[str, Participant]:
    """Return a player with each size of local eyes, through which clues can be looked at."""
    return {size: _local(size, "partial", setting) for size in sizes}


@cache
def _eyes(size: glimpse.Size) -> Glimpse:
    return Glimpse.load(size)


@cache
def calibration_cards() -> tuple[Card, ...]:
    """Paint the cards on which scales are set, as small as the local models see them."""
    chosen = scenes.sample(CALIBRATION_CARDS, CALIBRATION_SEED)
    pixels = memory.kept(painter.painted)(chosen, glimpse.WIDTH)
    return tuple(
        from_picture(str(number), Image.fromarray(picture), scenes.caption(scene))
        for number, (picture, scene) in enumerate(zip(pixels, chosen, strict=True))
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
