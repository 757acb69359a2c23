"""Let an operator say what it reads and writes, and hear its runs told as START, COMPLETE and FAIL events.

The scheduler here is a loop of ten lines; in Airflow the same listener is hooked in by a plugin:

    class LineagePlugin(AirflowPlugin):
        name = "lineage"
        listeners = [airflow_listener(TaskInstanceListener(emit=send, namespace="airflow-prod"))]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from openlineage_facets import RunEvent
from openlineage_facets.operators import (
    Extractor,
    TaskInstance,
    TaskInstanceLineage,
    TaskInstanceListener,
    register,
)

WAREHOUSE = "postgres://db.example.com:5432"


@dataclass
class LoadOrders:
    """An operator that tells its lineage: what it will do at the start, how much it did at the end."""

    task_id: str = "load_orders"
    rows: int = 0

    def execute(self) -> None:
        """Load the rows that have landed."""
        self.rows = 1345

    def get_openlineage_facets_on_start(self, ti: TaskInstance) -> TaskInstanceLineage:
        """Return what is known before the work."""
        return TaskInstanceLineage(
            job_facets={"sql": {"query": "INSERT INTO orders SELECT * FROM landing"}},
            inputs=[{"namespace": WAREHOUSE, "name": "shop.public.landing"}],
            outputs=[{"namespace": WAREHOUSE, "name": "shop.public.orders"}],
        )

    def get_openlineage_facets_on_complete(self, ti: TaskInstance) -> dict[str, Any]:
        """Return what is known after it, in plain dicts."""
        written = {"outputStatistics": {"rowCount": self.rows}}
        return {
            "outputs": [{"namespace": WAREHOUSE, "name": "shop.public.orders", "outputFacets": written}],
        }


@dataclass
class CopyOperator:
    """An operator from a library, which knows nothing of lineage; this one finds no file to copy."""

    source: str
    task_id: str = "copy_orders"

    def execute(self) -> None:
        """Copy the file."""
        raise FileNotFoundError(self.source)


@register
class CopyExtractor(Extractor):
    """Reads what such an operator does from its arguments."""

    @classmethod
    def get_operator_classnames(cls) -> list[str]:
        """Return the class names of the operators it reads."""
        return ["CopyOperator"]

    def extract(self, task_instance: TaskInstance) -> dict[str, Any]:
        """Return what the operator is about to read."""
        return {"inputs": [{"namespace": "file", "name": vars(self.operator)["source"]}]}


@dataclass(frozen=True)
class Try:
    """A task instance, as far as anyone asks for it."""

    task: Any
    dag_id: str = "shop"
    run_id: str = "manual__2026-11-21"
    try_number: int = 1
    logical_date: datetime = datetime(2026, 11, 21, tzinfo=timezone.utc)
    start_date: datetime | None = None
    end_date: datetime | None = None

    @property
    def task_id(self) -> str:
        """The task's name within the DAG."""
        return str(self.task.task_id)


def run(task: Any, emit: Callable[[RunEvent], object]) -> None:
    listener = TaskInstanceListener(emit, namespace="airflow-prod", producer="https://example.com/shop/v7")
    ti = Try(task, start_date=datetime.now(timezone.utc))
    listener.on_start(ti)
    try:
        task.execute()
    except OSError as error:
        listener.on_failure(replace(ti, end_date=datetime.now(timezone.utc)), error)
    else:
        listener.on_complete(replace(ti, end_date=datetime.now(timezone.utc)))


def main() -> None:
    for task in (LoadOrders(), CopyOperator("/landing/orders.csv")):
        run(task, emit=lambda event: print(event.to_json().decode()))


if __name__ == "__main__":
    main()
