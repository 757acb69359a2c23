"""Deadlines and redirects of the HTTP connections of openlineage-python's transports.

- The client limits the time between two bytes, not the whole exchange. The connections in use are tracked,
  so that they can be closed at a deadline.
- The client sleeps as long as `Retry-After` demands. Responses with it are returned immediately, so that the
  emitter decides how long to wait.
- A forked process would use its parent's connections, and wait for the threads of its parent's Kafka
  producer, which it does not have. It opens its own.
- The client follows every redirect, also to another host, with its headers, and takes every status below 400
  for a delivery, even after a redirect that turned the POST into a GET. Such responses fail instead.

The transport has no settings for this: urllib3 either ignores `Retry-After` or sleeps, which no deadline can
end, and its pools know only the connections that are not in use.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from threading import get_ident
from typing import Any
from urllib.parse import urljoin, urlsplit
from weakref import WeakSet

from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.emitters.errors import EmissionError, http_error


class ClientConnections:
    """The HTTP connections of one client.

    Args:
        transport: The client's transport.
    """

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._in_use: WeakSet[Any] = WeakSet()
        self._is_cut = False
        self._thread = 0
        self._process = os.getpid()

    def prepare(self) -> None:
        """Start to track the connections that the calling thread uses."""
        self._is_cut = False
        self._in_use.clear()
        self._thread = get_ident()
        self.leave_parent()
        for transport in filter(_is_http, _transports(self._transport)):
            if transport.kind == "async_http":
                if not transport.worker_thread.is_alive():  # It was closed, or the process has forked.
                    transport.__init__(transport.config)
                watch_asynchronous_redirects(transport)
                continue
            adapter = transport.session.get_adapter(transport.url)
            if not hasattr(adapter, "poolmanager"):
                continue
            watchers = getattr(adapter, "_watched_by", None)
            if watchers is None:
                watchers = adapter._watched_by = WeakSet()
                _watch_connections(adapter.poolmanager, watchers)
                _watch_proxies(adapter, watchers)
                _disable_retry_after_sleeps(adapter)
                transport.session.hooks["response"].append(assert_delivered)
            watchers.add(self)

    def leave_parent(self) -> None:
        """In a forked process, give up the connections of its parent."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        for transport in _transports(self._transport):
            if hasattr(transport, "_setup_producer"):  # Kafka: called again for the next event.
                _INHERITED.append(transport.producer)
                transport.producer = None
            elif _is_http(transport) and transport.kind == "http":
                transport.session.close()  # The parent reads the responses from its connections, too.

    def cut(self) -> None:
        """Shut down the connections in use and prevent the current attempt from opening others."""
        self._is_cut = True
        for connection in list(self._in_use):
            used = getattr(connection, "sock", None)
            if used is not None:
                with suppress(OSError):
                    # The method of a TLS socket would change state that another thread reads.
                    socket.socket.shutdown(used, socket.SHUT_RDWR)

    def use(self, connection: Any) -> None:
        """Track a connection before a request, if the request belongs to the current attempt.

        Raises:
            EmissionError: The attempt has exceeded its deadline.
        """
        if get_ident() != self._thread:
            return
        if self._is_cut:
            raise EmissionError("the attempt exceeded its deadline", kind="no response: deadline")
        self._in_use.add(connection)


def _watch_connections(manager: Any, watchers: WeakSet[ClientConnections]) -> None:
    manager.pool_classes_by_scheme = {
        scheme: _watching_pool(pool, watchers) for scheme, pool in manager.pool_classes_by_scheme.items()
    }


def _watch_proxies(adapter: Any, watchers: WeakSet[ClientConnections]) -> None:
    find = adapter.proxy_manager_for
    noted: WeakSet[Any] = WeakSet()

    def proxy_manager_for(*args: Any, **named: Any) -> Any:
        manager = find(*args, **named)
        if manager not in noted:
            noted.add(manager)
            _watch_connections(manager, watchers)
        return manager

    adapter.proxy_manager_for = proxy_manager_for


def _watching_pool(pool: Any, watchers: WeakSet[ClientConnections]) -> Any:
    base: Any = pool.ConnectionCls

    class Watching(base):  # type: ignore[misc,unused-ignore]
        def request(self, *args: Any, **named: Any) -> Any:
            for connections in list(watchers):
                connections.use(self)
            return super().request(*args, **named)

    return type(pool.__name__, (pool,), {"ConnectionCls": Watching})


_INHERITED: list[Any] = []
"""Kafka producers of the parent process. To delete one would wait for its threads, which never end."""


def _is_http(transport: Any) -> bool:
    kind = getattr(transport, "kind", None)
    return kind == "async_http" or (kind == "http" and hasattr(transport, "session"))


def _transports(transport: Any) -> Iterator[Any]:
    """Yield the transports inside a transport, including itself."""
    yield transport
    inner = [getattr(transport, name, None) for name in ("transport", "http", "async_http")]
    for wrapped in (*inner, *(getattr(transport, "transports", None) or ())):
        if wrapped is not None:
            yield from _transports(wrapped)


def _disable_retry_after_sleeps(adapter: Any) -> None:
    retries: Any = getattr(adapter, "max_retries", None)
    if hasattr(retries, "new") and hasattr(retries, "is_retry"):
        retries = retries.new()
        # urllib3 creates a new object of the class after each attempt: the method of an object would be lost.
        retries.__class__ = _without_retry_after(retries.__class__)
        adapter.max_retries = retries


@cache
def _without_retry_after(kind: Any) -> Any:
    class Leaving(kind):  # type: ignore[misc]
        def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
            return not has_retry_after and super().is_retry(method, status_code, has_retry_after)

    return Leaving


_KEEPING_METHOD = {307, 308}


def assert_delivered(response: Any, *_: Any, **__: Any) -> None:
    """Raise for a response that means no delivery, but that the client does not take for an error.

    Raises:
        EmissionError: The status is neither 2xx, nor an error, nor a redirect that repeats the POST at the
            same scheme, host and port.
    """
    status, location = response.status_code, response.headers.get("Location")
    if 200 <= status < 300 or 400 <= status < 600:
        return
    address = str(response.url)
    if status in _KEEPING_METHOD and location and _origin(urljoin(address, location)) == _origin(address):
        return
    if hasattr(response, "close") and not hasattr(response, "aclose"):
        response.close()
    target = f" to {redact_for_display(location)}" if location else ""
    reason = getattr(response, "reason", None) or getattr(response, "reason_phrase", "")
    message = f"{redact_for_display(address)} responded with {status} {reason}".rstrip()
    raise http_error(status, f"{message}{target}")


def watch_asynchronous_redirects(transport: Any) -> None:
    """Check the responses to an `async_http` transport, whose HTTP client exists only in its own thread."""
    process = getattr(transport, "_process_event", None)
    if process is None or hasattr(transport, "_checks_redirects"):
        return
    transport._checks_redirects = True

    async def checked(client: Any, *args: Any, **named: Any) -> Any:
        if _assert_delivered_later not in client.event_hooks["response"]:
            client.event_hooks["response"].append(_assert_delivered_later)
        return await process(client, *args, **named)

    transport._process_event = checked


async def _assert_delivered_later(response: Any) -> None:
    assert_delivered(response)


def _origin(address: str) -> tuple[str, str | None, int | None] | None:
    """Return scheme, host and port of a URL, None if it is invalid."""
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
