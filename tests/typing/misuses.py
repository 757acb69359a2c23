"""Mistakes that type checkers must find: each on a line marked so, none on any other.

No function here is ever called; Python also rejects what those without parameters do, each line
by itself. Each mistake fits on one line, since checkers place an error at the argument or at the call
as they please.
"""

# ruff: noqa: B018

from __future__ import annotations

from datetime import date

from openlineage_facets import (
    DatasetEvent,
    EventError,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    StaticDataset,
    parse_event,
    producer,
)
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DataQualityAssertionsDatasetFacet,
    InputDatasetFacets,
    InputStatisticsInputDatasetFacet,
    JobFacets,
    LifecycleStateChangeDatasetFacet,
    LineageJobFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    OwnershipDatasetFacet,
    OwnershipJobFacet,
    ParentRunFacet,
    RunFacet,
    RunFacets,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagsRunFacet,
    lineage,
    parent_run,
    schema_dataset,
    tag,
    tags_run,
)

TIME = NominalTimeRunFacet(nominal_start_time="2026-11-21T00:00:00Z")
SQL = SQLJobFacet(query="select 1")
SCHEMA = SchemaDatasetFacet(fields=[])
READ = InputStatisticsInputDatasetFacet(row_count=1)
WRITTEN = OutputStatisticsOutputDatasetFacet(row_count=1)
RUN = Run()
JOB = Job(namespace="etl", name="orders")
SOURCE = InputDataset(namespace="a", name="b")
TARGET = OutputDataset(namespace="a", name="b")
EVENT = RunEvent(run=RUN, job=JOB)


class CostRunFacet(RunFacet):
    __facet_key__ = "acme_cost"

    usd: float


def facets_on_the_wrong_entity() -> None:
    Run(facets=[SQL])  # error
    Run(facets=[TIME, SCHEMA])  # error
    Run(facets={"sql": SQL})  # error
    Run(facets=JobFacets([SQL]))  # error
    RunFacets([SQL])  # error
    Job(namespace="a", name="b", facets=[TIME])  # error
    Job(namespace="a", name="b", facets=[CostRunFacet(usd=1)])  # error
    Job(namespace="a", name="b", facets=[OwnershipDatasetFacet()])  # error
    StaticDataset(namespace="a", name="b", facets=[OwnershipJobFacet()])  # error
    InputDataset(namespace="a", name="b", facets=[READ])  # error
    InputDataset(namespace="a", name="b", input_facets=[SCHEMA])  # error
    InputDataset(namespace="a", name="b", input_facets=[WRITTEN])  # error
    OutputDataset(namespace="a", name="b", output_facets=[READ])  # error
    OutputDataset(namespace="a", name="b", input_facets=[READ])  # error
    parent_run.Run(run_id="x", facets=[SQL])  # error


def facets_under_the_wrong_name() -> None:
    RunFacets(parent=TIME)  # error
    RunFacets(sql=SQL)  # error
    RunFacets(nominal_tme=TIME)  # error
    RunFacets(nominalTime=TIME)  # error
    InputDatasetFacets(schema=SCHEMA)  # error


def what_is_no_list_of_facets() -> None:
    Run(facets=TIME)  # error
    Run(facets=[NominalTimeRunFacet])  # error
    Run(facets="nominalTime")  # error
    Run(facets=[{"nominalTime": {}}])  # error


def misspelt_fields() -> None:
    SQLJobFacet(qery="select 1")  # error
    SQLJobFacet(query="select 1", dialekt="spark")  # error
    RunEvent(run=RUN, job=JOB, event_tipe="START")  # error
    Job(namespace="a", nam="b")  # error
    CostRunFacet(usd=1.5, eur=1.4)  # error


def wire_names(event_type: str, run_id: str) -> None:
    """Python takes them, for JSON at hand; what checkers and editors know is the Python names."""
    RunEvent(run=RUN, job=JOB, eventType=event_type)  # error
    Run(runId=run_id)  # error


def missing_fields() -> None:
    Job(namespace="a")  # error
    RunEvent(job=JOB)  # error
    JobEvent()  # error
    SQLJobFacet()  # error
    parent_run.Run()  # error
    DataQualityAssertionsDatasetFacet()  # error
    CostRunFacet()  # error


def fields_by_position() -> None:
    Job("etl", "orders")  # error
    SQLJobFacet("select 1")  # error


def values_of_the_wrong_type() -> None:
    OutputStatisticsOutputDatasetFacet(row_count="10")  # error
    OutputStatisticsOutputDatasetFacet(row_count=1.5)  # error
    SQLJobFacet(query=None)  # error
    SQLJobFacet(query=b"select 1")  # error
    SQLJobFacet(query="select 1", deleted="yes")  # error
    NominalTimeRunFacet(nominal_start_time=1795219200)  # error
    NominalTimeRunFacet(nominal_start_time=date(2026, 11, 21))  # error
    NominalTimeRunFacet(nominal_start_time=None)  # error
    Run(run_id=7)  # error
    RunEvent(run="x", job=JOB)  # error
    RunEvent(run=RUN, job=JOB, producer=7)  # error
    CostRunFacet(usd="1.5")  # error
    tag.TagFacetFields(key="retries", value=[3])  # error
    tags_run.TagsRunFacetFields(key="retries", value=3)  # error


def values_that_are_none_of_the_few() -> None:
    RunEvent(run=RUN, job=JOB, event_type="BOGUS")  # error
    RunEvent(run=RUN, job=JOB, event_type="start")  # error
    LifecycleStateChangeDatasetFacet(lifecycle_state_change="DELETE")  # error
    lineage.LineageDatasetEntry(type="JOB", namespace="a", name="b")  # error


def wrong_lists() -> None:
    RunEvent(run=RUN, job=JOB, inputs=[TARGET])  # error
    RunEvent(run=RUN, job=JOB, outputs=[SOURCE])  # error
    RunEvent(run=RUN, job=JOB, inputs=SOURCE)  # error
    SchemaDatasetFacet(fields=["id"])  # error
    SchemaDatasetFacet(fields=schema_dataset.SchemaDatasetFacetFields(name="id"))  # error
    TagsRunFacet(tags=[tag.TagFacetFields(key="a", value="b")])  # error
    ColumnLineageDatasetFacet(fields=[])  # error
    LineageJobFacet(entries=[lineage.LineageJobInput(type="JOB")])  # error


def classes_of_the_same_name() -> None:
    ParentRunFacet(run=RUN, job=parent_run.Job(namespace="a", name="b"))  # error
    ParentRunFacet(run=parent_run.Run(run_id="x"), job=JOB)  # error
    RunEvent(run=parent_run.Run(run_id="x"), job=JOB)  # error
    DatasetEvent(dataset=SOURCE)  # error


def changes_of_frozen_values(facets: RunFacets, rows: SchemaDatasetFacet) -> None:
    EVENT.job = JOB  # error
    EVENT.event_type = None  # error
    EVENT.job.name = "other"  # error
    EVENT.producer = "https://example.com/etl/v8"  # error
    rows.fields = ()  # error
    CostRunFacet(usd=1).usd = 2.0  # error
    facets.nominal_time = TIME  # error
    facets.nominal_time = None  # error
    facets["nominalTime"] = TIME  # error
    del facets["nominalTime"]  # error


def attributes_that_are_not_there(event: RunEvent, facets: RunFacets) -> None:
    facets.nominal_tme  # error
    facets.sql  # error
    event.eventType  # error
    event.dataset  # error
    event.run.facets.nominal_time  # error
    parse_event(b"").run  # error
    TIME.nominal_start_time.txt  # error
    EventError([]).pointer  # error


def values_used_as_something_else(event: RunEvent, facets: RunFacets) -> None:
    count: int = event.to_json()  # error
    job: Job = event.run  # error
    time: NominalTimeRunFacet = facets["nominalTime"]  # error
    sql: SQLJobFacet | None = facets.get(NominalTimeRunFacet)  # error
    facets.get(3)  # error
    facets.with_facets(SQL)  # error
    facets.with_facets({"acme_sql": SQL})  # error
    facets.with_facets(nominal_tme=TIME)  # error
    facets.without(NominalTimeRunFacet)  # error
    parse_event(7)  # error
    producer(None)  # error
    del count, job, time, sql
