"""Log emission failures: each kind once and a total of lost events, or all in one message."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.emitters.errors import EmissionError

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
        self._undelivered: deque[None] = deque()  # One entry per event; incrementing an int is not atomic.

    def undelivered(self, error: EmissionError) -> None:
        """Log an event that is lost."""
        self._undelivered.append(None)
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
                self._undelivered.pop()
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
