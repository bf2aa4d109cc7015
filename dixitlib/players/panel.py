"""A panel sits the benchmark as one chooser, and the arena as a listener.

What it answers is the panel's verdict. Its probabilities are the experts', weighed, unless
the judge gives its own; a rating is a hundred times the probability that the clue fits. A
panel of local experts only tells cards apart, and refuses to rate one. A panel tells no clues
and lays no cards: in the arena a player does that in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dixitlib.panel.debate import Debate
from dixitlib.panel.gam import Panel, Settings, debate
from dixitlib.panel.said import Question
from dixitlib.players.vlm import REPEATS
from dixitlib.records import Card, Move, Player

DECIMALS = 6


@dataclass(frozen=True, eq=False)
class PanelPlayer:
    """Player and chooser over a panel.

    Each answer draws one number from its generator, so that a question asked at another
    place of a run is another sample, as with any model.

    Parameters
    ----------
    name
        What tables call it.
    panel
        Who is asked.
    settings
        When debates begin and end.
    teller
        Who tells and submits in its place; not needed for a benchmark.
    """

    name: str
    panel: Panel
    settings: Settings = field(default_factory=Settings)
    teller: Player | None = None

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._teller.tell(hand, rng)

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._teller.submit(clue, hand, rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        return self.choose(clue, candidates, rng)

    def choose(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        question = Question.choosing(clue, candidates, int(rng.integers(REPEATS)))
        held = self._debate(question)
        if held.choice is None:
            return Move(status=held.status, replies=_replies(held))
        choice = question.labels.index(held.choice)
        odds = tuple(round(each, DECIMALS) for each in held.distribution)
        return Move(choice, probabilities=odds, replies=_replies(held))

    def rate(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        held = self._debate(Question.fitting(clue, card, int(rng.integers(REPEATS))))
        if held.choice is None and not _replies(held):
            notes = dict.fromkeys(note for each in held.steps[0].analyses for note in each.notes)
            raise ValueError(
                f"{self.name} can't rate, as each of its experts says: {'; '.join(notes)}. "
                "Let it choose (method direct), or seat a panel of models"
            )
        if held.choice is None:
            return Move(status=held.status, replies=_replies(held))
        rating = round(100 * held.distribution[0], DECIMALS)
        return Move(rating=rating, replies=_replies(held))

    def _debate(self, question: Question) -> Debate:
        return debate(question, self.panel, self.settings)

    @property
    def _teller(self) -> Player:
        if self.teller is None:
            raise ValueError(f"{self.name} only listens: give it a teller to sit the arena")
        return self.teller


def _replies(held: Debate) -> tuple[str, ...]:
    return tuple(key for turn in held.turns for key in turn.replies)
