"""A grammar of dream scenes: the deck, and as many others as training wants.

A scene is a subject, two objects, a twist (what is strange), a landscape and a mood; a
variant says which of many compositions the painter takes. Scenes with the same aspects
are the same scene whatever their variant. Some (object, twist) pairs are held out: they
may be in a deck but are never drawn for training, so that a model must generalise.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import astuple, dataclass

import numpy as np

from dixitlib.cards.lexicon import LANDSCAPES, MOODS, OBJECTS, SUBJECTS, TWISTS, article, plural

__all__ = ["HELD_OUT", "LANDSCAPES", "MOODS", "OBJECTS", "SUBJECTS", "TWISTS", "Scene"]

DECK_SIZE = 84
DECK_SEED = 7
VARIANTS = 1 << 16

Key = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True, order=True, slots=True)
class Scene:
    """One dream.

    Parameters
    ----------
    subject
        Who the card is about, a name in `SUBJECTS`.
    first, second
        Names in `OBJECTS`; the first takes part in the twist, the second accompanies it.
    twist, landscape, mood
        Names in `TWISTS`, `LANDSCAPES` and `MOODS`.
    variant
        Seed of the composition.
    """

    subject: str
    first: str
    second: str
    twist: str
    landscape: str
    mood: str
    variant: int = 0

    @property
    def key(self) -> Key:
        """Everything but the variant: what makes two scenes the same scene."""
        return astuple(self)[:-1]

    @property
    def seed(self) -> int:
        """A number that is the same on every machine, for the painter's generator."""
        return _checksum("|".join(map(str, astuple(self))))


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode())


# About one pair in twenty, fixed by the words themselves.
HELD_OUT: frozenset[Pair] = frozenset(
    (thing, twist)
    for thing in OBJECTS
    for twist in TWISTS
    if _checksum(f"held out: {thing}, {twist}") % 20 == 0
)


def draw(
    rng: np.random.Generator,
    exclude: Set[Key] = frozenset(),
    pairs: Collection[Pair] | None = None,
) -> Scene:
    """Draw one scene.

    Parameters
    ----------
    rng
        Where the randomness comes from.
    exclude
        Keys of scenes that must not be drawn.
    pairs
        (object, twist) pairs that must not be drawn, for either object.
    """
    while True:
        scene = _any_scene(rng)
        if scene.key not in exclude and not _held(scene, pairs or ()):
            return scene


def _any_scene(rng: np.random.Generator) -> Scene:
    first, second = rng.choice(len(OBJECTS), 2, replace=False)
    things = tuple(OBJECTS)
    twist = _pick(rng, TWISTS)
    return Scene(
        subject=_pick(rng, SUBJECTS),
        first=things[first],
        second=things[second],
        twist=twist,
        landscape=_pick(rng, suitable(twist)),
        mood=_pick(rng, MOODS),
        variant=int(rng.integers(VARIANTS)),
    )


def _pick(rng: np.random.Generator, options: Iterable[str]) -> str:
    names = tuple(options)
    return names[rng.integers(len(names))]


def _held(scene: Scene, pairs: Collection[Pair]) -> bool:
    return (scene.first, scene.twist) in pairs or (scene.second, scene.twist) in pairs


def suitable(twist: str) -> tuple[str, ...]:
    """Return the landscapes in which a twist can be seen."""
    return tuple(name for name in LANDSCAPES if name not in TWISTS[twist].shuns)


def sample(n: int, seed: int, exclude: Set[Key] = frozenset()) -> tuple[Scene, ...]:
    """Draw n scenes of distinct key, none of them in `exclude`."""
    return tuple(_distinct(n, seed, exclude, None))


def training(n: int, seed: int, exclude: Set[Key] = frozenset()) -> tuple[Scene, ...]:
    """Draw n scenes of distinct key without any held-out (object, twist) pair.

    Pass the keys of a deck as `exclude` to keep it out of the training data.
    """
    return tuple(_distinct(n, seed, exclude, HELD_OUT))


def _distinct(
    n: int, seed: int, exclude: Set[Key], pairs: Collection[Pair] | None
) -> Iterator[Scene]:
    rng = np.random.default_rng(seed)
    seen = set(exclude)
    for _ in range(n):
        scene = draw(rng, seen, pairs)
        seen.add(scene.key)
        yield scene


def deck(n: int = DECK_SIZE, seed: int = DECK_SEED) -> tuple[Scene, ...]:
    """Return a balanced deck: every aspect takes each of its values about equally often."""
    rng = np.random.default_rng(seed)
    used: Counter[object] = Counter()
    return tuple(_rarest_scene(rng, used) for _ in range(n))


def _rarest_scene(rng: np.random.Generator, used: Counter[object]) -> Scene:
    """Compose a scene of what was used least so far, and count it as used."""

    def take(options: Iterable[str], *beside: str) -> str:
        names = rng.permutation(tuple(options)).tolist()
        choice = min(names, key=lambda name: (used[name], sum(used[name, b] for b in beside)))
        used.update([choice, *((choice, b) for b in beside)])
        return choice

    twist = take(TWISTS)
    landscape = take(suitable(twist))
    mood = take(MOODS, landscape, twist)
    first = take(OBJECTS)
    second = take(OBJECTS)
    return Scene(take(SUBJECTS), first, second, twist, landscape, mood, int(rng.integers(VARIANTS)))


def caption(scene: Scene) -> str:
    """Say literally what the card shows, in one sentence."""
    clause = TWISTS[scene.twist].says.format(
        s=article(scene.subject),
        a=article(scene.first),
        b=article(scene.second),
        s_=scene.subject,
        a_=scene.first,
        as_=plural(scene.first),
    )
    place, light = LANDSCAPES[scene.landscape], MOODS[scene.mood]
    order: Sequence[str] = (
        f"{clause}, {place} {light}",
        f"{place} {light}, {clause}",
        f"{light}, {clause}, {place}",
    )
    sentence = order[_checksum("".join(scene.key)) % len(order)]
    return f"{sentence[0].upper()}{sentence[1:]}."
