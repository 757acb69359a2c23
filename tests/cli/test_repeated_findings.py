"""Repeated findings in the text format: groups, limits and statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.cli.check import chunk_checker
from openlineage_facets.cli.results import finding_groups
from openlineage_facets.cli.results.finding_groups import FindingGroups
from openlineage_facets.cli.results.finding_location import snippet_at
from openlineage_facets.cli.results.summary import ReportedFinding
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines


@pytest.fixture
def events() -> str:
    """A file of 50 events of one job, each with the same error."""
    invalid = [job_event(1, eventTime="yesterday") for _ in range(50)]
    Path("e.ndjson").write_bytes(lines(*invalid))
    return "e.ndjson"


def findings(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("e.ndjson:")]


def test_the_first_findings_of_a_group_are_printed_and_others_counted(command: Command, events: str) -> None:
    out = command("validate", events).out
    assert [line.split(": ")[0] for line in findings(out)] == ["e.ndjson:1", "e.ndjson:2", "e.ndjson:3"]
    assert "47 more like these (--max-findings 0 prints all):\n       47  OL011  /eventTime  " in out
    assert "first at e.ndjson:1" in out
    assert "50 errors and 0 warnings in 50 events of 1 file" in out


def test_a_limit_counts_what_it_leaves_out_and_0_is_none(command: Command, events: str) -> None:
    out = command("validate", events, "--max-findings", "2").out
    assert (len(findings(out)), "48 more like these" in out) == (2, True)
    out = command("validate", events, "--max-findings", "0").out
    assert (len(findings(out)), "more like these" in out) == (50, False)


def test_statistics_print_only_groups(command: Command, events: str) -> None:
    result = command("validate", events, "--statistics")
    assert result.code == 1
    assert findings(result.out) == []
    assert result.out.startswith("       50  OL011  /eventTime  ")


def test_findings_without_repetition_have_no_groups(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1, eventTime="yesterday"), job_event(2, eventTime="now")))
    assert "more like these" not in command("validate", "e.ndjson").out


@each("option", [("--statistics",), ("--max-findings", "3")])
def test_other_formats_are_never_shortened(option: tuple[str, ...], command: Command, events: str) -> None:
    assert len(command("validate", events, "--format", "json").report["findings"]) == 50
    result = command("validate", events, "--format", "json", *option)
    assert result.code == 2
    assert f"{option[0]}: expected --format text, found --format json" in result.err


def test_only_findings_that_are_printed_have_their_json_redacted(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(document: Any, pointer: str) -> str:
        made.append(pointer)
        return snippet_at(document, pointer)

    monkeypatch.setattr(chunk_checker, "snippet_at", counted)
    facet = {"_producer": "x", "_schemaURL": "https://acme.example.com/Cost.json"}
    datasets = [{"namespace": "s3://shop", "name": f"n{n}", "facets": {"cost": facet}} for n in range(50)]
    Path("e.ndjson").write_bytes(lines(job_event(inputs=datasets), *(invalid_event() for _ in range(9))))
    limits = {"": 1000, "--max-findings 5": 5, "--statistics": 0, "--max-findings 0": 1000}
    for options, most in limits.items():
        made.clear()
        printed = command("validate", "e.ndjson", *options.split()).out.count("\n    | ")
        assert len(made) == printed <= most, options
        assert printed or not most, options


def test_the_number_of_groups_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_groups, "_MAX_GROUPS", 2)
    groups = FindingGroups()
    for number in range(10):
        finding = Finding(f"/facets/f{number}", "a string", "1", code="OL004")
        groups.add("e.json", ReportedFinding(finding, line=number + 1))
    assert [(group.count, group.identity.pointer) for group in groups] == [
        (8, ""),
        (1, "/facets/f0"),
        (1, "/facets/f1"),
    ]
