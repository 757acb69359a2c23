"""A receiver of lineage events on the loopback interface, which does as badly as it is told."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One POST; a behaviour answers it."""

    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.receiver.busy:
            self.server.receiver.requests.append(self)
        self.server.receiver.behaviour(self)

    def text(self) -> bytes:
        return gzip.decompress(self.body) if self.headers["Content-Encoding"] == "gzip" else self.body

    def answer(self, status: int, text: bytes = b"", **headers: str) -> None:
        if 200 <= status < 300:
            with self.server.receiver.busy:
                self.server.receiver.taken.append(self.text())
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None: ...


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    receiver: Receiver

    def handle_error(self, *_: Any) -> None: ...  # Clients that hang up are what the tests are about.


class Receiver:
    """Takes events by HTTP.

    Attributes:
        behaviour: What it does with a request.
        requests: Every request it has read.
        taken: The bodies that it has answered 2xx.
    """

    def __init__(self, behaviour: Behaviour, port: int = 0) -> None:
        self.behaviour = behaviour
        self.busy = threading.Lock()
        self.requests: list[Request] = []
        self.taken: list[bytes] = []
        self._server = _Server(("127.0.0.1", port), Request)
        self._server.receiver = self
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def events(self) -> list[Any]:
        return [json.loads(body) for body in self.taken]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def takes(request: Request) -> None:
    request.answer(201)


def answers(status: int, text: bytes = b"", **headers: str) -> Behaviour:
    return lambda request: request.answer(status, text, **headers)


def slowly(seconds: float) -> Behaviour:
    def behave(request: Request) -> None:
        time.sleep(seconds)
        request.answer(201)

    return behave


def hangs_up(request: Request) -> None:
    """Close the connection without an answer."""
    with suppress(OSError):
        request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def hangs_amid_its_answer(status: int, seconds: float) -> Behaviour:
    def behave(request: Request) -> None:
        if 200 <= status < 300:
            request.server.receiver.taken.append(request.text())
        request.send_response(status)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.write(b"half an ")
        request.wfile.flush()
        time.sleep(seconds)
        request.close_connection = True

    return behave


def says_rubbish(request: Request) -> None:
    request.wfile.write(b"this is no HTTP\r\n\r\n")
    request.close_connection = True


def first(count: int, behaviour: Behaviour, then: Behaviour = takes) -> Behaviour:
    """Do one thing with the first requests, another with the others."""
    left = iter(range(count))
    return lambda request: (then if next(left, None) is None else behaviour)(request)


def unused_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
