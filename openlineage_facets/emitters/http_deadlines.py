"""HTTP requests with one deadline for the whole exchange.

The timeout of a socket restarts with every byte. The sockets of this module have a deadline instead, shared
by connecting to all addresses of a host, the TLS handshake, a proxy's response, sending and reading. Only
name resolution has its own timeout, that of the system.
"""

from __future__ import annotations

import socket
import ssl
from http.client import HTTPConnection, HTTPSConnection
from time import monotonic
from typing import Any
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, OpenerDirector, build_opener


class _DeadlineSocket(socket.socket):
    """A socket that limits each operation to the time left until the deadline."""

    end = float("inf")

    def allow_rest(self) -> None:
        left = self.end - monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self.settimeout(left)

    def recv_into(self, *args: Any, **named: Any) -> int:
        self.allow_rest()
        return super().recv_into(*args, **named)

    def send(self, *args: Any, **named: Any) -> int:
        self.allow_rest()
        return super().send(*args, **named)

    def sendall(self, *args: Any, **named: Any) -> None:
        self.allow_rest()
        super().sendall(*args, **named)


class _SecureSocket(_DeadlineSocket, ssl.SSLSocket):
    """The same with TLS, whose `sendall` calls `send` for each part."""


def _connected(address: tuple[str, int], timeout: float, source: Any = None) -> socket.socket:
    """Connect to the first reachable address of a host; all addresses share the timeout."""
    end = monotonic() + timeout
    failure: OSError | None = None
    for family, kind, protocol, _, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
        connecting = None
        try:
            connecting = _DeadlineSocket(family, kind, protocol)
            connecting.end = end
            connecting.allow_rest()
            if source:
                connecting.bind(source)
            connecting.connect(place)
            return connecting
        except OSError as error:
            failure = failure or error
            if connecting is not None:
                connecting.close()
    raise failure or OSError(f"no address found for {address[0]}")


class _Connection(HTTPConnection):
    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._create_connection = _connected


class _SecureConnection(HTTPSConnection):
    _tunnel_host: str | None

    def __init__(self, *args: Any, context: ssl.SSLContext, **named: Any) -> None:
        super().__init__(*args, context=context, **named)
        self._create_connection = _connected
        self._secured = context

    def connect(self) -> None:
        HTTPConnection.connect(self)
        plain: Any = self.sock
        plain.allow_rest()
        secure: Any = self._secured.wrap_socket(plain, server_hostname=self._tunnel_host or self.host)
        secure.end = plain.end
        self.sock = secure


class _Handler(HTTPHandler):
    def http_open(self, req: Any) -> Any:
        return self.do_open(_Connection, req)


class _SecureHandler(HTTPSHandler):
    def __init__(self) -> None:
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        context.sslsocket_class = _SecureSocket
        super().__init__(context=context)
        self._secured = context

    def https_open(self, req: Any) -> Any:
        connection: Any = _SecureConnection
        return self.do_open(connection, req, context=self._secured)


class _NoRedirection(HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


def opener_with_deadlines() -> OpenerDirector:
    """Return an opener whose `timeout` bounds the whole exchange and that does not follow redirects."""
    return build_opener(_NoRedirection, _Handler, _SecureHandler)
