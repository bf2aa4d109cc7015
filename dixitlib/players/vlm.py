"""A player that asks a model: any vision-language model sits the arena and the benchmarks.

It asks, reads the reply, and where no answer can be read says once or twice what was wrong.
Then the move fails with the last reply's status: no failed reply ever becomes an answer.
Each move draws one number from its generator, so that a question asked at another place of
a run is another sample, and the same place always finds its reply again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from dixitlib.models.base import Model, label_probabilities, request_key
from dixitlib.parse import PROBLEMS, Parsed
from dixitlib.players import prompts
from dixitlib.players.prompts import Ask, Rules, Wording
from dixitlib.records import Card, Move, Reply

REPEATS = 2**32


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question: the answer, the last reply, and the keys of all replies."""

    parsed: Parsed
    reply: Reply
    keys: tuple[str, ...]


@dataclass(eq=False)
class VLM:
    """Player, Chooser and writer of captions over a `Model`.

    Parameters
    ----------
    model
        Whom to ask.
    rules
        What the arena's prompts state; not needed for a benchmark.
    wording
        Paraphrase and labels.
    reasks
        How often to say what was wrong before the move fails.
    name
        The player's name; by default the model's.
    """

    model: Model
    rules: Rules | None = None
    wording: Wording = field(default_factory=Wording)
    reasks: int = 2
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or self.model.name

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        """Pick a target, unless the hand leaves no choice, and say a clue to it."""
        picked = Move(choice=0)
        if len(hand) > 1:
            picked = self._choice(prompts.target(hand, self._rules, self.wording), rng)
        if picked.choice is None:
            return picked
        ask = prompts.clue(hand[picked.choice], self._rules, self.wording)
        told = self._ask(ask, rng)
        keys = picked.replies + told.keys
        if told.parsed.value is None:
            return Move(status=told.parsed.status, replies=keys)
        return replace(picked, clue=told.parsed.value, replies=keys)

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        """Choose the card to lay; a hand of one leaves no choice."""
        if len(hand) == 1:
            return Move(choice=0)
        return self._choice(prompts.submission(clue, hand, self._rules, self.wording), rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        """Vote for a card on the table."""
        return self._choice(prompts.vote(clue, candidates, self._rules, self.wording), rng)

    def choose(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        """Choose the picture that a clue is about."""
        return self._choice(prompts.choose(clue, candidates, self.wording), rng)

    def rate(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        """Rate how well a clue fits a card, 0 to 100."""
        asked = self._ask(prompts.entailment(clue, card, self.wording), rng)
        return Move(rating=asked.parsed.value, status=asked.parsed.status, replies=asked.keys)

    def rate_together(
        self, clue: str | None, candidates: Sequence[Card], rng: np.random.Generator
    ) -> Move:
        """Rate how well a clue fits each of the cards shown together, 0 to 100."""
        asked = self._ask(prompts.rate_together(clue, candidates, self.wording), rng)
        ratings = tuple((asked.parsed.value or {}).values())
        return Move(status=asked.parsed.status, replies=asked.keys, ratings=ratings)

    def accept(self, clue: str | None, card: Card, rng: np.random.Generator) -> Move:
        """Say whether a card, shown alone, is the clue's: a rating of 100 for yes, 0 for no."""
        asked = self._ask(prompts.accept(clue, card, self.wording), rng)
        said = asked.parsed.value
        rating = None if said is None else 100.0 * (said == prompts.YES)
        return Move(rating=rating, status=asked.parsed.status, replies=asked.keys)

    def caption(
        self, card: Card, kind: Literal["literal", "abstract"], rng: np.random.Generator
    ) -> Move:
        """Write a caption for a card; it comes as the move's clue."""
        asked = self._ask(prompts.caption(card, kind, self.wording), rng)
        return Move(clue=asked.parsed.value, status=asked.parsed.status, replies=asked.keys)

    def name_card(self, card: Card, names: Sequence[str], rng: np.random.Generator) -> Asked:
        """Say which of some names a card bears, if the model knows it; see `prompts.name`."""
        return self._ask(prompts.name(card, names, self.wording), rng)

    def rate_clue(self, clue: str, card: Card, rng: np.random.Generator) -> Asked:
        """Give a clue marks from 1 to 5 on the scales of the human study."""
        return self._ask(prompts.clue_rating(clue, card, self.wording), rng)

    @property
    def _rules(self) -> Rules:
        if self.rules is None:
            raise ValueError(f"{self.name} was given no rules: the arena's prompts state them")
        return self.rules

    def _choice(self, ask: Ask, rng: np.random.Generator) -> Move:
        asked = self._ask(ask, rng)
        label = asked.parsed.value
        if label is None:
            return Move(status=asked.parsed.status, replies=asked.keys)
        probabilities, coverage = _probabilities(asked.reply, ask.labels, label)
        choice = ask.labels.index(label)
        return Move(choice, probabilities=probabilities, replies=asked.keys, coverage=coverage)

    def _ask(self, ask: Ask, rng: np.random.Generator) -> Asked:
        repeat, keys = int(rng.integers(REPEATS)), []
        while True:
            keys.append(request_key(self.model.identity, ask.messages, ask.schema, repeat))
            reply = self.model.ask(ask.messages, ask.schema, repeat)
            parsed = read(ask, reply)
            if parsed.status in ("ok", "error") or len(keys) > self.reasks:
                return Asked(parsed, reply, tuple(keys))
            ask = prompts.again(ask, reply.text, parsed.problem, self.wording)


def read(ask: Ask, reply: Reply) -> Parsed:
    """Read a reply, unless the endpoint said already that there is nothing to read."""
    if reply.status in ("error", "refused", "empty"):
        return Parsed(None, reply.status, PROBLEMS[reply.status], reply.text)
    return ask.read(reply.text, finish=reply.finish)


def _probabilities(
    reply: Reply, labels: Sequence[str], chosen: str
) -> tuple[tuple[float, ...], float | None]:
    """Return one number for each label, summing to 1, and the mass that they had in all.

    There are no numbers unless all labels were reported, and no mass where none was.
    """
    found = label_probabilities(reply, labels, chosen)
    if found is None:
        return (), None
    mass, covered = found
    whole = covered > 0 and all(label in mass for label in labels)
    shares = tuple(round(mass[label] / covered, 6) for label in labels) if whole else ()
    return shares, round(covered, 6)
