"""Operators and listeners as type checkers see them; each line that ends in the mark is a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from openlineage_facets import InputDataset, OutputDataset, RunEvent
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.operators import (
    Extractor,
    ExtractorRegistry,
    Operator,
    ReportedLineage,
    ReportsOnComplete,
    ReportsOnFailure,
    ReportsOnStart,
    TaskInstance,
    TaskInstanceLineage,
    TaskInstanceListener,
    register,
    task_run_id,
)

SQL = SQLJobFacet(query="select 1")
READ = InputDataset(namespace="a", name="b")


class Load:
    task_id = "load"

    def get_openlineage_facets_on_start(self, ti: TaskInstance) -> TaskInstanceLineage:
        return TaskInstanceLineage(job_facets=[SQL], inputs=[READ, {"namespace": "a", "name": "c"}])

    def get_openlineage_facets_on_complete(self, ti: TaskInstance) -> Mapping[str, Any]:
        return {"inputs": []}

    def get_openlineage_facets_on_failure(self, ti: TaskInstance) -> None:
        return None


class TryWithoutNumber:
    task = Load()
    dag_id = "shop"
    task_id = "load"
    run_id = "manual"
    start_date: datetime | None = None
    end_date: datetime | None = None


class Try(TryWithoutNumber):
    try_number = 1


@register
class LoadExtractor(Extractor):
    @classmethod
    def get_operator_classnames(cls) -> list[str]:
        return ["Load"]

    def extract(self, task_instance: TaskInstance) -> ReportedLineage:
        return {"inputs": []}


class Nameless(Extractor):
    def extract(self, task_instance: TaskInstance) -> ReportedLineage:
        return TaskInstanceLineage()


def take(event: RunEvent) -> None: ...
def take_text(event: str) -> None: ...


operator: Operator = Load()
start: ReportsOnStart = Load()
complete: ReportsOnComplete = Load()
failure: ReportsOnFailure = Load()
kind: type[LoadExtractor] = ExtractorRegistry().register(LoadExtractor)
listener = TaskInstanceListener(take, namespace="airflow", producer="https://example.com/v1")
listener.on_start(Try())
listener.on_failure(Try(), ValueError("broken"))
number: int = task_run_id(Try(), "airflow").int
lineage = TaskInstanceLineage(run_facets={"acme_cost": {"dollars": 2}}, job_facets={"sql": SQL})
mixed = TaskInstanceLineage(
    job_facets={"sql": SQL, "acme_tier": {"tier": 1, "of": "gold"}, "acme_x": {"x": {}}}
)
query: str = lineage.job_facets.sql.query if lineage.job_facets and lineage.job_facets.sql else ""

TaskInstanceListener(take_text)  # error
TaskInstanceListener(take, "airflow")  # error
listener.on_start(TryWithoutNumber())  # error
listener.on_start(Load())  # error
listener.on_failure(Try(), 5)  # error
TaskInstanceLineage(run_facets=[SQL])  # error
TaskInstanceLineage(job_facets={"sql": 5})  # error
TaskInstanceLineage(inputs=[OutputDataset(namespace="a", name="b")])  # error
TaskInstanceLineage(inputs=READ)  # error
TaskInstanceLineage(facets=[SQL])  # error
Nameless(Load())  # error
