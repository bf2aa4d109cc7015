"""How the local eyes learn: painted cards beside their captions, again and again.

``python -m dixitlib.models.training`` paints cards that are in no deck, encodes their
literal captions, and trains each size until a card's glimpse lies nearer to its own
caption than to others'. The loss is contrastive (which of all captions belongs to a card,
and which card of the batch to a caption, under a learned temperature) plus one minus the
cosine. No caption tells left from right or a place to the pixel, so each card is shown
either way round, and each batch moved a little.
After every epoch recall@1, the share of 1,000 unseen cards whose own caption is the
nearest of theirs, goes into `learning_curves.csv` beside the weights.

No training scene is in the deck, and no scene with a held-out pair of object and twist is
trained on; how well such scenes are read says what was generalised. Training is seeded
but need not repeat to the bit on another machine: weights and curves are committed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from tqdm import tqdm

from dixitlib import paths
from dixitlib.models.glimpse import SIZES, Glimpse, Network, Size, centred
from dixitlib.models.lessons import (
    Lesson,
    has_held_out_pair,
    lesson,
    training_scenes,
    unseen_scenes,
)
from dixitlib.models.sentences import default_encoder

BATCH = 64
TEST_CARDS = 1_000
NUDGE = 4  # pixels by which a batch is moved at most


@dataclass(frozen=True)
class Plan:
    """How a size is trained.

    Parameters
    ----------
    width
        Of the network, see `glimpse.Network`.
    cards
        How many different cards it sees.
    epochs
        How often it sees each.
    rate
        Highest learning rate, reached after a fifth of the way.
    """

    width: int
    cards: int
    epochs: int
    rate: float = 8e-3


PLANS: dict[Size, Plan] = {
    "s": Plan(width=12, cards=1_024, epochs=8),
    "m": Plan(width=12, cards=3_072, epochs=10),
    "l": Plan(width=24, cards=20_480, epochs=8),
}


@dataclass(frozen=True)
class Point:
    """Where a learning curve is after an epoch; the loss is the epoch's mean."""

    epoch: int
    cards_seen: int
    loss: float
    recall_at_1: float


class ContrastiveLoss(nn.Module):
    """Which caption belongs to which card, both ways, and how far from it each card is.

    Each card is held against all captions of the lesson, as they cost nothing to compare
    with, and each caption against the cards of its batch.

    Parameters
    ----------
    captions
        Unit vectors of the lesson's captions, shape (n, 384).
    """

    def __init__(self, captions: torch.Tensor) -> None:
        super().__init__()
        self.captions = captions
        self.log_sharpness = nn.Parameter(torch.tensor(14.0).log())

    def forward(self, glimpses: torch.Tensor, cards: torch.Tensor) -> torch.Tensor:
        """Return the mean loss of glimpses, unit vectors of the cards so numbered."""
        cosines = glimpses @ self.captions.T
        logits = cosines * self.log_sharpness.exp()
        among = logits[:, cards].T
        entropy = nn.functional.cross_entropy
        contrast = (entropy(logits, cards) + entropy(among, torch.arange(len(cards)))) / 2
        return contrast + 1 - cosines[torch.arange(len(cards)), cards].mean()


def train(
    plan: Plan,
    cards: Lesson,
    test: Lesson,
    seed: int = 0,
    progress: tqdm | None = None,
    start: Network | None = None,
) -> tuple[Glimpse, list[Point]]:
    """Train one network.

    Parameters
    ----------
    plan
        What is trained, and how long; on the first `plan.cards` cards.
    cards, test
        What is learnt from, and what is unseen, for the curve.
    seed
        Of the first weights, the order of cards, and how they are turned and moved.
    progress
        Advanced by one a batch.
    start
        What is trained; by default a network of the plan's width that knows nothing yet.

    Returns
    -------
    Glimpse, list of Point
        The trained eyes, and their learning curve.

    Raises
    ------
    ValueError
        If there are too few cards for a batch.
    """
    if min(plan.cards, len(cards)) < BATCH:
        raise ValueError(f"training takes {BATCH} cards or more: {plan} of {len(cards)} cards")
    torch.manual_seed(seed)
    network = start or Network(plan.width)
    learner = _Learner(plan, cards.first(plan.cards), network, progress)
    curve = []
    for epoch in range(1, plan.epochs + 1):
        loss = learner.epoch()
        found = recall(learner.look(test.pixels), centred(test.captions, learner.centre))
        curve.append(Point(epoch, epoch * len(learner.pixels), loss, float(found.mean())))
    return Glimpse(learner.network, learner.centre), curve


class _Learner:
    """A network with its loss and optimiser; the rate rises for a fifth of the way, then falls."""

    def __init__(self, plan: Plan, cards: Lesson, network: Network, progress: tqdm | None) -> None:
        self.pixels, self.progress = torch.from_numpy(cards.pixels), progress
        self.centre = cards.captions.mean(axis=0)
        self.network = network
        self.loss = ContrastiveLoss(torch.from_numpy(centred(cards.captions, self.centre)).float())
        parameters = [*self.network.parameters(), *self.loss.parameters()]
        self.optimiser = torch.optim.AdamW(parameters, lr=plan.rate)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, plan.rate, total_steps=plan.epochs * self.steps, pct_start=0.2
        )

    @property
    def steps(self) -> int:
        return len(self.pixels) // BATCH

    def epoch(self) -> float:
        """Go through all cards once, in random order and whole batches; return the mean loss."""
        self.network.train()
        batches = torch.randperm(len(self.pixels)).split(BATCH)[: self.steps]
        return float(np.mean([self._step(cards) for cards in batches]))

    @torch.inference_mode()
    def look(self, pixels: np.ndarray) -> np.ndarray:
        """Return glimpses in float32: good enough for a curve, and quick."""
        self.network.eval()
        blocks = torch.from_numpy(pixels).float().split(BATCH)
        return torch.cat([self.network(block) for block in blocks]).numpy()

    def _step(self, cards: torch.Tensor) -> float:
        loss = self.loss(self.network(_varied(self.pixels[cards])), cards)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.schedule.step()
        if self.progress is not None:
            self.progress.update()
        return loss.item()


def _varied(pixels: torch.Tensor) -> torch.Tensor:
    """Return a batch as floats, about half of it in a mirror, all moved by the same few pixels."""
    turned = torch.rand(len(pixels)) < 0.5
    shown = torch.where(turned[:, None, None, None], pixels.flip(2), pixels)
    down, right = torch.randint(-NUDGE, NUDGE + 1, (2,)).tolist()
    return torch.roll(shown, (down, right), dims=(1, 2)).float()


def recall(glimpses: np.ndarray, captions: np.ndarray) -> np.ndarray:
    """Return for each card whether its own caption is the nearest of all (unit vectors)."""
    return (glimpses @ captions.T).argmax(axis=1) == np.arange(len(glimpses))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the sizes asked for; write weights, learning curves and recall by kind of scene."""
    options = _parser().parse_args(arguments)
    folder = Path(options.out or paths.data("weights"))
    folder.mkdir(parents=True, exist_ok=True)
    seen = training_scenes(max(PLANS[size].cards for size in options.sizes))
    unseen = unseen_scenes(TEST_CARDS, training_scenes(max(plan.cards for plan in PLANS.values())))
    cards, test = lesson(seen, default_encoder()), lesson(unseen, default_encoder())
    held_out = np.array([has_held_out_pair(scene) for scene in unseen])
    for size in options.sizes:
        eyes, curve = _train_visibly(size, cards, test)
        eyes.save(folder / f"{size}.safetensors")
        _replace(folder / "learning_curves.csv", size, pd.DataFrame(curve))
        found = recall(eyes.encode(test.pixels), eyes.read(test.captions))
        _replace(folder / "recall.csv", size, _by_pairs(found, held_out))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dixitlib.models.training", description=main.__doc__
    )
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--out", help="folder for the weights; by default data/weights")
    return parser


def _train_visibly(size: Size, cards: Lesson, test: Lesson) -> tuple[Glimpse, list[Point]]:
    plan = PLANS[size]
    batches = plan.epochs * (plan.cards // BATCH)
    with tqdm(desc=f"training {size}", total=batches, unit="batch") as progress:
        return train(plan, cards, test, progress=progress)


def _by_pairs(found: np.ndarray, held_out: np.ndarray) -> pd.DataFrame:
    kinds = {"all": np.full_like(held_out, True), "seen": ~held_out, "held_out": held_out}
    return pd.DataFrame(
        {"pairs": kind, "cards": int(which.sum()), "recall_at_1": found[which].mean()}
        for kind, which in kinds.items()
    )


def _replace(table: Path, size: Size, rows: pd.DataFrame) -> None:
    """Put a size's rows in the place of those that a table had."""
    rows.insert(0, "size", size)
    if table.exists():
        kept = pd.read_csv(table)
        rows = pd.concat([kept[kept["size"] != size], rows])
    rows = rows.sort_values("size", key=lambda sizes: sizes.map(SIZES.index), kind="stable")
    rows.to_csv(table, index=False, float_format="%.6f", lineterminator="\n")


if __name__ == "__main__":
    main()
