from itertools import product

import numpy as np
import pandas as pd
import pytest
import torch

from dixitlib.models import training
from dixitlib.models.glimpse import SIZES, Glimpse
from dixitlib.models.lessons import Lesson
from dixitlib.models.training import PLANS, ContrastiveLoss, Plan, recall, train

TINY = Plan(width=2, cards=128, epochs=4)


def toy(n: int, seed: int) -> Lesson:
    """Make cards of one flat colour, whose captions lie where their colour says."""
    chance = np.random.default_rng(seed)
    colours = chance.integers(0, 256, (n, 3), dtype=np.uint8)
    pixels = np.broadcast_to(colours[:, None, None], (n, 144, 96, 3)).copy()
    directions = np.random.default_rng(0).normal(size=(3, 384))
    captions = (colours / 127.5 - 1) @ directions + 5
    return Lesson(pixels, captions / np.linalg.norm(captions, axis=1, keepdims=True))


CARDS, TEST = toy(128, 1), toy(30, 2)


def test_training_lowers_the_loss_and_finds_captions():
    eyes, curve = train(TINY, CARDS, TEST)
    assert [(point.epoch, point.cards_seen) for point in curve] == [
        (1, 128),
        (2, 256),
        (3, 384),
        (4, 512),
    ]
    assert curve[-1].loss < 0.8 * curve[0].loss
    assert curve[-1].recall_at_1 > 2 / 30
    found = recall(eyes.encode(TEST.pixels), eyes.read(TEST.captions))
    assert found.mean() == pytest.approx(curve[-1].recall_at_1, abs=1 / 30)


def test_training_is_seeded():
    first, again, other = (train(TINY, CARDS, TEST, seed=seed) for seed in (1, 1, 2))
    assert first[1] == again[1] != other[1]
    assert np.array_equal(first[0].encode(TEST.pixels), again[0].encode(TEST.pixels))


def test_only_the_plan_s_cards_are_seen():
    short = CARDS.first(64)
    assert train(Plan(2, 64, 1), CARDS, TEST)[1] == train(Plan(2, 64, 1), short, TEST)[1]


def test_too_few_cards_for_a_batch_are_refused():
    with pytest.raises(ValueError, match="64"):
        train(Plan(2, 63, 1), CARDS, TEST)


def test_the_loss_by_hand():
    # Two captions at right angles and both cards exactly there: cosines are 1 and 0, so
    # each card and each caption takes its own with e^14 against 1, and the cosine is 1.
    captions = torch.eye(2)
    right = ContrastiveLoss(captions)(captions, torch.tensor([0, 1]))
    assert right.item() == pytest.approx(np.log1p(np.exp(-14)), abs=1e-6)
    # Swapped, each takes the other's: log (1 + e^14), and 1 - 0 for the cosine.
    wrong = ContrastiveLoss(captions)(captions, torch.tensor([1, 0]))
    assert wrong.item() == pytest.approx(np.log1p(np.exp(14)) + 1, abs=1e-4)


def test_cards_are_held_against_captions_outside_their_batch():
    # The card lies half-way between its caption and one of no card in the batch.
    captions, card = torch.eye(2), torch.tensor([[0.5**0.5, 0.5**0.5]])
    alone = ContrastiveLoss(captions)(card, torch.tensor([0]))
    assert alone.item() == pytest.approx(np.log(2) / 2 + 1 - 0.5**0.5, abs=1e-5)


def test_recall_by_hand():
    captions = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    glimpses = np.array([[0.8, 0.6], [0.8, 0.6], [-0.6, 0.8]])
    assert recall(glimpses, captions).tolist() == [True, False, False]


def test_a_batch_is_seen_either_way_round_and_moved_as_one():
    torch.manual_seed(0)
    pixels = torch.arange(200 * 12 * 12 * 3, dtype=torch.float32).reshape(200, 12, 12, 3)
    seen, steps = training._varied(pixels), range(-training.NUDGE, training.NUDGE + 1)
    explained = {}
    for down, right in product(steps, steps):
        back = torch.roll(seen, (-down, -right), dims=(1, 2))
        same = (back == pixels).flatten(1).all(dim=1)
        turned = (back == pixels.flip(2)).flatten(1).all(dim=1)
        if (same ^ turned).all():
            explained[down, right] = int(turned.sum())
    (turned,) = explained.values()
    assert 60 < turned < 140  # 100 of 200, sd 7


def test_plans_differ_in_what_they_see():
    seen = [PLANS[size].cards * PLANS[size].epochs for size in SIZES]
    assert seen == sorted(set(seen))
    assert PLANS["s"].width <= PLANS["m"].width < PLANS["l"].width


def test_the_command_writes_weights_and_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "PLANS", dict.fromkeys(SIZES, Plan(2, 64, 2)))
    monkeypatch.setattr(training, "TEST_CARDS", 30)
    monkeypatch.setattr(training, "lesson", lambda them, encoder: toy(len(them), 1))
    training.main(["--sizes", "l", "s", "--out", str(tmp_path)])
    training.main(["--sizes", "s", "m", "--out", str(tmp_path)])
    curves = pd.read_csv(tmp_path / "learning_curves.csv")
    assert list(curves) == ["size", "epoch", "cards_seen", "loss", "recall_at_1"]
    assert curves["size"].tolist() == ["s", "s", "m", "m", "l", "l"]
    assert curves["cards_seen"].tolist() == [64, 128] * 3
    table = pd.read_csv(tmp_path / "recall.csv")
    assert table["pairs"].tolist() == ["all", "seen", "held_out"] * 3
    assert table["cards"].tolist()[0] == 30 == sum(table["cards"].tolist()[1:3])
    assert (tmp_path / "recall.csv").read_text().count("\n") == 10
    assert all(Glimpse.load(size, tmp_path) for size in SIZES)
