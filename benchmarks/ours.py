"""The events of the benchmarks, composed by this package."""

from __future__ import annotations

from benchmarks.facts import DAILY, LAKE, MOMENT, PRODUCER, QUERY, RAW, ROW_COUNT, RUN_ID, Facts
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
    """Compose an event of about half a kilobyte."""
    job = Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query=QUERY, producer=PRODUCER)])
    run = Run(run_id=RUN_ID)
    return RunEvent(event_type="START", event_time=MOMENT, producer=PRODUCER, run=run, job=job)


def event_of_rows(facts: Facts) -> RunEvent:
    """Compose an event from facets, their rows plain dicts."""
    return _event(
        [SchemaDatasetFacet(fields=facts.columns, producer=PRODUCER)],
        [
            SchemaDatasetFacet(fields=facts.columns, producer=PRODUCER),
            ColumnLineageDatasetFacet(fields=facts.lineage, producer=PRODUCER),
        ],
    )


def event_of_values(facts: Facts) -> RunEvent:
    """Compose an event from facets, their rows values of their own classes."""
    return _event(
        [SchemaDatasetFacet(fields=_columns(facts), producer=PRODUCER)],
        [
            SchemaDatasetFacet(fields=_columns(facts), producer=PRODUCER),
            ColumnLineageDatasetFacet(fields=_lineage(facts), producer=PRODUCER),
        ],
    )


def wide_output(facts: Facts) -> OutputDataset:
    """Compose a dataset with its schema and its column lineage from plain rows."""
    facets = [
        SchemaDatasetFacet(fields=facts.columns, producer=PRODUCER),
        ColumnLineageDatasetFacet(fields=facts.lineage, producer=PRODUCER),
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


def _columns(facts: Facts) -> list[schema_dataset.SchemaDatasetFacetFields]:
    return [schema_dataset.SchemaDatasetFacetFields(**row) for row in facts.columns]


def _lineage(facts: Facts) -> dict[str, column_lineage_dataset.Fields]:
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
        for column, sources in facts.lineage.items()
    }
