"""One job with half of all events, and one dataset in every event: no task gets more than its share."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import AbstractContextManager
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives import fold_events
from openlineage_facets.spark.archives.folding import event_records
from openlineage_facets.state import LineageState
from tests.spark.session_state import changed_settings

pytestmark = pytest.mark.thorough

RUNS = 400
TASKS = 4


def skewed(runs: int) -> list[dict[str, Any]]:
    """Return two events for each run. Every second run is one of the same job."""
    facet = {"_producer": "https://example.com", "_schemaURL": "https://example.com", "text": "x" * 500}
    return [
        {
            "eventTime": f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z",
            "eventType": event_type,
            "run": {"runId": f"01950000-0000-7000-8000-{number:012}"},
            "job": {"namespace": "etl", "name": "hot" if number % 2 else f"job-{number % 20}"},
            "inputs": [{"namespace": "db", "name": "calendar", "facets": {"acme": facet}}],
        }
        for number in range(runs)
        for event_type in ("START", "COMPLETE")
    ]


def table(spark: SparkSession, events: list[dict[str, Any]]) -> DataFrame:
    """Return events spread over tasks, those of a run in different ones."""
    rows = [(json.dumps(event), number % TASKS) for number, event in enumerate(events)]
    return spark.createDataFrame(rows, "line string, task int").repartitionByRange(TASKS, "task")


def partitions(records: DataFrame) -> Counter[int]:
    counts = records.groupBy(sql.spark_partition_id().alias("task")).count().collect()
    return Counter({row["task"]: row["count"] for row in counts})


def separate_partitions(spark: SparkSession, count: int) -> AbstractContextManager[None]:
    """Keep Spark from combining the partitions of so little data."""
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": str(count)}
    return changed_settings(spark, settings)


def test_each_task_returns_one_record_of_the_job_and_of_the_dataset(spark: SparkSession) -> None:
    with separate_partitions(spark, TASKS):
        records = event_records(table(spark, skewed(RUNS)), "line")
        hot = records.where("kind = 'job' and name = 'hot' or kind = 'dataset' or key = 'acme'")
        by_task = partitions(hot)
        assert len(by_task) == TASKS
        assert max(by_task.values()) <= 3
        whole = partitions(records)
        assert max(whole.values()) <= 1.25 * whole.total() / TASKS


def test_the_records_are_spread_over_the_partitions_of_the_shuffle(spark: SparkSession) -> None:
    with separate_partitions(spark, TASKS):
        merged = fold_events(table(spark, skewed(RUNS))).records
        counts = partitions(merged)
    # 11 jobs, a dataset with a facet, and the runs.
    assert counts.total() == 11 + 2 + RUNS
    assert len(counts) == TASKS
    assert max(counts.values()) <= 1.5 * counts.total() / TASKS


def test_no_record_grows_with_the_number_of_events(spark: SparkSession) -> None:
    size = sql.length("value") + sql.length(sql.coalesce("content", sql.lit("")))
    largest = []
    for runs in (RUNS // 4, RUNS):
        records = fold_events(table(spark, skewed(runs))).records
        largest.append(records.agg(sql.max(size)).first()[0])  # type: ignore[index]
    assert largest[0] == largest[1]


def test_the_result_is_that_of_lineage_state(spark: SparkSession) -> None:
    events = skewed(50)
    state = LineageState()
    for event in events:
        state.apply(event)
    tables = fold_events(table(spark, events)).cached()
    assert {row.run_id for row in tables.runs.collect()} == set(state.runs())
    assert {row.name: row.last_seen for row in tables.jobs.collect()} == {
        job.name: str(state.job(job.namespace, job.name).last_seen) for job in state.jobs()
    }
