"""What a task's run says of its DAG run: which run is its parent, and the period it stands for."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from openlineage_facets.base.errors import EventError
from openlineage_facets.generated.nominal_time_run import NominalTimeRunFacet
from openlineage_facets.generated.parent_run import Job, ParentRunFacet, Root, RootJob, RootRun, Run
from openlineage_facets.operators.run_ids import id_of_dag_run
from openlineage_facets.operators.task_instance import DagRun, TaskInstance

__all__ = ["nominal_time_facet", "parent_facet"]

_log = logging.getLogger("openlineage_facets.operators")

_STARTERS = (
    ("rootParentRunId", "rootParentJobNamespace", "rootParentJobName"),
    ("parentRunId", "parentJobNamespace", "parentJobName"),
)
"""The keys by which a DAG run's configuration names what started it, the topmost run first."""


def parent_facet(task_instance: TaskInstance, dag_run: DagRun | None, namespace: str) -> ParentRunFacet:
    """Return the facet that names the DAG run as the parent of a task's run.

    The root is what `conf["openlineage"]` of the DAG run names, as Airflow's provider reads it, else the
    DAG run itself.

    Args:
        task_instance: The task instance.
        dag_run: Its DAG run, None where there is none to see.
        namespace: The namespace of the scheduler's jobs.
    """
    run_id, name = id_of_dag_run(task_instance, dag_run, namespace), task_instance.dag_id
    own = Root(run=RootRun(run_id=run_id), job=RootJob(namespace=namespace, name=name))
    return ParentRunFacet(
        run=Run(run_id=run_id),
        job=Job(namespace=namespace, name=name),
        root=_root_of_conf(dag_run) or own,
    )


def _root_of_conf(dag_run: DagRun | None) -> Root | None:
    conf: Any = getattr(dag_run, "conf", None)
    told: Any = conf.get("openlineage") if isinstance(conf, Mapping) else None
    if not isinstance(told, Mapping):
        return None
    for keys in _STARTERS:
        run_id, namespace, name = (told.get(key) for key in keys)
        if run_id and namespace and name:
            try:
                return Root(run=RootRun(run_id=run_id), job=RootJob(namespace=namespace, name=name))
            except EventError as error:
                _log.warning("the DAG run's conf names no root by %s: %s", ", ".join(keys), error)
        elif run_id or namespace or name:
            _log.warning("the DAG run's conf names no root: it needs all of %s", ", ".join(keys))
    return None


def nominal_time_facet(dag_run: DagRun | None) -> NominalTimeRunFacet | None:
    """Return the data interval of a DAG run, None where it has none."""
    start = _moment(getattr(dag_run, "data_interval_start", None))
    end = _moment(getattr(dag_run, "data_interval_end", None))
    return NominalTimeRunFacet(nominal_start_time=start, nominal_end_time=end) if start else None


def _moment(value: Any) -> datetime | None:
    return value if isinstance(value, datetime) and value.utcoffset() is not None else None
