"""Deterministic run ids of DAG runs and tasks, the same in every event and process.

If the DAG run has a logical date or a `run_after` date, the ids are those of Airflow's OpenLineage provider:
a version 7 UUID whose time is that date and whose other bits are the SHA-1 hash of the date and of

- `namespace.dag_id.clear_number` for a DAG run,
- `namespace.dag_id.task_id.try_number.map_index` for a task.

Events of both therefore refer to the same runs, also in jobs that get their parent's id from the provider's
macros. Without such a date, an id is the version 5 UUID of the same parts and the scheduler's `run_id`.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone
from hashlib import sha1
from uuid import UUID, uuid5

from openlineage_facets.operators.task_instance import DagRun, TaskInstance, dag_run_of

__all__ = ["dag_run_id", "dag_run_uuid", "task_run_id", "task_run_uuid"]

_NAMESPACE = UUID("5ad3a9d6-1dcd-5b4c-9d0c-6a0f8b8a3f21")
"""The namespace of the version 5 UUIDs. It must never change."""


def dag_run_id(task_instance: TaskInstance, namespace: str) -> UUID:
    """Return the run id of a task instance's DAG run.

    Args:
        task_instance: Any task instance of the DAG run.
        namespace: The namespace of the scheduler's jobs.
    """
    return dag_run_uuid(task_instance, dag_run_of(task_instance), namespace)


def task_run_id(task_instance: TaskInstance, namespace: str) -> UUID:
    """Return the run id of one try of a task. It is the same at its start and its end.

    Args:
        task_instance: The task instance.
        namespace: The namespace of the scheduler's jobs.
    """
    return task_run_uuid(task_instance, dag_run_of(task_instance), namespace)


def dag_run_uuid(task_instance: TaskInstance, dag_run: DagRun | None, namespace: str) -> UUID:
    """Return the run id of a DAG run. `dag_run` is None if unknown."""
    date = _date(task_instance, dag_run)
    if date is None:
        return _uuid5(namespace, task_instance.dag_id, task_instance.run_id)
    clear_number = getattr(dag_run, "clear_number", 0)
    return _uuid7(date, f"{namespace}.{task_instance.dag_id}.{clear_number}")


def task_run_uuid(task_instance: TaskInstance, dag_run: DagRun | None, namespace: str) -> UUID:
    """Return the run id of a task. `dag_run` is None if unknown."""
    ti = task_instance
    map_index = getattr(ti, "map_index", -1)
    date = _date(ti, dag_run)
    if date is None:
        return _uuid5(namespace, ti.dag_id, ti.run_id, ti.task_id, ti.try_number, map_index)
    return _uuid7(date, f"{namespace}.{ti.dag_id}.{ti.task_id}.{ti.try_number}.{map_index}")


def _date(task_instance: TaskInstance, dag_run: DagRun | None) -> datetime | None:
    """Return the date of a DAG run, in UTC."""
    for owner, name in ((dag_run, "logical_date"), (dag_run, "run_after"), (task_instance, "logical_date")):
        date = getattr(owner, name, None)
        if isinstance(date, datetime):
            # A date without an offset is UTC, independent of the machine's time zone.
            return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    return None


def _uuid7(date: datetime, data: str) -> UUID:
    milliseconds = int(date.timestamp() * 1000)
    digest = sha1(date.isoformat().encode() + data.encode(), usedforsecurity=False).digest()
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(digest, "big") >> 84
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def _uuid5(*parts: str | int) -> UUID:
    return uuid5(_NAMESPACE, json.dumps(parts))
