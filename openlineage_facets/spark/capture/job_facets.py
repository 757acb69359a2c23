"""Job facets that change during a run: the processing type and the SQL statements."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.builders import RunEventBuilder

__all__ = ["JobFacets"]


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
        self._queries: list[str] = []

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

    def add_query(self, query: str) -> None:
        """Append a SQL statement to the sql facet, with its secrets redacted."""
        query = redact(query)
        with self._lock:
            if query not in self._queries:
                self._queries.append(query)
                self._builder.job.sql(query=";\n".join(self._queries), dialect="spark")
