"""Where models are asked: an address, what is allowed there, and the connections to it.

The key is read from the environment when the first connection is made and is never kept in
a record.
"""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from urllib.parse import urlsplit, urlunsplit

import httpx2
import openai

from dixitlib.models.connection import Connection, Deadline
from dixitlib.models.faults import MissingKey
from dixitlib.models.limits import Backoff, Limits
from dixitlib.models.once import once

UNTOLD = (
    "X-Stainless-Arch",
    "X-Stainless-Async",
    "X-Stainless-Lang",
    "X-Stainless-OS",
    "X-Stainless-Package-Version",
    "X-Stainless-Runtime",
    "X-Stainless-Runtime-Version",
)
"""What the client would tell of this computer with every call, which takes time as well."""


@dataclass
class Endpoint:
    """Where models are asked, and what is allowed there. Models of one endpoint share it.

    Parameters
    ----------
    url
        Base URL, such as ``https://openrouter.ai/api/v1``.
    key_env
        Environment variable that holds the key; None for a server that wants none.
    requests_per_minute, tokens_per_minute
        Limits within any minute; None is no limit.
    concurrency
        Calls at a time.
    timeout
        Longest time in seconds for one attempt, from first to last byte.
    max_bytes
        Largest request; pictures weigh about 4/3 of their files.
    backoff
        How often to try and how long to wait in between.
    known_as
        What to write down as its address, for a server whose URL changes from run to run.
    among
        How many processes share what is allowed; each takes its part.
    """

    url: str
    key_env: str | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 16
    timeout: float = 120.0
    max_bytes: int = 20_000_000
    backoff: Backoff = field(default_factory=Backoff)
    known_as: str = ""
    among: int = 1

    def __post_init__(self) -> None:
        allowed = self.requests_per_minute, self.tokens_per_minute
        parts = [None if each is None else each / self.among for each in allowed]
        self.limits = Limits(*parts, max(1, self.concurrency // self.among))
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._deadline = Deadline(self.timeout)

    def __reduce__(self) -> tuple[object, ...]:
        given = tuple(getattr(self, each.name) for each in fields(self))
        return once, (given, Endpoint, *given)

    @property
    def most(self) -> float:
        """Among how many processes this can be shared: each must be allowed one call."""
        return min(self.concurrency, self.requests_per_minute or self.concurrency)

    @cached_property
    def address(self) -> str:
        """The URL without user, password, query and fragment: what may be written down."""
        parts = urlsplit(self.known_as or self.url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))

    @cached_property
    def is_openrouter(self) -> bool:
        """Whether requests are handed on to a provider of OpenRouter's choice."""
        return (urlsplit(self.url).hostname or "").endswith("openrouter.ai")

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection that nobody else holds; the first one is made with the key.

        One HTTP client with as many connections would look through all of them twice a call,
        and cost more than the call.
        """
        with self._lock:
            lent = self._idle.pop() if self._idle else self._connected()
        try:
            yield lent
        finally:
            with self._lock:
                self._idle.append(lent)

    def close(self) -> None:
        """Close the connections that are not in use; a later call opens new ones."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def redacted(self, message: str) -> str:
        """Return a message without the key, should a server have echoed it."""
        key = os.environ.get(self.key_env or "", "").strip()
        return message.replace(key, "***") if key else message

    def _connected(self) -> Connection:
        return Connection(self._client, _certificates(), self._deadline)

    @cached_property
    def _client(self) -> openai.OpenAI:
        return openai.OpenAI(
            base_url=self.url,
            api_key=self._key(),
            default_headers=dict.fromkeys(UNTOLD, openai.Omit()),
        )

    def _key(self) -> str:
        if self.key_env is None:
            return "none"
        key = os.environ.get(self.key_env, "").strip()  # files end with a line end
        if not key:
            problem = "needs a key: set the environment variable"
        elif not (key.isascii() and key.isprintable()):  # what it holds is not to be shown
            problem = "can't be sent a key with other signs than letters, digits and such: look at"
        else:
            return key
        raise MissingKey(f"{self.address} {problem} {self.key_env}")


@cache
def _certificates() -> ssl.SSLContext:
    """Load whom to trust, once: it takes longer than everything else about a client."""
    return httpx2.create_ssl_context()
