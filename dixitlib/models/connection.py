"""One connection to an endpoint, kept open: one call after another, and none without an end.

The openai client knows how its API is addressed, and works it out anew for every request,
which takes longer than all else about a call. It never changes, so it is asked once.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import httpx2
import openai

AGAIN = 0.1
"""Seconds until a connection is cut once more, should it have had no socket yet."""


class Connection:
    """What one call at a time is made on.

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
        headers = {name: value for name, value in told.items() if isinstance(value, str)}
        self._url = client.base_url.join("chat/completions")
        self._http = openai.DefaultHttpxClient(verify=verify, headers=headers)
        self._headers = [(b"Host", self._url.netloc), *self._http.headers.raw]
        self._timeouts = httpx2.Timeout(deadline.seconds).as_dict()
        self._deadline = deadline
        self._stream: object = None
        self._cut = False

    def post(self, body: bytes) -> httpx2.Response:
        """Send a request, as JSON, and return the whole response, whatever its status.

        Raises
        ------
        httpx2.RequestError
            If there is none, or not all of it in time.
        """
        request = httpx2.Request(
            "POST",
            self._url,
            headers=[*self._headers, (b"Content-Length", b"%d" % len(body))],
            stream=httpx2.ByteStream(body),
            extensions={"timeout": self._timeouts, "trace": self._notice},
        )
        self._cut = False
        try:
            with self._deadline.over(self):
                return self._http.send(request)
        finally:
            if self._cut:  # else what was cut off might pass for a whole response
                raise httpx2.ReadTimeout("the response came too slowly to be waited for")

    def cut(self) -> None:
        """End the call that is being made; another thread does this."""
        self._cut = True
        if self._stream is not None:
            with suppress(OSError):  # it ends by itself just now
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it for good."""
        self._http.close()

    def _notice(self, event: str, told: Mapping[str, object]) -> None:
        """Remember what the client reads from, as it tells of each step that it takes."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = told["return_value"]


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
