"""How to ask: messages, replies, the protocol of a model, and two models that need no network.

A message mixes words and cards; how a card becomes bytes is the business of whoever sends
it. A reply keeps what came back word for word, with what was counted, charged and tried on
the way. Its status tells only whether there is a text to read; whether the text holds an
answer is for `parse` to say.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from dixitlib.records import Card, Reply

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation: words and cards in the order in which they are shown."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | Card, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """The shape that an answer should have, as a JSON schema with a name."""

    name: str
    body: Mapping[str, object]


Said = str | Reply | None
"""What a script holds: a reply, or just its text."""


class Model(Protocol):
    """Whoever replies to messages.

    `identity` holds all that decides what is replied besides the messages: the model, its
    endpoint and the parameters as requested. It may be written to a manifest.
    """

    name: str
    identity: Mapping[str, object]

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply: ...


def request_key(
    identity: Mapping[str, object],
    messages: Sequence[Message],
    schema: Schema | None = None,
    repeat: int = 0,
) -> str:
    """Return the hash under which the reply to a request is kept.

    It covers the model, its endpoint, the parameters as requested, the words, the pixels of
    the cards, the schema and the repeat index, and nothing else.
    """
    request = {
        "identity": dict(identity),
        "messages": [[message.role, *map(_part, message.parts)] for message in messages],
        "schema": [schema.name, schema.body] if schema else None,
        "repeat": repeat,
    }
    return hashlib.sha256(_CANONICAL.encode(request).encode()).hexdigest()


def images(messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the hashes of the cards that messages show, in order."""
    return tuple(
        part.sha256 for message in messages for part in message.parts if isinstance(part, Card)
    )


def label_probabilities(
    reply: Reply, labels: Sequence[str], chosen: str
) -> tuple[dict[str, float], float] | None:
    """Return the probability of each label where the reply names its choice, and their sum.

    The probabilities are as reported, not renormalised, so that their sum tells how much of
    the mass lies on the labels. A label that was not reported is left out. None where the
    endpoint reports no alternatives, or the choice is not a token of its own.
    """
    places = [token for token in reply.tokens or () if _bare(token.text) == chosen]
    if not places or not places[-1].alternatives:
        return None
    mass: dict[str, float] = {}
    for text, logprob in places[-1].alternatives:
        if (label := _bare(text)) in labels:
            mass[label] = mass.get(label, 0.0) + math.exp(logprob)
    return mass, math.fsum(mass.values())


class Scripted:
    """A model that says what it was told to say, and remembers what it was asked.

    Parameters
    ----------
    script
        Replies in the order of the calls, or a function from messages to a reply. A string
        or None stands for a reply of that text.
    name
        The model's name.
    """

    def __init__(
        self,
        script: Iterable[Said] | Callable[[Sequence[Message]], Said],
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.identity: Mapping[str, object] = {"model": name}
        self.calls: list[tuple[Message, ...]] = []
        self._lock = threading.Lock()
        self._next = script if callable(script) else _queue(script)

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Return the next reply of the script."""
        with self._lock:
            self.calls.append(tuple(messages))
            said = self._next(messages)
        if isinstance(said, Reply):
            return said
        return Reply(said) if said and said.strip() else Reply(said, "empty")


class Replayed:
    """A model that gives replies kept from an earlier run and never makes a call.

    Parameters
    ----------
    replies
        Replies by their key.
    identity
        The identity of the model that gave them.
    name
        The model's name.
    """

    def __init__(
        self, replies: Mapping[str, Reply], identity: Mapping[str, object], name: str
    ) -> None:
        self.name = name
        self.identity = identity
        self._replies = replies

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Return the kept reply.

        Raises
        ------
        LookupError
            If this was never asked, so that the run is not finished or was another one.
        """
        key = request_key(self.identity, messages, schema, repeat)
        if key not in self._replies:
            raise LookupError(
                f"no reply of {self.name} is kept under {key[:12]}: the run is unfinished, or its "
                "prompts, cards or parameters have changed; resume it with the model itself"
            )
        return self._replies[key]


def _queue(script: Iterable[Said]) -> Callable[[Sequence[Message]], Said]:
    replies = iter(script)

    def following(messages: Sequence[Message]) -> Said:
        for reply in replies:
            return reply
        raise IndexError(f"the script is over, but was asked again: {messages[-1].parts[-1]!r}")

    return following


def _part(part: str | Card) -> str | list[str]:
    if isinstance(part, str):
        return part
    if not part.sha256:
        raise ValueError(f"card {part.id!r} has no hash: load it through cards.deck, which adds it")
    return [part.sha256]


def _bare(token: str) -> str:
    return token.strip(" \n\t\"'{}:,.*()")
