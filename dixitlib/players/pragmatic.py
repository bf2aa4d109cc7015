"""Local players: they pick clues from a bank by what listeners would make of them.

Scores of cards and clues, and the scale z they are put on, are `rational`'s.

**Telling.** A storyteller draws a pair of a card t in its hand and a clue u in the bank
with probability proportional to exp(alpha z(t, u) / T), z being its policy's. For the
policy `informative` that is S1 of rational speech acts, proportional to L0 to a power.

**Listening.** A `literal` listener believes L0. A `pragmatic` one asks which card would
have made an informative storyteller say this:

    S1(u | t) = exp(alpha z(t, u) / T) / sum over u' of exp(alpha z(t, u') / T)
    L1(t | u, C) = S1(u | t) / sum over t' in C of S1(u | t'),

u' running over the bank, and u itself where it is not in the bank. z does not depend on
C, as the storyteller knew no table; so ratings of lone cards order cards as choices do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.special import expit, logsumexp, softmax

from dixitlib.players.rational import Calibration, Encoder, Eyes, Policy, calibrate
from dixitlib.records import Card, Move

__all__ = ["Calibration", "Pragmatic", "calibrate"]

DECIMALS = 6

Listening = Literal["literal", "pragmatic"]


@dataclass(frozen=True)
class _View:
    """What a card is to a player.

    `told` are the logits with which it tells the card by each clue of the bank, `heard`
    its log belief in the card on hearing each, and `total` the log of the sum, over the
    bank, of the weights with which an informative storyteller would say a clue of it.
    """

    told: np.ndarray
    heard: np.ndarray
    total: float


@dataclass(frozen=True, eq=False)
class Pragmatic:
    """A player and chooser with local eyes; see the module for what it believes.

    It votes by drawing from its belief, as it draws what to tell, so that listeners with
    the same eyes do not all err together. Submitting, and sitting a benchmark, it takes
    the card that it believes in most. Without a clue it guesses.

    Parameters
    ----------
    name
        What tables call it.
    eyes, encoder
        How it sees cards and reads clues.
    bank
        Clues it may tell.
    scale
        Made by `calibrate` for the same eyes, encoder and bank.
    policy
        What it tells for.
    listening
        By default, literal for the literal policy and pragmatic for the others.
    alpha
        How strongly scores decide, its own and those of the storyteller it imagines.
    temperature
        T above.
    """

    name: str
    eyes: Eyes
    encoder: Encoder
    bank: tuple[str, ...]
    scale: Calibration
    policy: Policy = "partial"
    listening: Listening | None = None
    alpha: float = 1.0
    temperature: float = 0.7
    _views: dict[str, _View] = field(default_factory=dict, init=False, repr=False)

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        odds = softmax(np.stack([self._view(card).told for card in hand]))
        target, clue = divmod(_draw(odds.ravel(), rng), len(self.bank))
        return Move(target, self.bank[clue], probabilities=_rounded(odds.sum(axis=1)))

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self.choose(clue, hand, rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        odds = softmax(self._beliefs(clue, candidates))
        return Move(_draw(odds, rng), probabilities=_rounded(odds))

    def choose(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        if clue is None:
            return _guess(len(candidates), rng)
        beliefs = self._beliefs(clue, candidates)
        return Move(int(beliefs.argmax()), probabilities=_rounded(softmax(beliefs)))

    def rate(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        """Rate how well a clue fits a card, 0 to 100.

        A literal listener gives its cosine, from 0 for -1 to 100 for 1; a pragmatic one
        the probability that the clue was said of this card, not at random from the bank.
        """
        if clue is None:
            return Move(rating=50.0)
        belief = float(self._beliefs(clue, [card])[0])
        if self._listens == "literal":
            rating = 50 * (1 + belief * self.scale.tau)
        else:
            rating = 100 * expit(belief + np.log(len(self.bank)))
        return Move(rating=round(float(rating), DECIMALS))

    def rate_together(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        """Rate each card as if it were alone: what stands beside it changes nothing here."""
        return Move(ratings=tuple(self.rate(clue, card, rng).rating for card in candidates))

    def accept(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        """Say yes, a rating of 100, where `rate` gives more than half its scale; else no, 0."""
        return Move(rating=100.0 if self.rate(clue, card, rng).rating > 50 else 0.0)

    def _beliefs(self, clue: str, cards: Sequence[Card]) -> np.ndarray:
        """Return the log belief in each card, up to what they have in common."""
        if clue in self._columns:
            return np.array([self._view(card).heard[self._columns[clue]] for card in cards])
        words = self.eyes.read(self.encoder.encode([clue]))
        laid = self.scale.laid(words)
        return np.array([self._belief_in_unknown(words, laid, card) for card in cards])

    def _belief_in_unknown(self, words: np.ndarray, laid: np.ndarray, card: Card) -> float:
        fit = self._fit(card, words)
        if self._listens == "literal":
            return round(float(fit[0] / self.scale.tau), DECIMALS)
        said = self._logits("informative", fit, laid)[0]
        return round(float(said - np.logaddexp(self._view(card).total, said)), DECIMALS)

    def _view(self, card: Card) -> _View:
        if card.sha256 not in self._views:
            self._views[card.sha256] = self._new_view(card)
        return self._views[card.sha256]

    def _new_view(self, card: Card) -> _View:
        fit = self._fit(card, self._words)
        told = self._logits(self.policy, fit, self._laid)
        said = self._logits("informative", fit, self._laid)
        total = float(logsumexp(said))
        heard = fit / self.scale.tau if self._listens == "literal" else said - total
        return _View(np.round(told, DECIMALS), np.round(heard, DECIMALS), total)

    def _fit(self, card: Card, words: np.ndarray) -> np.ndarray:
        return words @ self.eyes.look([card])[0]

    def _logits(self, policy: Policy, fit: np.ndarray, laid: np.ndarray) -> np.ndarray:
        return self.alpha * self.scale.z(policy, fit, laid) / self.temperature

    @property
    def _listens(self) -> Listening:
        return self.listening or ("literal" if self.policy == "literal" else "pragmatic")

    @cached_property
    def _words(self) -> np.ndarray:
        return self.eyes.read(self.encoder.encode(self.bank))

    @cached_property
    def _laid(self) -> np.ndarray:
        return self.scale.laid(self._words)

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {clue: column for column, clue in enumerate(self.bank)}


def _draw(odds: np.ndarray, rng: np.random.Generator) -> int:
    return int(min(np.searchsorted(np.cumsum(odds), rng.random(), side="right"), len(odds) - 1))


def _rounded(odds: np.ndarray) -> tuple[float, ...]:
    return tuple(np.round(odds, DECIMALS).tolist())


def _guess(n: int, rng: np.random.Generator) -> Move:
    return Move(int(rng.integers(n)), probabilities=_rounded(np.full(n, 1 / n)))
