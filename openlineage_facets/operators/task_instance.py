"""What is asked of a scheduler's objects: the attributes and methods used here, and no more."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, Protocol

__all__ = [
    "DagRun",
    "Operator",
    "TaskInstance",
    "TellsOnComplete",
    "TellsOnFailure",
    "TellsOnStart",
    "dag_run_of",
]

_log = logging.getLogger("openlineage_facets.operators")


class Operator(Protocol):
    """The piece of work a task instance executes.

    Its class name, or its `task_type` where it has one, says which extractor reads its lineage.
    """

    @property
    def task_id(self) -> str:
        """The task's name within its DAG."""
        ...


class TaskInstance(Protocol):
    """One try of one task in one DAG run, as Airflow 2.10 and later hand it to a listener.

    Used as well where they are there: `map_index` (-1 stands for a task that is not mapped), `dag_run`
    or a `get_template_context()` that holds one, and `logical_date`.
    """

    @property
    def task(self) -> Operator:
        """What is executed."""
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
        """The scheduler's own name of the DAG run; no UUID."""
        ...

    @property
    def try_number(self) -> int:
        """Which try this is, the first being 1; the same when it starts and when it ends."""
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
    """One run of a whole DAG.

    Used as well where they are there: `run_after`, `clear_number`, `data_interval_start` and
    `data_interval_end`, and `conf`, whose `openlineage` entry names the run that started this one.
    """

    @property
    def run_id(self) -> str:
        """The scheduler's own name of the run; no UUID."""
        ...

    @property
    def logical_date(self) -> datetime | None:
        """The moment the run stands for, None where it was started by hand or by an asset."""
        ...


class TellsOnStart(Protocol):
    """An operator that knows its lineage before it works."""

    def get_openlineage_facets_on_start(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or its plain form; a method without `ti` serves as well."""


class TellsOnComplete(Protocol):
    """An operator that knows its lineage when it has worked."""

    def get_openlineage_facets_on_complete(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or its plain form."""


class TellsOnFailure(Protocol):
    """An operator that knows what it had read and written when it failed."""

    def get_openlineage_facets_on_failure(self, ti: Any, /) -> Any:
        """Return a TaskInstanceLineage or its plain form."""


def dag_run_of(task_instance: TaskInstance) -> DagRun | None:
    """Return the DAG run of a task instance, None where the scheduler does not tell.

    Airflow 2 keeps it on the task instance, Airflow 3 in the context of its templates.
    """
    dag_run: DagRun | None = getattr(task_instance, "dag_run", None)
    context_of = getattr(task_instance, "get_template_context", None)
    if dag_run is None and callable(context_of):
        try:
            context: Any = context_of()
            dag_run = context["dag_run"]
        except Exception:
            # The scheduler's own code, which may ask its database: whatever it raises, the event goes out.
            _log.warning(
                "the context of %s.%s does not tell its DAG run; run ids come of its run id alone",
                task_instance.dag_id,
                task_instance.task_id,
                exc_info=True,
            )
    return dag_run
