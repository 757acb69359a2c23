"""Sample events, programs that emit them, and helpers to check their delivery."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from openlineage_facets import Job, Run, RunEvent, emitters
from openlineage_facets.emitters import HttpEmitter, SpoolEmitter
from openlineage_facets.facets import SQLJobFacet
from tests.emitters.misbehaving_receiver import unused_port

RUN_ID = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"


def run_id(number: int) -> str:
    return f"019d3719-f020-7c3e-9f10-{number:012x}"


def event(number: int = 0, *, run: str = RUN_ID, size: int = 0) -> RunEvent:
    """Return an event that is identified by its number."""
    facets = [SQLJobFacet(query="x" * size)] if size else None
    job = Job(namespace="etl", name=f"orders.{number}", facets=facets)
    return RunEvent(event_type="RUNNING", event_time="2026-11-21T08:30:00Z", run=Run(run_id=run), job=job)


def emit_all(emitter: Any, events: Iterable[int], **fields: Any) -> None:
    """Emit the events of these numbers, and close the emitter."""
    with emitter:
        for number in events:
            emitter.emit(event(number, **fields))


def numbers(events: Iterable[Any], run: str | None = None) -> list[int]:
    """Return the numbers of events or lines, of one run or of all."""
    values = [one if isinstance(one, dict) else json.loads(one) for one in events]
    return [
        int(one["job"]["name"].removeprefix("orders."))
        for one in values
        if run is None or one["run"]["runId"] == run
    ]


def numbers_in(file: str | Path) -> list[int]:
    """Return the numbers of the events in a file."""
    return numbers(Path(file).read_bytes().splitlines())


def first_deliveries(delivered: Iterable[int]) -> list[int]:
    """Return numbers in the order in which each came first."""
    return list(dict.fromkeys(delivered))


def program(code: str, *arguments: object) -> list[str]:
    """Return the command of a program for which the emitters that it uses and this module are imported."""
    used = ", ".join(name for name in emitters.__all__ if name in code or name == "EmissionError")
    imports = f"""
import os, sys
from openlineage_facets.emitters import {used}
from tests.emitters.samples import *
"""
    return [sys.executable, "-W", "ignore", "-c", imports + code, *map(str, arguments)]


def run_program(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run such a program, and return what it has printed."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(program(code, *arguments), text=True, check=True, timeout=60, **output)


def wait_until(true: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


def close_at_once(emitter: SpoolEmitter) -> None:
    """Close an emitter whose receiver is down, and wait until its thread has noticed."""
    assert emitter._worker.drain(30)
    emitter.close(0)
    wait_until(lambda: "openlineage-SpoolDelivery" not in {one.name for one in threading.enumerate()})


def spooled(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def down() -> HttpEmitter:
    return HttpEmitter(f"http://127.0.0.1:{unused_port()}")


def leave_in_spool(folder: Path, count: int) -> None:
    emitter = SpoolEmitter(down(), folder)
    for number in range(count):
        emitter.emit(event(number))
    close_at_once(emitter)
