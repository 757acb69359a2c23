"""Findings in real events: the errors that `jsonschema` reports, and warnings that were verified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from openlineage_facets import validate
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.line_numbers import line_numbers
from openlineage_facets.validation.ruleset import check_document
from tests.cases import each
from tests.oracle.expected_results import oracle_result
from tests.validation.jsonschema_pointers import pointers_of

EXPECTED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("invalid_events.json").read_bytes())
"""The invalid events by file name, each with the pointers of its errors and their codes."""


@pytest.fixture(scope="module")
def events(shared: Path) -> dict[str, bytes]:
    folder = shared / "events"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def errors(text: bytes) -> dict[str, str]:
    return {finding.pointer: finding.code for finding in validate(text) if finding.severity == "error"}


def test_events_with_errors_are_those_that_jsonschema_rejects(events: dict[str, bytes]):
    assert len(events) == 65
    rejected = {name for name, text in events.items() if not oracle_result(json.loads(text)).valid}
    assert {name for name, text in events.items() if errors(text)} == rejected == set(EXPECTED)


@each("name", EXPECTED)
def test_errors_have_the_expected_codes_and_the_pointers_of_jsonschema(events: dict[str, bytes], name: str):
    assert errors(events[name]) == EXPECTED[name]
    assert pointers_of("RunEvent", json.loads(events[name])) == (set(EXPECTED[name]), set())


def test_every_finding_has_its_line_number(events: dict[str, bytes]):
    for text in events.values():
        lines = text.decode().splitlines()
        for finding in validate(text):
            if finding.line is None:
                assert len(lines) == 1
                continue
            assert line_numbers(text.decode(), [finding.pointer]) == {finding.pointer: finding.line}
            key = finding.pointer.rpartition("/")[2]
            if not key.isdecimal() and finding.found != "nothing" and key:
                assert f'"{key}"' in lines[finding.line - 1]


WITHOUT_A_PREFIX = {
    "airflow",
    "airflowDagRun",
    "airflowState",
    "environment-properties",
    "spark.logicalPlan",
    "unknownSourceAttribute",
}
WITHOUT_A_SCHEMA = WITHOUT_A_PREFIX | {"spark_jobDetails", "spark_unknown"}
AIRFLOW_AND_SPARK = {"OL101": WITHOUT_A_PREFIX, "OL207": WITHOUT_A_SCHEMA, "OL306": {"columnLineage"}}
"""The facet keys with findings, by code."""

MARQUEZ = {"OL101", "OL103", "OL203", "OL208", "OL210", "OL405"}
"""Facets `additionalProp1` of a `MyCustomJobFacet` on a web page, a version 2-8-9, names that are URIs."""


def warnings_of(folder: Path) -> Iterator[Finding]:
    """Yield the findings of rules for every event in a folder; files hold one each, a list, or no JSON."""
    for path in sorted(folder.rglob("*.json")):
        try:
            value = json.loads(path.read_bytes())
        except ValueError:
            continue
        for event in value if isinstance(value, list) else [value]:
            yield from check_document(Document(event))


def test_warnings_for_airflow_and_spark_events_were_verified(shared: Path) -> None:
    keys: dict[str, set[str]] = {}
    for finding in warnings_of(shared / "events" / "compatibility-tests"):
        steps = finding.pointer.split("/")
        keys.setdefault(finding.code, set()).add(steps[steps.index("facets") + 1])
    assert keys == AIRFLOW_AND_SPARK


def test_warnings_for_handwritten_events_were_verified(shared: Path) -> None:
    assert {finding.code for finding in warnings_of(shared / "events" / "marquez")} == MARQUEZ


def test_warnings_for_the_example_of_the_specification(shared: Path) -> None:
    event = json.loads((shared / "current" / "tests" / "example_full_event.json").read_bytes())
    assert {finding.code for finding in check_document(Document(event))} == {"OL202", "OL203"}
