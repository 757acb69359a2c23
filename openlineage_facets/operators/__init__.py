"""Lineage told by the operators of a scheduler, and the run events made of it.

An operator says what it reads and writes; a listener turns that into START, COMPLETE and FAIL events:

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

The lineage may be written with typed facets, with plain dicts by their wire names, or as Airflow's own
`OperatorLineage`. Nothing here imports Airflow before it is asked for: `TaskInstanceLineage.to_airflow`
and `from_airflow` convert where its OpenLineage provider is installed, `airflow_listener` hooks a listener
into it. What goes wrong is logged under `openlineage_facets.operators` and never reaches the task.
"""

from openlineage_facets.operators.airflow_provider import airflow_listener
from openlineage_facets.operators.extractors import (
    DefaultExtractor,
    Extractor,
    ExtractorRegistry,
    LineageTold,
    register,
)
from openlineage_facets.operators.lineage import TaskInstanceLineage
from openlineage_facets.operators.listener import TaskInstanceListener
from openlineage_facets.operators.run_ids import dag_run_id, task_run_id
from openlineage_facets.operators.task_instance import (
    DagRun,
    Operator,
    TaskInstance,
    TellsOnComplete,
    TellsOnFailure,
    TellsOnStart,
)

__all__ = [
    "DagRun",
    "DefaultExtractor",
    "Extractor",
    "ExtractorRegistry",
    "LineageTold",
    "Operator",
    "TaskInstance",
    "TaskInstanceLineage",
    "TaskInstanceListener",
    "TellsOnComplete",
    "TellsOnFailure",
    "TellsOnStart",
    "airflow_listener",
    "dag_run_id",
    "register",
    "task_run_id",
]
