"""One connection to an endpoint, kept open: one call after another, and none without an end.

The openai client knows how its API is addressed, and works it out anew for every request.
That never changes, so it is asked once; a picture's way through its HTTP client would take
twice as long as all else about a call.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, unquote, urlsplit

import openai
from urllib3.util import make_headers
from urllib3.util.wait import wait_for_read

AGAIN = 0.1
"""Seconds until a connection is cut once more, should it have had no socket yet."""
LATE = "the response came too slowly to be waited for"


class NoResponse(Exception):
    """There is no response, or not all of it, for a reason that may pass."""


class TooLate(NoResponse):
    """There is no response, or not all of it, in time."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole response; `headers` are found in whatever case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Connection:
    """What one call at a time is made on, through the environment's proxy if it names one.

    Parameters
    ----------
    client
        Knows address, headers and key.
    verify
        Whom to trust.
    deadline
        How long a call may take.
    """

    def __init__(self, client: openai.OpenAI, verify: ssl.SSLContext, deadline: Deadline) -> None:
        told = {**client.default_headers, **client.auth_headers}
        url = urlsplit(str(client.base_url.join("chat/completions")))
        self._line, self._target, for_proxy = _line(url, verify, deadline.seconds)
        headers = {name: value for name, value in told.items() if isinstance(value, str)}
        self._headers = {**headers, **for_proxy, "Host": url.netloc.rpartition("@")[2]}
        self._deadline = deadline
        self._cut = False

    def post(self, body: bytes) -> Response:
        """Send a request, as JSON, and return the whole response, whatever its status.

        Raises
        ------
        NoResponse, TooLate
            If there is none, or not all of it in time.
        """
        self._cut = False
        try:
            with self._deadline.over(self):
                response = self._exchange(body)
        except (OSError, HTTPException) as error:
            self._line.close()  # what was left half-way can't be used again
            if self._cut or isinstance(error, TimeoutError):
                raise TooLate(LATE) from error
            raise NoResponse(f"{type(error).__name__}: {error}") from error
        if self._cut:  # what was cut off might pass for a whole response
            self._line.close()
            raise TooLate(LATE)
        return response

    def cut(self) -> None:
        """End the call that is being made; another thread does this."""
        self._cut = True
        if (used := self._line.sock) is not None:
            with suppress(OSError):  # it ends by itself just now
                used.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it; another call would open it anew."""
        self._line.close()

    def _exchange(self, body: bytes) -> Response:
        if self._line.sock is not None and _has_ended(self._line.sock):
            self._line.close()
        self._line.request("POST", self._target, body, self._headers)
        response = self._line.getresponse()
        return Response(response.status, response.headers, response.read())


def _line(
    url: SplitResult, verify: ssl.SSLContext, seconds: float
) -> tuple[HTTPConnection, str, dict[str, str]]:
    """Return a connection not opened yet, what to ask it for, and headers for a proxy."""
    path = f"{url.path}?{url.query}" if url.query else url.path
    proxy = _proxy(url)
    host = url if proxy is None else proxy
    if url.scheme != "https":
        line = HTTPConnection(host.hostname, host.port, timeout=seconds)
        return (line, path, {}) if proxy is None else (line, url.geturl(), _said_to(proxy))
    line = HTTPSConnection(host.hostname, host.port, timeout=seconds, context=verify)
    if proxy is not None:
        line.set_tunnel(url.hostname, url.port or 443, _said_to(proxy))
    return line, path, {}


def _proxy(url: SplitResult) -> SplitResult | None:
    """Return the proxy for an address, as the environment or the system tells."""
    known = urllib.request.getproxies()
    named = known.get(url.scheme) or known.get("all")
    if not named or urllib.request.proxy_bypass(url.netloc.rpartition("@")[2]):
        return None
    return urlsplit(named if "://" in named else f"http://{named}")


def _said_to(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return make_headers(proxy_basic_auth=user)


def _has_ended(used: socket.socket) -> bool:
    """Tell whether the server has hung up: nothing else is to be read between two calls."""
    return wait_for_read(used, timeout=0)


class Deadline:
    """Cuts calls that take too long, even if something keeps dripping in.

    The client's own limits count from one byte to the next.

    Parameters
    ----------
    seconds
        How long a call may take.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._ends: dict[Connection, float] = {}  # in the order in which they come
        self._watched = False

    @contextmanager
    def over(self, connection: Connection) -> Iterator[None]:
        """Cut a connection if it is still needed after its time."""
        with self._lock:
            self._ends[connection] = time.monotonic() + self.seconds
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                del self._ends[connection]

    def _watch(self) -> None:
        while (wait := self._cut_late()) is not None:
            time.sleep(wait)

    def _cut_late(self) -> float | None:
        """Cut who is late, and return how long all others have; None if there is no call."""
        with self._lock:
            now = time.monotonic()
            for connection, end in self._ends.items():
                if end > now:
                    return end - now
                connection.cut()
            self._watched = bool(self._ends)
            return AGAIN if self._ends else None
