"""Track failing runs to decide whether an event or the receiver causes the failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from openlineage_facets.emitters.errors import EmissionError, EventRejected

_DOWN = 3
"""Number of different runs that fail in succession before the receiver counts as down."""


@dataclass
class _Failing:
    """A run whose first pending event fails.

    Attributes:
        kind: The kind of failure.
        delivered: Number of deliveries of other runs before the first failure.
        attempts: Counted attempts: the first, and those after a delivery of another run.
    """

    kind: str
    delivered: int
    attempts: int = 1


class FailingRuns:
    """Counts failed attempts and rejects events that fail while other runs are delivered.

    A failure is attributed to the event if an event of another run was delivered since. Only such attempts
    count; after `limit` of them, the event is rejected. Later events of its run that fail in the same way are
    rejected immediately. If no other run is delivered, the receiver counts as down and nothing is rejected. A
    response 500 proves that the receiver is up: if it concerns only one or two runs, an earlier delivery of
    another run is sufficient. A response 429 is never attributed to the event.

    Args:
        limit: Number of attempts before an event is rejected.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._runs: dict[str, _Failing] = {}
        self._delivered = 0
        self._last_two: tuple[str, ...] = ()  # The last two different runs with a delivery.
        self._in_a_row: dict[str, None] = {}

    @property
    def is_down(self) -> bool:
        """Whether the receiver counts as down: several runs have failed since the last delivery."""
        return len(self._in_a_row) >= _DOWN

    def attempt(self, run: str, send: Callable[[], None]) -> None:
        """Send an event of a run, and record the outcome.

        Args:
            run: The run.
            send: Sends its first pending event.

        Raises:
            EventRejected: The receiver rejects the event, or it has failed too often.
            EmissionError: It failed and may be retried.
        """
        try:
            send()
        except EventRejected:
            self._record_rejection(run)
            raise
        except EmissionError as error:
            raise self._record_failure(run, error) or error from None
        self._record_delivery(run)

    def _record_delivery(self, run: str) -> None:
        self._runs.pop(run, None)
        self._delivered += 1
        if run not in self._last_two[-1:]:
            self._last_two = (*self._last_two[-1:], run)
        self._in_a_row.clear()

    def _record_rejection(self, run: str) -> None:
        """Record that the receiver rejected an event: it is up, and the next event starts from zero."""
        self._runs.pop(run, None)
        self._in_a_row.clear()

    def _record_failure(self, run: str, error: EmissionError) -> EventRejected | None:
        """Record a failed attempt.

        Args:
            run: The run.
            error: The failure.

        Returns:
            The rejection of the event, None to retry it.
        """
        failing = self._runs.get(run)
        if failing is None or failing.kind != error.kind:
            failing = self._runs[run] = _Failing(error.kind, self._delivered)
        elif self._is_at_fault(run, failing):
            failing.attempts += 1
        if not self._is_at_fault(run, failing):
            self._in_a_row[run] = None
        elif failing.attempts >= self._limit:
            return EventRejected(
                f"{error}; rejected after {self._limit} attempts while other events were delivered",
                kind=f"{error.kind}, {self._limit} times",
            )
        return None

    def _is_at_fault(self, run: str, failing: _Failing) -> bool:
        if failing.kind == "HTTP 429":  # There are too many requests, whatever they contain.
            return False
        if self._delivered > failing.delivered:
            return True
        alike = sum(self._delivered == known.delivered for known in self._runs.values())
        others = any(known != run for known in self._last_two)
        return others and failing.kind == "HTTP 500" and alike < _DOWN
