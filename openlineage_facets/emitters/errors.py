"""Errors of emitters: the `on_error` argument, and a log with each kind of failure once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Literal, TypeAlias

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.emitters.background_worker import PerProcess

OnError: TypeAlias = Literal["log", "raise"]
"""Whether lineage failures are logged or raised."""


def checked_on_error(value: OnError) -> OnError:
    """Return `value` if it is a valid `on_error` argument.

    Raises:
        ValueError: It is not.
    """
    if value not in ("log", "raise"):
        raise ValueError(f"on_error: expected 'log' or 'raise', found {value!r}")
    return value


class EmissionError(Exception):
    """An event was not delivered; a retry may succeed.

    Args:
        message: Becomes one line: control characters, which receivers may send, are escaped.
        kind: Groups similar failures; each kind is logged once. Defaults to the message.
        retry_after: Seconds of the receiver's `Retry-After`, without a limit.
    """

    def __init__(self, message: str, *, kind: str = "", retry_after: float | None = None) -> None:
        shown = printable(message)
        super().__init__(shown)
        self.kind = kind or shown
        self.retry_after = retry_after


class EventRejected(EmissionError):
    """The receiver rejected an event; a retry cannot succeed.

    Args:
        message: As in `EmissionError`.
        answer: The receiver's response.
        kind: Groups similar failures.
    """

    def __init__(self, message: str, answer: str = "", *, kind: str = "") -> None:
        super().__init__(message, kind=kind)
        self.answer = printable(answer)


_EVENT_STATUSES = {400, 409, 413, 422}
"""HTTP statuses that concern the event itself.

All others concern the receiver, the network or permissions: 403 and 404 occur during a redeploy.
"""


def http_error(
    status: int, message: str, text: str = "", *, retry_after: float | None = None
) -> EmissionError:
    """Return the error for an HTTP response other than 2xx.

    Args:
        status: The status code.
        message: One line.
        text: The response body.
        retry_after: Seconds of the `Retry-After` header.
    """
    if status in _EVENT_STATUSES:
        return EventRejected(message, f"{status} {text}".rstrip(), kind=f"HTTP {status}")
    return EmissionError(message, kind=f"HTTP {status}", retry_after=retry_after)


def emission_error(error: BaseException, problem: str) -> EmissionError:
    """Convert an exception to an `EmissionError`.

    Args:
        error: The exception.
        problem: The start of the message, such as "could not write lineage.ndjson".
    """
    if isinstance(error, EmissionError):
        return error
    reason = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    message = redact(" ".join(f"{problem}: {reason}".split()))
    return EmissionError(message, kind=f"{problem}: {type(error).__name__} {getattr(error, 'errno', None)}")


LOG = redacting_logger("openlineage_facets.emitters")

LATE = "late"
"""The kind of failure of an event whose delivery takes longer than the job waits."""


class FailureLog:
    """Logs each kind of failure once, repetitions at debug level, and counts undelivered events.

    Safe for threads and signal handlers: each step is atomic and never waits for a lock.

    Args:
        emitter: The emitter named in the messages.
    """

    def __init__(self, emitter: object) -> None:
        self._emitter = emitter
        self._kinds: dict[str, object] = {}
        # One entry per event, since incrementing an int is not atomic. A parent process logs its own.
        self._undelivered = PerProcess[deque[None]](deque(), deque)

    def undelivered(self, error: EmissionError) -> None:
        """Log an event that is lost."""
        self._undelivered.get().append(None)
        self.warn(str(error), error.kind)

    def warn(self, message: str, kind: str) -> None:
        """Log a failure that loses no event.

        Args:
            message: One line.
            kind: Further messages of this kind are logged at debug level.
        """
        mine = object()
        if self._kinds.setdefault(kind, mine) is mine:
            LOG.warning("%s: %s; the job continues (logged once)", self._emitter, message)
        else:
            LOG.debug("%s: %s", self._emitter, message)

    def log_total(self, pending: int = 0, *, at_exit: bool = False) -> None:
        """Log how many events were lost since the last call, and how many may be lost.

        Args:
            pending: Events that are still being delivered in the background.
            at_exit: Whether the process ends, so that these are lost now.
        """
        lost = self._count_lost() + (pending if at_exit else 0)
        if lost:
            LOG.error("%s: %s not delivered", self._emitter, _events_were(lost))
        if pending and not at_exit:
            LOG.warning(
                "%s: %s pending; pending events are lost if the process ends",
                self._emitter,
                "1 event is" if pending == 1 else f"{pending} events are",
            )

    def _count_lost(self) -> int:
        """Return how many events were lost since the last call."""
        count = 0
        try:
            while True:
                self._undelivered.get().pop()
                count += 1
        except IndexError:
            return count


class FailureSummary(FailureLog):
    """Logs all failures in one message, when the emitter is closed.

    Args:
        emitter: The emitter named in the message.
        log: Logs the message.
    """

    def __init__(self, emitter: object, log: Callable[[str], None]) -> None:
        super().__init__(emitter)
        self._log = log

    def warn(self, message: str, kind: str) -> None:
        """Keep the first message of each kind for the summary."""
        self._kinds.setdefault(kind, message)
        LOG.debug("%s: %s", self._emitter, message)

    def log_total(self, pending: int = 0, *, at_exit: bool = False) -> None:
        """Log how many events were not delivered, and why. What is pending at exit was logged before."""
        lost = self._count_lost()
        if at_exit or not lost + pending:
            return
        reasons = [str(message) for kind, message in self._kinds.items() if kind != LATE]
        reason = f": {reasons[0]}" if reasons else ""
        still = f" ({pending} of them may still be, until the process ends)" if pending else ""
        self._log(f"{self._emitter}: {_events_were(lost + pending)} not delivered{still}{reason}")


def _events_were(count: int) -> str:
    return "1 event was" if count == 1 else f"{count} events were"
