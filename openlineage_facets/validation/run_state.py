"""The state of a run, built from its events in order."""

from __future__ import annotations

import sys

from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.validation.run_event_summary import RunEventSummary


class RunState:
    """The state of a run after the events seen so far.

    Args:
        position: The position of its first event, in any form the caller chooses.
    """

    __slots__ = ("ended_by", "job", "latest", "position", "seen", "started")

    def __init__(self, position: object) -> None:
        self.position = position
        self.started = False
        """Whether there was a START event."""
        self.seen = False
        """Whether there was an event other than OTHER."""
        self.ended_by: str | None = None
        """The type of the event that ended the run."""
        self.latest: int | None = None
        """The latest event time, in nanoseconds since 1970."""
        self.job: str | None = None
        """The job of the first event that has one."""

    def apply(self, event: RunEventSummary, time: int | None) -> None:
        """Update the state with the next event."""
        event_type = event.event_type
        if event_type != "OTHER" and event_type is not None:
            self.seen = True
        if event_type == "START":
            self.started = True
        elif event_type in TERMINAL_EVENT_TYPES and self.ended_by is None:
            self.ended_by = sys.intern(event_type)
            self.position = None  # Only used for runs that never end.
        if time is not None and (self.latest is None or time > self.latest):
            self.latest = time
        if self.job is None:
            self.job = event.job
