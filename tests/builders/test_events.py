"""Event fields and datasets of built events."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timezone
from typing import Any

import pytest

from openlineage_facets import (
    DatasetEvent,
    DatasetEventBuilder,
    JobEvent,
    JobEventBuilder,
    RunEvent,
    Timestamp,
    parse_event,
)
from tests.builders.sample_builders import (
    DAILY,
    LAKE,
    NOON,
    PRODUCER,
    RAW,
    RUN_ID,
    dataset_builder,
    job_builder,
    run_builder,
    started,
)
from tests.cases import each
from tests.oracle.expected_results import oracle_result


def valid(event: RunEvent | JobEvent | DatasetEvent) -> dict[str, Any]:
    """Return the wire form of a valid event."""
    wire: dict[str, Any] = json.loads(event.to_json())
    assert oracle_result(wire).failed == ""
    assert oracle_result(wire).kind == type(event).__name__
    assert parse_event(event.to_json()) == event
    return wire


@each(
    ("moment", "text"),
    [
        ("2026-11-21T12:00:00.123456789+09:00", "2026-11-21T12:00:00.123456789+09:00"),
        (datetime(2026, 11, 21, 12, tzinfo=timezone.utc), NOON),
        (Timestamp("2026-11-21T12:00:00+00:00"), "2026-11-21T12:00:00+00:00"),
    ],
)
def test_event_time_can_be_text_or_datetime(moment: datetime | str, text: str) -> None:
    for build in (run_builder().start, job_builder().build, dataset_builder().build):
        assert valid(build(moment))["eventTime"] == text
    for change in ("running", "complete", "fail", "abort", "other"):
        assert valid(getattr(started(), change)(event_time=moment))["eventTime"] == text


@pytest.mark.parametrize(
    "given", [RUN_ID, uuid.UUID(RUN_ID), RUN_ID.upper()], ids=["text", "uuid", "capitals"]
)
def test_run_id_can_be_text_or_uuid(given: Any) -> None:
    build = run_builder(run_id=given)
    assert build.run_id == str(given)
    assert valid(build.start())["run"]["runId"] == str(given)


@each("build", [run_builder, job_builder])
def test_same_name_and_role_return_the_same_dataset_builder(build: Any) -> None:
    events = build()
    events.input(LAKE, RAW).version(dataset_version="1")
    events.input(LAKE, RAW).input_statistics(row_count=10)
    events.input("s3://pond", RAW)
    events.output(LAKE, RAW).output_statistics(row_count=5)
    wire = valid(events.start() if build is run_builder else events.build())
    (source, other), (target,) = wire["inputs"], wire["outputs"]
    assert (source["facets"].keys(), source["inputFacets"].keys()) == ({"version"}, {"inputStatistics"})
    assert other == {"namespace": "s3://pond", "name": RAW}
    assert target["outputFacets"].keys() == {"outputStatistics"}


def test_minimal_run_event() -> None:
    assert valid(run_builder().start(NOON)) == {
        "eventTime": NOON,
        "eventType": "START",
        "producer": PRODUCER,
        "schemaURL": RunEvent.__schema_url__,
        "run": {"runId": RUN_ID},
        "job": {"namespace": "etl", "name": "orders.daily"},
    }


def test_job_event() -> None:
    build = job_builder()
    build.job.documentation(description="Adds up the orders of a day.")
    build.input(LAKE, RAW).schema(fields=[{"name": "amount", "type": "double"}])
    build.output(LAKE, DAILY)
    event = build.build(NOON)
    assert isinstance(event, JobEvent)
    wire = valid(event)
    assert wire.keys() == {"eventTime", "producer", "schemaURL", "job", "inputs", "outputs"}
    assert wire["schemaURL"] == JobEvent.__schema_url__
    assert wire["job"]["facets"]["documentation"]["description"] == "Adds up the orders of a day."


def test_dataset_event() -> None:
    build = dataset_builder()
    build.dataset.ownership(owners=[{"name": "team:sales", "type": "OWNER"}])
    event = build.build(NOON)
    assert isinstance(event, DatasetEvent)
    wire = valid(event)
    assert wire.keys() == {"eventTime", "producer", "schemaURL", "dataset"}
    assert (wire["dataset"]["namespace"], wire["dataset"]["name"]) == (LAKE, RAW)
    assert wire["dataset"]["facets"]["ownership"]["owners"] == [{"name": "team:sales", "type": "OWNER"}]


def test_static_events_always_include_everything() -> None:
    jobs, datasets = JobEventBuilder("etl", "orders"), DatasetEventBuilder(LAKE, RAW)
    jobs.job.sql(query="select 1")
    jobs.input(LAKE, RAW)
    datasets.dataset.version(dataset_version="1")
    assert jobs.build(NOON) == jobs.build(NOON)
    assert datasets.build(NOON) == datasets.build(NOON)
    jobs.job.documentation(description="Orders.")
    assert valid(jobs.build())["job"]["facets"].keys() == {"sql", "documentation"}
