"""Run jobs in other processes, with Python itself and with the launcher."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openlineage_facets import RunEvent
from tests.conftest import ROOT
from tools import spark_start

LAUNCHER = [sys.executable, "-m", "openlineage_facets.spark"]


@dataclass(frozen=True)
class Outcome:
    """Exit code and output of a process."""

    code: int
    out: str
    err: str


def run(command: Sequence[object], folder: Path, **variables: str) -> Outcome:
    """Run a command in a folder, without settings of lineage except for those passed."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OPENLINEAGE")}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={
            **inherited,
            "PYTHONPATH": str(ROOT),
            **spark_start.variables(),
            "PYSPARK_PYTHON": sys.executable,
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def python(folder: Path, *arguments: object, **variables: str) -> Outcome:
    """Run a job with Python itself."""
    return run([sys.executable, *arguments], folder, **variables)


def launch(folder: Path, *arguments: object, **variables: str) -> Outcome:
    """Run a job with the launcher, which writes events to lineage.ndjson."""
    return run([*LAUNCHER, "--emit", "lineage.ndjson", *arguments], folder, **variables)


def events(folder: Path) -> list[RunEvent]:
    """Return the events of the launched jobs."""
    path = folder / "lineage.ndjson"
    return [RunEvent.from_json(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def types(folder: Path) -> list[str]:
    """Return the types of the events of the launched jobs."""
    return [str(event.event_type) for event in events(folder)]
