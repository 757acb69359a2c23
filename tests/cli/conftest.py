"""Run the command line in this process and read its output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.example_events import invalid_event, job_event, lines, run_event
from tests.cli.in_process import Result, run_in_process

Command = Callable[..., Result]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return a function that runs the command in an empty folder, without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    return run_in_process


@pytest.fixture
def check(command: Command) -> Command:
    """Return a function that runs `validate` with a JSON report."""
    return lambda *arguments, **more: command("validate", "--format", "json", *arguments, **more)


@pytest.fixture
def event_files(command: Command) -> None:
    """Write valid.ndjson, warning.ndjson, invalid.ndjson and runs.ndjson."""
    warning = job_event(1)
    warning["job"]["facets"] = {
        "cost": {"_producer": "x", "_schemaURL": "https://acme.example.com/Cost.json"}
    }
    Path("valid.ndjson").write_bytes(lines(job_event()))
    Path("warning.ndjson").write_bytes(lines(warning))
    Path("invalid.ndjson").write_bytes(lines(job_event(), invalid_event(1), invalid_event(2)))
    Path("runs.ndjson").write_bytes(
        lines(run_event(1, "COMPLETE"), run_event(1, "OTHER", 9), run_event(2, "START"))
    )
