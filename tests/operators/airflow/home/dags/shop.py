"""A shop's day: one task ends well, one fails, one skips itself."""

from __future__ import annotations

from datetime import datetime, timezone

from airflow.providers.openlineage.extractors import OperatorLineage
from airflow.sdk import DAG, BaseOperator, Context
from airflow.sdk.exceptions import AirflowSkipException

from openlineage_facets.operators import TaskInstance, TaskInstanceLineage

LANDING = {
    "namespace": "postgres://db:5432",
    "name": "warehouse.shop.landing",
    "facets": {"schema": {"fields": [{"name": "id", "type": "bigint"}]}},
}
ORDERS = {"namespace": "postgres://db:5432", "name": "warehouse.shop.orders"}
COST = {"usd": 1.5, "_schemaURL": "https://acme.example.com/1-0-0/Cost.json#/$defs/AcmeCostRunFacet"}


class LoadOrders(BaseOperator):
    def execute(self, context: Context) -> None:
        self.rows = 365

    def get_openlineage_facets_on_start(self) -> OperatorLineage:
        return TaskInstanceLineage(
            run_facets={"acme_cost": COST},
            job_facets={"sql": {"query": "INSERT INTO orders SELECT * FROM landing"}},
            inputs=[LANDING],
        ).to_airflow()

    def get_openlineage_facets_on_complete(self, task_instance: TaskInstance) -> OperatorLineage:
        written = {**ORDERS, "outputFacets": {"outputStatistics": {"rowCount": self.rows}}}
        return TaskInstanceLineage(inputs=[LANDING], outputs=[written]).to_airflow()


class CheckOrders(BaseOperator):
    def execute(self, context: Context) -> None:
        raise ValueError("an order without a customer")

    def get_openlineage_facets_on_start(self) -> OperatorLineage:
        return TaskInstanceLineage(inputs=[ORDERS]).to_airflow()


class ShipOrders(BaseOperator):
    def execute(self, context: Context) -> None:
        raise AirflowSkipException("it is Sunday")


with DAG("shop", schedule=None, start_date=datetime(2026, 11, 1, tzinfo=timezone.utc)):
    LoadOrders(task_id="load_orders")
    CheckOrders(task_id="check_orders")
    ShipOrders(task_id="ship_orders")
