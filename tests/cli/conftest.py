"""Run the command line in this process and read its output."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.cli.app import run
from tests.cli.example_events import invalid_event, job_event, lines, run_event


@dataclass(frozen=True)
class Result:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        return json.loads(self.out)

    @property
    def locations(self) -> list[tuple[int | None, str]]:
        """Line and code of each finding of a JSON report."""
        return [(one["line"], one["code"]) for one in self.report["findings"]]


Command = Callable[..., Result]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return a function that runs the command in an empty folder, without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run_command(*arguments: object, stdin: bytes = b"") -> Result:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run([str(argument) for argument in arguments])
        for stream in (out, err):
            stream.flush()
        return Result(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]

    return run_command


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
