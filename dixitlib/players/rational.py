"""What listeners would make of a clue: scores for storytellers, and their scales.

How well a clue u fits a card t is the cosine c(t, u) of a glimpse of the card and the
clue's meaning. All else is rational speech acts on these numbers.

**Literal listener.** Among the cards C of a table it believes

    L0(t | u, C) = exp(c(t, u) / tau) / sum over t' in C of exp(c(t', u) / tau),

tau being 0.7 standard deviations of all cosines between a calibration deck and the bank
of clues: what is a large difference depends on the eyes.

**Imagined tables.** A storyteller does not know the table yet, so it imagines K of them:
three listeners hold four cards each, never from its own hand, and each lays the one that
fits u best. Listener i then finds t beside the cards of the two others with probability
p[k, i] = L0(t | u, {t, the two}), taken as independent of the other listeners'.

**Scores** of a card t and a clue u:

- `literal`: c(t, u), the best match;
- `informative`: the mean of log p[k, i] over tables and listeners;
- `partial`: the mean over tables of 1 - prod p[k, i] - prod (1 - p[k, i]), the chance
  that some but not all listeners find the card.

Each is put on a fixed scale, with mean 0 and standard deviation 1 over the calibration
deck and the bank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from dixitlib.records import Card

Policy = Literal["literal", "informative", "partial"]
POLICIES: tuple[Policy, ...] = ("literal", "informative", "partial")
DECIMALS = 6
TABLES = 32
LISTENERS = 3
HAND = 4


class Eyes(Protocol):
    """Whatever sees cards in the space of sentences, as `models.glimpse.Glimpse` does."""

    def look(self, cards: Sequence[Card]) -> np.ndarray: ...

    def read(self, sentences: np.ndarray) -> np.ndarray: ...


class Encoder(Protocol):
    """Whatever turns texts into unit vectors, as `models.sentences.Encoder` does."""

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Calibration:
    """What a pair of eyes learns about itself on cards that it will not play with.

    Parameters
    ----------
    decoys
        Glimpses of the cards that imagined listeners hold, shape (n, d).
    hands
        Which of them each listener of each imagined table holds, shape (K, 3, 4).
    tau
        Temperature of the literal listener.
    assumed
        How much sharper than itself a storyteller takes its listeners to be: theirs is
        `tau` divided by this.
    scales
        Mean and standard deviation of each policy's score.
    """

    decoys: np.ndarray
    hands: np.ndarray
    tau: float
    assumed: float
    scales: Mapping[Policy, tuple[float, float]]

    def laid(self, words: np.ndarray) -> np.ndarray:
        """Return how well what imagined listeners lay fits each clue, shape (K, 3, n)."""
        return _laid(self.decoys, self.hands, words)

    def z(self, policy: Policy, fit: np.ndarray, laid: np.ndarray) -> np.ndarray:
        """Return a policy's standardised score of pairs, from the cosines of `score`."""
        mean, sd = self.scales[policy]
        return (score(policy, fit, laid, self.tau / self.assumed) - mean) / sd


def _laid(decoys: np.ndarray, hands: np.ndarray, words: np.ndarray) -> np.ndarray:
    return (decoys @ words.T)[hands].max(axis=2)


def score(policy: Policy, fit: np.ndarray, laid: np.ndarray, tau: float) -> np.ndarray:
    """Score a card with each clue.

    Parameters
    ----------
    policy
        What the storyteller is after.
    fit
        The card's cosine with each clue, shape (n,).
    laid
        Cosines of what the three listeners of each imagined table lay, shape (K, 3, n).
    tau
        Temperature of these listeners.
    """
    return fit if policy == "literal" else AIMS[policy](chances(fit, laid, tau))


def chances(fit: np.ndarray, laid: np.ndarray, tau: float) -> np.ndarray:
    """Return each listener's chance to find the card, shape (K, 3, n); see `score`.

    Its own card is not among those that a listener chooses from.
    """
    drawn = np.exp(laid / tau)
    others = drawn.sum(axis=1, keepdims=True) - drawn
    own = np.exp(fit / tau)
    return own / (own + others)


def informativeness(p: np.ndarray) -> np.ndarray:
    """Return the mean log chance over tables and listeners."""
    return np.log(p).mean(axis=(0, 1))


def partiality(p: np.ndarray) -> np.ndarray:
    """Return the chance that some but not all listeners are right, meaned over tables."""
    return (1 - p.prod(axis=1) - (1 - p).prod(axis=1)).mean(axis=0)


AIMS: Mapping[Policy, Callable[[np.ndarray], np.ndarray]] = {
    "informative": informativeness,
    "partial": partiality,
}


def calibrate(
    eyes: Eyes,
    encoder: Encoder,
    bank: Sequence[str],
    cards: Sequence[Card],
    *,
    temperature: float = 0.7,
    assumed: float = 1.0,
) -> Calibration:
    """Set the listeners' temperature and the scales of scores for a pair of eyes.

    The first half of the cards becomes the decoys of imagined tables; the other half,
    with every clue, sets the scales.

    Parameters
    ----------
    eyes, encoder
        Who sees, and what reads.
    bank
        Clues.
    cards
        A deck of another seed than will be played with, of 24 cards or more.
    temperature
        Of listeners, in standard deviations of the cosine.
    assumed
        See `Calibration`.

    Raises
    ------
    ValueError
        If there are too few cards to deal three hands of four.
    """
    half = len(cards) // 2
    if half < LISTENERS * HAND:
        raise ValueError(
            f"calibrating takes {2 * LISTENERS * HAND} cards or more, not {len(cards)}"
        )
    decoys, targets = np.split(eyes.look(cards), [half])
    words = eyes.read(encoder.encode(bank))
    hands = _imagined_hands(half)
    fits, laid = targets @ words.T, _laid(decoys, hands, words)
    tau = round(temperature * float(fits.std()), DECIMALS)
    scales = {policy: _scale(policy, fits, laid, tau / assumed) for policy in POLICIES}
    return Calibration(decoys, hands, tau, assumed, scales)


def _imagined_hands(n: int) -> np.ndarray:
    """Deal four of n cards to three listeners, table after table, always the same way."""
    rng = np.random.default_rng(0)
    deals = [rng.choice(n, LISTENERS * HAND, replace=False) for _ in range(TABLES)]
    return np.stack(deals).reshape(TABLES, LISTENERS, HAND)


def _scale(policy: Policy, fits: np.ndarray, laid: np.ndarray, tau: float) -> tuple[float, float]:
    scores = np.stack([score(policy, fit, laid, tau) for fit in fits])
    return round(float(scores.mean()), DECIMALS), round(float(scores.std()), DECIMALS)
