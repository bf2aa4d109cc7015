"""What can go wrong in a call, sorted by what to do about it.

Some faults pass (a busy server, a broken line): try again. Some never will (a wrong key, an
empty account, a model that does not exist): stop the run and say so, for every further call
would fail alike. Some are the model's own answer (a content filter): a refusal, not a fault
of the line. The rest fail this one call.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from dixitlib.records import Status

PASSING = {408, 409, 425, 429}
LASTING = {401, 402, 403, 404}
SHORT = 300
"""Characters of a server's message that are kept."""

FILTERED = re.compile(r"content.?filter|content.?polic|content.management|moderation|flagged", re.I)
NO_MONEY = re.compile(r"insufficient.?(?:quota|credits|funds|balance)|billing", re.I)
PARAMETERS = re.compile(
    r"requested parameters|support(?:s|ing)? (?:the|these|all) .*parameter", re.I
)


class EndpointUnusable(RuntimeError):
    """No call to this endpoint can succeed until something is mended; the message says what."""


class MissingKey(EndpointUnusable):
    """The environment variable that should hold the key is empty."""


class PayloadTooLarge(ValueError):
    """A request holds more bytes than its endpoint takes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an attempt gave no reply.

    Parameters
    ----------
    kind
        A word for statistics: an HTTP status, ``timeout``, ``connection``, ``error body``,
        ``no choices`` or ``not JSON``.
    message
        What the server or the network said.
    retry
        Whether it may pass.
    after
        Seconds that the server asks to wait, if it does.
    parameter
        The parameter that the server complains about, if it names one.
    status
        What becomes of the call if it is not tried again: ``error`` or ``refused``.
    lasting
        Whether every further call would fail alike.
    """

    kind: str
    message: str
    retry: bool = False
    after: float | None = None
    parameter: str | None = None
    status: Status = "error"
    lasting: bool = False


def of_status(code: int, text: str, headers: Mapping[str, str]) -> Fault:
    """Sort a response whose HTTP status is an error, or that sends one elsewhere."""
    if elsewhere := headers.get("location"):  # not followed: the key is meant for this address
        return Fault(str(code), f"it has moved: give {elsewhere} as the url", lasting=True)
    error = _error(_parsed(text))
    return _sorted(str(code), code, error or {"message": _plain(text)}, _after(headers))


def of_body(body: object) -> Fault | None:
    """Sort a response of status 200, or return None if it holds a reply."""
    if not isinstance(body, dict):
        return Fault("not JSON", f"the response is no JSON object: {body!r:.{SHORT}}", retry=True)
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if error := _error(body) or _error(first):
        return _sorted("error body", _code(error), error, None)
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        return Fault("no choices", f"the response holds no reply: {body!r:.{SHORT}}", retry=True)
    return None


def body_of(text: str) -> object:
    """Return the parsed body of a response, or its words if it is no JSON."""
    parsed = _parsed(text)
    return _plain(text) if parsed is None else parsed


def _sorted(kind: str, code: int | None, error: Mapping[str, object], after: float | None) -> Fault:
    said = " ".join(str(error.get(key) or "") for key in ("code", "type", "message"))
    message = str(error.get("message") or said)[:SHORT]
    parameter = error.get("param")
    named = parameter if isinstance(parameter, str) else None
    if FILTERED.search(said) and code not in PASSING:
        return Fault(kind, message, status="refused")
    if NO_MONEY.search(said) or (code in LASTING and not PARAMETERS.search(message)):
        return Fault(kind, message, lasting=True)
    passing = code is None or code in PASSING or code >= 500
    return Fault(kind, message, retry=passing, after=after, parameter=named)


def _error(body: object) -> Mapping[str, object] | None:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        return error
    return {"message": str(error)} if error else None


def _code(error: Mapping[str, object]) -> int | None:
    code = str(error.get("code") or error.get("status") or "")
    return int(code) if re.fullmatch(r"[1-5]\d\d", code) else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain(text: str) -> str:
    """Return the words of a text or an HTML page, shortened."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())[:SHORT]


def _after(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After: seconds, milliseconds under its other name, or a date."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = headers.get(name, "")
        if re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", value):
            return float(value) / unit
    try:
        return max(
            0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
        )
    except ValueError:
        return None
