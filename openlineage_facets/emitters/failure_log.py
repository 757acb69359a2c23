"""Log emission failures: each kind once, and a total of lost events."""

from __future__ import annotations

from collections import deque
from contextlib import suppress

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.emitters.errors import EmissionError

__all__ = ["FailureLog"]

LOG = redacting_logger("openlineage_facets.emitters")


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

    def log_total(self, left: int = 0) -> None:
        """Log how many events were lost since the last call.

        Args:
            left: Pending events that are lost now.
        """
        lost = left
        with suppress(IndexError):
            while True:
                self._undelivered.pop()
                lost += 1
        if lost:
            LOG.error("%s: %d event%s not delivered", self._emitter, lost, " was" if lost == 1 else "s were")
