"""Models that are scripts, behind a server on this machine: an endpoint whose url is loopback:NAME.

They cost nothing, need no key and no network, and go through the same sockets as any other
endpoint. `faulty` answers at random and goes wrong in every way that a run must live
through, so that what a run says of its costs and failures can be looked at offline. What it
does is decided by the number of the request, so one worker gets the same run every time.
`obliging` does as it is asked, by what it is asked, so many workers do too.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Mapping
from itertools import count

from dixitlib.models.loopback import Request, Served, completion
from dixitlib.study.checks import ParamsError

SEED = 2026
CLUES = (
    "what the tide left behind",
    "an afternoon nobody claimed",
    "the long way home",
    "a promise made of paper",
    "somebody forgot to wake up",
    "music for an empty room",
)
UNDECIDED = {"choice": "A", "decided": False, "candidates": ["A", "B"], "confidence": 0.5}
"""What is said where no shape was asked for: all that a debate's turn may be read for."""
SLOW = 6.0  # seconds; longer than a run waits that wants to see a timeout
PICTURE_TOKENS = 258
Answer = Callable[[Request], Served]


def make(name: str) -> Answer:
    """Return a script by name, ready to be served.

    Raises
    ------
    ParamsError
        If there is none of this name.
    """
    if name not in SCRIPTS:
        raise ParamsError(f"no script is called {name!r}; there are {', '.join(SCRIPTS)}")
    return SCRIPTS[name]()


def obliging() -> Answer:
    """Answer whatever is asked, in the shape that was asked for; the same again, in any order."""
    return lambda request: _served(request, json.dumps(_answer(request, _digest(request))))


def _digest(request: Request) -> int:
    return zlib.crc32(json.dumps(request, sort_keys=True).encode())


def faulty() -> Answer:
    """Go wrong now and then, in one of the ways of `WAYS`."""
    numbers, ways = count(), list(WAYS)
    shares = [share for share, _ in WAYS.values()]

    def answer(request: Request) -> Served:
        if "seed" in request:
            problem = {"message": "Unsupported parameter: 'seed'", "param": "seed"}
            return Served({"error": problem}, 400)
        number = next(numbers)
        way = random.Random(SEED + number).choices(ways, shares)[0]
        return WAYS[way][1](request, _answer(request, number))

    return answer


def _answer(request: Request, number: int) -> dict[str, object]:
    """Return an answer of the right shape, chosen by the request's number alone."""
    if "response_format" not in request:
        return dict(UNDECIDED)
    return in_shape(request["response_format"]["json_schema"]["schema"]["properties"], number)


def in_shape(shape: Mapping[str, Mapping[str, object]], number: int) -> dict[str, object]:
    """Return an answer with the properties of a JSON schema, chosen by a number alone."""
    draw = random.Random(number)
    return {name: _value(wanted, draw) for name, wanted in shape.items()}


def _value(wanted: Mapping[str, object], draw: random.Random) -> object:
    if "enum" in wanted:
        return draw.choice(wanted["enum"])
    kind = wanted["type"]
    if kind == "object":
        return {name: _value(each, draw) for name, each in wanted["properties"].items()}
    if kind == "array":
        return [_value(wanted["items"], draw) for _ in range(2)]
    if kind == "integer":
        return draw.randint(wanted.get("minimum", 1), wanted.get("maximum", 2))
    if kind == "number":
        return round(draw.uniform(wanted["minimum"], wanted["maximum"]), 2)
    plain = {"boolean": False, "string": draw.choice(CLUES)}
    return plain.get(kind) if isinstance(kind, str) else None  # what may be null is


def _served(request: Request, text: str | None, finish: str = "stop", **more: object) -> Served:
    """Serve a text with what it took; the length of the question decides who is said to serve."""
    parts = [part for m in request["messages"] for part in _parts(m["content"])]
    pictures = sum(part["type"] == "image_url" for part in parts)
    letters = sum(len(part.get("text", "")) for part in parts)
    tokens = {"prompt_tokens": letters // 4 + PICTURE_TOKENS * pictures}
    usage = {"usage": {**tokens, "completion_tokens": 4 + len(text or "") // 4}}
    provider = ("North", "South")[letters % 5 == 0]
    return Served(completion(text, finish, **{"provider": provider, **usage, **more}))


def _parts(content: str | list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _plain(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, json.dumps(answer))


def _fenced(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(
        request, f"Here it is.\n```json\n{json.dumps(answer, indent=1)}\n```\nGood luck!"
    )


def _second_thought(request: Request, answer: Mapping[str, object]) -> Served:
    first = dict.fromkeys(answer, "?")
    return _served(request, f"{json.dumps(first)}\nOn second thought:\n{json.dumps(answer)}")


def _priced(request: Request, answer: Mapping[str, object]) -> Served:
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "cost": 0.0015}
    return _served(request, json.dumps(answer), usage=usage)


def _uncounted(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, json.dumps(answer), usage=None)


def _off_the_table(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, json.dumps(dict.fromkeys(answer, 999)))


def _cut(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, json.dumps(answer)[:-4], "length")


def _silent(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, None)


def _declined(request: Request, answer: Mapping[str, object]) -> Served:
    return _served(request, "I'm sorry, but I can't help with that.")


def _fails(body: Mapping[str, object] | str, status: int, **how: object) -> Callable[..., Served]:
    return lambda request, answer: Served(body, status, **how)


WAYS: Mapping[str, tuple[float, Callable[..., Served]]] = {
    "plain": (60, _plain),
    "fenced": (6, _fenced),
    "second thought": (4, _second_thought),
    "priced": (6, _priced),
    "uncounted": (2, _uncounted),
    "off the table": (4, _off_the_table),
    "cut": (3, _cut),
    "silent": (3, _silent),
    "declined": (3, _declined),
    "busy": (2, _fails({"error": {"message": "slow down"}}, 429, headers={"Retry-After": "0.01"})),
    "broken": (2, _fails({"error": {"message": "internal"}}, 500)),
    "bad gateway": (1, _fails("<html><h1>502 Bad Gateway</h1></html>", 502)),
    "error body": (1, _fails({"error": {"message": "upstream failed", "code": 503}}, 200)),
    "no choices": (1, _fails({"choices": []}, 200)),
    "reset": (1, _fails(completion("half a reply"), 200, reset_after=20)),
    "slow": (0.3, _fails(completion("too late"), 200, delay=SLOW)),
}
"""Each way with its share of requests, in hundredths about."""

SCRIPTS: Mapping[str, Callable[[], Answer]] = {"faulty": faulty, "obliging": obliging}
