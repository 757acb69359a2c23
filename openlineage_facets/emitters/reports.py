"""Failures in the log: each kind once, and at the end how many events it cost."""

from __future__ import annotations

import logging
from threading import Lock

from openlineage_facets.emitters.errors import EmissionError

__all__ = ["FailureLog"]

LOG = logging.getLogger("openlineage_facets.emitters")


class FailureLog:
    """Logs each kind of failure once, further ones at debug level, and counts the events not delivered.

    Args:
        of: Whose failures these are.
    """

    def __init__(self, of: object) -> None:
        self._name = of
        self._kinds: set[str] = set()
        self._undelivered = 0
        self._lock = Lock()

    def undelivered(self, error: EmissionError) -> None:
        """Report an event that is lost."""
        with self._lock:
            self._undelivered += 1
        self.warn(str(error), error.kind)

    def warn(self, message: str, kind: str) -> None:
        """Report what costs no event."""
        with self._lock:
            first = kind not in self._kinds
            self._kinds.add(kind)
        if first:
            LOG.warning("%s: %s; the job goes on, and this is said once", self._name, message)
        else:
            LOG.debug("%s: %s", self._name, message)

    def sum_up(self, left: int = 0) -> None:
        """Report how many events were lost since this was said last.

        Args:
            left: Events that wait still, and are lost now.
        """
        with self._lock:
            lost, self._undelivered = self._undelivered + left, 0
        if lost:
            LOG.error("%s: %d event%s not delivered", self._name, lost, " was" if lost == 1 else "s were")
