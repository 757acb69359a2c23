"""Deadlines for the HTTP connections of openlineage-python's transports.

The client limits the time between two bytes, not the whole exchange, and sleeps as long as `Retry-After`
demands. This module tracks the connections in use so that they can be closed at a deadline, and returns
responses with `Retry-After` immediately so that the emitter decides how long to wait.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from threading import get_ident
from typing import Any
from weakref import WeakSet

from openlineage_facets.emitters.client_redirects import assert_delivered, watch_asynchronous_redirects
from openlineage_facets.emitters.errors import EmissionError


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

    def prepare(self) -> None:
        """Start to track the connections that the calling thread uses."""
        self._is_cut = False
        self._in_use.clear()
        self._thread = get_ident()
        for transport in _http_transports(self._transport):
            if transport.kind == "async_http":
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


def _http_transports(transport: Any) -> Iterator[Any]:
    """Yield the HTTP transports inside a transport, including itself."""
    kind = getattr(transport, "kind", None)
    if kind == "async_http" or (kind == "http" and hasattr(transport, "session")):
        yield transport
    inner = [getattr(transport, name, None) for name in ("transport", "http", "async_http")]
    for one in (*inner, *(getattr(transport, "transports", None) or ())):
        if one is not None:
            yield from _http_transports(one)


def _disable_retry_after_sleeps(adapter: Any) -> None:
    retries: Any = getattr(adapter, "max_retries", None)
    if hasattr(retries, "new") and hasattr(retries, "is_retry"):
        retries = retries.new()
        retries.__class__ = _without_retry_after(retries.__class__)
        adapter.max_retries = retries


@cache
def _without_retry_after(kind: Any) -> Any:
    class Leaving(kind):  # type: ignore[misc]
        def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
            return not has_retry_after and super().is_retry(method, status_code, has_retry_after)

    return Leaving
