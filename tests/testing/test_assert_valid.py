"""`assert_valid` reports all findings of an event in any supported form."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest

from openlineage_facets import Job, JobEvent
from openlineage_facets.testing import assert_valid
from tests.events import JOB, job_event, run_event

WRONG = run_event(run={"runId": "seven"}, job={"namespace": "etl"})


def client_event(run_id: str) -> Any:
    client = pytest.importorskip("openlineage.client.event_v2")
    return client.RunEvent(
        eventTime=datetime(2026, 11, 21, tzinfo=timezone.utc).isoformat(),
        producer="https://example.com/v7/etl",
        run=client.Run(runId=run_id),
        job=client.Job(namespace="etl", name="orders.daily"),
        eventType=client.RunState.START,
    )


@pytest.mark.parametrize(
    "event",
    [
        JobEvent(job=Job(**JOB), producer="https://example.com/v7/etl"),
        job_event(),
        json.dumps(job_event()),
        json.dumps(job_event()).encode(),
        bytearray(json.dumps(job_event()).encode()),
    ],
    ids=["event", "dict", "text", "bytes", "bytearray"],
)
def test_a_valid_event_passes(event: Any) -> None:
    assert_valid(event)


def test_an_event_of_the_official_client_is_validated_as_it_is_sent() -> None:
    assert_valid(client_event("0195793b-2c4e-7f18-a3d6-5be0917c42fd"))


def test_every_finding_has_a_line() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_valid(WRONG)
    head, *lines = str(raised.value).splitlines()
    assert head == "invalid event:"
    assert [line.split(" ")[:3] for line in lines] == [
        ["OL012", "error", "/run/runId:"],
        ["OL003", "error", "/job/name:"],
    ]


def test_findings_with_ignored_codes_pass() -> None:
    with pytest.raises(AssertionError, match="^invalid event:\nOL003 error /job/name: [^\n]*$"):
        assert_valid(WRONG, ignore={"OL012"})
    assert_valid(WRONG, ignore=["OL012", "OL003"])


def test_a_string_of_ignored_codes_is_rejected() -> None:
    with pytest.raises(TypeError, match="ignore: expected a collection of codes, found the string 'OL012'"):
        assert_valid(WRONG, ignore="OL012")


def test_warnings_fail_only_on_request() -> None:
    event = job_event(producer="etl")
    assert_valid(event)
    with pytest.raises(AssertionError, match="warning /producer: "):
        assert_valid(event, warnings=True)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"run"', b"\xff\xfe"])
def test_other_json_fails_with_one_line(text: Any) -> None:
    with pytest.raises(AssertionError, match=r"^invalid event:\n\w+ error \(root\): [^\n]+$"):
        assert_valid(text)


@pytest.mark.parametrize(
    "value", [None, 7, object(), [job_event()]], ids=["none", "number", "object", "list"]
)
def test_other_types_raise_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="expected an event, JSON text or a dict, found "):
        assert_valid(value)
