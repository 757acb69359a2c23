"""Events of openlineage-python, as its users write them."""

from __future__ import annotations

import uuid
from datetime import datetime, timezone
from typing import Any

import attr
from openlineage.client import event_v2, facet_v2
from openlineage.client.facet_v2 import column_lineage_dataset, output_statistics_output_dataset
from openlineage.client.facet_v2 import lifecycle_state_change_dataset as lifecycle
from openlineage.client.generated.base import RunFacet

RUN_ID = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"
PRODUCER = "https://example.com/v7/etl"
TIME = "2026-03-29T01:04:10.123Z"


@attr.define
class CostRunFacet(RunFacet):
    """A custom facet."""

    usd: float = attr.field()
    note: str | None = attr.field(default=None)
    details: dict[str, Any] = attr.field(factory=dict)


def run_event() -> event_v2.RunEvent:
    when = datetime(2026, 3, 29, 1, 4, tzinfo=timezone.utc)
    run_facets: dict[str, Any] = {
        "nominalTime": facet_v2.nominal_time_run.NominalTimeRunFacet("2026-03-29T00:00:00Z"),
        "parent": facet_v2.parent_run.ParentRunFacet(
            run=facet_v2.parent_run.Run(RUN_ID), job=facet_v2.parent_run.Job("etl", "orders")
        ),
        "acme_cost": CostRunFacet(usd=1.5, details={"when": when, "id": uuid.UUID(RUN_ID), "nothing": None}),
    }
    source = column_lineage_dataset.InputField("s3://lake", "raw/orders", "amount")
    facets: dict[str, Any] = {
        "lifecycleStateChange": lifecycle.LifecycleStateChangeDatasetFacet(
            lifecycle.LifecycleStateChange.OVERWRITE
        ),
        "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(
            fields={"amount": column_lineage_dataset.Fields([source])}
        ),
    }
    statistics = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=365)
    return event_v2.RunEvent(
        eventType=event_v2.RunState.COMPLETE,
        eventTime=TIME,
        producer=PRODUCER,
        run=event_v2.Run(RUN_ID, run_facets),
        job=event_v2.Job("etl", "orders.daily", {"sql": facet_v2.sql_job.SQLJobFacet("SELECT 1")}),
        inputs=[event_v2.InputDataset("s3://lake", "raw/orders")],
        outputs=[
            event_v2.OutputDataset(
                "s3://lake", "curated/daily", facets=facets, outputFacets={"outputStatistics": statistics}
            )
        ],
    )


def job_event() -> event_v2.JobEvent:
    return event_v2.JobEvent(eventTime=TIME, producer=PRODUCER, job=event_v2.Job("etl", "orders.daily"))


def dataset_event() -> event_v2.DatasetEvent:
    return event_v2.DatasetEvent(
        eventTime=TIME, producer=PRODUCER, dataset=event_v2.StaticDataset("s3://lake", "raw/orders")
    )


EVENTS = (run_event, job_event, dataset_event)
