"""Local eyes: a small convolutional encoder from pictures to the space of sentences.

A glimpse is a card's place among captions, read off 96 x 144 pixels. The network was
trained (see `training`) so that a painted card lands where its literal caption lies; a
clue is then compared with cards as with other sentences, by cosine. Sentence vectors
share a large common part that tells nothing apart, so both sides are taken relative to
the mean caption, the centre, which is stored with the weights.

Sizes `s`, `m` and `l` differ in width and in how much they have seen: they know the same
domain worse and better. Inference is in float64 and rounded to 6 decimals, so that
neither the batch nor, almost surely, the processor changes a vector.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from PIL import Image
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from dixitlib import paths
from dixitlib.cards.pictures import pixel_hash
from dixitlib.records import Card

Size = Literal["s", "m", "l"]
SIZES: tuple[Size, ...] = ("s", "m", "l")
WIDTH, HEIGHT = 96, 144
DIMENSIONS = 384
DECIMALS = 6
BATCH = 32


class Network(nn.Module):
    """Three convolutions, each doubling the channels; their mean and maximum, projected.

    Parameters
    ----------
    width
        Half the channels of the first convolution, an eighth of the last one's.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.body = nn.Sequential(
            _layer(3, 2 * width, size=6, stride=4),
            _layer(2 * width, 4 * width, size=3, stride=2),
            _layer(4 * width, 8 * width, size=3, stride=2),
        ).to(memory_format=torch.channels_last)
        self.head = nn.Linear(2 * 8 * width, DIMENSIONS)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Map pixels from 0 to 255, shape (n, 144, 96, 3), to unit vectors, (n, 384)."""
        seen = self.body(pixels.movedim(-1, 1) / 127.5 - 1)
        pooled = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1)
        return nn.functional.normalize(self.head(pooled))


def _layer(channels: int, more: int, size: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(channels, more, size, stride, padding=1, bias=False),
        nn.BatchNorm2d(more),
        nn.ReLU(),
    )


class Glimpse:
    """A trained network and the centre of the sentences it was trained on.

    Parameters
    ----------
    network
        Run in float64 from here on.
    centre
        Mean of the training captions' vectors, shape (384,).
    """

    def __init__(self, network: Network, centre: np.ndarray) -> None:
        self._network = network.double().eval()
        self._centre = np.asarray(centre, dtype=np.float64)
        self._seen: dict[str, np.ndarray] = {}

    @classmethod
    def load(cls, size: Size, folder: str | Path | None = None) -> Glimpse:
        """Read the weights of a size, by default from the home's ``data/weights/``.

        Raises
        ------
        FileNotFoundError
            If there are none.
        """
        path = Path(folder or paths.data("weights")) / f"{size}.safetensors"
        if not path.is_file():
            raise FileNotFoundError(f"no weights at {path}: run `make train`, or copy them there")
        with safe_open(path, framework="pt") as file:
            network = Network(int(file.metadata()["width"]))
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        centre = state.pop("centre").numpy()
        network.load_state_dict(state)
        return cls(network, centre)

    def save(self, path: str | Path) -> None:
        """Write the weights in float32, with the centre, as safetensors."""
        state = {**self._network.state_dict(), "centre": torch.from_numpy(self._centre)}
        plain = {name: value.float().contiguous() for name, value in state.items()}
        save_file(plain, path, metadata={"width": str(self._network.width)})

    def learner(self) -> Network:
        """Return a copy of the network in float32, to be trained further."""
        return copy.deepcopy(self._network).float()

    def look(self, cards: Sequence[Card]) -> np.ndarray:
        """Return one unit vector a card, shape (n, 384); a card is looked at once."""
        keys = [card.sha256 or pixel_hash(card.image()) for card in cards]
        unseen = {key: card for key, card in zip(keys, cards, strict=True) if key not in self._seen}
        if unseen:
            small = np.stack([shrunk(card.image()) for card in unseen.values()])
            self._seen.update(zip(unseen, self.encode(small), strict=True))
        return np.stack([self._seen[key] for key in keys])

    @torch.inference_mode()
    def encode(self, pixels: np.ndarray) -> np.ndarray:
        """Return unit vectors, shape (n, 384), of pixels from 0 to 255, (n, 144, 96, 3)."""
        blocks = (pixels[start : start + BATCH] for start in range(0, len(pixels), BATCH))
        seen = [self._network(torch.tensor(block, dtype=torch.float64)) for block in blocks]
        vectors = torch.cat(seen).numpy()
        return np.round(vectors, DECIMALS) + 0.0

    def read(self, sentences: np.ndarray) -> np.ndarray:
        """Return sentence vectors as directions from the centre, to compare with glimpses."""
        return centred(sentences, self._centre)


def centred(sentences: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return unit vectors that point from the centre to each sentence."""
    away = sentences - centre
    return away / np.linalg.norm(away, axis=-1, keepdims=True)


def shrunk(picture: Image.Image) -> np.ndarray:
    """Return a picture's pixels at the size the network sees, shape (144, 96, 3)."""
    return np.asarray(picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS))
