"""Set the scales of the panel of local experts on painted cards that are never played.

The cards are those on which all local players' scales are set; each gets a clue of the
bank by its caption, and the tiers of DixitBench are built on them. Temperatures and
thresholds follow from the answers to these items: see `panel.scaling`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from dixitlib.bench import build
from dixitlib.cards import scenes
from dixitlib.models import aspects
from dixitlib.models.sentences import Encoder
from dixitlib.panel import scaling
from dixitlib.panel.checkers import Mixer
from dixitlib.panel.experts import AspectExpert, Scale
from dixitlib.panel.gam import Panel, Settings, debate
from dixitlib.panel.said import Question
from dixitlib.panel.sight import Sight, View
from dixitlib.study.players import CALIBRATION_CARDS, CALIBRATION_SEED, calibration_cards

UNSCALED = Scale(tau=1.0, sharpness=1.0, heed=0.0)


@dataclass(frozen=True)
class Scales:
    """What the panel is set by.

    Parameters
    ----------
    experts
        Each expert's own scale.
    accuracy, holding
        Each expert's share of right answers on the calibration items, and of claims of
        calibration cards that hold.
    theta_u, theta_c
        Thresholds of the debate.
    trigger
        Share of calibration items that they were chosen to have debated.
    """

    experts: Mapping[str, Scale]
    accuracy: Mapping[str, float]
    holding: Mapping[str, float]
    theta_u: float
    theta_c: float
    trigger: float

    @classmethod
    def of_json(cls, content: Mapping) -> Scales:
        """Read what `dataclasses.asdict` has written."""
        experts = {name: Scale(**each) for name, each in content["experts"].items()}
        return cls(**{**content, "experts": experts})

    def to_json(self) -> dict:
        """Return what JSON can hold."""
        return asdict(self)


def fit(
    sights: Mapping[str, Sight], encoder: Encoder, bank: Sequence[str], trigger: float, seed: int
) -> Scales:
    """Fit all scales.

    Parameters
    ----------
    sights
        Eyes of each aspect.
    encoder, bank
        What reads clues, and the clues.
    trigger
        Share of items that are to be debated.
    seed
        Of the items.
    """
    asked, targets = questions(encoder, bank, seed)
    cosines = {name: _cosines(name, sight, asked) for name, sight in sights.items()}
    taus = {name: scaling.temperature(each, targets) for name, each in cosines.items()}
    heed = scaling.heed(np.stack([cosines[name] / taus[name] for name in sights]), targets)
    claims = {name: _claims(name, sight) for name, sight in sights.items()}
    experts = {name: Scale(taus[name], scaling.sharpness(*claims[name]), heed) for name in sights}
    theta_u, theta_c = _thresholds(sights, experts, asked, trigger)
    accuracy = {
        name: round(float((each.argmax(axis=1) == targets).mean()), 4)
        for name, each in cosines.items()
    }
    holding = {name: _holding(*each) for name, each in claims.items()}
    return Scales(experts, accuracy, holding, theta_u, theta_c, trigger)


def questions(
    encoder: Encoder, bank: Sequence[str], seed: int
) -> tuple[list[Question], np.ndarray]:
    """Return the calibration items as questions, and the place of each target."""
    cards = {card.id: card for card in calibration_cards()}
    captions = encoder.encode([card.caption for card in cards.values()])
    assigned = build.assign_clues(captions, encoder.encode(bank), bank)
    clues = dict(zip(cards, assigned, strict=True))
    items = build.build(list(cards.values()), clues, encoder=encoder, seed=seed)
    asked = [Question.choosing(i.clue, [cards[name] for name in i.options]) for i in items]
    return asked, np.array([item.answer - 1 for item in items])


def _cosines(name: str, sight: Sight, asked: Sequence[Question]) -> np.ndarray:
    expert = AspectExpert(aspects.ASPECTS[name], sight, UNSCALED)
    return np.stack([expert.logits(each.text, list(each.options.values())) for each in asked])


def _claims(name: str, sight: Sight) -> tuple[np.ndarray, np.ndarray]:
    """Return cosines of calibration cards with a vocabulary, and which values they show."""
    aspect, cards = aspects.ASPECTS[name], calibration_cards()
    words = sight.read(aspect.vocabulary)
    seen = sight.see([(card, View()) for card in cards])
    them = scenes.sample(CALIBRATION_CARDS, CALIBRATION_SEED)
    shown = [[value in aspect.shown(scene) for value in aspect.vocabulary] for scene in them]
    return np.round(seen @ words.T, 6), np.array(shown)


def _holding(cosines: np.ndarray, shown: np.ndarray) -> float:
    claimed = cosines.argmax(axis=1)
    return round(float(shown[np.arange(len(claimed)), claimed].mean()), 4)


def _thresholds(
    sights: Mapping[str, Sight],
    experts: Mapping[str, Scale],
    asked: Sequence[Question],
    trigger: float,
) -> tuple[float, float]:
    """Fit the thresholds to the first answers of experts so scaled."""
    seated = tuple(
        AspectExpert(aspects.ASPECTS[name], sight, experts[name], claiming=False)
        for name, sight in sights.items()
    )
    opening = Settings(max_rounds=0)
    steps = [debate(each, Panel(seated, (), Mixer()), opening).steps[0] for each in asked]
    unsure = np.array([step.system_uncertainty for step in steps])
    return scaling.thresholds(unsure, np.array([step.conflict for step in steps]), trigger)
