"""Events that others collected: no error in those that the schemas allow, the right places in the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets import validate
from openlineage_facets.validation.lines import lines_of
from tests.oracle.judge import judge
from tests.validation.jsonschema_places import places_of

EXPECTED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("invalid_events.json").read_bytes())
"""The invalid events by file name, each with the pointers of its errors and their codes."""


@pytest.fixture(scope="module")
def events(shared: Path) -> dict[str, bytes]:
    folder = shared / "events"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def errors(text: bytes) -> dict[str, str]:
    return {finding.pointer: finding.code for finding in validate(text) if finding.severity == "error"}


def test_the_events_with_errors_are_those_that_jsonschema_refuses(events: dict[str, bytes]):
    assert len(events) == 65
    refused = {name for name, text in events.items() if not judge(json.loads(text)).valid}
    assert {name for name, text in events.items() if errors(text)} == refused == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_errors_of_an_invalid_event_name_the_right_places(events: dict[str, bytes], name: str):
    assert errors(events[name]) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_jsonschema_names_the_same_places(events: dict[str, bytes], name: str):
    assert places_of("RunEvent", json.loads(events[name])) == (set(EXPECTED[name]), set())


def test_every_finding_has_the_line_on_which_its_place_begins(events: dict[str, bytes]):
    for text in events.values():
        lines = text.decode().splitlines()
        for finding in validate(text):
            if finding.line is None:
                assert len(lines) == 1
                continue
            assert lines_of(text.decode(), [finding.pointer]) == {finding.pointer: finding.line}
            key = finding.pointer.rpartition("/")[2]
            if not key.isdecimal() and finding.found != "none" and key:
                assert f'"{key}"' in lines[finding.line - 1]
