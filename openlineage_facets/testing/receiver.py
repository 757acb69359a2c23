"""A lineage backend on the loopback interface that takes every event and keeps it."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

__all__ = ["Receiver"]

_LONGEST = 64 * 1024 * 1024
"""Bytes of a body, sent or unpacked, beyond which it is refused: no test means to send more."""


class Receiver:
    """Takes what is posted to any path, as a lineage backend does.

    Bodies may come in chunks and be compressed with gzip or deflate. What is an event or not is for others
    to say: the answer is 201 for every body that can be read, so that the code under test goes on.

    Args:
        take: Called with each body, in the thread of its request.
        refuse: Called with a sentence on each request whose body can't be read.
    """

    def __init__(self, take: Callable[[bytes], None], refuse: Callable[[str], None]) -> None:
        class Handler(_Handler):
            taken = staticmethod(take)
            refused = staticmethod(refuse)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(
            target=self._server.serve_forever, args=(0.02,), name="lineage receiver", daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop, and free the port."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Unreadable(Exception):
    """A body that can't be read; says why, and the status to answer."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    taken: Callable[[bytes], None]
    refused: Callable[[str], None]

    def do_POST(self) -> None:
        try:
            body = _unpacked(self._body(), self.headers.get("Content-Encoding", "identity"))
        except _Unreadable as error:
            self.refused(f"a request to {self.path} with {error}")
            # What is left of the body would be taken for the next request.
            self.close_connection = True
            self._answer(error.status, str(error))
            return
        self.taken(body)
        self._answer(201)

    do_PUT = do_POST  # noqa: N815

    def do_GET(self) -> None:
        self._answer(200)

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._chunks()
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal():
            raise _Unreadable(400, f"a Content-Length that is no number: {length!r}")
        return self._read(int(length))

    def _chunks(self) -> bytes:
        body = b""
        while True:
            line = self.rfile.readline(1_000)
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                raise _Unreadable(400, f"a chunk whose size is no number: {line[:40]!r}") from None
            if size <= 0:
                while self.rfile.readline(10_000).strip():
                    pass  # Trailers.
                return body
            body += self._read(size, already=len(body))
            self.rfile.readline(1_000)

    def _read(self, size: int, already: int = 0) -> bytes:
        if size + already > _LONGEST:
            raise _Unreadable(413, f"a body of more than {_LONGEST} bytes")
        body = self.rfile.read(size)
        if len(body) < size:
            raise _Unreadable(400, f"a body cut short: {size} bytes announced, {len(body)} received")
        return body

    def _answer(self, status: int, words: str = "") -> None:
        body = words.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what arrives is for the test to look at."""


def _unpacked(body: bytes, encoding: str) -> bytes:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return body
    # 47 reads the headers of gzip and of zlib alike.
    if name not in ("gzip", "x-gzip", "deflate"):
        raise _Unreadable(415, f"a body encoded as {encoding!r}; gzip and deflate are understood")
    unpacking = zlib.decompressobj(47)
    try:
        text = unpacking.decompress(body, _LONGEST)
    except zlib.error as error:
        raise _Unreadable(400, f"a body that is no {name}: {error}") from None
    if unpacking.unconsumed_tail:
        raise _Unreadable(413, f"a body of more than {_LONGEST} bytes")
    if not unpacking.eof:
        raise _Unreadable(400, f"a body of {name} that is cut short")
    return text
