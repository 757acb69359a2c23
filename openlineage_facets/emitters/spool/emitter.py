"""Emitter that stores events on disk before it sends them."""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

from openlineage_facets.emitters.background_worker import PerProcess
from openlineage_facets.emitters.base_emitter import AT_EXIT, BoundedEmitter
from openlineage_facets.emitters.errors import LOG, EmissionError, OnError, emission_error
from openlineage_facets.emitters.protocol import EmitTarget, as_emitter, line_sender
from openlineage_facets.emitters.spool.delivery import Delivery
from openlineage_facets.emitters.spool.directory import SpoolDirectory


class SpoolEmitter(BoundedEmitter):
    """Stores each event in a folder, then delivers it in the background with retries.

    When `emit` returns, the event is on disk. It is delivered at least once, and events of a run in order,
    even if the process is killed or the receiver is down. Events that are pending when the process exits are
    delivered by the next `SpoolEmitter` with that folder or by `openlineage-facets replay`. Several processes
    may share a folder if they deliver to the same receiver.

    Events that the receiver rejects are moved to the subfolder `rejected`, and so are events that fail 10
    times while events of other runs are delivered. If none is delivered, the receiver counts as down and all
    events stay in the spool. If the disk is full or the folder is not writable, the problem is logged and the
    event is delivered from memory. `close` waits until the events of this process are delivered.

    Args:
        inner: An emitter, a function that accepts an event, a URL or a path. Exceptions other than
            `EventRejected` mean "retry". For emitters of this package, each attempt is one call of `send`.
        directory: The folder. It is created when needed, accessible only to its owner.
        timeout: Maximum number of seconds to delay the job: `emit` waits for the disk, `close` and
            interpreter exit wait for deliveries.
        on_error: "log", or "raise" to raise `EmissionError` if an event cannot be stored.

    Example:
        >>> with SpoolEmitter(HttpEmitter("http://localhost:5000"), "/var/spool/lineage") as emitter:
        ...     emitter.emit(event)
    """

    def __init__(
        self,
        inner: EmitTarget[Any],
        directory: str | os.PathLike[str],
        *,
        timeout: float = 5.0,
        on_error: OnError = "log",
    ) -> None:
        self._inner = as_emitter(inner, on_error="raise")
        self._directory = SpoolDirectory(directory)
        super().__init__(timeout, on_error)
        # Events stored before a fork are delivered by the parent process.
        self._per_process = PerProcess(
            self._new_delivery(include_existing=True), lambda: self._new_delivery(include_existing=False)
        )

    def _new_delivery(self, include_existing: bool) -> Delivery:
        send = line_sender(self._inner)
        return Delivery(
            self._directory,
            send,
            lambda: self._failures,  # `summarize_failures` replaces it.
            include_existing=include_existing,
            on_delivered=self._wait_budget.delivered,
        )

    @property
    def _delivery(self) -> Delivery:
        return self._per_process.get()

    def send(self, line: bytes) -> None:
        """Store one line in the spool for later delivery.

        Raises:
            EmissionError: The line cannot be stored and `on_error` is "raise". It is delivered from memory.
        """
        if self._delivery.holds_run_of(line):
            self._delivery.hold(line)  # Keep the order: earlier events are in memory, too.
            return
        try:
            self._delivery.stored(self._directory.append(line))
        except OSError as error:
            failure = emission_error(error, f"could not write to the spool {self._directory.path}")
            self._delivery.hold(line)
            self._warn(EmissionError(f"{failure}; the event is delivered from memory", kind=failure.kind))

    def _finish(self, seconds: float, *, at_exit: bool = False) -> None:
        begin = monotonic()
        end = begin + seconds
        stored = self._worker.drain(seconds)
        settled = self._delivery.settle(max(0.0, end - monotonic()))
        if not (stored and settled):
            self._wait_budget.spend(monotonic() - begin)
        self._delivery.stop()
        if not settled and not self._delivery.in_memory:
            LOG.warning(
                "%s: pending events are stored in %s; the next emitter with this spool delivers them, or run"
                " `openlineage-facets replay %s`",
                *(self, self._directory.path, self._directory.path),
            )
        pending = self._delivery.in_memory + (0 if stored else self._worker.waiting)
        self._failures.log_total(pending, at_exit=at_exit)
        closing = self._worker.submit(self._inner.close)  # It may deliver what it has accepted.
        if closing.wait(max(0.1, end - monotonic())) and not pending:
            AT_EXIT.discard(self)

    def __str__(self) -> str:
        return f"SpoolEmitter({self._inner})"
