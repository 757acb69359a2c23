"""Facets of a task's run that describe its DAG run: the parent run and the data interval."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.generated.nominal_time_run import NominalTimeRunFacet
from openlineage_facets.generated.parent_run import Job, ParentRunFacet, Root, RootJob, RootRun, Run
from openlineage_facets.operators.run_ids import dag_run_uuid
from openlineage_facets.operators.task_instance import DagRun, TaskInstance

_log = redacting_logger("openlineage_facets.operators")

_ROOT_KEYS = (
    ("rootParentRunId", "rootParentJobNamespace", "rootParentJobName"),
    ("parentRunId", "parentJobNamespace", "parentJobName"),
)
"""Keys in a DAG run's `conf` that identify the run that started it, topmost run first."""


def parent_facet(task_instance: TaskInstance, dag_run: DagRun | None, namespace: str) -> ParentRunFacet:
    """Return the parent facet of a task's run, with its DAG run as the parent.

    The root run is read from `conf["openlineage"]` of the DAG run, as Airflow's provider does. Without it,
    the DAG run is the root.

    Args:
        task_instance: The task instance.
        dag_run: Its DAG run, None if unknown.
        namespace: The namespace of the scheduler's jobs.
    """
    run_id, name = dag_run_uuid(task_instance, dag_run, namespace), task_instance.dag_id
    own = Root(run=RootRun(run_id=run_id), job=RootJob(namespace=namespace, name=name))
    return ParentRunFacet(
        run=Run(run_id=run_id),
        job=Job(namespace=namespace, name=name),
        root=_root_of_conf(dag_run) or own,
    )


def _root_of_conf(dag_run: DagRun | None) -> Root | None:
    conf: Any = getattr(dag_run, "conf", None)
    conf_entry: Any = conf.get("openlineage") if isinstance(conf, Mapping) else None
    if not isinstance(conf_entry, Mapping):
        return None
    for keys in _ROOT_KEYS:
        run_id, namespace, name = (conf_entry.get(key) for key in keys)
        if run_id and namespace and name:
            try:
                return Root(run=RootRun(run_id=run_id), job=RootJob(namespace=namespace, name=name))
            except EventError as error:
                _log.warning("ignored %s in the DAG run's conf: %s", ", ".join(keys), error)
        elif run_id or namespace or name:
            _log.warning("ignored the root run in the DAG run's conf: expected all of %s", ", ".join(keys))
    return None


def nominal_time_facet(dag_run: DagRun | None) -> NominalTimeRunFacet | None:
    """Return the data interval of a DAG run as a facet, None without a data interval."""
    start = _aware_datetime(getattr(dag_run, "data_interval_start", None))
    end = _aware_datetime(getattr(dag_run, "data_interval_end", None))
    return NominalTimeRunFacet(nominal_start_time=start, nominal_end_time=end) if start else None


def _aware_datetime(value: Any) -> datetime | None:
    return value if isinstance(value, datetime) and value.utcoffset() is not None else None
