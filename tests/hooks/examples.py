"""Event files for tests of the hook and the action."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.events import dataset_event, job_event, run_event

VALID = dataset_event()
INVALID = run_event(run={"runId": "seven"})
WARNING = job_event(producer="etl")


def write_events(path: Path, *events: Any) -> None:
    """Write events, one per line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events), encoding="utf-8")


def write_valid_events(path: Path) -> None:
    """Write two valid events."""
    write_events(path, job_event(), VALID)
