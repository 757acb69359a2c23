"""Events of the benchmarks, composed with openlineage-facets."""

from __future__ import annotations

from benchmarks.sample_data import DAILY, LAKE, MOMENT, PRODUCER, QUERY, RAW, ROW_COUNT, RUN_ID, SampleData
from openlineage_facets import InputDataset, Job, OutputDataset, Run, RunEvent
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    column_lineage_dataset,
    schema_dataset,
)


def small_event() -> RunEvent:
    """Compose an event of about 500 bytes."""
    job = Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query=QUERY, producer=PRODUCER)])
    run = Run(run_id=RUN_ID)
    return RunEvent(event_type="START", event_time=MOMENT, producer=PRODUCER, run=run, job=job)


def event_from_dicts(data: SampleData) -> RunEvent:
    """Compose an event with nested items as dicts."""
    return _event(
        [SchemaDatasetFacet(fields=data.columns, producer=PRODUCER)],
        [
            SchemaDatasetFacet(fields=data.columns, producer=PRODUCER),
            ColumnLineageDatasetFacet(fields=data.lineage, producer=PRODUCER),
        ],
    )


def event_from_objects(data: SampleData) -> RunEvent:
    """Compose an event with nested items as objects of the generated classes."""
    return _event(
        [SchemaDatasetFacet(fields=_columns(data), producer=PRODUCER)],
        [
            SchemaDatasetFacet(fields=_columns(data), producer=PRODUCER),
            ColumnLineageDatasetFacet(fields=_lineage(data), producer=PRODUCER),
        ],
    )


def wide_output(data: SampleData) -> OutputDataset:
    """Compose a dataset with schema and column lineage from dicts."""
    facets = [
        SchemaDatasetFacet(fields=data.columns, producer=PRODUCER),
        ColumnLineageDatasetFacet(fields=data.lineage, producer=PRODUCER),
    ]
    return OutputDataset(namespace=LAKE, name=DAILY, facets=facets)


def _event(
    read: list[SchemaDatasetFacet], written: list[SchemaDatasetFacet | ColumnLineageDatasetFacet]
) -> RunEvent:
    nominal = NominalTimeRunFacet(nominal_start_time="2026-03-29T00:00:00Z", producer=PRODUCER)
    statistics = OutputStatisticsOutputDatasetFacet(row_count=ROW_COUNT, producer=PRODUCER)
    return RunEvent(
        event_type="COMPLETE",
        event_time=MOMENT,
        producer=PRODUCER,
        run=Run(run_id=RUN_ID, facets=[nominal]),
        job=Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query=QUERY, producer=PRODUCER)]),
        inputs=[InputDataset(namespace=LAKE, name=RAW, facets=read)],
        outputs=[OutputDataset(namespace=LAKE, name=DAILY, facets=written, output_facets=[statistics])],
    )


def _columns(data: SampleData) -> list[schema_dataset.SchemaDatasetFacetFields]:
    return [schema_dataset.SchemaDatasetFacetFields(**row) for row in data.columns]


def _lineage(data: SampleData) -> dict[str, column_lineage_dataset.Fields]:
    return {
        column: column_lineage_dataset.Fields(
            input_fields=[
                column_lineage_dataset.InputField(
                    namespace=source["namespace"],
                    name=source["name"],
                    field=source["field"],
                    transformations=[
                        column_lineage_dataset.Transformation(type=how["type"], subtype=how["subtype"])
                        for how in source["transformations"]
                    ],
                )
                for source in sources["inputFields"]
            ]
        )
        for column, sources in data.lineage.items()
    }
