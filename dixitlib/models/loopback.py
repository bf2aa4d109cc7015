"""An OpenAI-compatible endpoint on this machine, which says what it is told and fails on demand.

Tests, timings and the notebook about costs play whole runs through it: the same sockets,
headers and bodies as elsewhere, without a key or a bill.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

Request = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Served:
    """One response, with what goes wrong in serving it.

    Parameters
    ----------
    body
        Sent as JSON, or as it is if a string.
    status, headers
        Of the response.
    delay
        Seconds before anything is sent.
    drip, drip_head
        Seconds after each byte of the body; 0 sends all at once. Whether the head drips too.
    reset_after
        Bytes of the body after which the connection is reset; None is never.
    """

    body: Mapping[str, object] | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    drip_head: bool = False
    reset_after: int | None = None


def completion(text: object, finish: str | None = "stop", **more: object) -> dict[str, object]:
    """Return the body of a response in which a model says a text."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "loopback",
        "object": "chat.completion",
        "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        **more,
    }


class Loopback:
    """A server for as long as a `with` block lasts.

    Parameters
    ----------
    answer
        From a request's JSON to what is served; a string is served as a completion.

    Attributes
    ----------
    url
        Base URL for an `Endpoint`.
    requests
        The JSON of every request so far.
    headers
        The headers of the last request, by their names in lower case.
    """

    def __init__(self, answer: Callable[[Request], Served | str]) -> None:
        self.requests: list[Request] = []
        self.headers: Mapping[str, str] = {}
        self._answer = answer
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"loopback": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Loopback:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve(self, request: Request, headers: Mapping[str, str]) -> Served:
        """Keep a request and return what to send."""
        with self._lock:
            self.requests.append(request)
            self.headers = headers
            said = self._answer(request)
        return Served(completion(said)) if isinstance(said, str) else said


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that hung up is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    loopback: ClassVar[Loopback]

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        served = self.loopback.serve(json.loads(content), headers)
        time.sleep(served.delay)
        body = served.body if isinstance(served.body, str) else json.dumps(served.body)
        self._send(served, body.encode())

    def _send(self, served: Served, body: bytes) -> None:
        kind = "text/html" if isinstance(served.body, str) else "application/json"
        headers = {"Content-Type": kind, **served.headers, "Content-Length": len(body)}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        start = f"HTTP/1.1 {served.status} served\r\n{head}\r\n".encode()
        self._write(start, served.drip if served.drip_head else 0)
        self._write(body[: served.reset_after], served.drip)
        if served.reset_after is not None:
            self._reset()

    def _write(self, data: bytes, drip: float) -> None:
        for drop in [bytes([byte]) for byte in data] if drip else [data]:
            self.wfile.write(drop)
            self.wfile.flush()
            time.sleep(drip)

    def _reset(self) -> None:
        """Close so that the other side sees a reset, not an end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep quiet."""
