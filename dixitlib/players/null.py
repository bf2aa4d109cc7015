"""Six players that know too little or too much: floors and ceilings for every table.

Each is one rule of attraction, how strongly a card draws it given the clue, used alike
for telling, submitting, voting and choosing; the strongest attraction wins and ties are
drawn. What a rule can't see it can't be credited with, so each bounds something:

=================  =========================================  ===============================
player             knows                                      bounds
=================  =========================================  ===============================
`random`           nothing                                    chance
`first`            the order                                  a bias of position
`central`          the options, not the clue                  what the options alone give away
`clue-only`        the clue, not the options                  what clue and position give away
`caption-oracle`   true captions, read by the text encoder    perfect eyes, plain reading
`literal-caption`  true captions, word by word                saying outright what is shown
=================  =========================================  ===============================

`central` turned round (``most=False``) takes the option least like the others.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dixitlib.records import Card, Move

DECIMALS = 6
WORD = re.compile(r"\w+")
# Words that tell no card from another.
FUNCTION_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "has", "in", "into", "is", "it",
    "its", "of", "off", "on", "one", "or", "out", "over", "that", "the", "their", "there",
    "this", "to", "two", "under", "up", "with",
})  # fmt: skip


class Encoder(Protocol):
    """Whatever turns texts into unit vectors, as `models.sentences.Encoder` does."""

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


Attraction = Callable[[str | None, Sequence[Card]], np.ndarray]
Wording = Callable[[Card, np.random.Generator], str]


@dataclass(frozen=True)
class Null:
    """A player and chooser made of one rule.

    Parameters
    ----------
    name
        What tables call it.
    attraction
        Takes the clue (None while telling, or where a control takes it away) and the
        cards as shown; returns a number from 0 to 1 for each. A rating is 100 times that
        of a card shown alone.
    wording
        Takes the target; returns the clue to tell.
    """

    name: str
    attraction: Attraction
    wording: Wording

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        target, probabilities = _strongest(self.attraction(None, hand), rng)
        clue = self.wording(hand[target], rng)
        return Move(choice=target, clue=clue, probabilities=probabilities)

    def choose(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        choice, probabilities = _strongest(self.attraction(clue, candidates), rng)
        return Move(choice=choice, probabilities=probabilities)

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self.choose(clue, hand, rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        return self.choose(clue, candidates, rng)

    def rate(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        return Move(rating=round(100 * float(self.attraction(clue, [card])[0]), DECIMALS))

    def rate_together(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        strength = np.round(100 * self.attraction(clue, candidates), DECIMALS)
        return Move(ratings=tuple(strength.tolist()))

    def accept(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        return Move(rating=100.0 if self.rate(clue, card, rng).rating > 50 else 0.0)


def players(bank: Sequence[str], encoder: Encoder) -> tuple[Null, ...]:
    """Return the six.

    Parameters
    ----------
    bank
        Clues to tell.
    encoder
        Reads clues and captions.
    """
    return (
        random(bank),
        first(bank),
        central(bank, encoder),
        clue_only(bank),
        caption_oracle(bank, encoder),
        literal_caption(),
    )


def random(bank: Sequence[str]) -> Null:
    """Return the player that takes any card and tells any clue.

    Rating cards one at a time it holds all equal, which is worth chance as well.
    """
    return Null("random", _indifferent, functools.partial(_any_clue, tuple(bank)))


def first(bank: Sequence[str]) -> Null:
    """Return the player that takes the first card shown, and tells any clue of it."""
    return Null("first", _by_position, functools.partial(_any_clue, tuple(bank)))


def central(bank: Sequence[str], encoder: Encoder, most: bool = True) -> Null:
    """Return the player that takes the card most like the others shown, clue unheard.

    Likeness is the mean cosine of a card's caption to the other captions.

    Parameters
    ----------
    bank
        Clues to tell, any of any card.
    encoder
        Reads captions.
    most
        False for the card least like the others.
    """
    attraction = functools.partial(_by_centrality, encoder, most)
    name = "central" if most else "least-central"
    return Null(name, attraction, functools.partial(_any_clue, tuple(bank)))


def clue_only(bank: Sequence[str]) -> Null:
    """Return the player whose choice is a fixed function of clue and number of cards."""
    return Null("clue-only", _by_clue, functools.partial(_any_clue, tuple(bank)))


def caption_oracle(bank: Sequence[str], encoder: Encoder) -> Null:
    """Return the player that matches clues to true captions in the text encoder's space.

    It tells any card, by the bank's clue nearest to its caption. Without a clue it guesses.
    """
    wording = functools.partial(_nearest_clue, tuple(bank), encoder)
    return Null("caption-oracle", functools.partial(_by_meaning, encoder), wording)


def literal_caption() -> Null:
    """Return the player that tells captions word for word and listens for their words.

    It counts the share of the clue's words that a caption holds, function words aside:
    what it finds, no perception and no meaning was needed for.
    """
    return Null("literal-caption", _by_words, _caption)


def _strongest(attraction: np.ndarray, rng: np.random.Generator) -> tuple[int, tuple[float, ...]]:
    """Draw one of the strongest, and say how likely each card was."""
    strength = np.round(attraction, DECIMALS)
    best = np.flatnonzero(strength == strength.max())
    share = np.where(strength == strength.max(), 1 / len(best), 0.0)
    return int(rng.choice(best)), tuple(np.round(share, DECIMALS).tolist())


def _indifferent(clue: str | None, cards: Sequence[Card]) -> np.ndarray:
    return np.zeros(len(cards))


def _by_position(clue: str | None, cards: Sequence[Card]) -> np.ndarray:
    return np.eye(len(cards))[0]


def _by_centrality(
    encoder: Encoder, most: bool, clue: str | None, cards: Sequence[Card]
) -> np.ndarray:
    vectors = encoder.encode(_captions(cards))
    others = vectors.sum(axis=0) - vectors
    likeness = np.einsum("cd,cd->c", vectors, others) / max(len(cards) - 1, 1)
    return (1 + (likeness if most else -likeness)) / 2


def _by_clue(clue: str | None, cards: Sequence[Card]) -> np.ndarray:
    digest = hashlib.sha256(f"{clue or ''}|{len(cards)}".encode()).digest()
    return np.eye(len(cards))[int.from_bytes(digest[:8]) % len(cards)]


def _by_meaning(encoder: Encoder, clue: str | None, cards: Sequence[Card]) -> np.ndarray:
    if clue is None:
        return np.zeros(len(cards))
    return (1 + encoder.encode(_captions(cards)) @ encoder.encode([clue])[0]) / 2


def _by_words(clue: str | None, cards: Sequence[Card]) -> np.ndarray:
    said = _words(clue or "")
    held = [len(said & _words(caption)) for caption in _captions(cards)]
    return np.array(held) / max(len(said), 1)


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold())) - FUNCTION_WORDS


def _any_clue(bank: Sequence[str], card: Card, rng: np.random.Generator) -> str:
    return bank[rng.integers(len(bank))]


def _nearest_clue(
    bank: Sequence[str], encoder: Encoder, card: Card, rng: np.random.Generator
) -> str:
    nearness = encoder.encode(bank) @ encoder.encode(_captions([card]))[0]
    return bank[int(np.argmax(np.round(nearness, DECIMALS)))]


def _caption(card: Card, rng: np.random.Generator) -> str:
    return _captions([card])[0]


def _captions(cards: Sequence[Card]) -> list[str]:
    silent = [card.id for card in cards if not card.caption.strip()]
    if silent:
        raise ValueError(
            f"this null player reads captions, but cards {silent} have none: "
            "give the deck's cards.csv a column `caption`, or leave the player out"
        )
    return [card.caption for card in cards]
