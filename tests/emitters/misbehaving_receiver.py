"""A receiver on the loopback interface that misbehaves on request."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from openlineage_facets.testing.receiver import LoopbackServer

Behaviour = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One POST; a behaviour answers it."""

    receiver: Receiver
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"] or 0)
        self.body = self.rfile.read(size)
        if not size or len(self.body) < size:
            self.close_connection = True  # The client was killed while it sent the request.
            return
        with self.receiver.busy:
            self.receiver.requests.append(self)
        self.receiver.behaviour(self)

    def text(self) -> bytes:
        return gzip.decompress(self.body) if self.headers["Content-Encoding"] == "gzip" else self.body

    def answer(self, status: int, text: bytes = b"", **headers: str) -> None:
        if 200 <= status < 300:
            with self.receiver.busy:
                self.receiver.received.append(self.text())
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None: ...


class Receiver(LoopbackServer):
    """Handles each request with a behaviour.

    Attributes:
        behaviour: Responds to a request, or fails to.
        requests: All requests.
        received: The bodies of requests with a 2xx response.
    """

    def __init__(self, behaviour: Behaviour, port: int = 0) -> None:
        self.behaviour = behaviour
        self.busy = threading.Lock()
        self.requests: list[Request] = []
        self.received: list[bytes] = []

        class BoundRequest(Request):
            receiver = self

        super().__init__(BoundRequest, port)

    @property
    def events(self) -> list[Any]:
        return [json.loads(body) for body in self.received]


def accept(request: Request) -> None:
    request.answer(201)


def respond(status: int, text: bytes = b"", **headers: str) -> Behaviour:
    return lambda request: request.answer(status, text, **headers)


def accept_after(seconds: float) -> Behaviour:
    return accept_when(lambda: time.sleep(seconds))


def accept_when(wait: Callable[[], object]) -> Behaviour:
    """Accept an event after a function has returned."""

    def behave(request: Request) -> None:
        wait()
        accept(request)

    return behave


def close_connection(request: Request) -> None:
    """Close the connection without an answer."""
    with suppress(OSError):
        request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def hang_within_response(status: int, seconds: float) -> Behaviour:
    def behave(request: Request) -> None:
        if 200 <= status < 300:
            request.receiver.received.append(request.text())
        request.send_response(status)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.write(b"half an ")
        request.wfile.flush()
        time.sleep(seconds)
        request.close_connection = True

    return behave


def trickle(request: Request) -> None:
    """Send headers for half a minute, one byte at a time, and no end of them."""
    request.close_connection = True
    with suppress(OSError):
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        for _ in range(1500):
            request.wfile.write(b"x")
            request.wfile.flush()
            time.sleep(0.02)


def for_run(run: str, behaviour: Behaviour, other: Behaviour = accept) -> Behaviour:
    """Apply a behaviour to the events of one run, and another one to all others."""
    return lambda request: (behaviour if run.encode() in request.text() else other)(request)


def respond_with_garbage(request: Request) -> None:
    request.wfile.write(b"this is no HTTP\r\n\r\n")
    request.close_connection = True


def first(count: int, behaviour: Behaviour, then: Behaviour = accept) -> Behaviour:
    """Apply a behaviour to the first requests, another one to the rest."""
    left = iter(range(count))
    return lambda request: (then if next(left, None) is None else behaviour)(request)


def unused_port() -> int:
    """Return a port on which nothing listens until a receiver is started there.

    It is bound until this process ends, so that no other test is given it.
    """
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # A receiver may bind it, too.
    bound.bind(("127.0.0.1", 0))
    port: int = bound.getsockname()[1]
    bound.detach()
    return port
