"""The order of a run's events: START first, then one terminal event, then only OTHER."""

from __future__ import annotations

from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.generated.open_lineage import EventType


class RunLifecycle:
    """The state of one run."""

    def __init__(self) -> None:
        self._state: EventType | None = None

    @property
    def state(self) -> EventType | None:
        """The type of the latest event, except OTHER after the end; None before START."""
        return self._state

    def check(self, event_type: EventType) -> None:
        """Check whether an event may follow.

        Raises:
            EventError: The lifecycle does not allow the event.
        """
        if self._state is None:
            if event_type is EventType.START:
                return
            expected, hint = "START first", "call start() before"
        elif event_type is EventType.START:
            expected, hint = "START once", "send RUNNING or OTHER for more metadata"
        elif self._state in TERMINAL_EVENT_TYPES and event_type is not EventType.OTHER:
            expected, hint = "only OTHER after the end", "call other() for more metadata"
        else:
            return
        found = (
            f"{event_type.value} after {self._state.value}" if self._state else f"{event_type.value} first"
        )
        raise EventError([Finding("/eventType", expected, found, hint)])

    def advance(self, event_type: EventType) -> None:
        """Record an event. OTHER after the end does not change the state."""
        if event_type is not EventType.OTHER or self._state not in TERMINAL_EVENT_TYPES:
            self._state = event_type
