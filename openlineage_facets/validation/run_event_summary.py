"""The part of a run event that stream rules need, and the state of a run after its events so far."""

from __future__ import annotations

import sys
from typing import NamedTuple

from openlineage_facets.base.times.rfc3339 import epoch_nanoseconds
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.validation.event_document import Document


class RunEventSummary(NamedTuple):
    """The fields of a run event that stream rules check; small enough to send between processes."""

    run_id: str
    event_type: str | None
    event_time: str | None
    namespace: str | None
    """Namespace of the job."""
    name: str | None
    """Name of the job."""

    @classmethod
    def of(cls, document: Document) -> RunEventSummary | None:
        """Return the summary of a run event, None for any other document.

        Args:
            document: The event.

        Example:
            >>> RunEventSummary.of(Document({"run": {"runId": "019d3719"}, "eventType": "START"})).event_type
            'START'
        """
        if document.kind != "run":
            return None
        run, job = document.value.get("run"), document.value.get("job")
        run_id = _text(run.get("runId")) if isinstance(run, dict) else None
        if run_id is None:
            return None
        job = job if isinstance(job, dict) else {}
        return cls(
            run_id,
            _text(document.value.get("eventType")),
            _text(document.value.get("eventTime")),
            _text(job.get("namespace")),
            _text(job.get("name")),
        )

    @property
    def time(self) -> int | None:
        """The event time in nanoseconds since 1970, None if it is missing or invalid."""
        return epoch_nanoseconds(self.event_time) if self.event_time is not None else None

    @property
    def job(self) -> str | None:
        """Namespace and name of the job in one string, None if either is missing."""
        if self.namespace is None or self.name is None:
            return None
        # Cut because it is stored for each run; interned because few jobs have many runs.
        return sys.intern(f"{self.namespace} {self.name}"[:1000])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


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
