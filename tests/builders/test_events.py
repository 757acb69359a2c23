"""Event fields and datasets of built events."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from openlineage_facets import (
    DatasetEvent,
    DatasetEventBuilder,
    JobEvent,
    JobEventBuilder,
    RunEvent,
    RunEventBuilder,
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
)
from tests.oracle.expected_results import oracle_result

TOKYO = timezone(timedelta(hours=9))
TIMES = [
    pytest.param("2026-11-21T12:00:00.123456789+09:00", "2026-11-21T12:00:00.123456789+09:00", id="text"),
    pytest.param(datetime(2026, 11, 21, 12, tzinfo=timezone.utc), NOON, id="datetime in UTC"),
    pytest.param(
        datetime(2026, 11, 21, 12, tzinfo=TOKYO), "2026-11-21T12:00:00+09:00", id="datetime elsewhere"
    ),
    pytest.param(Timestamp("2026-11-21T12:00:00+00:00"), "2026-11-21T12:00:00+00:00", id="timestamp"),
]


def valid(event: RunEvent | JobEvent | DatasetEvent) -> dict[str, Any]:
    """Return the wire form of a valid event."""
    wire: dict[str, Any] = json.loads(event.to_json())
    assert oracle_result(wire).failed == ""
    assert oracle_result(wire).kind == type(event).__name__
    assert parse_event(event.to_json()) == event
    return wire


@pytest.mark.parametrize(("moment", "text"), TIMES)
def test_event_time_can_be_text_or_datetime(moment: datetime | str, text: str) -> None:
    for build in (run_builder().start, job_builder().build, dataset_builder().build):
        assert valid(build(moment))["eventTime"] == text


@pytest.mark.parametrize("change", ["running", "complete", "fail", "abort", "other"])
def test_every_event_method_accepts_event_time(change: str) -> None:
    build = run_builder()
    build.start()
    assert valid(getattr(build, change)(event_time=NOON))["eventTime"] == NOON


@pytest.mark.parametrize(
    "given", [RUN_ID, uuid.UUID(RUN_ID), RUN_ID.upper()], ids=["text", "uuid", "capitals"]
)
def test_run_id_can_be_text_or_uuid(given: Any) -> None:
    build = run_builder(run_id=given)
    assert build.run_id == str(given)
    assert valid(build.start())["run"]["runId"] == str(given)


def test_default_run_id_sorts_by_time() -> None:
    ids = [RunEventBuilder("etl", "orders").run_id for _ in range(50)]
    assert len(set(ids)) == 50
    assert {uuid.UUID(one).version for one in ids} == {7}


@pytest.mark.parametrize("build", [run_builder, job_builder])
def test_same_name_returns_same_dataset_builder(build: Any) -> None:
    events = build()
    events.input(LAKE, RAW).version(dataset_version="1")
    events.input(LAKE, RAW).input_statistics(row_count=10)
    events.output(LAKE, DAILY).version(dataset_version="2")
    events.output(LAKE, DAILY).output_statistics(row_count=5)
    assert events.input(LAKE, RAW) is events.input(LAKE, RAW)
    wire = valid(events.start() if build is run_builder else events.build())
    (source,), (target,) = wire["inputs"], wire["outputs"]
    assert (source["facets"].keys(), source["inputFacets"].keys()) == ({"version"}, {"inputStatistics"})
    assert (target["facets"].keys(), target["outputFacets"].keys()) == ({"version"}, {"outputStatistics"})


def test_datasets_in_different_namespaces_are_different() -> None:
    build = job_builder()
    assert build.input(LAKE, RAW) is not build.input("s3://pond", RAW)
    assert build.input("a/b", "c") is not build.input("a", "b/c")
    assert len(valid(build.build())["inputs"]) == 4


def test_dataset_can_be_input_and_output() -> None:
    build = run_builder()
    build.input(LAKE, RAW).input_statistics(row_count=1)
    build.output(LAKE, RAW).output_statistics(row_count=2)
    wire = valid(build.start())
    assert wire["inputs"][0]["inputFacets"].keys() == {"inputStatistics"}
    assert wire["outputs"][0]["outputFacets"].keys() == {"outputStatistics"}


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


def test_minimal_job_event() -> None:
    assert valid(job_builder().build()).keys() == {"eventTime", "producer", "schemaURL", "job"}


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


def test_every_method_returns_the_builder() -> None:
    build = run_builder()
    assert build.tag("pii").tags([]) is build
    job = build.job
    assert job.sql(query="select 1").tag("pii").tags([]).delete("sql") is job
