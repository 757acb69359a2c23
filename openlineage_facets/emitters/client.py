"""Events by the transports of openlineage-python."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from openlineage_facets.emitters.client_events import client_event
from openlineage_facets.emitters.errors import EmissionError, emission_error, refusal
from openlineage_facets.emitters.sending import BoundedEmitter, OnError

__all__ = ["ClientEmitter"]


class ClientEmitter(BoundedEmitter):
    """Sends by the official client: every transport it has, configured as it is.

    It looks where the client does: `config`, `OPENLINEAGE_CONFIG`, `openlineage.yml` in the working folder
    or in `~/.openlineage`, variables such as `OPENLINEAGE__TRANSPORT__TYPE`, and `OPENLINEAGE_URL`. Its
    transport and its filters hold. An event goes out as it is: nothing is lost by the client's own classes,
    and the facets that the client would add are not added.

    A transport that answers before it has delivered, such as `async_http`, is believed.

    Args:
        client: An `OpenLineageClient`; without one, a new one is made as configured.
        config: The client's configuration, such as `{"transport": {"type": "http", "url": "..."}}`.
        timeout: Seconds that `emit` waits at most; what takes longer goes on in the background.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ImportError: openlineage-python is not installed.

    Example:
        >>> ClientEmitter(config={"transport": {"type": "console"}}).emit(event)
    """

    def __init__(
        self,
        client: Any = None,
        *,
        config: Mapping[str, Any] | None = None,
        timeout: float = 5.0,
        on_error: OnError = "log",
    ) -> None:
        try:
            from openlineage.client import OpenLineageClient
        except ImportError:
            raise ImportError(
                'ClientEmitter needs openlineage-python: pip install "openlineage-facets[client]"'
            ) from None
        if client is not None and config is not None:
            raise ValueError("client: expected a client or a config, found both")
        settings: Any = None if config is None else dict(config)
        self._client = OpenLineageClient(config=settings) if client is None else client
        super().__init__(timeout, on_error)

    def send(self, line: bytes) -> None:
        """Send one line by the client's transport.

        Raises:
            EventRejected: The receiver will not have it.
            EmissionError: The transport raised.
        """
        transport = self._client.transport
        if transport is None or transport.kind == "noop":
            return
        event = client_event(json.loads(line))
        try:
            if self._client.filter_event(event) is not None:
                transport.emit(event)
        except EmissionError:
            raise
        except Exception as error:
            failure = emission_error(error, f"emitting by the {transport.kind} transport")
            status = getattr(getattr(error, "response", None), "status_code", None)
            raise (refusal(status, str(failure)) if isinstance(status, int) else failure) from error

    def _finish(self, end: float) -> None:
        super()._finish(end)
        if self._worker.waiting:
            return  # It is in use still.
        task = self._worker.submit(self._close_transport)
        task.wait(self._timeout)
        if task.error is not None:
            self._failures.warn(str(emission_error(task.error, "closing")), "closing")

    def _close_transport(self) -> None:
        self._client.transport.close(self._timeout)

    def __str__(self) -> str:
        return f"ClientEmitter({getattr(self._client.transport, 'kind', None)})"
