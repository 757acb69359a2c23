"""A lineage backend on the loopback interface that accepts every event."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from threading import Thread
from typing import Any

_MAX_BODY = 64 * 1024 * 1024
"""Maximum number of bytes of a request body, compressed or not."""


class LoopbackServer:
    """An HTTP server on the loopback interface, running in a background thread.

    Args:
        handler: Handles the requests.
        port: The port; 0 for any free port.
    """

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self._server = _Server(("127.0.0.1", port), handler)
        self._thread = Thread(
            target=self._server.serve_forever, args=(0.02,), name="lineage receiver", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port on which the server listens."""
        return self._server.server_port

    @property
    def url(self) -> str:
        """The URL without a path."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Stop the server, release the port, and end open connections without waiting for their requests."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.end_connections()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._connections: set[Any] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection, which clients keep open for further requests."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def end_connections(self) -> None:
        """End open connections, so that clients notice that the server has stopped."""
        for connection in self._connections.copy():
            with suppress(OSError):  # Its thread has closed it.
                connection.shutdown(SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that the code under test has closed."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Receiver(LoopbackServer):
    """Accepts POST requests to any path, like a lineage backend.

    Bodies may be chunked and compressed with gzip or deflate. They are not validated: the response is 201 to
    every readable body, so that the code under test continues.

    Args:
        on_body: Called with each body, in the thread of its request.
        on_unreadable: Called with the problem of each request whose body cannot be read.
    """

    def __init__(self, on_body: Callable[[bytes], None], on_unreadable: Callable[[str], None]) -> None:
        class Handler(_Handler):
            accept = staticmethod(on_body)
            reject = staticmethod(on_unreadable)

        super().__init__(Handler)


class _Unreadable(Exception):
    """A body cannot be read.

    Args:
        status: The status of the response.
        problem: The problem, as a noun phrase.
    """

    def __init__(self, status: int, problem: str) -> None:
        super().__init__(problem)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    accept: Callable[[bytes], None]
    reject: Callable[[str], None]

    def do_POST(self) -> None:
        try:
            body = _decompressed(self._body(), self.headers.get("Content-Encoding", "identity"))
        except _Unreadable as error:
            self.reject(f"a request to {self.path} with {error}")
            # The rest of the body would be parsed as the next request.
            self.close_connection = True
            self._respond(error.status, str(error))
            return
        self.accept(body)
        self._respond(201)

    do_PUT = do_POST  # noqa: N815

    def do_GET(self) -> None:
        self._respond(200)

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._chunks()
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal():
            raise _Unreadable(400, f"an invalid Content-Length: {length!r}")
        return self._read(int(length))

    def _chunks(self) -> bytes:
        body = bytearray()
        while True:
            line = self.rfile.readline(1_000)
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                raise _Unreadable(400, f"an invalid chunk size: {line[:40]!r}") from None
            if size <= 0:
                while self.rfile.readline(10_000).strip():
                    pass  # Trailers.
                return bytes(body)
            body += self._read(size, already=len(body))
            self.rfile.readline(1_000)

    def _read(self, size: int, already: int = 0) -> bytes:
        if size + already > _MAX_BODY:
            raise _Unreadable(413, f"a body of more than {_MAX_BODY} bytes")
        body = self.rfile.read(size)
        if len(body) < size:
            raise _Unreadable(400, f"a truncated body: expected {size} bytes, received {len(body)}")
        return body

    def _respond(self, status: int, text: str = "") -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do nothing: requests must not appear in the output of the test."""


def _decompressed(body: bytes, encoding: str) -> bytes:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return body
    if name not in ("gzip", "x-gzip", "deflate"):
        raise _Unreadable(415, f"the unsupported Content-Encoding {encoding!r}; use gzip or deflate")
    text = bytearray()
    while True:  # A gzip body may have several members.
        decompressor = zlib.decompressobj(47)  # Accepts the headers of gzip and zlib.
        try:
            text += decompressor.decompress(body, _MAX_BODY + 1 - len(text))
        except zlib.error as error:
            raise _Unreadable(400, f"an invalid {name} body: {error}") from None
        if len(text) > _MAX_BODY:
            raise _Unreadable(413, f"a body of more than {_MAX_BODY} bytes")
        if not decompressor.eof:
            raise _Unreadable(400, f"a truncated {name} body")
        body = decompressor.unused_data
        if not body:
            return bytes(text)
