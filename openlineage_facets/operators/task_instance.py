"""Protocols of the scheduler objects that this package uses."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

from openlineage_facets.base.redaction.redacting_logger import redacting_logger

_log = redacting_logger("openlineage_facets.operators")


class Operator(Protocol):
    """The work that a task instance executes.

    Its `task_type`, or else its class name, selects the extractor.
    """

    @property
    def task_id(self) -> str:
        """The task's name within its DAG."""
        ...


class TaskInstance(Protocol):
    """One try of one task in one DAG run, as Airflow 2.10 and later pass it to listeners.

    Optional attributes: `map_index` (-1 for a task that is not mapped), `dag_run` or a
    `get_template_context()` that contains it, and `logical_date`.
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


class DagRun(Protocol):
    """One run of a DAG.

    Optional attributes: `run_after`, `clear_number`, `data_interval_start`, `data_interval_end`, and `conf`,
    whose `openlineage` entry identifies the run that started this one.
    """

    @property
    def run_id(self) -> str:
        """The scheduler's name of the run, not a UUID."""
        ...

    @property
    def logical_date(self) -> datetime | None:
        """The logical date, None if the run was triggered manually or by an asset."""
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


def dag_run_of(task_instance: TaskInstance) -> DagRun | None:
    """Return the DAG run of a task instance, None if unknown.

    Airflow 2 stores it on the task instance, Airflow 3 in the template context.
    """
    dag_run: DagRun | None = getattr(task_instance, "dag_run", None)
    context_of = getattr(task_instance, "get_template_context", None)
    if dag_run is None and callable(context_of):
        try:
            context: Any = context_of()
            dag_run = context["dag_run"]
        except Exception:
            # Scheduler code that may query its database. The event is emitted in any case.
            _log.warning(
                "could not get the DAG run of %s.%s from its context; run ids are derived from its run_id",
                task_instance.dag_id,
                task_instance.task_id,
                exc_info=True,
            )
    return dag_run
