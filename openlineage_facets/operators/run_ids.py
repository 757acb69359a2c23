"""Deterministic run ids of DAG runs and tasks, the same in every event and process.

An id is a version 7 UUID, the only version that some backends accept. If the DAG run has a logical date or a
`run_after` date, the ids are those of Airflow's OpenLineage provider: the time of the UUID is that date, and
its other bits are the SHA-1 hash of the date and of

- `namespace.dag_id.clear_number` for a DAG run,
- `namespace.dag_id.task_id.try_number.map_index` for a task.

Events of both therefore refer to the same runs, also in jobs that get their parent's id from the provider's
macros. Without such a date, the time is the one in the scheduler's `run_id`, such as
`manual__2026-03-29T01:00:00+00:00`, or else 1970, and the other bits are the hash of the same parts and of
the `run_id`.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from hashlib import sha1
from uuid import UUID

from openlineage_facets.operators.task_instance import DagRun, TaskInstance, dag_run_of

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DATE_IN_RUN_ID = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?[+-]\d\d:\d\d")


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
        return _undated(task_instance.run_id, namespace, task_instance.dag_id)
    clear_number = getattr(dag_run, "clear_number", 0)
    return _uuid7(date, f"{namespace}.{task_instance.dag_id}.{clear_number}")


def task_run_uuid(task_instance: TaskInstance, dag_run: DagRun | None, namespace: str) -> UUID:
    """Return the run id of a task. `dag_run` is None if unknown."""
    ti = task_instance
    map_index = getattr(ti, "map_index", -1)
    date = _date(ti, dag_run)
    if date is None:
        return _undated(ti.run_id, namespace, ti.dag_id, ti.task_id, ti.try_number, map_index)
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


def _undated(run_id: str, *parts: str | int) -> UUID:
    """Return the id of a run whose date is not known."""
    found = _DATE_IN_RUN_ID.search(run_id)
    try:
        date = datetime.fromisoformat(found[0]).astimezone(timezone.utc) if found else _EPOCH
    except (ValueError, OverflowError):
        date = _EPOCH
    return _uuid7(max(date, _EPOCH), json.dumps([run_id, *parts]))
