"""What is asked of a panel, and what its members say, with what saying it took.

A `Question` has options with labels. What is asked of experts, critics and the judge comes
back as `Analysis`, `Critique` and `Verdict`, each with the `Turn` in which it was said.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Literal, get_args

from dixitlib.panel.uncertainty import Source
from dixitlib.records import Card, Claim, Status

Finding = Literal["holds", "fails", "open"]
VERDICTS: tuple[Finding, ...] = get_args(Finding)


@dataclass(frozen=True)
class Question:
    """A question with options.

    Parameters
    ----------
    text
        The clue where options are cards, else the question; None where a control takes
        the clue away.
    options
        What each label stands for: a card, or words.
    pictures
        What is asked about, where options are words.
    repeat
        Which sample of replies this is; part of each reply's key.
    fit
        Whether it is asked if the clue fits the picture; see `fitting`.
    """

    text: str | None
    options: Mapping[str, str | Card]
    pictures: tuple[Card, ...] = ()
    repeat: int = 0
    fit: bool = False

    @classmethod
    def choosing(cls, clue: str | None, cards: Sequence[Card], repeat: int = 0) -> Question:
        """Ask which card a clue is about; cards get letters in the order shown.

        Raises
        ------
        ValueError
            If there is no card, or more than there are letters.
        """
        if not 0 < len(cards) <= len(ascii_uppercase):
            raise ValueError(f"{len(cards)} cards can't be labelled: show 1 to 26")
        return cls(clue, dict(zip(ascii_uppercase, cards, strict=False)), repeat=repeat)

    @classmethod
    def fitting(cls, clue: str | None, card: Card, repeat: int = 0) -> Question:
        """Ask whether a clue fits a card; the first option says that it does."""
        return cls(clue, {"A": "it fits", "B": "it does not fit"}, (card,), repeat, fit=True)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the order shown."""
        return tuple(self.options)

    @property
    def of_pictures(self) -> bool:
        """Whether the options are cards."""
        return any(isinstance(option, Card) for option in self.options.values())


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent; a sum of which a part is unknown is unknown, None.

    Parameters
    ----------
    calls
        How often an agent, critic or judge was asked.
    looks
        Names of the views that local eyes took in; one that several turns share is encoded
        once, and so counts once in their sum.
    tokens_in, tokens_out
        Tokens read and written.
    usd
        Cost.
    """

    calls: int = 0
    looks: frozenset[Hashable] = frozenset()
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: float | None = 0.0

    @property
    def encodings(self) -> int:
        """How many views local eyes had to encode."""
        return len(self.looks)

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.looks | other.looks,
            _sum(self.tokens_in, other.tokens_in),
            _sum(self.tokens_out, other.tokens_out),
            _sum(self.usd, other.usd),
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said.

    Parameters
    ----------
    speaker
        Who said it.
    text
        The words; None if none came.
    choice
        Label of the option chosen, if one was.
    status
        ``ok``, or why there is nothing to use.
    replies
        Keys of the model's replies; empty for local agents.
    spent
        What it took.
    """

    speaker: str
    text: str | None = None
    choice: str | None = None
    status: Status = "ok"
    replies: tuple[str, ...] = ()
    spent: Spent = Spent()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an expert makes of the question. Without a choice it carries no weight.

    Parameters
    ----------
    turn
        Status ``ok`` without a choice is an abstention: the expert has nothing to say here.
    distribution
        Probability of each option, in order, summing to 1.
    claims
        What it claims.
    uncertainty, source, coverage
        See `uncertainty.Uncertainty`.
    notes
        What was put right in the reply or left out, and why.
    """

    turn: Turn
    distribution: tuple[float, ...] = ()
    claims: tuple[Claim, ...] = ()
    uncertainty: float | None = None
    source: Source | None = None
    coverage: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def agent(self) -> str:
        """Whose analysis it is."""
        return self.turn.speaker

    @property
    def answered(self) -> bool:
        """Whether there is an answer of measured uncertainty, which can be weighed."""
        return self.turn.choice is not None and self.uncertainty is not None

    @property
    def abstained(self) -> bool:
        """Whether the expert chose not to answer."""
        return self.turn.choice is None and self.turn.status == "ok"


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a critic says of one claim in dispute.

    Parameters
    ----------
    agent, claim
        Whose claim, and its text.
    verdict
        Whether it holds.
    reason, correction
        Why, and what should be said instead.
    confidence
        How sure the critic is, 0 to 1.
    """

    agent: str
    claim: str
    verdict: Finding
    reason: str = ""
    correction: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Critique:
    """What a critic says of the claims in dispute."""

    turn: Turn
    assessments: tuple[Assessment, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge makes of it all; `distribution` is empty where it gives none."""

    turn: Turn
    distribution: tuple[float, ...] = ()


def total(turns: Iterable[Turn]) -> Spent:
    """Return what turns took together."""
    return sum((turn.spent for turn in turns), Spent())


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
