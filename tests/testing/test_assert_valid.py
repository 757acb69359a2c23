"""`assert_valid` reports all findings of an event in any supported form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import Job, JobEvent
from openlineage_facets.testing import assert_valid
from tests.cases import each
from tests.events import JOB, RUN_ID, job_event, run_event

WRONG = run_event(run={"runId": "seven"}, job={"namespace": "etl"})


def test_a_valid_event_passes_in_any_form() -> None:
    text = json.dumps(job_event())
    event = JobEvent(job=Job(**JOB), producer="https://example.com/v7/etl")
    for form in (event, job_event(), text, text.encode(), bytearray(text.encode())):
        assert_valid(form)


def test_an_event_of_the_official_client_is_validated_as_it_is_sent() -> None:
    client = pytest.importorskip("openlineage.client.event_v2")
    event = client.RunEvent(
        eventTime="2026-11-21T08:30:00Z",
        producer="https://example.com/v7/etl",
        run=client.Run(runId=RUN_ID),
        job=client.Job(**JOB),
        eventType=client.RunState.START,
    )
    assert_valid(event)


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


@each("text", ["", "{", "[]", "7", '"run"', b"\xff\xfe"])
def test_other_json_fails_with_one_line(text: Any) -> None:
    with pytest.raises(AssertionError, match=r"^invalid event:\n\w+ error \(root\): [^\n]+$"):
        assert_valid(text)


@each("value", [None, 7, object(), [job_event()]])
def test_other_types_raise_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="expected an event, JSON text or a dict, found "):
        assert_valid(value)
