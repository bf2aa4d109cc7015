"""An endpoint that answers everything alike after a while, for measuring who asks it.

It runs as a process of its own, ``python endpoint.py SECONDS``, tells its address on its first
line, and ends when its standard input does. It parses nothing, so that it is never what is
measured.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

ANSWER = json.dumps({"choice": "A", "clue": "a dream"})
CHOICE = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
BODY = json.dumps(
    {"id": "speed", "object": "chat.completion", "model": "m", "choices": [CHOICE], "usage": USAGE}
).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
RESPONSE = HEAD % len(BODY) + BODY
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class Answering(asyncio.Protocol):
    """One connection, on which one request follows another."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.head, self.left = b"", 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Count a request's bytes; answer once all are there."""
        if not self.left:
            self.head += data
            head, end, body = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            self.head, self.left, data = b"", int(LENGTH.search(head)[1]), body
        self.left -= len(data)
        if not self.left:
            asyncio.get_running_loop().call_later(self.latency, self.transport.write, RESPONSE)


async def serve(latency: float) -> None:
    """Serve until standard input ends, as it does when whoever started this is gone."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Answering(latency), "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
