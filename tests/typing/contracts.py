"""What type checkers know about each value: read from an event, from a container, from a call."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import assert_type

from openlineage_facets import (
    DatasetEvent,
    Event,
    EventError,
    EventType,
    Finding,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    StaticDataset,
    Timestamp,
    parse_event,
    producer,
)
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DatasetFacets,
    InputDatasetFacets,
    JobFacet,
    JobFacets,
    LineageJobFacet,
    NominalTimeRunFacet,
    OutputDatasetFacet,
    OutputDatasetFacets,
    OutputStatisticsOutputDatasetFacet,
    ParentRunFacet,
    RunFacet,
    RunFacets,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagFacet,
    TagRunFacet,
    TagsRunFacet,
    column_lineage_dataset,
    lineage,
    parent_run,
    schema_dataset,
    tag,
)


def of_a_run_event(event: RunEvent) -> None:
    assert_type(event.event_time, Timestamp)
    assert_type(event.event_time.text, str)
    assert_type(event.producer, str)
    assert_type(event.schema_url, str)
    assert_type(event.event_type, EventType | None)
    assert_type(event.run, Run)
    assert_type(event.run.run_id, str)
    assert_type(event.run.facets, RunFacets | None)
    assert_type(event.job, Job)
    assert_type(event.job.facets, JobFacets | None)
    assert_type(event.inputs, tuple[InputDataset, ...] | None)
    assert_type(event.outputs, tuple[OutputDataset, ...] | None)


def of_the_other_events(job_event: JobEvent, dataset_event: DatasetEvent) -> None:
    assert_type(job_event.job, Job)
    assert_type(job_event.inputs, tuple[InputDataset, ...] | None)
    assert_type(dataset_event.dataset, StaticDataset)
    assert_type(dataset_event.dataset.facets, DatasetFacets | None)


def of_datasets(source: InputDataset, target: OutputDataset) -> None:
    assert_type(source.facets, DatasetFacets | None)
    assert_type(source.input_facets, InputDatasetFacets | None)
    assert_type(target.output_facets, OutputDatasetFacets | None)


def of_a_container(facets: RunFacets) -> None:
    assert_type(facets.nominal_time, NominalTimeRunFacet | None)
    assert_type(facets.parent, ParentRunFacet | None)
    assert_type(facets.tags, TagsRunFacet | TagRunFacet | None)
    assert_type(facets["acme_cost"], RunFacet)
    assert_type(facets.get(NominalTimeRunFacet), NominalTimeRunFacet | None)
    assert_type(facets.get(NominalTimeRunFacet, 0), NominalTimeRunFacet | int)
    assert_type(facets.get("nominalTime"), RunFacet | None)
    assert_type(facets.get("nominalTime", 0), RunFacet | int)
    assert_type(list(facets), list[str])
    assert_type(list(facets.values()), list[RunFacet])
    assert_type(len(facets), int)
    assert_type(facets.with_facets(NominalTimeRunFacet(nominal_start_time="2026-11-21T00:00:00Z")), RunFacets)
    assert_type(facets.without("acme_cost"), RunFacets)
    mapping: Mapping[str, RunFacet] = facets
    del mapping


def of_the_containers_of_datasets(
    facets: DatasetFacets, reads: InputDatasetFacets, writes: OutputDatasetFacets
) -> None:
    assert_type(facets.schema, SchemaDatasetFacet | None)
    assert_type(facets.column_lineage, ColumnLineageDatasetFacet | None)
    assert_type(reads.get("acme_scan") is None, bool)
    assert_type(writes.output_statistics, OutputStatisticsOutputDatasetFacet | None)
    assert_type(writes["acme_commit"], OutputDatasetFacet)


def _of_facets(
    schema: SchemaDatasetFacet,
    time: NominalTimeRunFacet,
    parent: ParentRunFacet,
    statistics: OutputStatisticsOutputDatasetFacet,
) -> None:
    assert_type(schema.fields, tuple[schema_dataset.SchemaDatasetFacetFields, ...] | None)
    assert_type(schema.deleted, bool | None)
    assert_type(schema.producer, str)
    assert_type(time.nominal_start_time, Timestamp)
    assert_type(time.nominal_end_time, Timestamp | None)
    assert_type(statistics.row_count, int | None)
    assert_type(parent.run, parent_run.Run)
    assert_type(parent.job, parent_run.Job)
    assert_type(parent.root, parent_run.Root | None)


def of_facets_quoted_in_a_facet(parent: ParentRunFacet) -> None:
    if parent.run.facets is not None:
        assert_type(parent.run.facets["nominalTime"], RunFacet)
        assert_type(parent.run.facets.get(NominalTimeRunFacet), NominalTimeRunFacet | None)
    if parent.job.facets is not None:
        assert_type(parent.job.facets.get("sql"), JobFacet | None)
        assert_type(parent.job.facets.get(SQLJobFacet), SQLJobFacet | None)


def of_maps_and_unions(
    columns: ColumnLineageDatasetFacet, edges: LineageJobFacet, one: tag.TagFacetFields
) -> None:
    assert_type(columns.fields, dict[str, column_lineage_dataset.Fields])
    assert_type(one.value, str | int | float | bool)
    for entry in edges.entries:
        assert_type(entry, lineage.LineageDatasetEntry | lineage.LineageJobEntry)
        if entry.type == "DATASET":
            assert_type(entry, lineage.LineageDatasetEntry)
        else:
            assert_type(entry.run_id, str | None)


def of_inheritance(facet: TagRunFacet) -> None:
    run_facet: RunFacet = facet
    tag_facet: TagFacet = facet
    assert_type(run_facet.producer, str)
    assert_type(tag_facet.tags, tuple[tag.TagFacetFields, ...] | None)


def of_reading_and_writing(wire: bytes, text: str, document: dict[str, object], event: RunEvent) -> None:
    assert_type(parse_event(wire), RunEvent | JobEvent | DatasetEvent)
    assert_type(parse_event(text), Event)
    assert_type(parse_event(document), Event)
    assert_type(RunEvent.from_json(wire), RunEvent)
    assert_type(SQLJobFacet.from_json(text), SQLJobFacet)
    assert_type(event.to_json(), bytes)
    assert_type(event.replace(event_type="FAIL"), RunEvent)


def of_the_kinds_of_events(event: Event) -> Run | Job | StaticDataset:
    if isinstance(event, RunEvent):
        return assert_type(event.run, Run)
    if isinstance(event, JobEvent):
        return assert_type(event.job, Job)
    return assert_type(event.dataset, StaticDataset)


def of_errors(error: EventError) -> None:
    assert_type(error.findings, tuple[Finding, ...])
    assert_type(error.findings[0].pointer, str)


def of_the_producer() -> None:
    with producer("https://example.com/v7/etl") as uri:
        assert_type(uri, str)
