"""Every way of composing that the package supports; type checkers and Python accept it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from uuid import UUID

from openlineage_facets import (
    DatasetEvent,
    EventType,
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
    BaseFacet,
    ColumnLineageDatasetFacet,
    DataQualityAssertionsDatasetFacet,
    DatasetFacets,
    InputStatisticsInputDatasetFacet,
    InputSubsetInputDatasetFacet,
    JobFacet,
    JobFacets,
    LifecycleStateChangeDatasetFacet,
    LineageJobFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    ParentRunFacet,
    RunFacet,
    RunFacets,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagRunFacet,
    TagsRunFacet,
    base_subset_dataset,
    column_lineage_dataset,
    data_quality_assertions_dataset,
    lineage,
    parent_run,
    schema_dataset,
    tag,
    tags_run,
)

RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
MIDNIGHT = datetime(2026, 11, 21, tzinfo=timezone.utc)


class CostRunFacet(RunFacet):
    """A custom facet: its key, its schema and its fields."""

    __facet_key__ = "acme_cost"
    __schema_url__ = "https://example.com/schemas/CostRunFacet.json#/$defs/CostRunFacet"

    usd: float
    cluster: str | None = None


def an_event_as_plainly_as_can_be() -> RunEvent:
    return RunEvent(event_type="START", run=Run(), job=Job(namespace="etl", name="orders.daily"))


def an_event_with_everything_said() -> RunEvent:
    return RunEvent(
        event_type=EventType.COMPLETE,
        event_time=MIDNIGHT,
        producer="https://example.com/v7/etl",
        schema_url=RunEvent.__schema_url__,
        run=Run(run_id=UUID(RUN_ID), facets=[NominalTimeRunFacet(nominal_start_time=MIDNIGHT)]),
        job=Job(
            namespace="etl", name="orders.daily", facets=[SQLJobFacet(query="select 1", dialect="spark")]
        ),
        inputs=[
            InputDataset(
                namespace="s3://lake",
                name="raw/orders",
                facets=[columns("id", "amount")],
                input_facets=[InputStatisticsInputDatasetFacet(row_count=10)],
            )
        ],
        outputs=(
            OutputDataset(
                namespace="s3://lake",
                name="curated/daily",
                output_facets=[OutputStatisticsOutputDatasetFacet(row_count=10, size=2_000, file_count=1)],
            ),
        ),
    )


def an_event_with_none_for_what_is_unknown() -> RunEvent:
    return RunEvent(
        event_type=None,
        event_time=None,
        producer=None,
        run=Run(run_id=None, facets=None),
        job=Job(namespace="etl", name="orders", facets=None),
        inputs=None,
        outputs=[],
    )


def columns(*names: str) -> SchemaDatasetFacet:
    return SchemaDatasetFacet(
        fields=(
            schema_dataset.SchemaDatasetFacetFields(name=name, ordinal_position=position)
            for position, name in enumerate(names, start=1)
        )
    )


def static_lineage() -> Iterator[JobEvent | DatasetEvent]:
    yield JobEvent(job=Job(namespace="etl", name="orders"), inputs=[InputDataset(namespace="a", name="b")])
    yield DatasetEvent(dataset=StaticDataset(namespace="a", name="b", facets=DatasetFacets([columns("id")])))


def times_in_every_form() -> Iterator[NominalTimeRunFacet]:
    yield NominalTimeRunFacet(nominal_start_time="2026-11-21T00:00:00.123456789+01:00")
    yield NominalTimeRunFacet(nominal_start_time=MIDNIGHT, nominal_end_time=Timestamp.now_utc())


def facets_in_every_form() -> Iterator[Run]:
    time = NominalTimeRunFacet(nominal_start_time=MIDNIGHT)
    yield Run(facets=[time, TagsRunFacet(tags=[tags_run.TagsRunFacetFields(key="env", value="prod")])])
    yield Run(facets=(facet for facet in (time, CostRunFacet(usd=1.5))))
    yield Run(facets={"nominalTime": time, "acme_note": RunFacet(text="hello", count=3)})
    yield Run(facets=RunFacets([time]))
    yield Run(facets=RunFacets(nominal_time=time, tags=None))
    yield Run(facets=RunFacets([time], tags=TagRunFacet(tags=[tag.TagFacetFields(key="n", value=3)])))
    yield Run(facets=RunFacets([time]).with_facets(CostRunFacet(usd=1.5)).without("nominalTime"))


def custom_facets_added_to_a_container() -> RunFacets:
    return RunFacets().with_facets({"acme_note": RunFacet(text="hello")}, CostRunFacet(usd=1.5))


def custom_facets() -> Iterator[RunFacet]:
    yield CostRunFacet(usd=1.5)
    yield CostRunFacet(usd=2, cluster="blue", producer="https://example.com/v7/etl")
    yield RunFacet(anything={"nested": [1, None]}, schema_url="https://example.com/schemas/Anything.json")


def a_base_facet() -> BaseFacet:
    return BaseFacet(producer="https://example.com/v7/etl")


def a_tombstone() -> Job:
    return Job(namespace="etl", name="orders", facets={"sql": JobFacet(deleted=True)})


def a_parent_of_mappings() -> ParentRunFacet:
    run: dict[str, str] = {"runId": "01957938-0b7d-7e61-94a2-c8d15f30e7b4"}
    return ParentRunFacet(run=run, job={"namespace": "airflow", "name": "orders_daily"})


def a_parent() -> ParentRunFacet:
    return ParentRunFacet(
        run=parent_run.Run(run_id=RUN_ID, facets=[NominalTimeRunFacet(nominal_start_time=MIDNIGHT)]),
        job=parent_run.Job(namespace="airflow", name="orders_daily"),
        root=parent_run.Root(
            run=parent_run.RootRun(run_id=UUID(RUN_ID)),
            job=parent_run.RootJob(namespace="airflow", name="orders_daily"),
        ),
    )


def maps_and_unions() -> Iterator[object]:
    source = column_lineage_dataset.InputField(namespace="a", name="b", field="id")
    yield ColumnLineageDatasetFacet(fields={"id": column_lineage_dataset.Fields(input_fields=[source])})
    yield LineageJobFacet(
        entries=[
            lineage.LineageJobEntry(type="JOB"),
            lineage.LineageDatasetEntry(
                type="DATASET",
                namespace="a",
                name="b",
                inputs=[lineage.LineageJobInput(type="JOB", namespace="etl", name="orders")],
            ),
        ]
    )
    yield InputSubsetInputDatasetFacet(
        input_condition=base_subset_dataset.BinarySubsetCondition(
            type="binary",
            operator="AND",
            left=base_subset_dataset.LocationSubsetCondition(type="location", locations=["s3://lake/a"]),
            right=base_subset_dataset.PartitionSubsetCondition(
                type="partition", partitions=[base_subset_dataset.Partition(dimensions={"day": "2026-11-21"})]
            ),
        )
    )
    yield DataQualityAssertionsDatasetFacet(
        assertions=[
            data_quality_assertions_dataset.Assertion(assertion="unique", success=True, params={"limit": 0})
        ]
    )
    yield LifecycleStateChangeDatasetFacet(lifecycle_state_change="CREATE")


def a_producer_for_everything_inside() -> RunEvent:
    with producer("https://example.com/v7/etl"):
        return an_event_as_plainly_as_can_be()


def a_changed_copy() -> RunEvent:
    started = an_event_with_everything_said()
    return started.replace(event_type="COMPLETE", event_time=datetime.now(timezone.utc))


def an_event_read_back() -> str | None:
    event = parse_event(an_event_with_everything_said().to_json())
    if isinstance(event, RunEvent) and event.run.facets is not None:
        time = event.run.facets.nominal_time
        return str(time.nominal_start_time) if time else None
    return None


def a_container_for_each_entity() -> Iterator[JobFacets | DatasetFacets]:
    yield JobFacets(sql=SQLJobFacet(query="select 1"))
    yield DatasetFacets(schema=columns("id"))
