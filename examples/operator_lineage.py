"""Operators report their inputs and outputs, and a listener emits them in START, COMPLETE and FAIL events.

The scheduler of this example is a short loop. In Airflow, its OpenLineage provider is the listener; the
operators return `TaskInstanceLineage(...).to_airflow()`.
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
    """An operator that reports its datasets when it starts and its row count when it completes."""

    task_id: str = "load_orders"
    rows: int = 0

    def execute(self) -> None:
        """Load the new rows."""
        self.rows = 1345

    def get_openlineage_facets_on_start(self, ti: TaskInstance) -> TaskInstanceLineage:
        """Return the lineage known before execution."""
        return TaskInstanceLineage(
            job_facets={"sql": {"query": "INSERT INTO orders SELECT * FROM landing"}},
            inputs=[{"namespace": WAREHOUSE, "name": "shop.public.landing"}],
            outputs=[{"namespace": WAREHOUSE, "name": "shop.public.orders"}],
        )

    def get_openlineage_facets_on_complete(self, ti: TaskInstance) -> dict[str, Any]:
        """Return the lineage known after execution, as a dict."""
        written = {"outputStatistics": {"rowCount": self.rows}}
        return {
            "outputs": [{"namespace": WAREHOUSE, "name": "shop.public.orders", "outputFacets": written}],
        }


@dataclass
class CopyOperator:
    """An operator of a library without lineage methods. It fails because its file does not exist."""

    source: str
    task_id: str = "copy_orders"

    def execute(self) -> None:
        """Copy the file."""
        raise FileNotFoundError(self.source)


@register
class CopyExtractor(Extractor):
    """Extracts the lineage of a `CopyOperator` from its arguments."""

    @classmethod
    def get_operator_classnames(cls) -> list[str]:
        """Return the names of the supported operator classes."""
        return ["CopyOperator"]

    def extract(self, task_instance: TaskInstance) -> dict[str, Any]:
        """Return the input of the operator."""
        return {"inputs": [{"namespace": "file", "name": vars(self.operator)["source"]}]}


@dataclass(frozen=True)
class Try:
    """A task instance with the attributes that the listener uses."""

    task: Any
    dag_id: str = "shop"
    run_id: str = "manual__2026-11-21"
    try_number: int = 1
    start_date: datetime | None = None
    end_date: datetime | None = None

    @property
    def task_id(self) -> str:
        """The task's name within the DAG."""
        return str(self.task.task_id)


def run(task: Any, emit: Callable[[RunEvent], object]) -> None:
    listener = TaskInstanceListener(emit, namespace="airflow-prod", producer="https://example.com/v7/shop")
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
        run(task, emit=lambda event: print(event.to_json_text()))


if __name__ == "__main__":
    main()
