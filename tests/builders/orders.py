"""One run, job and dataset, named once for the tests that need just any."""

from __future__ import annotations

from typing import Any

from openlineage_facets import DatasetEventBuilder, JobEventBuilder, RunEventBuilder

PRODUCER = "https://example.com/etl/v7"
RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
NOON = "2026-11-21T12:00:00Z"
LAKE, RAW, DAILY = "s3://lake", "raw/orders", "curated/daily"


def run_builder(**given: Any) -> RunEventBuilder:
    return RunEventBuilder("etl", "orders.daily", **{"run_id": RUN_ID, "producer": PRODUCER, **given})


def started(**given: Any) -> RunEventBuilder:
    """Return the builder of a run that has begun."""
    build = run_builder(**given)
    build.start(NOON)
    return build


def job_builder(**given: Any) -> JobEventBuilder:
    return JobEventBuilder("etl", "orders.daily", **{"producer": PRODUCER, **given})


def dataset_builder(**given: Any) -> DatasetEventBuilder:
    return DatasetEventBuilder(LAKE, RAW, **{"producer": PRODUCER, **given})


def bare(value: Any) -> Any:
    """Return a wire form without what composing fills in by itself: who says so, and by which schema."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if isinstance(value, dict):
        return {name: bare(item) for name, item in value.items() if name not in ("_producer", "_schemaURL")}
    return value
