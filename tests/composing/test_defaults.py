"""Composing has defaults for the run id, event time and schema URL."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone
from uuid import UUID

from openlineage_facets import DatasetEvent, JobEvent, Run, RunEvent, StaticDataset, Timestamp
from tests.composing.orders import RUN_ID, job, run_event


def test_the_default_run_ids_are_distinct_uuids_of_version_7_with_the_time_of_their_creation() -> None:
    before = time.time_ns() // 1_000_000
    run_ids = [UUID(Run().run_id) for _ in range(1000)]
    after = time.time_ns() // 1_000_000
    assert len(set(run_ids)) == 1000
    assert {(run_id.version, run_id.variant) for run_id in run_ids} == {(7, "specified in RFC 4122")}
    assert all(before <= run_id.int >> 80 <= after for run_id in run_ids)


def test_a_given_run_id_is_kept() -> None:
    assert Run(run_id=RUN_ID.upper()).to_dict() == {"runId": RUN_ID.upper()}
    assert Run(run_id=UUID(RUN_ID)).run_id == RUN_ID


def test_the_default_event_time_is_now() -> None:
    before = datetime.now(timezone.utc)
    moment = run_event().event_time
    assert before <= moment <= datetime.now(timezone.utc)
    assert isinstance(moment, Timestamp)
    assert moment.utcoffset() == timedelta(0)
    afternoon = datetime(2026, 11, 21, 8, 30, tzinfo=timezone(timedelta(hours=2)))
    assert run_event(event_time=afternoon).to_dict()["eventTime"] == "2026-11-21T08:30:00+02:00"


def test_none_for_a_field_with_a_default_selects_the_default() -> None:
    event = run_event(event_time=None, producer=None, schema_url=None, run=Run(run_id=None))
    assert event.to_dict().keys() >= {"eventTime", "producer", "schemaURL"}
    assert UUID(event.run.run_id).version == 7


def test_the_defaults_are_on_the_wire() -> None:
    events = [
        RunEvent(run=Run(), job=job()),
        JobEvent(job=job()),
        DatasetEvent(dataset=StaticDataset(namespace="s3://lake", name="raw/orders")),
    ]
    for event in events:
        wire = event.to_dict()
        assert wire["schemaURL"].endswith(f"#/$defs/{type(event).__name__}")
        assert wire["eventTime"] == str(event.event_time)
        assert wire["producer"] == event.producer
