"""Base classes of the emitters: failure handling, background delivery and the bound on waiting."""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import Any
from weakref import WeakSet

from typing_extensions import Self

from openlineage_facets.emitters.background_worker import Task, Worker
from openlineage_facets.emitters.errors import (
    LATE,
    EmissionError,
    FailureLog,
    FailureSummary,
    OnError,
    checked_on_error,
    emission_error,
)
from openlineage_facets.emitters.event_lines import event_line

_LONGEST_WAIT = 2_000_000.0
"""Seconds, about three weeks. Some systems count milliseconds with 31 bits, and raise `OverflowError`."""


def checked_seconds(name: str, value: float) -> float:
    """Return a time limit of an emitter, which may be infinite, as one that locks and sockets accept.

    Raises:
        ValueError: It is not greater than 0.
    """
    if not value > 0:
        raise ValueError(f"{name}: expected a number of seconds greater than 0, found {value!r}")
    return min(value, _LONGEST_WAIT)


_RESTORED_SHARE = 0.1
"""Share of the time between two deliveries by which the budget is restored."""


class WaitBudget:
    """Seconds that an emitter may delay the job, shared by `emit`, `close` and interpreter exit.

    Waiting that ends with a delivery costs nothing, so a slow receiver gets every event. Waiting without a
    delivery is deducted. Each delivery restores a tenth of the time since the previous one, so a process that
    runs for days recovers from a short outage.

    Safe for threads and signal handlers: each update is one assignment.

    Args:
        seconds: The initial and maximum budget.
    """

    def __init__(self, seconds: float) -> None:
        self._bound = self._left = seconds
        self._restored = monotonic()

    @property
    def left(self) -> float:
        """Remaining seconds."""
        return self._left

    def spend(self, seconds: float) -> None:
        """Deduct seconds that the job waited without a delivery."""
        self._left = max(0.0, self._left - seconds)

    def delivered(self) -> None:
        """Restore a part of the budget after a delivery."""
        now = monotonic()
        self._left = min(self._bound, self._left + _RESTORED_SHARE * (now - self._restored))
        self._restored = now


AT_EXIT: WeakSet[BoundedEmitter] = WeakSet()
"""Emitters that may have undelivered events when the interpreter exits."""


class BaseEmitter(ABC):
    """Sends each event as one line of JSON, in the calling thread.

    Args:
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.
    """

    def __init__(self, on_error: OnError = "log") -> None:
        self._on_error: OnError = checked_on_error(on_error)
        self._failures = FailureLog(self)
        self._prepare: tuple[Callable[[bytes], bytes], ...] = ()

    def summarize_failures(self, log: Callable[[str], None]) -> None:
        """Log failures in one message when the emitter is closed, instead of each kind when it occurs.

        Args:
            log: Logs the message: how many events were not delivered, and why.
        """
        self._failures = FailureSummary(self, log)

    def prepare_lines(self, prepare: Callable[[bytes], bytes]) -> None:
        """Add a function that changes each line before it is sent or stored.

        Several functions are called in the order in which they were added; `send` does not call them.
        """
        self._prepare = (*self._prepare, prepare)

    def prepared(self, line: bytes) -> bytes:
        """Return a line as the functions of `prepare_lines` change it."""
        for prepare in self._prepare:
            line = prepare(line)
        return line

    def _line(self, event: Any) -> bytes:
        return self.prepared(event_line(event))

    @abstractmethod
    def send(self, line: bytes) -> None:
        """Deliver one line in a single attempt.

        Raises:
            EventRejected: Retrying cannot succeed.
            EmissionError: Retrying may succeed.
        """

    def emit(self, event: Any) -> None:
        """Send an event.

        Args:
            event: An event of this package or of openlineage-python, or its wire format as text, bytes or
                a mapping.

        Raises:
            EmissionError: The event was not delivered and `on_error` is "raise".
        """
        try:
            self.send(self._line(event))
        except Exception as error:
            self._fail(emission_error(error, "could not emit the event"))

    def _fail(self, error: EmissionError) -> None:
        if self._on_error == "raise":
            raise error
        self._failures.undelivered(error)

    def _warn(self, error: EmissionError) -> None:
        """Raise or log a failure that loses no event."""
        if self._on_error == "raise":
            raise error
        self._failures.warn(str(error), error.kind)

    def close(self) -> None:
        """Release resources. A later `emit` acquires them again."""
        self._failures.log_total()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{type(self).__name__}()"


class BoundedEmitter(BaseEmitter):
    """Sends events in order in a background thread and bounds how long the job waits for it.

    `emit` waits until the event is delivered. Time that `emit`, `close` and interpreter exit spend waiting
    without a delivery adds up to at most `timeout`. After that, nothing waits and events are delivered in the
    background. See `WaitBudget` for how deliveries restore the budget.

    Args:
        timeout: Maximum number of seconds to delay the job without a delivery, in total.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.
    """

    _PENDING = 10_000
    """Maximum number of events in memory; further events are not delivered."""

    _PENDING_BYTES = 256 * 2**20
    """Maximum number of bytes of events in memory."""

    def __init__(self, timeout: float, on_error: OnError = "log") -> None:
        super().__init__(on_error)
        self._timeout = checked_seconds("timeout", timeout)
        self._wait_budget = WaitBudget(self._timeout)
        self._worker = Worker(f"openlineage-{type(self).__name__}")
        self._late = False

    def emit(self, event: Any) -> None:
        """Send an event.

        Args:
            event: An event of this package or of openlineage-python, or its wire format as text, bytes or
                a mapping.

        Raises:
            EmissionError: The event was not delivered and `on_error` is "raise".
        """
        self.start(event)()

    def start(self, event: Any) -> Callable[[], None]:
        """Start to send an event and return a function that waits for the delivery as `emit` does.

        Args:
            event: As for `emit`.
        """
        begin = monotonic()
        try:
            line = self._line(event)
            behind_late_event = self._late and self._worker.waiting > 0
            task = self._submit(line)
        except Exception as error:
            failure = emission_error(error, "could not emit the event")
            return lambda: self._fail(failure)
        return lambda: self._wait(task, begin, behind_late_event)

    def _submit(self, line: bytes) -> Task:
        pending, size = self._worker.waiting, self._worker.waiting_bytes
        if pending >= self._PENDING or (pending and size + len(line) > self._PENDING_BYTES):
            raise EmissionError(
                f"the queue is full: {pending} events of {size} bytes are pending", kind="queue full"
            )
        AT_EXIT.add(self)
        return self._worker.add(Task(self._attempt, line))

    def _wait(self, task: Task, begin: float, behind_late_event: bool) -> None:
        bound = 0.0 if behind_late_event else self._wait_budget.left
        task.is_late = not task.wait(bound - (monotonic() - begin))
        if task.is_late and task.error is None:
            self._late = True
            if not behind_late_event:
                self._wait_budget.spend(monotonic() - begin)
            message = f"not delivered within {self._timeout:g} s; retrying in the background"
            self._warn(EmissionError(message, kind=LATE))
            return
        self._late = False
        if task.error is not None:
            self._wait_budget.spend(monotonic() - begin)
            if self._on_error == "raise":
                raise emission_error(task.error, "could not emit the event") from None

    def _attempt(self, task: Task) -> None:
        """Deliver in the background. Failures that no caller raises are logged here.

        If no thread can be started, this runs in the caller: it makes one attempt within the wait budget.
        """
        try:
            if not task.is_in_caller:
                self._send_with_retries(task.line)
            elif self._wait_budget.left > 0:
                self._send_within(task.line, self._wait_budget.left)
            else:
                raise EmissionError(f"the timeout of {self._timeout:g} s is used up", kind=LATE)
            self._wait_budget.delivered()
        except (Exception, SystemExit) as error:
            # `_wait` sets `is_late` before it reads `error`, so at least one of them reports the failure.
            task.error = failure = emission_error(error, "could not emit the event")
            if self._on_error == "log" or task.is_late:
                self._failures.undelivered(failure)

    def _send_with_retries(self, line: bytes) -> None:
        """Deliver one line in the background, with retries."""
        self.send(line)

    def _send_within(self, line: bytes, seconds: float) -> None:
        """Deliver one line in a single attempt that takes at most `seconds`, where that can be bounded."""
        self.send(line)

    def close(self, timeout: float | None = None) -> None:
        """Wait for pending events and log how many were lost, and how many are still pending.

        Args:
            timeout: Maximum number of seconds. Defaults to the rest of the emitter's timeout.
        """
        self._finish(self._wait_budget.left if timeout is None else min(timeout, _LONGEST_WAIT))

    def _finish(self, seconds: float, *, at_exit: bool = False) -> None:
        begin = monotonic()
        drained = self._worker.drain(seconds)
        self._failures.log_total(0 if drained else self._worker.waiting, at_exit=at_exit)
        if drained:
            AT_EXIT.discard(self)
        else:
            self._wait_budget.spend(monotonic() - begin)


@atexit.register
def _finish_all() -> None:
    """Wait for pending events at interpreter exit. The remaining budgets of all emitters run concurrently."""
    emitters = list(AT_EXIT)
    begin = monotonic()
    for emitter in emitters:
        emitter._finish(max(0.0, emitter._wait_budget.left - (monotonic() - begin)), at_exit=True)
