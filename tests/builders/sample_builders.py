"""Builders of a sample run, job and dataset."""

from __future__ import annotations

from typing import Any

from openlineage_facets import DatasetEventBuilder, JobEventBuilder, RunEventBuilder

PRODUCER = "https://example.com/v7/etl"
RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
NOON = "2026-11-21T12:00:00Z"
LAKE, RAW, DAILY = "s3://lake", "raw/orders", "curated/daily"


def run_builder(**options: Any) -> RunEventBuilder:
    return RunEventBuilder("etl", "orders.daily", **{"run_id": RUN_ID, "producer": PRODUCER, **options})


def started(**options: Any) -> RunEventBuilder:
    """Return the builder of a started run."""
    build = run_builder(**options)
    build.start(NOON)
    return build


def job_builder(**options: Any) -> JobEventBuilder:
    return JobEventBuilder("etl", "orders.daily", **{"producer": PRODUCER, **options})


def dataset_builder(**options: Any) -> DatasetEventBuilder:
    return DatasetEventBuilder(LAKE, RAW, **{"producer": PRODUCER, **options})


def without_producers(value: Any) -> Any:
    """Return a wire form without producers and schema URLs."""
    if isinstance(value, list):
        return [without_producers(item) for item in value]
    if isinstance(value, dict):
        return {
            name: without_producers(item)
            for name, item in value.items()
            if name not in ("_producer", "_schemaURL")
        }
    return value
