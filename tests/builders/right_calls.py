"""Builder calls that type checkers and Python accept, with the inferred types."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from uuid import UUID

from typing_extensions import assert_type

from openlineage_facets import (
    DatasetEvent,
    DatasetEventBuilder,
    JobEvent,
    JobEventBuilder,
    RunEvent,
    RunEventBuilder,
)
from openlineage_facets.builders import DatasetBuilder, InputBuilder, JobBuilder, OutputBuilder, RunBuilder
from openlineage_facets.facets import (
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    column_lineage_dataset,
    parent_run,
    schema_dataset,
)
from openlineage_facets.tags import Tag

RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
MIDNIGHT = datetime(2026, 11, 21, tzinfo=timezone.utc)


class CostRunFacet(RunFacet):
    __facet_key__ = "acme_cost"
    __schema_url__ = "https://example.com/schemas/CostRunFacet.json#/$defs/CostRunFacet"

    usd: float


def a_run_from_start_to_end() -> Iterator[RunEvent]:
    build = RunEventBuilder("etl", "orders.daily", run_id=UUID(RUN_ID), producer="https://example.com/v7/etl")
    assert_type(build.run_id, str)
    assert_type(build.run, RunBuilder)
    assert_type(build.job, JobBuilder)
    assert_type(build.input("a", "b"), InputBuilder)
    assert_type(build.output("a", "b"), OutputBuilder)
    yield assert_type(build.start(MIDNIGHT), RunEvent)
    yield build.running("2026-11-21T00:00:00Z")
    yield build.other()
    yield build.fail(ValueError("no such table"), event_time=MIDNIGHT)
    yield assert_type(build.other(event_time=None), RunEvent)


def facets_by_method() -> RunEvent:
    build = RunEventBuilder("etl", "orders.daily", run_id=RUN_ID)
    build.run.nominal_time(nominal_start_time=MIDNIGHT, nominal_end_time="2026-11-22T00:00:00Z")
    assert_type(build.run.processing_engine(version="4.0.1", name="spark"), RunBuilder)
    assert_type(
        build.job.sql(query="select 1", dialect=None).documentation(description="Orders."), JobBuilder
    )
    statistics = build.output("a", "b").schema(fields=[]).output_statistics(row_count=1)
    assert_type(statistics, OutputBuilder)
    build.input("a", "b").lifecycle_state_change(lifecycle_state_change="CREATE").input_statistics(size=3)
    return build.start()


def facets_of_objects_and_dicts() -> RunEvent:
    build = RunEventBuilder("etl", "orders.daily")
    row = schema_dataset.SchemaDatasetFacetFields(name="id", type="bigint")
    build.input("a", "b").schema(fields=[row, {"name": "amount", "type": "double"}])
    build.input("a", "c").schema(fields=({"name": name} for name in ("id", "amount")))
    source = column_lineage_dataset.InputField(namespace="a", name="b", field="id")
    build.output("a", "b").column_lineage(
        fields={
            "id": column_lineage_dataset.Fields(input_fields=[source]),
            "total": {"inputFields": [{"namespace": "a", "name": "b", "field": "amount"}]},
        }
    )
    build.run.parent(run={"runId": RUN_ID}, job=parent_run.Job(namespace="airflow", name="orders"))
    return build.start()


def facets_of_any_class() -> RunEvent:
    build = RunEventBuilder("etl", "orders.daily")
    assert_type(build.run.facet(CostRunFacet(usd=1.5)), RunBuilder)
    build.run.facet(RunFacet(note="hello"), key="acme_note")
    build.job.facet(SQLJobFacet(query="select 1")).delete("documentation")
    assert_type(build.input("a", "b").facet(SchemaDatasetFacet(fields=[])).delete("ownership"), InputBuilder)
    return build.start()


def tags_in_every_form() -> RunEvent:
    build = RunEventBuilder("etl", "orders.daily", wire_format="proposal")
    assert_type(build.tag("pii").tag("team", "dataos", source="AIRFLOW"), RunEventBuilder)
    build.tags([Tag("retries", 3)]).tags(Tag.parse(token) for token in ("prod", "team=dataos"))
    assert_type(build.job.tag("limit", 2.5), JobBuilder)
    build.input("a", "b").tag("pii", field="email").tags([Tag("pii", field="phone")])
    return build.start()


def static_lineage() -> Iterator[JobEvent | DatasetEvent]:
    jobs = JobEventBuilder("etl", "orders.daily")
    jobs.job.sql(query="select 1")
    jobs.input("a", "b").version(dataset_version="1")
    yield assert_type(jobs.build(MIDNIGHT), JobEvent)
    datasets = DatasetEventBuilder("a", "b", wire_format="released")
    assert_type(datasets.dataset.ownership(owners=[{"name": "ana"}]), DatasetBuilder)
    yield assert_type(datasets.build(), DatasetEvent)
