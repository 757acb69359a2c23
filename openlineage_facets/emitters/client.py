"""Emitter that sends events through the transports of openlineage-python, without loss."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from enum import Enum
from functools import cache
from math import isinf
from time import monotonic
from typing import Any

from openlineage_facets.emitters.background_worker import Worker
from openlineage_facets.emitters.base_emitter import BoundedEmitter, checked_seconds
from openlineage_facets.emitters.client_connections import ClientConnections
from openlineage_facets.emitters.errors import (
    EmissionError,
    EventRejected,
    OnError,
    emission_error,
    http_error,
)
from openlineage_facets.emitters.retries import Retries, retry_after_seconds
from openlineage_facets.version import install_command


class _JsonObject(dict[str, Any]):
    """A JSON object with its fields as attributes, like the client's classes.

    Absent fields are None. Transforming transports may change fields.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    __setattr__ = dict.__setitem__


def client_event(event: dict[str, Any]) -> Any:
    """Return an event that a transport of openlineage-python accepts and serializes without loss.

    Transports check an event's class and attributes and serialize it with the client's `Serde`, which drops
    nulls and empty objects. `Serde` writes the value of an enum member unchanged, however. The returned event
    is therefore an instance of both the client's event class and `Enum`.
    """
    parts: Any = _as_parts(event)
    run = parts.run
    if (
        isinstance(run, _JsonObject)
        and isinstance(run.facets, _JsonObject)
        and isinstance(run.facets.parent, _JsonObject)
    ):
        parent = _class_typed_as(_client_class("generated.parent_run", "ParentRunFacet"))
        run.facets["parent"] = parent(run.facets.parent)
    kind = "RunEvent" if run is not None else "DatasetEvent" if parts.job is None else "JobEvent"
    return _class_typed_as(_enum_class(_client_class("event_v2", kind)))(parts)


def _as_parts(value: Any) -> Any:
    if isinstance(value, dict):
        return _JsonObject((name, _as_parts(item)) for name, item in value.items())
    return [_as_parts(item) for item in value] if isinstance(value, list) else value


def _client_class(module: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(f"openlineage.client.{module}"), name)


@cache
def _enum_class(official: type) -> type:
    class Both(official, Enum):  # type: ignore[misc]
        """An enum without members that is also an event class."""

    return Both


@cache
def _class_typed_as(official: type) -> type[_JsonObject]:
    """Return a class of JSON objects for which `isinstance(..., official)` is true."""

    class Kept(_JsonObject):
        __slots__ = ()
        __class__ = property(lambda _: official)  # pyright: ignore[reportIncompatibleMethodOverride]

        @property
        def value(self) -> _JsonObject:
            return _JsonObject(self)

        @property
        def eventType(self) -> Any:  # noqa: N802 - the client's name
            state = self.get("eventType")
            return None if state is None else _client_class("event_v2", "RunState")(state)

    return Kept


class ClientEmitter(BoundedEmitter):
    """Sends events through an `OpenLineageClient`, with all its transports and filters.

    The client is configured as usual: `config`, `OPENLINEAGE_CONFIG`, `openlineage.yml` in the working
    directory or in `~/.openlineage`, variables such as `OPENLINEAGE__TRANSPORT__TYPE`, and `OPENLINEAGE_URL`.
    Events are sent unchanged: they keep the nulls and unknown facets that the client's classes would drop,
    and the client adds no facets.

    A transport that returns before delivering, such as `async_http`, counts as delivered; it retries as
    configured. For the `http` transport, also inside other transports, `Retry-After` is honored up to 60
    seconds. Responses that it does not retry, such as 403 and 404 during a redeploy, are retried for
    `timeout` seconds. A redirect to another host, or one that would turn the POST into a GET, is such a
    failure, too.

    Args:
        client: An `OpenLineageClient`. Defaults to a new, configured one.
        config: The client's configuration, such as `{"transport": {"type": "http", "url": "..."}}`.
        timeout: Maximum number of seconds to delay the job without a delivery, in total for `emit`, `close`
            and interpreter exit.
        attempt_timeout: Deadline in seconds for one call of the transport, including its own retries. After
            that, its HTTP connections are closed.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ImportError: openlineage-python is not installed.
        ValueError: A time is not greater than 0, or both a client and a config are passed.

    Example:
        >>> ClientEmitter(config={"transport": {"type": "console"}}).emit(event)
    """

    def __init__(
        self,
        client: Any = None,
        *,
        config: Mapping[str, Any] | None = None,
        timeout: float = 5.0,
        attempt_timeout: float = 30.0,
        on_error: OnError = "log",
    ) -> None:
        try:
            from openlineage.client import OpenLineageClient
        except ImportError:
            raise ImportError(
                f"ClientEmitter needs openlineage-python: {install_command('client')}"
            ) from None
        if client is not None and config is not None:
            raise ValueError("client: expected a client or a config, found both")
        settings: Any = None if config is None else dict(config)
        self._client = OpenLineageClient(config=settings) if client is None else client
        self._connections = ClientConnections(self._client.transport)
        self._attempt_timeout = checked_seconds("attempt_timeout", attempt_timeout)
        self._attempts = Worker("openlineage-ClientTransport")
        self._retries = Retries(timeout)
        super().__init__(timeout, on_error)

    def tags(self) -> dict[str, dict[str, Any]]:
        """Return the tags of jobs and runs in the client's configuration, by entity."""
        config = getattr(self._client.config, "tags", None)
        return {entity: dict(getattr(config, entity, None) or {}) for entity in ("job", "run")}

    def has_receiver(self) -> bool:
        """Return whether the configuration names a receiver; without one, the client only logs events."""
        transport: dict[str, Any] = self._client.config.transport or {}
        return bool(transport.get("type") or os.environ.get("OPENLINEAGE_URL"))

    def send(self, line: bytes) -> None:
        """Send one line through the client's transport.

        Raises:
            EventRejected: The receiver rejected the event.
            EmissionError: The transport raised or exceeded `attempt_timeout`.
        """
        self._send_within(line, self._attempt_timeout)

    def _send_within(self, line: bytes, seconds: float) -> None:
        transport = self._client.transport
        if transport is None or transport.kind == "noop":
            return
        seconds = min(seconds, self._attempt_timeout)
        given_up = False

        def attempt() -> None:
            if not given_up:
                self._connections.prepare()
                self._emit(line)

        task = self._attempts.submit(attempt)
        if not task.wait(seconds):
            given_up = True
            self._connections.cut()
            message = f"could not emit through the {transport.kind} transport: not done within {seconds:g} s"
            raise EmissionError(message, kind="no response: deadline")
        if task.error is not None:
            raise task.error

    def _emit(self, line: bytes) -> None:
        transport = self._client.transport
        event = client_event(json.loads(line, parse_float=_finite))
        try:
            if self._client.filter_event(event) is not None:
                transport.emit(event)
        except EmissionError:
            raise
        except Exception as error:
            failure = emission_error(error, f"could not emit through the {transport.kind} transport")
            raise _http_error(error, str(failure)) or failure from error

    def _send_with_retries(self, line: bytes) -> None:
        # Without a response, the transport has already retried.
        self._retries.deliver(lambda: self.send(line), lambda error: error.kind.startswith("HTTP "))

    def _finish(self, seconds: float, *, at_exit: bool = False) -> None:
        begin = monotonic()
        super()._finish(seconds, at_exit=at_exit)
        if self._worker.waiting or self._attempts.waiting:
            return  # Still in use.
        left = max(0.0, seconds - (monotonic() - begin))
        task = self._attempts.submit(lambda: self._close_transport(left))
        if not task.wait(left):
            self._wait_budget.spend(monotonic() - begin)
        elif task.error is not None:
            self._failures.warn(str(emission_error(task.error, "could not close the transport")), "closing")

    def _close_transport(self, seconds: float) -> None:
        self._connections.leave_parent()
        self._client.transport.close(seconds)

    def __str__(self) -> str:
        return f"ClientEmitter({getattr(self._client.transport, 'kind', None)})"


def _finite(number: str) -> float:
    """Return a number of JSON as a float, which the client writes again.

    Raises:
        EventRejected: It is too large: the client would write `Infinity`, which is not JSON.
    """
    value = float(number)
    if isinf(value):
        raise EventRejected(
            f"expected numbers up to 1.8e308, the largest that openlineage-python can write, found {number}",
            kind="number",
        )
    return value


def _http_error(error: BaseException, message: str) -> EmissionError | None:
    """Return the error for the HTTP response that caused a transport's exception, None without a response."""
    cause: BaseException | None = error
    while cause is not None:
        response = getattr(cause, "response", None)
        status = getattr(response, "status_code", None)
        if isinstance(status, int):
            headers = getattr(response, "headers", {})
            after = retry_after_seconds(headers.get("Retry-After"), headers.get("Date"))
            return http_error(status, message, retry_after=after)
        cause = cause.__cause__
    return None
