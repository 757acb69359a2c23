"""Events to write to files: valid ones without findings, and invalid ones with one finding."""

from __future__ import annotations

import json
from typing import Any

from tests import events


def job_event(number: int = 0, **changes: Any) -> dict[str, Any]:
    """Return a job event without findings."""
    return events.job_event(**{"job": {"namespace": "etl", "name": f"orders.daily_{number}"}, **changes})


def run_event(number: int, event_type: str, minute: int = 0, **changes: Any) -> dict[str, Any]:
    """Return a run event without findings."""
    run = {"runId": f"019d3719-f020-7c3e-9f10-{number:012x}"}
    time = f"2026-11-21T08:{minute:02}:00Z"
    return events.run_event(**{"eventTime": time, "eventType": event_type, "run": run, **changes})


def invalid_event(number: int = 0) -> dict[str, Any]:
    """Return an event with one error: OL011, a time without an offset."""
    return job_event(number, eventTime="2026-11-21T08:30:00")


def line(event: object) -> bytes:
    """Return an event as a line."""
    return json.dumps(event).encode() + b"\n"


def lines(*events: object) -> bytes:
    """Return events, one per line. Bytes are used unchanged."""
    return b"".join(event if isinstance(event, bytes) else line(event) for event in events)
