"""Builder calls that type checkers must report, one per line, and that fail in Python too."""

from __future__ import annotations

from datetime import date

from openlineage_facets import DatasetEventBuilder, JobEventBuilder, RunEventBuilder
from openlineage_facets.builders import RunBuilder
from openlineage_facets.facets import (
    InputStatisticsInputDatasetFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    parent_run,
    schema_dataset,
    tags_run,
)
from openlineage_facets.tags import Tag

BUILD = RunEventBuilder("etl", "orders.daily")
READ = BUILD.input("a", "b")
WRITTEN = BUILD.output("a", "b")
DATASET = DatasetEventBuilder("a", "b").dataset
JOB = parent_run.Job(namespace="a", name="b")
ROW = schema_dataset.SchemaDatasetFacetFields(name="id")


def methods_of_another_entity() -> None:
    BUILD.run.sql(query="select 1")  # error
    BUILD.job.nominal_time(nominal_start_time="2026-11-21T00:00:00Z")  # error
    READ.output_statistics(row_count=1)  # error
    WRITTEN.input_statistics(row_count=1)  # error
    DATASET.input_statistics(row_count=1)  # error
    BUILD.sql(query="select 1")  # error


def misspelled_methods_and_fields() -> None:
    BUILD.run.nominal_tme(nominal_start_time="2026-11-21T00:00:00Z")  # error
    BUILD.job.sql(qery="select 1")  # error
    BUILD.job.sql(query="select 1", dialekt="spark")  # error
    BUILD.run.nominal_time(nominalStartTime="2026-11-21T00:00:00Z")  # error
    WRITTEN.output_statistics(rows=1)  # error


def missing_and_positional_fields() -> None:
    BUILD.job.sql()  # error
    BUILD.run.parent(run={"runId": "x"})  # error
    BUILD.job.sql("select 1")  # error
    WRITTEN.output_statistics(1)  # error


def values_of_the_wrong_type() -> None:
    WRITTEN.output_statistics(row_count="10")  # error
    WRITTEN.output_statistics(row_count=1.5)  # error
    BUILD.job.sql(query=None)  # error
    BUILD.job.sql(query=b"select 1")  # error
    BUILD.run.nominal_time(nominal_start_time=1795219200)  # error
    BUILD.run.nominal_time(nominal_start_time=date(2026, 11, 21))  # error
    WRITTEN.lifecycle_state_change(lifecycle_state_change="DELETE")  # error
    READ.schema(fields=["id"])  # error
    READ.schema(fields=ROW)  # error
    READ.column_lineage(fields=[])  # error
    BUILD.run.parent(run=BUILD.run, job=JOB)  # error
    BUILD.run.parent(run=parent_run.Job(namespace="a", name="b"), job=JOB)  # error


def invalid_facets() -> None:
    BUILD.run.facet("nominalTime")  # error
    BUILD.run.facet({"nominalTime": {}})  # error
    BUILD.job.facet(SQLJobFacet)  # error
    BUILD.job.facet(key="sql")  # error
    BUILD.run.facet(RunFacet(x=1), key=7)  # error
    BUILD.job.delete(SQLJobFacet)  # error
    BUILD.job.delete(7)  # error


def facets_of_another_entity() -> None:
    BUILD.run.facet(SQLJobFacet(query="select 1"))  # error
    BUILD.job.facet(SchemaDatasetFacet(fields=[]))  # error
    READ.facet(OutputStatisticsOutputDatasetFacet(row_count=1))  # error
    WRITTEN.facet(InputStatisticsInputDatasetFacet(row_count=1))  # error
    DATASET.facet(InputStatisticsInputDatasetFacet(row_count=1))  # error


def wrong_tags() -> None:
    BUILD.tag("team", {"name": "dataos"})  # error
    BUILD.tag("team", None)  # error
    BUILD.tag(None)  # error
    BUILD.tag("pii", field="email")  # error
    BUILD.tags("pii")  # error
    BUILD.tags([7])  # error
    BUILD.tags(Tag("pii"))  # error
    READ.tags(Tag("pii"))  # error
    RunEventBuilder("etl", "orders", wire_format="proposl")  # error


def wrong_events() -> None:
    RunEventBuilder("etl")  # error
    RunEventBuilder("etl", None)  # error
    RunEventBuilder("etl", "orders", "0195793b-2c4e-7f18-a3d6-5be0917c42fd")  # error
    RunEventBuilder("etl", "orders", run_id=7)  # error
    RunEventBuilder("etl", "orders", producer=7)  # error
    JobEventBuilder("etl", "orders", run_id="0195793b-2c4e-7f18-a3d6-5be0917c42fd")  # error
    DatasetEventBuilder("a", "b").build(7)  # error
    DatasetEventBuilder("a", "b").job.sql(query="select 1")  # error
    JobEventBuilder("etl", "orders").start()  # error
    BUILD.input("a")  # error
    BUILD.input("a", 7)  # error
    RunEventBuilder("etl", "orders").start(1795219200)  # error
    RunEventBuilder("etl", "orders").begin()  # error


def values_used_as_something_else() -> None:
    run: RunBuilder = BUILD.job  # error
    text: str = BUILD.start  # error
    rows: list[Tag] = tags_run.TagsRunFacetFields(key="a", value="b")  # error
    del run, text, rows
