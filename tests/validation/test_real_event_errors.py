"""Errors in real events: the same ones that `jsonschema` reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets import validate
from openlineage_facets.validation.line_numbers import line_numbers
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
def test_errors_have_the_expected_pointers_and_codes(events: dict[str, bytes], name: str):
    assert errors(events[name]) == EXPECTED[name]


@each("name", EXPECTED)
def test_jsonschema_reports_the_same_pointers(events: dict[str, bytes], name: str):
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
