"""What the local eyes learn from: painted scenes and their captions, deck and tests apart.

No training scene is in the deck, and none has a held-out pair of object and twist; test
scenes are in neither the deck nor the training set, and some have such pairs. Painting
takes a while, so pixels and caption vectors are kept under ``build/training/``, by a hash
of the scenes and of everything that paints them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from dixitlib import paths
from dixitlib.cards import painter, scenes
from dixitlib.cards.scenes import Scene
from dixitlib.models.glimpse import WIDTH
from dixitlib.models.sentences import Encoder

TRAINING_SEED, TEST_SEED = 1, 2


@dataclass(frozen=True, eq=False)
class Lesson:
    """Cards with their captions.

    Parameters
    ----------
    pixels
        uint8, shape (n, 144, 96, 3).
    captions
        Sentence vectors, shape (n, 384).
    """

    pixels: np.ndarray
    captions: np.ndarray

    def __len__(self) -> int:
        return len(self.pixels)

    def first(self, n: int) -> Lesson:
        """Return the first n cards."""
        return Lesson(self.pixels[:n], self.captions[:n])


def training_scenes(n: int) -> tuple[Scene, ...]:
    """Return scenes to learn from: none of the deck's, and no held-out pair."""
    return scenes.training(n, TRAINING_SEED, _keys(scenes.deck()))


def unseen_scenes(n: int, trained: Sequence[Scene]) -> tuple[Scene, ...]:
    """Return scenes neither in the deck nor trained on, held-out pairs among them."""
    return scenes.sample(n, TEST_SEED, _keys(scenes.deck()) | _keys(trained))


def has_held_out_pair(scene: Scene) -> bool:
    """Return whether either object is in a twist in which training never shows it."""
    return any((thing, scene.twist) in scenes.HELD_OUT for thing in (scene.first, scene.second))


def lesson(them: Sequence[Scene], encoder: Encoder, cache: Path | None = None) -> Lesson:
    """Paint scenes on all cores and encode their captions, or take both from the cache.

    Parameters
    ----------
    them
        What is painted.
    encoder
        Reads the captions.
    cache
        A folder; by default ``build/training/`` of the repository.
    """
    folder = cache or paths.REPOSITORY / "build" / "training"
    kept = folder / f"{_fingerprint(them, encoder)}.npz"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        captions = [scenes.caption(scene) for scene in them]
        np.savez(kept, pixels=_painted(them), captions=encoder.encode(captions))
    with np.load(kept) as arrays:
        return Lesson(arrays["pixels"], arrays["captions"])


def _keys(them: Sequence[Scene]) -> frozenset[scenes.Key]:
    return frozenset(scene.key for scene in them)


def _fingerprint(them: Sequence[Scene], encoder: Encoder) -> str:
    sources = sorted(Path(painter.__file__).parent.glob("*.py"))
    parts = [encoder.name, *map(repr, them), *(source.read_text("utf-8") for source in sources)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _painted(them: Sequence[Scene]) -> np.ndarray:
    with ProcessPoolExecutor() as pool:
        painted = pool.map(_pixels, them, chunksize=16)
        return np.stack(list(tqdm(painted, "painting", len(them), unit="card")))


def _pixels(scene: Scene) -> np.ndarray:
    return np.asarray(painter.paint(scene, WIDTH))
