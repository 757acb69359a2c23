"""Protocols of the scheduler objects that this package uses, and the ids of their runs."""

from __future__ import annotations

import json
from datetime import datetime
from hashlib import sha1
from typing import Any, Protocol
from uuid import UUID

from openlineage_facets.base.times.rfc3339 import RFC3339, epoch_nanoseconds
from openlineage_facets.base.times.uuid7 import uuid7_of


class Operator(Protocol):
    """The work that a task instance executes.

    Its `task_type`, or else its class name, selects the extractor.
    """

    @property
    def task_id(self) -> str:
        """The task's name within its DAG."""
        ...


class TaskInstance(Protocol):
    """One try of one task in one DAG run.

    A task that is mapped over several inputs also has a `map_index`, which is -1 for other tasks.
    """

    @property
    def task(self) -> Operator:
        """The operator that is executed."""
        ...

    @property
    def dag_id(self) -> str:
        """The DAG's name."""
        ...

    @property
    def task_id(self) -> str:
        """The task's name within the DAG."""
        ...

    @property
    def run_id(self) -> str:
        """The scheduler's name of the DAG run, not a UUID."""
        ...

    @property
    def try_number(self) -> int:
        """The number of this try, starting at 1. It is the same at the start and the end."""
        ...

    @property
    def start_date(self) -> datetime | None:
        """When the try began."""
        ...

    @property
    def end_date(self) -> datetime | None:
        """When the try ended, None while it runs."""
        ...


class ReportsOnStart(Protocol):
    """An operator that knows its lineage when it starts."""

    def get_openlineage_facets_on_start(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or a dict by wire name. The parameter `ti` is optional."""


class ReportsOnComplete(Protocol):
    """An operator that knows its lineage when it has succeeded."""

    def get_openlineage_facets_on_complete(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or a dict by wire name."""


class ReportsOnFailure(Protocol):
    """An operator that knows its lineage when it has failed."""

    def get_openlineage_facets_on_failure(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or a dict by wire name."""


def dag_run_id(task_instance: TaskInstance, namespace: str) -> UUID:
    """Return the run id of a task instance's DAG run, the same in every event and process.

    The id is a version 7 UUID, the only version that some backends accept. Its time is the one in the
    scheduler's `run_id`, such as `manual__2026-03-29T01:00:00+00:00`, or else 1970.

    Args:
        task_instance: Any task instance of the DAG run.
        namespace: The namespace of the scheduler's jobs.
    """
    return _uuid7(task_instance.run_id, namespace, task_instance.dag_id)


def task_run_id(task_instance: TaskInstance, namespace: str) -> UUID:
    """Return the run id of one try of a task, the same at its start and its end.

    Args:
        task_instance: The task instance.
        namespace: The namespace of the scheduler's jobs.
    """
    ti = task_instance
    map_index = getattr(ti, "map_index", -1)
    return _uuid7(ti.run_id, namespace, ti.dag_id, ti.task_id, ti.try_number, map_index)


def _uuid7(run_id: str, *parts: str | int) -> UUID:
    """Return a UUID of the date in a scheduler's `run_id` and the hash of what identifies a run."""
    date = RFC3339.search(run_id)
    milliseconds = max((epoch_nanoseconds(date[0]) if date else None) or 0, 0) // 1_000_000
    digest = sha1(json.dumps([run_id, *parts]).encode(), usedforsecurity=False).digest()
    return uuid7_of(milliseconds, (int.from_bytes(digest, "big") >> 84).to_bytes(10, "big"))
