"""`--baseline` and `--write-baseline`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import job_event, lines, run_event

pytestmark = pytest.mark.usefixtures("event_files")


def event_with_error() -> dict[str, Any]:
    return run_event(1, "START", inputs=[{"namespace": "s3://lake", "name": "a", "facets": 1}])


@pytest.fixture
def known(check: Command) -> str:
    """Return a baseline with the error of an event."""
    Path("known.ndjson").write_bytes(lines(event_with_error()))
    check("known.ndjson", "--write-baseline", "known.json")
    return "known.json"


def test_findings_in_the_baseline_are_not_reported(check: Command) -> None:
    assert check("invalid.ndjson", "--write-baseline", "known.json").code == 0
    result = check("invalid.ndjson", "--baseline", "known.json")
    assert (result.code, result.locations) == (0, [])
    assert result.report["summary"]["baselined"] == 2


def test_a_baseline_is_either_read_or_written(check: Command) -> None:
    result = check("invalid.ndjson", "--baseline", "missing.json", "--write-baseline", "new.json")
    assert result.code == 2
    assert not Path("new.json").exists()


def test_a_baseline_is_independent_of_lines_runs_and_files(known: str, check: Command) -> None:
    event = event_with_error()
    event["run"]["runId"] = "019d3719-f020-7c3e-9f10-0000000000ff"
    event["inputs"].insert(0, {"namespace": "s3://lake", "name": "b"})
    Path("moved.ndjson").write_bytes(lines(job_event(), event, event))
    assert check("moved.ndjson", "--baseline", known, "--select", "OL0").code == 0


@each(
    "change",
    [
        lambda event: event["inputs"][0].pop("name"),
        lambda event: event["job"].update(name="another"),
        lambda event: event["inputs"][0].update(name="another"),
        lambda event: event["inputs"][0].update(inputFacets=1),
    ],
    ids=["code", "job", "dataset", "pointer"],
)
def test_a_baseline_does_not_cover_other_findings(change: Any, known: str, check: Command) -> None:
    event = event_with_error()
    change(event)
    Path("changed.ndjson").write_bytes(lines(event))
    assert check("changed.ndjson", "--baseline", known).code == 1


def test_a_baseline_is_written_in_a_stable_order(check: Command) -> None:
    check("invalid.ndjson", "warning.ndjson", "--write-baseline", "one.json")
    check("warning.ndjson", "invalid.ndjson", "--write-baseline", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert json.loads(Path("one.json").read_text())["version"] == 1


@each("text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "findings": [{}]}', "\0"])
def test_an_invalid_baseline_ends_the_command(text: str, check: Command) -> None:
    Path("known.json").write_text(text)
    result = check("invalid.ndjson", "--baseline", "known.json")
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: baseline known.json: expected a file written by")
