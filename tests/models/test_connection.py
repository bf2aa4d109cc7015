"""A connection is kept, opened again when the server hung up, and goes through a proxy."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections.abc import Iterator
from itertools import takewhile

import openai
import pytest

from dixitlib.models.connection import Connection, Deadline, NoResponse
from dixitlib.models.endpoint import Endpoint
from dixitlib.models.faults import EndpointUnusable, MissingKey
from dixitlib.models.loopback import Loopback, Served
from dixitlib.models.openai_api import OpenAIModel

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
NO = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Listening(socketserver.ThreadingTCPServer):
    """Keeps the heads of requests, and answers each alike.

    It hangs up after `patience` requests on one connection and doesn't say so.
    """

    daemon_threads = True

    def __init__(self, answer: bytes = OK, patience: int = 100) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.answer, self.patience = answer, patience
        self.heads: list[str] = []
        self.connections = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Answering(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.server.connections += 1
        for _ in range(self.server.patience):
            lines = list(takewhile(bytes.strip, self.rfile))
            if not lines:
                return
            length = next(
                (int(s.split(b":")[1]) for s in lines if s.lower().startswith(b"content-length")), 0
            )
            self.rfile.read(length)
            self.server.heads.append(b"".join(lines).decode())
            self.wfile.write(self.server.answer)


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """Start servers, and no proxy but those that a test names."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    started = []

    def start(**settings: object) -> Listening:
        server = Listening(**settings)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def connected(url: str) -> Connection:
    client = openai.OpenAI(base_url=url, api_key="none")
    return Connection(client, ssl.create_default_context(), Deadline(10))


def test_calls_share_a_connection(listening):
    server = listening()
    line = connected(f"http://{server.address}/v1?version=2")
    assert [line.post(b"{}").content for _ in range(3)] == [b"{}"] * 3
    assert server.connections == 1
    assert server.heads[0].startswith("POST /v1/chat/completions")
    assert server.heads[0].lower().count("host:") == 1
    line.close()


def test_a_server_that_hangs_up_in_between_is_no_fault(listening):
    server = listening(patience=1)
    line = connected(f"http://{server.address}/v1")
    for count in range(1, 4):
        assert line.post(b"{}").status == 200
        assert server.connections == count
        assert line._line.sock.recv(1) == b"", "it has hung up"
    line.close()


def test_a_proxy_of_the_environment_is_used_with_its_password(listening, monkeypatch):
    proxy = listening()
    monkeypatch.setenv("http_proxy", f"http://owl:a%20b@{proxy.address}")
    line = connected("http://models.example/v1")
    assert line.post(b"{}").status == 200
    line.close()
    head = proxy.heads[0].lower()
    assert head.startswith("post http://models.example/v1/chat/completions ")
    assert "host: models.example\r\n" in head
    assert base64.b64encode(b"owl:a b").decode().lower() in head


def test_a_proxy_only_tunnels_what_is_encrypted(listening, monkeypatch):
    proxy = listening(answer=NO)
    monkeypatch.setenv("all_proxy", proxy.address)
    line = connected("https://models.example/v1")
    with pytest.raises(NoResponse, match="403"):
        line.post(b"{}")
    assert proxy.heads[0].startswith("CONNECT models.example:443 ")
    assert "none" not in proxy.heads[0], "the key is for the endpoint only"


def test_a_host_may_be_left_out_of_the_proxy(listening, monkeypatch):
    proxy, server = listening(), listening()
    monkeypatch.setenv("http_proxy", f"http://{proxy.address}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    line = connected(f"http://{server.address}/v1")
    line.post(b"{}")
    line.close()
    assert (len(proxy.heads), len(server.heads)) == (0, 1)


@pytest.mark.parametrize("status", [301, 307, 308])
def test_an_endpoint_that_has_moved_is_not_followed(status, listening):
    """The key is meant for the address that was given."""
    elsewhere = listening()
    moved = f"http://{elsewhere.address}/v1/chat/completions"
    with Loopback(lambda _: Served("", status, {"Location": moved})) as server:
        endpoint = Endpoint(server.url)
        with pytest.raises(EndpointUnusable, match=moved):
            OpenAIModel("toy", endpoint).ask(())
        endpoint.close()
    assert elsewhere.heads == []


def test_a_line_end_after_a_key_is_no_part_of_it(listening, monkeypatch):
    server = listening()
    monkeypatch.setenv("A_KEY", "sk-secret\n")
    endpoint = Endpoint(f"http://{server.address}/v1", key_env="A_KEY")
    with endpoint.connection() as line:
        line.post(b"{}")
    endpoint.close()
    assert "Authorization: Bearer sk-secret\r\n" in server.heads[0]
    assert endpoint.redacted("no such key: sk-secret") == "no such key: ***"


@pytest.mark.parametrize("key", ["sk-sécret", "sk-\nsecret"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key, monkeypatch):
    monkeypatch.setenv("A_KEY", key)
    endpoint = Endpoint("http://127.0.0.1:1/v1", key_env="A_KEY")
    with pytest.raises(MissingKey, match="A_KEY") as refused, endpoint.connection():
        pass
    assert "cret" not in str(refused.value)
