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

    def log_total(self, pending: int = 0, *, at_exit: bool = False) -> None:
        """Log how many events were lost since the last call, and how many may be lost.

        Args:
            pending: Events that are still being delivered in the background.
            at_exit: Whether the process ends, so that these are lost now.
        """
        lost = pending if at_exit else 0
        with suppress(IndexError):
            while True:
                self._undelivered.pop()
                lost += 1
        if lost:
            LOG.error(
                "%s: %s not delivered", self._emitter, "1 event was" if lost == 1 else f"{lost} events were"
            )
        if pending and not at_exit:
            LOG.warning(
                "%s: %s pending; pending events are lost if the process ends",
                self._emitter,
                "1 event is" if pending == 1 else f"{pending} events are",
            )
