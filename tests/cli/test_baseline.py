"""`--baseline` and `--write-baseline`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.cli.example_events import job_event, lines, run_event

pytestmark = pytest.mark.usefixtures("event_files")


def test_findings_in_the_baseline_are_not_reported(check: Command) -> None:
    assert check("invalid.ndjson", "--write-baseline", "known.json").code == 0
    result = check("invalid.ndjson", "--baseline", "known.json")
    assert (result.code, result.locations) == (0, [])
    assert result.report["summary"]["baselined"] == 2


def test_a_baseline_is_either_read_or_written(check: Command) -> None:
    result = check("invalid.ndjson", "--baseline", "missing.json", "--write-baseline", "new.json")
    assert result.code == 2
    assert not Path("new.json").exists()


def test_a_baseline_is_independent_of_lines_runs_and_files(check: Command) -> None:
    event: dict[str, Any] = run_event(
        1, "START", inputs=[{"namespace": "s3://lake", "name": "a", "facets": 1}]
    )
    Path("known.ndjson").write_bytes(lines(event))
    check("known.ndjson", "--write-baseline", "known.json")
    event["run"]["runId"] = "019d3719-f020-7c3e-9f10-0000000000ff"
    event["inputs"].insert(0, {"namespace": "s3://lake", "name": "b"})
    Path("moved.ndjson").write_bytes(lines(job_event(), event, event))
    assert check("moved.ndjson", "--baseline", "known.json", "--select", "OL0").code == 0


@pytest.mark.parametrize("change", ["code", "job", "dataset", "pointer"])
def test_a_baseline_does_not_cover_other_findings(change: str, check: Command) -> None:
    event: dict[str, Any] = run_event(
        1, "START", inputs=[{"namespace": "s3://lake", "name": "a", "facets": 1}]
    )
    Path("known.ndjson").write_bytes(lines(event))
    check("known.ndjson", "--write-baseline", "known.json")
    if change == "code":
        del event["inputs"][0]["name"]
    elif change == "job":
        event["job"]["name"] = "another"
    elif change == "dataset":
        event["inputs"][0]["name"] = "another"
    else:
        event["inputs"][0]["inputFacets"] = 1
    Path("changed.ndjson").write_bytes(lines(event))
    assert check("changed.ndjson", "--baseline", "known.json").code == 1


def test_a_baseline_is_written_in_a_stable_order(check: Command) -> None:
    check("invalid.ndjson", "warning.ndjson", "--write-baseline", "one.json")
    check("warning.ndjson", "invalid.ndjson", "--write-baseline", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert json.loads(Path("one.json").read_text())["version"] == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "findings": [{}]}', "\0"])
def test_an_invalid_baseline_ends_the_command(text: str, check: Command) -> None:
    Path("known.json").write_text(text)
    result = check("invalid.ndjson", "--baseline", "known.json")
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: baseline known.json: expected a file written by")
