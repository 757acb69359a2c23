"""Emitters repair events for backends, and log each repair, and what cannot be repaired, once."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from openlineage_facets import RunEventBuilder
from openlineage_facets.emitters import BackendRepairs, HttpEmitter, emitter_from_environment
from openlineage_facets.validation import validate
from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.validation.backends.fact_examples import Example, event_with, examples

REPAIRED = [
    (profile.name, fact.id)
    for profile in known_profiles().values()
    for fact in profile.fact
    if fact.repair is not None and fact.check is not None
]
EXAMPLES = [one for one in examples() if (one.backend, one.fact) in REPAIRED]


def repaired(event: Any, backends: Any = "all") -> Any:
    return json.loads(BackendRepairs(backends)(json.dumps(event).encode()))


@each("example", EXAMPLES, ids=lambda example: f"{example.backend}/{example.fact}")
def test_a_fact_that_can_be_repaired_no_longer_applies(example: Example) -> None:
    event = repaired(example.applies, example.backend)
    assert event != example.applies
    found = validate(event, rules=False, backends=example.backend)
    assert f"{example.backend}/{example.fact}" not in [one.fact for one in found]
    assert all(one.fact for one in found), found  # It is still valid.


def test_there_are_examples_of_each_kind_of_repair() -> None:
    assert len(EXAMPLES) == len(REPAIRED) >= 15


TYPE = {"integration": "SQL"}


@each(
    ("backend", "change", "path", "value"),
    [
        ("marquez", {"job": {"facets": {"jobType": TYPE}}}, "job.facets.jobType.jobType", "JOB"),
        ("marquez", {"job": {"facets": {"sql": {"_deleted": True}}}}, "job.facets.sql", None),
        ("data-rentgen", {"eventType": None}, "eventType", "OTHER"),
        ("atlan", {"outputs": None}, "outputs", []),
    ],
)
def test_a_repair_changes_as_little_as_possible(backend: str, change: Any, path: str, value: Any) -> None:
    before = event_with(change)
    *steps, last = path.split(".")
    expected: Any = json.loads(json.dumps(before))
    place = expected
    for step in steps:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    if backend == "atlan":
        expected["run"]["facets"] = expected["job"]["facets"] = {}
    assert repaired(before, backend) == expected


def test_an_event_without_repairs_is_unchanged() -> None:
    line = json.dumps(event_with({}), indent=1).encode()
    assert BackendRepairs("marquez")(line) is line
    for other in (b"[]", b"no JSON", b'{"run": 7, "eventType": 7, "inputs": {}}', b'{"rows": 7}'):
        assert BackendRepairs("marquez,datahub")(other) is other


def test_facets_that_a_backend_forgets_are_repeated() -> None:
    repairs = BackendRepairs("marquez")
    own = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/facet.json"}
    described = event_with({"job": {"facets": {"documentation": {**own, "description": "Orders of a day"}}}})
    other = event_with({"job": {"name": "hourly"}})
    later = event_with({"eventType": "FAIL"})

    def sent(event: Any) -> Any:
        return json.loads(repairs(json.dumps(event).encode()))

    assert sent(described) == described
    assert sent(other) == other
    documented = {**later, "job": {**later["job"], "facets": described["job"]["facets"]}}
    assert sent(later) == sent(later) == documented
    changed = event_with({"job": {"facets": {"documentation": {**own, "description": "Orders"}}}})
    assert sent(changed) == changed
    assert sent(later)["job"] == changed["job"]
    deleted = event_with({"job": {"facets": {"documentation": {"_deleted": True}}}})
    assert sent(deleted)["job"]["facets"] == {}
    assert sent(later) == later


def large_event(sizes: dict[str, int]) -> dict[str, Any]:
    """Return an event whose facets have texts of these lengths."""

    def text(name: str) -> str:
        return "x" * sizes.get(name, 10)

    error = {"message": "no", "programmingLanguage": "python", "stackTrace": text("stackTrace")}
    columns = {name: {"inputFields": []} for name in ("a", text("columnLineage"))}
    job = {
        "sourceCode": {"language": "python", "sourceCode": text("sourceCode")},
        "sql": {"query": text("sql")},
        "ownership": {"owners": [{"name": text("ownership")}]},
    }
    output = {
        "schema": {"fields": [{"name": text("schema"), "type": "long"}]},
        "columnLineage": {"fields": columns},
    }
    return event_with(
        {
            "run": {"facets": {"acme_log": {"text": text("acme_log")}, "errorMessage": error}},
            "job": {"facets": job},
            "outputs": [{"namespace": "etl", "name": "daily", "facets": output}],
        }
    )


ORDER = ["acme_log", "sourceCode", "stackTrace", "sql", "columnLineage", "schema"]
"""What is dropped or shortened first."""


@each(("first", "second"), list(pairwise(ORDER)))
def test_a_large_event_loses_first_what_lineage_needs_least(first: str, second: str) -> None:
    letters = {first: 250_000, second: 250_001}
    event = repaired(large_event(letters), "aws-datazone")
    assert validate(event, rules=False, backends="aws-datazone") == []
    assert "x" * 250_001 in json.dumps(event)
    assert event == {**event, **{key: event_with({})[key] for key in ("eventType", "inputs")}}
    assert "ownership" in event["job"]["facets"]


def test_of_equal_facets_the_largest_one_is_dropped() -> None:
    event = event_with({"run": {"facets": {f"acme_{n}": {"text": "x" * n} for n in (1000, 290_000, 20_000)}}})
    assert set(repaired(event, "aws-datazone")["run"]["facets"]) == {"acme_1000", "acme_20000"}


def test_the_rest_of_a_shortened_text_counts() -> None:
    event = repaired(large_event({"stackTrace": 100_000, "sql": 5_000, "ownership": 295_000}), "aws-datazone")
    assert len(event["run"]["facets"]["errorMessage"]["stackTrace"]) > 2_000
    assert "sql" not in event["job"]["facets"]
    assert "columnLineage" in event["outputs"][0]["facets"]
    assert validate(event, rules=False, backends="aws-datazone") == []


def test_what_remains_too_large_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    event = large_event({"ownership": 400_000, "acme_log": 10})
    assert repaired(event, "aws-datazone")["job"]["facets"]["ownership"]
    assert "ERROR" in caplog.text
    assert "refused: an event has at most 300,000 bytes" in caplog.text


def test_each_repair_and_each_other_fact_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    repairs = BackendRepairs("marquez")
    job = {"namespace": "the team", "facets": {"jobType": TYPE, "tags": {"tags": []}}}
    change = {"eventType": "START", "job": job}
    for _ in range(3):
        repairs(json.dumps(event_with(change)).encode())
    assert [(record.levelname, record.getMessage().partition(":")[0]) for record in caplog.records] == [
        ("WARNING", "Marquez"),
        ("ERROR", "/job/namespace"),
        ("WARNING", "/job/facets/tags"),
    ]
    expected = 'set /job/facets/jobType/jobType to "JOB" (marquez/job-type) (logged once)'
    assert caplog.messages[0].endswith(expected)


def test_of_an_event_whose_kind_is_refused_nothing_is_repaired(caplog: pytest.LogCaptureFixture) -> None:
    event = event_with({"run": None, "eventType": None})
    assert repaired(event, "data-rentgen") == event
    assert len(caplog.records) == 1


def test_emitters_send_repaired_events(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    build = RunEventBuilder("etl", "daily", producer="https://example.com/etl")
    build.job.job_type(processing_type="BATCH", integration="SQL")
    emitter = HttpEmitter(receiver.url)
    emitter.prepare_lines(BackendRepairs("atlan"))
    emitter.prepare_lines(BackendRepairs("marquez"))
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_BACKEND", "marquez,atlan")
    event = build.start()
    for one in (emitter, emitter_from_environment()):
        with one:
            one.emit(event)
    assert [one["job"]["facets"]["jobType"]["jobType"] for one in receiver.events] == ["JOB", "JOB"]
    assert [one["outputs"] for one in receiver.events] == [[], []]


def test_an_unknown_backend_in_the_environment_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", "http://localhost:1")
    monkeypatch.setenv("OPENLINEAGE_BACKEND", "marqez")
    emitter_from_environment()
    assert "OPENLINEAGE_BACKEND: unknown backend 'marqez'" in caplog.text
