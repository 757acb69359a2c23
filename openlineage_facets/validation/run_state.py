"""What the rules on streams need to know of an event, and of the run it belongs to."""

from __future__ import annotations

import sys
from typing import NamedTuple

from openlineage_facets.validation.document import Document
from openlineage_facets.validation.moments import moment_of

__all__ = ["ENDS", "Moment", "RunState"]

ENDS = frozenset(("COMPLETE", "ABORT", "FAIL"))
"""The types of event that end a run."""


class Moment(NamedTuple):
    """One event of a run, as far as the rules on streams look at it; small enough to send between
    processes.
    """

    run_id: str
    event_type: str | None
    event_time: str | None
    namespace: str | None
    """Namespace of the job."""
    name: str | None
    """Name of the job."""

    @classmethod
    def of(cls, document: Document) -> Moment | None:
        """Return the moment that a run event tells of, None for any other document.

        Args:
            document: The event.

        Example:
            >>> Moment.of(Document({"run": {"runId": "019d3719"}, "eventType": "START"})).event_type
            'START'
        """
        if document.kind != "run":
            return None
        run, job = document.value.get("run"), document.value.get("job")
        run_id = _text(run.get("runId")) if isinstance(run, dict) else None
        if run_id is None:
            return None
        known = job if isinstance(job, dict) else {}
        return cls(
            run_id,
            _text(document.value.get("eventType")),
            _text(document.value.get("eventTime")),
            _text(known.get("namespace")),
            _text(known.get("name")),
        )

    @property
    def time(self) -> int | None:
        """The event time in nanoseconds since 1970, None where it can't be read."""
        return moment_of(self.event_time) if self.event_time is not None else None

    @property
    def job(self) -> str | None:
        """The job in one text, None where either part of its identity is missing."""
        if self.namespace is None or self.name is None:
            return None
        # Cut, since it is kept for each run; interned, since few jobs have many runs.
        return sys.intern(f"{self.namespace} {self.name}"[:1000])


class RunState:
    """What is known of a run from its events so far.

    Args:
        position: Where its first event stands, as the caller has it.
    """

    __slots__ = ("ended_by", "job", "latest", "position", "seen", "started")

    def __init__(self, position: object) -> None:
        self.position = position
        self.started = False
        """Whether a START has come."""
        self.seen = False
        """Whether anything but OTHER has come."""
        self.ended_by: str | None = None
        """The type of the event that ended the run."""
        self.latest: int | None = None
        """The latest event time, in nanoseconds since 1970."""
        self.job: str | None = None
        """The job of its first event that has one."""

    def apply(self, moment: Moment, time: int | None) -> None:
        """Add an event."""
        kind = moment.event_type
        if kind != "OTHER" and kind is not None:
            self.seen = True
        if kind == "START":
            self.started = True
        elif kind in ENDS and self.ended_by is None:
            self.ended_by = sys.intern(kind)
            self.position = None  # Only runs that never end are spoken of again.
        if time is not None and (self.latest is None or time > self.latest):
            self.latest = time
        if self.job is None:
            self.job = moment.job


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
