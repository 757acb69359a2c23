"""Rules on the order of events, within and across files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.example_events import lines, run_event

pytestmark = pytest.mark.usefixtures("event_files")


def test_findings_have_the_line_of_their_event(check: Command) -> None:
    assert check("runs.ndjson").locations == [(1, "OL502"), (3, "OL507")]


def test_files_with_one_event_are_not_checked_as_a_stream(check: Command) -> None:
    Path("in").mkdir()
    for number, event_type in enumerate(("COMPLETE", "START", "START")):
        Path(f"in/{number}.json").write_bytes(lines(run_event(1, event_type)))
    assert check("in").locations == []


def test_a_run_can_span_files(check: Command) -> None:
    Path("log").mkdir()
    for number in range(12):
        Path(f"log/part-{number}.ndjson").write_bytes(
            lines(run_event(number, "START", number), run_event(number - 1, "COMPLETE", number))
            if number
            else lines(run_event(0, "START"), run_event(99, "START"))
        )
    result = check("log")
    assert [(one["file"], one["line"], one["code"]) for one in result.report["findings"]] == [
        ("log/part-0.ndjson", 2, "OL507"),
        ("log/part-11.ndjson", 1, "OL507"),
    ]
