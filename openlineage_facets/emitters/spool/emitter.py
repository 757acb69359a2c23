"""Events on the disk before they are sent, so that none is lost."""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

from openlineage_facets.emitters.errors import EmissionError, emission_error
from openlineage_facets.emitters.per_process import PerProcess
from openlineage_facets.emitters.protocol import as_emitter, sender_of
from openlineage_facets.emitters.reports import LOG
from openlineage_facets.emitters.sending import BoundedEmitter, OnError
from openlineage_facets.emitters.spool.delivery import Delivery
from openlineage_facets.emitters.spool.directory import SpoolDirectory

__all__ = ["SpoolEmitter"]


class SpoolEmitter(BoundedEmitter):
    """Writes each event to a folder, and then delivers it in the background until that succeeds.

    When `emit` returns, the disk holds the event; whatever becomes of the process or the receiver, it is
    delivered at least once, and the events of a run in their order. What is left when the process ends waits
    for the next `SpoolEmitter` with that folder, or for `openlineage-facets replay`. Several processes may
    use one folder, if they deliver to the same receiver.

    An event that the receiver rejects as such is put aside, into the folder's `rejected`. Where the disk is
    full or the folder can't be written, that is logged, and the event is delivered from memory.

    Args:
        inner: An emitter, or a function that takes an event. What it raises means "try again"; an emitter of
            this package is asked by its `send`, once for each attempt.
        directory: The folder; it is made when it is needed.
        timeout: Seconds that `emit` waits for the disk at most, and `close` for delivery.
        on_error: "raise" to raise `EmissionError` where the disk will not have an event.

    Example:
        >>> with SpoolEmitter(HttpEmitter("http://localhost:5000"), "/var/spool/lineage") as emitter:
        ...     emitter.emit(event)
    """

    def __init__(
        self,
        inner: Any,
        directory: str | os.PathLike[str],
        *,
        timeout: float = 5.0,
        on_error: OnError = "log",
    ) -> None:
        self._inner = as_emitter(inner, on_error="raise")
        self._directory = SpoolDirectory(directory)
        super().__init__(timeout, on_error)
        # What a process has put into the spool before it forks, it delivers itself.
        self._of_processes = PerProcess(
            self._new_delivery(look_around=True), lambda: self._new_delivery(look_around=False)
        )

    def _new_delivery(self, look_around: bool) -> Delivery:
        send = sender_of(self._inner)
        return Delivery(self._directory, send, self._failures, look_around=look_around)

    @property
    def _delivery(self) -> Delivery:
        return self._of_processes.get()

    def send(self, line: bytes) -> None:
        """Write one line to the spool; it is delivered later.

        Raises:
            EmissionError: The disk will not have it, and `on_error` is "raise". It is delivered from memory.
        """
        if self._delivery.in_memory:
            self._delivery.hold(line)  # Behind those that came before.
            return
        try:
            self._delivery.stored(self._directory.append(line))
        except OSError as error:
            failure = emission_error(error, f"writing to the spool {self._directory.path}")
            message = f"{failure}; the event is sent from memory"
            self._delivery.hold(line)
            if self._on_error == "raise":
                raise EmissionError(message, kind=failure.kind) from error
            self._failures.warn(message, failure.kind)

    def close(self, timeout: float | None = None) -> None:
        """Deliver what this process has emitted; the rest stays in the spool.

        Args:
            timeout: Seconds to wait at most, if not those of the emitter.
        """
        end = monotonic() + (self._timeout if timeout is None else timeout)
        self._finish(end)
        closing = self._worker.submit(self._inner.close)
        closing.wait(max(0.1, end - monotonic()))

    def _finish(self, end: float) -> None:
        stored = self._worker.drain(max(0.0, end - monotonic()))
        settled = self._delivery.settle(max(0.0, end - monotonic()))
        self._delivery.stop()
        if not settled and not self._delivery.in_memory:
            LOG.warning(
                "%s: events wait in %s; they are delivered when it is used again, or by `openlineage-facets"
                " replay %s`",
                *(self, self._directory.path, self._directory.path),
            )
        self._failures.sum_up(self._delivery.in_memory + (0 if stored else self._worker.waiting))

    def __str__(self) -> str:
        return f"SpoolEmitter({self._inner})"
