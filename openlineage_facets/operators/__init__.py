"""Lineage reported by the operators of a scheduler such as Airflow, emitted as run events.

An operator reports its inputs and outputs; a listener emits them in START, COMPLETE and FAIL events:

    >>> class LoadOrders:
    ...     task_id = "load_orders"
    ...
    ...     def get_openlineage_facets_on_start(self, ti):
    ...         return TaskInstanceLineage(
    ...             job_facets={"sql": {"query": "INSERT INTO orders SELECT * FROM landing"}},
    ...             inputs=[{"namespace": "postgres://db:5432", "name": "shop.landing"}],
    ...             outputs=[{"namespace": "postgres://db:5432", "name": "shop.orders"}],
    ...         )

    >>> listener = TaskInstanceListener(emit=print, namespace="airflow-prod")

Lineage consists of typed facets, of plain dicts in the wire format, or is Airflow's `OperatorLineage`.
Failures are logged under `openlineage_facets.operators` and never reach the task.

In Airflow, its OpenLineage provider is the listener: an operator returns
`TaskInstanceLineage(...).to_airflow()` from the same methods. The provider adds run ids, parents, nominal
times and errors, and emits the events.
"""

from openlineage_facets.operators.extractors import (
    DefaultExtractor,
    Extractor,
    ExtractorRegistry,
    ReportedLineage,
    register,
)
from openlineage_facets.operators.listener import TaskInstanceListener
from openlineage_facets.operators.task_instance import (
    Operator,
    ReportsOnComplete,
    ReportsOnFailure,
    ReportsOnStart,
    TaskInstance,
    dag_run_id,
    task_run_id,
)
from openlineage_facets.operators.task_lineage import TaskInstanceLineage

__all__ = [
    "DefaultExtractor",
    "Extractor",
    "ExtractorRegistry",
    "Operator",
    "ReportedLineage",
    "ReportsOnComplete",
    "ReportsOnFailure",
    "ReportsOnStart",
    "TaskInstance",
    "TaskInstanceLineage",
    "TaskInstanceListener",
    "dag_run_id",
    "register",
    "task_run_id",
]
