"""The OpenAI chat format: from messages to what is sent, from a response's body to a reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from dixitlib.models.base import Message
from dixitlib.models.pictures import Pictures
from dixitlib.records import Card, Reply, Status, Token

ABSENT = -9999.0
"""The log-probability by which OpenAI says that it has none."""


def body(
    model: str,
    messages: Sequence[Message],
    pictures: Pictures,
    parameters: Mapping[str, object],
) -> bytes:
    """Return a request as JSON.

    Pictures are nearly all of it, so each goes in as it was written once: putting it through
    a JSON encoder for every call would take longer than all the rest of the call.
    """
    fragments = [_json({"model": model, **parameters})[:-1], b', "messages": [']
    for number, message in enumerate(messages):
        fragments += [b", " if number else b"", *_message(message, pictures)]
    return b"".join([*fragments, b"]}"])


def rough_tokens(messages: Sequence[Message], pictures: Pictures) -> int:
    """Guess a request's tokens for rate limits: four letters or 750 pixels to a token."""
    total = 0.0
    for message in messages:
        for part in message.parts:
            if isinstance(part, Card):
                picture = pictures.encode(part)
                total += picture.width * picture.height / 750
            else:
                total += len(part) / 4
    return round(total)


def reply(body: dict[str, object]) -> Reply:
    """Return the reply that a response's body holds; what it leaves out stays unknown."""
    choice = body["choices"][0]
    message, usage = _mapping(choice.get("message")), _mapping(body.get("usage"))
    text, refusal = _text(message.get("content")), _text(message.get("refusal"))
    finish = _text(choice.get("finish_reason"))
    return Reply(
        text=text or refusal or text,
        status=_status(text, refusal, finish),
        finish=finish,
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        cost=_number(usage.get("cost")),
        served_by=_text(body.get("provider")),
        served_model=_text(body.get("model")),
        tokens=_tokens(choice.get("logprobs")),
    )


def _message(message: Message, pictures: Pictures) -> Iterator[bytes]:
    if all(isinstance(part, str) for part in message.parts):
        yield _words(message.role, "\n".join(message.parts))
        return
    yield _json({"role": message.role})[:-1] + b', "content": ['
    for number, part in enumerate(message.parts):
        yield b", " if number else b""
        yield pictures.encode(part).part if isinstance(part, Card) else _text_part(part)
    yield b"]}"


@lru_cache(maxsize=1024)  # rules, labels and forms come again and again
def _words(role: str, content: str) -> bytes:
    return _json({"role": role, "content": content})


@lru_cache(maxsize=1024)
def _text_part(text: str) -> bytes:
    return _json({"type": "text", "text": text})


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _status(text: str | None, refusal: str | None, finish: str | None) -> Status:
    if finish == "content_filter" or (refusal and not text):
        return "refused"
    if not text or not text.strip():
        return "empty"
    return "truncated" if finish == "length" else "ok"


def _tokens(logprobs: object) -> tuple[Token, ...] | None:
    content = _mapping(logprobs).get("content")
    if not isinstance(content, list):
        return None
    return tuple(
        Token(str(each.get("token")), round(float(each["logprob"]), 6), _alternatives(each))
        for each in content
        if _number(_mapping(each).get("logprob")) is not None
    )


def _alternatives(token: dict[str, object]) -> tuple[tuple[str, float], ...]:
    return tuple(
        (str(each.get("token")), round(float(each["logprob"]), 6))
        for each in token.get("top_logprobs") or ()
        if (_number(_mapping(each).get("logprob")) or 0.0) > ABSENT
    )


def _text(value: object) -> str | None:
    """Return a text that can be stored; some servers send it in parts."""
    if isinstance(value, list):
        value = "".join(str(_mapping(part).get("text") or "") for part in value)
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: object) -> int | None:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None
