"""The same events by openlineage-python, the official client."""

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

from benchmarks.facts import DAILY, LAKE, MOMENT, PRODUCER, QUERY, RAW, ROW_COUNT, RUN_ID, Facts

to_json = Serde.to_json


def event(facts: Facts) -> RunEvent:
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
        inputs=[InputDataset(LAKE, RAW, facets={"schema": _schema(facts)})],
        outputs=[
            OutputDataset(
                LAKE,
                DAILY,
                facets={"schema": _schema(facts), "columnLineage": _lineage(facts)},
                outputFacets={
                    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
                        rowCount=ROW_COUNT, producer=PRODUCER
                    )
                },
            )
        ],
    )


def wide_output(facts: Facts) -> OutputDataset:
    """Compose a dataset with its schema and its column lineage."""
    return OutputDataset(LAKE, DAILY, facets={"schema": _schema(facts), "columnLineage": _lineage(facts)})


def _schema(facts: Facts) -> schema_dataset.SchemaDatasetFacet:
    columns = [schema_dataset.SchemaDatasetFacetFields(**row) for row in facts.columns]
    return schema_dataset.SchemaDatasetFacet(fields=columns, producer=PRODUCER)


def _lineage(facts: Facts) -> column_lineage_dataset.ColumnLineageDatasetFacet:
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
            for column, sources in facts.lineage.items()
        },
        producer=PRODUCER,
    )


def event_of_json(document: dict[str, Any]) -> RunEvent:
    """Make the client's objects of an event's JSON, which the client itself has no way to do."""
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
                    "columnLineage": _lineage(Facts([], written["facets"]["columnLineage"]["fields"])),
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
