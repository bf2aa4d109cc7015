"""The frozen shapes that every room exchanges, and the protocols of whoever plays.

A reader who knows these knows the data: a `Card` is looked at, an `Item` is a
question of the benchmark, a `Move` is what a player returns, a `Round` and an
`Answer` are what a run keeps, a `Reply` is what a model said. Nothing here imports
anything of ours, and nothing but the standard library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

Status = Literal["ok", "unparsed", "refused", "empty", "truncated", "error"]
Outcome = Literal["partial", "all_correct", "all_wrong"]
OUTCOMES: tuple[Outcome, ...] = ("partial", "all_correct", "all_wrong")


@dataclass(frozen=True, slots=True)
class Card:
    """One picture of a deck.

    Parameters
    ----------
    id
        Name within the deck. It never reaches a model.
    load
        Gives the upright RGB picture; picklable, so that cards travel to workers.
    sha256
        Hash of the decoded pixels: what tells two cards apart whatever their files.
    caption
        Literal caption, empty when the deck has none.
    aspects
        What the card's scene was made of (subject, twist, ...), empty for other decks.
    """

    id: str
    load: Callable[[], Image] = field(repr=False, compare=False)
    sha256: str = ""
    caption: str = field(default="", compare=False)
    aspects: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def image(self) -> Image:
        """Return the card as an upright RGB picture."""
        return self.load()


@dataclass(frozen=True, slots=True)
class Item:
    """One question of DixitBench: which of the options does the clue mean?

    `target` and `options` are card ids, in the order in which they are shown. The target is
    empty where a benchmark withholds the right answer, as other people's test splits do.
    """

    id: str
    tier: str
    clue: str
    target: str
    options: tuple[str, ...]

    @property
    def answer(self) -> int:
        """Position of the target among the options, counted from 1."""
        return self.options.index(self.target) + 1


@dataclass(frozen=True, slots=True)
class Move:
    """What a player returns when asked.

    A failed reply is never an answer: with a status other than ``ok`` the fields
    `choice`, `clue` and `rating` are None.

    Parameters
    ----------
    choice
        Index into the cards as they were shown (hand or candidates), from 0.
    clue
        The storyteller's words; only `tell` gives one.
    rating
        How well a clue fits a card, 0 to 100; only `rate` gives one.
    status
        ``ok``, or why there is no answer.
    probabilities
        One number for each card shown, summing to 1, where the player has them.
    replies
        Keys of the model's replies behind this move, in order; empty for local players.
    coverage
        The mass, 0 to 1, that the model's token probabilities put on the cards shown, before
        they were made to sum to 1; None where an endpoint reports none.
    ratings
        How well a clue fits each card shown, 0 to 100; only `rate_together` gives them.
    """

    choice: int | None = None
    clue: str | None = None
    rating: float | None = None
    status: Status = "ok"
    probabilities: tuple[float, ...] = ()
    replies: tuple[str, ...] = ()
    coverage: float | None = None
    ratings: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the arena as it was played. Seats are 0 to 3, cards are ids.

    Parameters
    ----------
    match, phase, round
        Place in the tournament: match from 0, phase 1 or 2, round from 1.
    players
        Name of the player at each seat.
    storyteller
        Seat that tells.
    streams
        Which of the four streams of cards each seat plays in this phase.
    hands
        Cards held by each seat before the round.
    clue, target
        What the storyteller said, and of which card; None if it failed.
    submissions
        Card laid by each seat, the storyteller's being the target; None if it failed.
    candidates
        What each seat could vote for, in the order shown to it; empty for the storyteller.
    votes
        Card voted for by each seat; None for the storyteller.
    outcome, points
        None and zeros in a void round.
    status
        ``ok``, or the status of the first failed move, which makes the round void.
    failed
        Seats whose move failed.
    replies
        Keys of all model replies behind the round.
    """

    match: int
    phase: int
    round: int
    players: tuple[str, ...]
    storyteller: int
    streams: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    clue: str | None
    target: str | None
    submissions: tuple[str | None, ...]
    candidates: tuple[tuple[str, ...], ...]
    votes: tuple[str | None, ...]
    outcome: Outcome | None
    points: tuple[int, ...]
    status: Status = "ok"
    failed: tuple[int, ...] = ()
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one item.

    Parameters
    ----------
    player, item, tier
        Who answered what.
    method
        ``direct`` (all options at once), ``entailment`` (each alone, rated),
        ``rate_together`` (all at once, each rated), ``choose_alone`` (each alone, yes or
        no, kept as ratings of 100 and 0) or ``circular`` (direct, under every rotation of
        the options).
    control
        ``own`` (the item's clue), ``none`` (no clue) or ``permuted`` (another item's).
    rotation
        By how many places the options were rotated; 0 unless circular.
    choice
        Card id chosen, or the first of those that share the highest rating.
    credit
        1 if right, 0 if wrong, 1/k if the target is among k tied; None if unanswered, or
        if the benchmark withholds the right answer.
    tied
        How many options share the highest rating (1 for a direct answer).
    scores
        Probabilities or ratings in the item's own order of options; may be empty.
    status
        ``ok``, or why there is no answer.
    replies
        Keys of the model replies behind the answer.
    coverage
        As in `Move`: the mass that the probabilities in `scores` had before they were
        made to sum to 1.
    """

    player: str
    item: str
    tier: str
    method: Literal["direct", "entailment", "circular", "rate_together", "choose_alone"]
    control: Literal["own", "none", "permuted"]
    rotation: int
    choice: str | None
    credit: float | None
    tied: int = 1
    scores: tuple[float, ...] = ()
    status: Status = "ok"
    replies: tuple[str, ...] = ()
    coverage: float | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply with the alternatives that the endpoint reported.

    Parameters
    ----------
    text
        The token.
    logprob
        Its natural log-probability.
    alternatives
        Text and log-probability of the likeliest tokens at this place. What an endpoint
        left out is absent here, not zero.
    """

    text: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()

    @property
    def coverage(self) -> float:
        """The probability that the reported alternatives hold together, 0 to 1."""
        return min(1.0, math.fsum(math.exp(logprob) for _, logprob in self.alternatives))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, or why it said nothing. What is unknown is None, never 0.

    Parameters
    ----------
    text
        The reply as it came.
    status
        ``ok`` if there is a text to read, ``truncated`` if it was cut at the length limit,
        ``refused`` if the endpoint marked it so, ``empty``, or ``error`` if no reply came.
    finish
        The endpoint's finish reason.
    tokens_in, tokens_out
        Tokens read and written, as counted by the endpoint.
    cost
        USD, as stated by the endpoint.
    served_by, served_model
        Provider and exact model that answered, as stated by the endpoint.
    tokens
        The reply's tokens with their alternatives; None where not offered.
    faults
        What went wrong before this reply came, one entry for each attempt that failed.
    problem
        What the last error said.
    """

    text: str | None
    status: Status = "ok"
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    served_by: str | None = None
    served_model: str | None = None
    tokens: tuple[Token, ...] | None = None
    faults: tuple[str, ...] = ()
    problem: str = ""


Region = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, as fractions of its width and height."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that an agent of a panel holds to be so.

    Parameters
    ----------
    text
        What is claimed.
    confidence
        How sure the agent is of it, 0 to 1.
    evidence
        What it goes by, in words.
    region
        Where in the picture that is seen.
    option
        Label of the option that the claim speaks for; None if it speaks for none.
    """

    text: str
    confidence: float
    evidence: str = ""
    region: Region | None = None
    option: str | None = None


class Player(Protocol):
    """Who can sit the arena. Cards come as shown; a move's choice is an index into them.

    A hand of one card forces the target.
    """

    name: str

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move: ...

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move: ...

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move: ...


class Chooser(Protocol):
    """Who can sit a benchmark. The clue is None where a control takes it away."""

    name: str

    def choose(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move: ...

    def rate(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move: ...


class Judge(Chooser, Protocol):
    """A chooser that can also be asked in the two ways that mix format and context.

    It rates cards that it sees together, and says of a card alone whether it is the one,
    with a rating of 100 for yes and 0 for no.
    """

    def rate_together(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move: ...

    def accept(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move: ...


class Sink(Protocol):
    """Where finished units of work go. A unit is a phase of a match, or a batch of answers."""

    def finished(self) -> Set[Hashable]:
        """Return the units that need no more work."""
        ...

    def write(self, unit: Hashable, records: Sequence[Round] | Sequence[Answer]) -> None:
        """Keep the records of one unit; units come in canonical order."""
        ...
