"""Experts that really look: local eyes, each trained on one aspect of scenes.

An expert believes in an option in proportion to exp(z / tau), z being the cosine of its
glimpse of the card and the clue, and tau being fitted on cards that are never played. Of
its two best options it claims to see what of its vocabulary is nearest ("B shows a
lantern"), with a confidence by softmax over the vocabulary, in the patch of the card
without which the claim would hold least.

In a debate it looks again at the options in dispute, in close-up: where its own claims
point, and, if there is an exchange, where those point who contradict it. What it then
believes is pooled with what the others believed: its log odds plus `heed` times the mean
of theirs, weighed as they are and by how their claims fared with the critics. So pooled,
the beliefs of others come back to their author in the next round; debate does that.

It abstains, and says why, where there is no clue, or where options are no cards: cosines tell
cards apart, but from which one on a single card fits a clue they do not say.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import softmax

from dixitlib.models.aspects import Aspect
from dixitlib.panel.claims import Dispute
from dixitlib.panel.debate import Step
from dixitlib.panel.said import Analysis, Critique, Question, Spent, Turn
from dixitlib.panel.sight import OCCLUSIONS, PATCHES, Sight, View, close_up, glance
from dixitlib.panel.uncertainty import from_tokens
from dixitlib.records import Card, Claim

DECIMALS = 6
CLAIMED = 2  # options that an expert makes a claim of
LEAST = 1e-6  # belief below which none is told apart, so that log odds stay finite
NO_CLUE = "without a clue it has nothing to go by"
NOT_CARDS = "it tells cards apart, and has no scale on which one card fits by itself"
WORTH = {"holds": 1.0, "open": 0.5, "fails": 0.0}

Looks = Mapping[str, tuple[View, ...]]


@dataclass(frozen=True, slots=True)
class Scale:
    """What an expert learnt about itself on cards that are never played.

    Parameters
    ----------
    tau
        Temperature of its answers.
    sharpness
        Temperature of its claims, over its vocabulary.
    heed
        What the others' mean log odds count beside its own.
    """

    tau: float
    sharpness: float
    heed: float


@dataclass(frozen=True, eq=False)
class AspectExpert:
    """A base agent with local eyes; see the module.

    Parameters
    ----------
    aspect
        What it was trained to see.
    sight
        How it sees cards and reads clues.
    scale
        Fitted for the same eyes.
    alpha
        Of its uncertainty: the weight of entropy, the missing lead having the rest.
    claiming
        Whether it makes claims.
    looking, exchanging
        Whether, in a debate, it looks again in close-up, and hears the others.
    named
        What it claimed of cards already; experts of one aspect and scale may share it.
    """

    aspect: Aspect
    sight: Sight
    scale: Scale
    alpha: float = 0.5
    claiming: bool = True
    looking: bool = True
    exchanging: bool = True
    named: dict[tuple[str, View], tuple[str, float, int]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The aspect's name."""
        return self.aspect.name

    def answer(self, question: Question) -> Analysis:
        """Give a first answer, from one glance at each card."""
        if question.text is None or not question.of_pictures:
            why = NO_CLUE if question.text is None else NOT_CARDS
            return Analysis(Turn(self.name, spent=Spent(1)), notes=(why,))
        looks = {label: (glance(question.repeat),) for label in question.labels}
        return self._said(question, _normalised(self._logits(question, looks)), looks)

    def argue(
        self, question: Question, disputes: Sequence[Dispute], history: Sequence[Step]
    ) -> Analysis:
        """Look again at what is in dispute, and hear what others believe."""
        looks = self._looks(question, disputes)
        beliefs = _normalised(self._logits(question, looks))
        if self.exchanging:
            beliefs = beliefs + self.scale.heed * heard(self.name, history[-1])
        return self._said(question, _normalised(beliefs), looks)

    def logits(self, clue: str, cards: Sequence[Card]) -> np.ndarray:
        """Return z / tau of each card at a first glance."""
        question = Question.choosing(clue, cards)
        return self._logits(question, {label: (View(),) for label in question.labels})

    def _looks(self, question: Question, disputes: Sequence[Dispute]) -> Looks:
        """Return the first glance at each card, and close-ups of what is in dispute."""
        looks = {label: [glance(question.repeat)] for label in question.labels}
        for each in disputes if self.looking else ():
            told = self.exchanging and self.name in each.against
            if each.claim.region and each.claim.option and (told or each.agent == self.name):
                looks[each.claim.option].append(close_up(each.claim.region))
        return {label: tuple(dict.fromkeys(views)) for label, views in looks.items()}

    def _logits(self, question: Question, looks: Looks) -> np.ndarray:
        shown = [(question.options[label], views) for label, views in looks.items()]
        return self.sight.likeness(question.text, shown) / self.scale.tau

    def _said(self, question: Question, beliefs: np.ndarray, looks: Looks) -> Analysis:
        """Put beliefs, in log odds, into an analysis with claims."""
        odds = np.round(np.exp(beliefs), DECIMALS) + 0.0
        labels = question.labels
        best = [labels[place] for place in np.argsort(-odds, kind="stable")[:CLAIMED]]
        claims = [self._claim(question, label) for label in best] if self.claiming else []
        spent = Spent(1, self._taken(question, looks, claims))
        words = "; ".join([f"{best[0]} it is", *(claim.text for claim in claims)])
        alternatives = [np.log(np.maximum(odds, LEAST)).tolist()]
        unsure = from_tokens(alternatives, self.alpha, 1 - self.alpha)
        turn = Turn(self.name, words, best[0], spent=spent)
        unsure = None if unsure is None else round(unsure, DECIMALS)
        return Analysis(turn, tuple(odds.tolist()), tuple(claims), unsure, "tokens", 1.0)

    def _taken(
        self, question: Question, looks: Looks, claims: Sequence[Claim]
    ) -> frozenset[Hashable]:
        """Return the names of all looks that an analysis needs, those for its regions included."""
        pairs = [*looks.items(), *((claim.option, OCCLUSIONS) for claim in claims)]
        named = [self.sight.looks(question.options[label], views) for label, views in pairs]
        return frozenset().union(*named)

    def _claim(self, question: Question, label: str) -> Claim:
        """Claim what of the vocabulary is nearest to a card."""
        card = question.options[label]
        key = card.sha256, glance(question.repeat)
        if key not in self.named:
            self.named[key] = self._seen_in(card, key[1])
        value, sure, patch = self.named[key]
        evidence = f"the nearest of {len(self.aspect.vocabulary)} that it knows"
        return Claim(f"{label} {self.aspect.verb} {value}", sure, evidence, PATCHES[patch], label)

    def _seen_in(self, card: Card, view: View) -> tuple[str, float, int]:
        """Return what is nearest, how sure it is, and the number of the patch that shows it."""
        vocabulary = self.aspect.vocabulary
        cosines = self.sight.read(vocabulary) @ self.sight.see([(card, view)])[0]
        odds = softmax(np.round(cosines, DECIMALS) / self.scale.sharpness)
        nearest = vocabulary[int(odds.argmax())]
        patch = PATCHES.index(self.sight.region(card, nearest))
        return nearest, round(float(odds.max()), DECIMALS), patch


def _normalised(logits: np.ndarray) -> np.ndarray:
    """Return logits as log odds; what scipy's `log_softmax` does in a fortieth of its time."""
    return logits - np.logaddexp.reduce(logits)


def heard(name: str, step: Step) -> np.ndarray:
    """Return the mean log odds of all other experts of a step, shape (options,).

    Each counts by its weight and by how its claims fared; 0 if there is nobody to hear.
    """
    others = [
        (weight * trust(each.agent, step.critiques), np.maximum(each.distribution, LEAST))
        for weight, each in zip(step.weights, step.analyses, strict=True)
        if each.answered and each.agent != name
    ]
    total = sum(weight for weight, _ in others)
    if not total:
        return np.zeros(1)
    return sum(weight * np.log(odds) for weight, odds in others) / total


def trust(agent: str, critiques: Sequence[Critique]) -> float:
    """Return how far critics let an agent's claims stand, 0 to 1; 1 if nothing was said of them."""
    worth = [
        WORTH[each.verdict]
        for critique in critiques
        for each in critique.assessments
        if each.agent == agent
    ]
    return sum(worth) / len(worth) if worth else 1.0
