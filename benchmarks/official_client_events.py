"""The same events, composed with the official client openlineage-python."""

from __future__ import annotations

from typing import Any

from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    column_lineage_dataset,
    nominal_time_run,
    output_statistics_output_dataset,
    schema_dataset,
    sql_job,
)
from openlineage.client.serde import Serde

from benchmarks.sample_data import DAILY, LAKE, MOMENT, PRODUCER, QUERY, RAW, ROW_COUNT, RUN_ID, SampleData

to_json = Serde.to_json


def event(data: SampleData) -> RunEvent:
    """Compose an event."""
    return RunEvent(
        eventType=RunState.COMPLETE,
        eventTime=MOMENT,
        producer=PRODUCER,
        run=Run(
            runId=RUN_ID,
            facets={
                "nominalTime": nominal_time_run.NominalTimeRunFacet(
                    nominalStartTime="2026-03-29T00:00:00Z", producer=PRODUCER
                )
            },
        ),
        job=Job("etl", "orders.daily", facets={"sql": sql_job.SQLJobFacet(query=QUERY, producer=PRODUCER)}),
        inputs=[InputDataset(LAKE, RAW, facets={"schema": _schema(data)})],
        outputs=[
            OutputDataset(
                LAKE,
                DAILY,
                facets={"schema": _schema(data), "columnLineage": _lineage(data)},
                outputFacets={
                    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
                        rowCount=ROW_COUNT, producer=PRODUCER
                    )
                },
            )
        ],
    )


def wide_output(data: SampleData) -> OutputDataset:
    """Compose a dataset with schema and column lineage."""
    return OutputDataset(LAKE, DAILY, facets={"schema": _schema(data), "columnLineage": _lineage(data)})


def _schema(data: SampleData) -> schema_dataset.SchemaDatasetFacet:
    columns = [schema_dataset.SchemaDatasetFacetFields(**row) for row in data.columns]
    return schema_dataset.SchemaDatasetFacet(fields=columns, producer=PRODUCER)


def _lineage(data: SampleData) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            column: column_lineage_dataset.Fields(
                inputFields=[
                    column_lineage_dataset.InputField(
                        source["namespace"],
                        source["name"],
                        source["field"],
                        transformations=[
                            column_lineage_dataset.Transformation(type=how["type"], subtype=how["subtype"])
                            for how in source["transformations"]
                        ],
                    )
                    for source in sources["inputFields"]
                ]
            )
            for column, sources in data.lineage.items()
        },
        producer=PRODUCER,
    )


def event_from_json(document: dict[str, Any]) -> RunEvent:
    """Create the client's objects from the JSON of an event. The client itself has no parser."""
    (read,), (written,) = document["inputs"], document["outputs"]
    nominal = document["run"]["facets"]["nominalTime"]
    sql = document["job"]["facets"]["sql"]
    statistics = written["outputFacets"]["outputStatistics"]
    return RunEvent(
        eventType=RunState(document["eventType"]),
        eventTime=document["eventTime"],
        producer=document["producer"],
        run=Run(
            document["run"]["runId"],
            {
                "nominalTime": nominal_time_run.NominalTimeRunFacet(
                    nominal["nominalStartTime"], producer=nominal["_producer"]
                )
            },
        ),
        job=Job(
            document["job"]["namespace"],
            document["job"]["name"],
            {"sql": sql_job.SQLJobFacet(sql["query"], producer=sql["_producer"])},
        ),
        inputs=[
            InputDataset(
                read["namespace"], read["name"], facets={"schema": _schema_of(read["facets"]["schema"])}
            )
        ],
        outputs=[
            OutputDataset(
                written["namespace"],
                written["name"],
                facets={
                    "schema": _schema_of(written["facets"]["schema"]),
                    "columnLineage": _lineage(SampleData([], written["facets"]["columnLineage"]["fields"])),
                },
                outputFacets={
                    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
                        rowCount=statistics["rowCount"], producer=statistics["_producer"]
                    )
                },
            )
        ],
    )


def _schema_of(facet: dict[str, Any]) -> schema_dataset.SchemaDatasetFacet:
    columns = [schema_dataset.SchemaDatasetFacetFields(**row) for row in facet["fields"]]
    return schema_dataset.SchemaDatasetFacet(fields=columns, producer=facet["_producer"])
