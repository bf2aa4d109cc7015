"""What a model is told and asked: each question beside the shape and the reader of its answer.

A prompt holds words and cards, and labels that say nothing about a card but its place as
shown. No name, file, caption, seat or earlier round reaches it, and of hands only the
asker's own. Every question comes in three wordings and under two alphabets of labels, so
that sensitivity to either can be measured. What another player wrote, its clue, is quoted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase as LETTERS
from typing import Literal

from dixitlib import parse
from dixitlib.models.base import Message, Schema
from dixitlib.parse import Parsed
from dixitlib.players import phrases
from dixitlib.records import Card

ALPHABETS: Mapping[str, tuple[str, ...]] = {
    "letters": tuple(LETTERS),
    "numbers": tuple(str(number) for number in range(1, len(LETTERS) + 1)),
}
WORDINGS = 3
SCALES = ("clarity", "creativity", "ambiguity")
RATINGS = (0, 100)
UNKNOWN = "unknown"
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Rules:
    """What players are told of a preset; the fields are named as in `game.rules`.

    Parameters
    ----------
    hand
        Cards in a hand.
    found
        Points of the storyteller and of each listener who is right, if some but not all are.
    all_correct, consolation
        Points of each listener if all are right, and if none is.
    decoy_bonus
        Points of a listener for each vote that its card draws.
    own_votable
        Whether listeners may vote for their own card.
    """

    hand: int
    found: int
    all_correct: int
    consolation: int
    decoy_bonus: int
    own_votable: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """How a set of prompts is put: which of the paraphrases, and which labels."""

    paraphrase: int = 0
    alphabet: Literal["letters", "numbers"] = "letters"

    def __post_init__(self) -> None:
        if self.paraphrase not in range(WORDINGS) or self.alphabet not in ALPHABETS:
            raise ValueError(
                f"paraphrase {self.paraphrase!r} and alphabet {self.alphabet!r} do not exist: "
                f"take 0 to {WORDINGS - 1}, and one of {', '.join(ALPHABETS)}"
            )


@dataclass(frozen=True, slots=True)
class Ask:
    """One question, ready to be asked.

    Parameters
    ----------
    kind
        Which of the questions it is.
    messages
        What is sent.
    form
        What is said of the form of the answer, should it have to be said again.
    schema
        The same as a JSON schema.
    read
        From the reply's text and its finish reason to the answer.
    labels
        Labels of the cards as shown; empty where none is chosen.
    """

    kind: str
    messages: tuple[Message, ...]
    form: str
    schema: Schema
    read: Callable[..., Parsed]
    labels: tuple[str, ...] = ()


def target(hand: Sequence[Card], rules: Rules, wording: Wording) -> Ask:
    """Ask the storyteller for its target."""
    return _choice("target", None, hand, game(rules, wording), wording)


def clue(card: Card, rules: Rules, wording: Wording) -> Ask:
    """Ask the storyteller for a clue to its target."""
    return _words("clue", "clue", card, game(rules, wording), wording)


def submission(clue: str, hand: Sequence[Card], rules: Rules, wording: Wording) -> Ask:
    """Ask a listener which card of its hand to lay."""
    return _choice("submission", clue, hand, game(rules, wording), wording)


def vote(clue: str, candidates: Sequence[Card], rules: Rules, wording: Wording) -> Ask:
    """Ask a listener for its vote."""
    return _choice("vote", clue, candidates, game(rules, wording), wording)


def choose(clue: str | None, candidates: Sequence[Card], wording: Wording) -> Ask:
    """Ask which picture a clue is about; without a clue, which one it might be."""
    kind = "choose" if clue is not None else "choose_blind"
    return _choice(kind, clue, candidates, phrases.STUDY[wording.paraphrase], wording)


def caption(card: Card, kind: Literal["literal", "abstract"], wording: Wording) -> Ask:
    """Ask for a caption: plain, or figurative as DixitBench's clues are."""
    return _words(kind, "caption", card, phrases.STUDY[wording.paraphrase], wording)


def entailment(clue: str | None, card: Card, wording: Wording) -> Ask:
    """Ask how well a clue fits one picture, from 0 to 100."""
    kind = "entailment" if clue is not None else "entailment_blind"
    return _marks(kind, clue, [card], ("rating",), RATINGS, parse.rating, wording)


def rate_together(clue: str | None, cards: Sequence[Card], wording: Wording) -> Ask:
    """Ask how well a clue fits each of several pictures, shown together, from 0 to 100."""
    kind = "rate_together" if clue is not None else "rate_together_blind"
    labels, low, high = _labels(cards, wording), *RATINGS
    keys = [label.casefold() for label in labels]
    read = partial(parse.ratings, keys=keys, low=low, high=high)
    return _marks(kind, clue, _shown(labels, cards), labels, RATINGS, read, wording)


def accept(clue: str | None, card: Card, wording: Wording) -> Ask:
    """Ask of one picture whether it is the one that a clue was written for, yes or no."""
    kind = "accept" if clue is not None else "accept_blind"
    schema = _schema(kind, {"choice": {"type": "string", "enum": [YES, NO]}})
    shape, read = f'{{"choice": "<{YES} or {NO}>"}}', partial(parse.choice, options=(YES, NO))
    return _ask(kind, clue, [card], shape, schema, read, phrases.STUDY[wording.paraphrase], wording)


def clue_rating(clue: str, card: Card, wording: Wording) -> Ask:
    """Ask for marks from 1 to 5 for a clue, on the scales that people were given."""
    read = partial(parse.ratings, keys=SCALES, low=1, high=5)
    return _marks("clue_rating", clue, [card], SCALES, (1, 5), read, wording)


def name(card: Card, names: Sequence[str], wording: Wording) -> Ask:
    """Ask for a card's name, to find out whether a model knows the deck by heart.

    The names are for reading the answer and are never sent. `UNKNOWN` is an answer too.
    """
    schema = _schema("name", {"card": {"type": "string"}})
    shape = f'{{"card": "<name, or {UNKNOWN}>"}}'
    read = partial(parse.choice, options=(*names, UNKNOWN))
    system = phrases.STUDY[wording.paraphrase]
    return _ask("name", None, [card], shape, schema, read, system, wording)


def again(ask: Ask, said: str | None, problem: str, wording: Wording) -> Ask:
    """Ask once more, saying what was wrong with the reply."""
    complaint = phrases.AGAIN[wording.paraphrase].format(problem=problem, form=ask.form)
    reply = (Message("assistant", (said,)),) if said and said.strip() else ()
    return replace(ask, messages=(*ask.messages, *reply, Message("user", (complaint,))))


def game(rules: Rules, wording: Wording) -> str:
    """Return the system prompt of the arena: a preset's real rules and points."""
    return phrases.GAME[wording.paraphrase].format(
        hand=rules.hand,
        found=rules.found,
        all_correct=rules.all_correct,
        consolation=rules.consolation,
        own=phrases.OWN[rules.own_votable],
        bonus=phrases.BONUS[rules.decoy_bonus > 0].format(bonus=rules.decoy_bonus),
    )


def fingerprint() -> str:
    """Return the hash of all wordings, for a run's manifest."""
    return hashlib.sha256(Path(phrases.__file__).read_bytes()).hexdigest()


def _choice(
    kind: str, clue: str | None, cards: Sequence[Card], system: str, wording: Wording
) -> Ask:
    labels = _labels(cards, wording)
    shape = f'{{"choice": "<label>"}}, the label being one of {", ".join(labels)}'
    schema = _schema(kind, {"choice": {"type": "string", "enum": list(labels)}})
    read = partial(parse.choice, options=labels)
    return _ask(kind, clue, _shown(labels, cards), shape, schema, read, system, wording, labels)


def _words(kind: str, key: str, card: Card, system: str, wording: Wording) -> Ask:
    schema = _schema(kind, {key: {"type": "string"}})
    return _ask(kind, None, [card], f'{{"{key}": "<text>"}}', schema, parse.clue, system, wording)


def _marks(
    kind: str,
    clue: str | None,
    shown: Sequence[str | Card],
    keys: Sequence[str],
    scale: tuple[int, int],
    read: Callable[..., Parsed],
    wording: Wording,
) -> Ask:
    low, high = scale
    number = {"type": "integer", "minimum": low, "maximum": high}
    shape = ", ".join(f'"{key}": <number from {low} to {high}>' for key in keys)
    schema, system = _schema(kind, dict.fromkeys(keys, number)), phrases.STUDY[wording.paraphrase]
    return _ask(kind, clue, shown, f"{{{shape}}}", schema, read, system, wording)


def _ask(
    kind: str,
    clue: str | None,
    shown: Sequence[str | Card],
    shape: str,
    schema: Schema,
    read: Callable[..., Parsed],
    system: str,
    wording: Wording,
    labels: tuple[str, ...] = (),
) -> Ask:
    quoted = json.dumps(clue, ensure_ascii=False)
    question = phrases.QUESTIONS[kind][wording.paraphrase].format(clue=quoted)
    form = phrases.ANSWER[wording.paraphrase].format(shape=shape)
    user = Message("user", (question, *shown, form))
    return Ask(kind, (Message("system", (system,)), user), form, schema, read, labels)


def _labels(cards: Sequence[Card], wording: Wording) -> tuple[str, ...]:
    labels = ALPHABETS[wording.alphabet][: len(cards)]
    if not 0 < len(cards) == len(labels):
        raise ValueError(f"{len(cards)} cards can't be labelled: show 1 to {len(LETTERS)}")
    return labels


def _shown(labels: Sequence[str], cards: Sequence[Card]) -> list[str | Card]:
    named = zip(labels, cards, strict=True)
    return [part for label, card in named for part in (f"Card {label}:", card)]


def _schema(name: str, properties: Mapping[str, object]) -> Schema:
    body = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Schema(name, body)
