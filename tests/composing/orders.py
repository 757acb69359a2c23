"""The event that most tests compose: a run of the daily orders job with its facets."""

from __future__ import annotations

from typing import Any

from openlineage_facets import InputDataset, Job, OutputDataset, Run, RunEvent
from openlineage_facets.facets import (
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    schema_dataset,
)

RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
MIDNIGHT = "2026-11-21T00:00:00.123456789+01:00"
PRODUCER = "https://example.com/v7/etl"


def job(**changes: Any) -> Job:
    return Job(**{"namespace": "etl", "name": "orders.daily", **changes})


def run_event(**changes: Any) -> RunEvent:
    return RunEvent(**{"event_type": "START", "run": Run(run_id=RUN_ID), "job": job(), **changes})


def nominal_time(start: str = MIDNIGHT) -> NominalTimeRunFacet:
    return NominalTimeRunFacet(nominal_start_time=start)


def sql(query: str = "select 1") -> SQLJobFacet:
    return SQLJobFacet(query=query)


def columns(*names: str) -> SchemaDatasetFacet:
    return SchemaDatasetFacet(
        fields=[schema_dataset.SchemaDatasetFacetFields(name=name, type="string") for name in names]
    )


def full_event() -> RunEvent:
    """An event with a facet in every container, one of them custom."""
    return run_event(
        run=Run(run_id=RUN_ID, facets=[nominal_time()]),
        job=job(facets=[sql()]),
        inputs=[InputDataset(namespace="s3://lake", name="raw/orders", facets=[columns("id", "amount")])],
        outputs=[
            OutputDataset(
                namespace="s3://lake",
                name="curated/daily",
                output_facets=[OutputStatisticsOutputDatasetFacet(row_count=10)],
            )
        ],
    )
