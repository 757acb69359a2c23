"""Failures in the log: each kind once, and at the end how many events it cost."""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress

from openlineage_facets.emitters.errors import EmissionError

__all__ = ["FailureLog"]

LOG = logging.getLogger("openlineage_facets.emitters")


class FailureLog:
    """Logs each kind of failure once, further ones at debug level, and counts the events not delivered.

    Threads share it, and signal handlers that interrupt one amid this: each step is atomic, and none waits.

    Args:
        of: Whose failures these are.
    """

    def __init__(self, of: object) -> None:
        self._name = of
        self._kinds: dict[str, object] = {}
        self._undelivered: deque[None] = deque()  # An entry for each; adding to a number takes two steps.

    def undelivered(self, error: EmissionError) -> None:
        """Report an event that is lost."""
        self._undelivered.append(None)
        self.warn(str(error), error.kind)

    def warn(self, message: str, kind: str) -> None:
        """Report what costs no event."""
        mine = object()
        if self._kinds.setdefault(kind, mine) is mine:
            LOG.warning("%s: %s; the job goes on, and this is said once", self._name, message)
        else:
            LOG.debug("%s: %s", self._name, message)

    def sum_up(self, left: int = 0) -> None:
        """Report how many events were lost since this was said last.

        Args:
            left: Events that wait still, and are lost now.
        """
        lost = left
        with suppress(IndexError):
            while True:
                self._undelivered.pop()
                lost += 1
        if lost:
            LOG.error("%s: %d event%s not delivered", self._name, lost, " was" if lost == 1 else "s were")
