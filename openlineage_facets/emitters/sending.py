"""What every emitter of this package has in common: the bound on waiting, and failures that cost no job."""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from time import monotonic
from typing import Any, Literal, TypeAlias
from weakref import WeakSet

from typing_extensions import Self

from openlineage_facets.emitters.errors import EmissionError, emission_error
from openlineage_facets.emitters.reports import FailureLog
from openlineage_facets.emitters.wire import event_line
from openlineage_facets.emitters.worker import Worker

__all__ = ["BoundedEmitter", "OnError", "SendingEmitter"]

OnError: TypeAlias = Literal["log", "raise"]
"""What becomes of an event that can't be delivered: a line in the log, or an `EmissionError`."""

_AT_EXIT: WeakSet[BoundedEmitter] = WeakSet()
"""Emitters that may have work left when the interpreter ends."""


class SendingEmitter(ABC):
    """Sends each event as one line of JSON, in the thread that emits it.

    Args:
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.
    """

    def __init__(self, on_error: OnError = "log") -> None:
        if on_error not in ("log", "raise"):
            raise ValueError(f"on_error: expected 'log' or 'raise', found {on_error!r}")
        self._on_error = on_error
        self._failures = FailureLog(self)

    @abstractmethod
    def send(self, line: bytes) -> None:
        """Deliver one line in one attempt, or raise.

        Raises:
            EventRejected: No further attempt will do.
            EmissionError: Another attempt may.
        """

    def emit(self, event: Any) -> None:
        """Deliver an event.

        Args:
            event: An event, or its wire form as text, bytes or a mapping.

        Raises:
            EmissionError: It was not delivered, and `on_error` is "raise".
        """
        try:
            self._deliver(event_line(event))
        except Exception as error:
            self._fail(emission_error(error, "emitting"))

    def _deliver(self, line: bytes) -> None:
        self.send(line)

    def _fail(self, error: EmissionError) -> None:
        if self._on_error == "raise":
            raise error
        self._failures.undelivered(error)

    def close(self) -> None:
        """Release what is held; a later `emit` takes it again."""
        self._failures.sum_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{type(self).__name__}()"


class BoundedEmitter(SendingEmitter):
    """Sends in the background, in order; `emit` waits for that no longer than `timeout` seconds.

    Where an earlier event is late already, `emit` does not wait at all, so that a receiver that hangs costs
    the job one timeout and not one for each event. `close` and the end of the interpreter wait once more, as
    long at most, for what is on its way.

    Args:
        timeout: Seconds that `emit` and `close` wait at most.
        on_error: As with every emitter.
    """

    _PENDING = 10_000
    """Events that wait in memory at most; what comes then is not delivered."""

    def __init__(self, timeout: float, on_error: OnError = "log") -> None:
        if not timeout > 0:
            raise ValueError(f"timeout: expected a number of seconds above 0, found {timeout!r}")
        super().__init__(on_error)
        self._timeout = timeout
        self._worker = Worker(f"openlineage-{type(self).__name__}")
        self._late = False

    def _deliver(self, line: bytes) -> None:
        pending = self._worker.waiting
        if pending >= self._PENDING:
            raise EmissionError(f"{pending} events wait to be delivered already", kind="too many wait")
        _AT_EXIT.add(self)
        task = self._worker.submit(lambda: self._attempt(line))
        if not task.wait(0 if pending and self._late else self._timeout):
            self._late = True
            if self._on_error == "raise":
                raise EmissionError(
                    f"not delivered within {self._timeout:g} s; it is tried still", kind="late"
                )
            self._failures.warn(
                f"no answer within {self._timeout:g} s; it is tried in the background", "late"
            )
            return
        self._late = False
        if task.error is not None and self._on_error == "raise":
            raise emission_error(task.error, "emitting")

    def _attempt(self, line: bytes) -> None:
        """Deliver, in the background; what fails is logged here, since nobody may be waiting."""
        try:
            self._send_patiently(line)
        except (Exception, SystemExit) as error:
            failure = emission_error(error, "emitting")
            if self._on_error == "log":
                self._failures.undelivered(failure)
            raise failure from None

    def _send_patiently(self, line: bytes) -> None:
        """Deliver one line in as many attempts as it deserves."""
        self.send(line)

    def close(self, timeout: float | None = None) -> None:
        """Wait for what is on its way; log how many events were lost.

        Args:
            timeout: Seconds to wait at most, if not those of the emitter.
        """
        self._finish(monotonic() + (self._timeout if timeout is None else timeout))

    def _finish(self, end: float) -> None:
        drained = self._worker.drain(max(0.0, end - monotonic()))
        self._failures.sum_up(0 if drained else self._worker.waiting)
        if drained:
            _AT_EXIT.discard(self)


@atexit.register
def _finish_all() -> None:
    """Give what is on its way when the interpreter ends the longest of the timeouts, and no more."""
    emitters = list(_AT_EXIT)
    begin = monotonic()
    for emitter in emitters:
        emitter._finish(begin + emitter._timeout)
