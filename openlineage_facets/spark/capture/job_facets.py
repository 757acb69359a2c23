"""Job facets that change during a run: the processing type and the SQL statements."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.builders import RunEventBuilder

_MAX_STATEMENTS = 500
_MAX_LENGTH = 200_000
"""How many distinct SQL statements, and characters, the sql facet contains."""

_SEPARATOR = ";\n"
_CUT = " /* ... {} more characters */"
"""What marks a statement that is cut off."""

_MIN_PART = 1_000
"""How many characters of a statement are kept at least."""


class JobFacets:
    """Keep the jobType and sql facets of a job up to date.

    Args:
        builder: Builder of the run's events.
        lock: Held while the builder is changed or an event is composed.
        processing_type: "BATCH" or "STREAMING", until a stream is read.
    """

    def __init__(
        self, builder: RunEventBuilder, lock: AbstractContextManager[Any], processing_type: str = "BATCH"
    ) -> None:
        self._builder = builder
        self._lock = lock
        self._processing_type = processing_type
        self._queries: dict[str, None] = {}
        self._length = 0
        self._is_full = False

    def add_job_type(self) -> None:
        """Add the jobType facet."""
        with self._lock:
            self._builder.job.job_type(
                processing_type=self._processing_type, integration="SPARK", job_type="JOB"
            )

    def mark_streaming(self) -> None:
        """Change the processing type to STREAMING."""
        with self._lock:
            if self._processing_type != "STREAMING":
                self._processing_type = "STREAMING"
                self.add_job_type()

    def add_query(self, query: str) -> bool:
        """Append a SQL statement to the sql facet, with its secrets redacted.

        Returns:
            False if the limit was reached before its end: it is cut off, and no further ones are added.
        """
        query = redact(query)
        with self._lock:
            if query in self._queries:
                return True
            if self._is_full or len(self._queries) == _MAX_STATEMENTS:
                return False
            room = _MAX_LENGTH - self._length
            self._is_full = len(query) > room
            if self._is_full:
                if room < _MIN_PART:
                    return False
                kept = room - len(_CUT.format(f"{len(query):,}"))
                query = query[:kept] + _CUT.format(f"{len(query) - kept:,}")
            self._queries[query] = None
            self._length += len(query) + len(_SEPARATOR)
            self._builder.job.sql(query=_SEPARATOR.join(self._queries), dialect="spark")
            return not self._is_full
