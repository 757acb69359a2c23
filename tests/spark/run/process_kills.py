"""Kill drivers and executors of real jobs at random."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyarrow.parquet

from openlineage_facets import RunEvent
from openlineage_facets.emitters import FileEmitter, replay
from tests.conftest import ROOT
from tests.spark.run import killed_job
from tools import spark_start


@dataclass
class Outcome:
    """Events and files of a job after its spool was replayed.

    Args:
        folder: Working folder of the job.
        killed: Number of processes that were killed.
        ended: The job ended by itself.
    """

    folder: Path
    killed: int
    ended: bool

    @property
    def emitted(self) -> dict[str, list[str]]:
        """Types of the emitted events, in order, by run."""
        by_run: dict[str, list[str]] = {}
        lines = (self.folder / "emitted").read_text().split("\n")
        for run_id, kind in map(json.loads, filter(None, lines)):
            by_run.setdefault(run_id, []).append(kind)
        return by_run

    @property
    def received(self) -> dict[str, list[RunEvent]]:
        """Received events without duplicates, in order, by run."""
        by_run: dict[str, list[RunEvent]] = {}
        path = self.folder / "received.ndjson"
        for event in map(RunEvent.from_json, path.read_bytes().splitlines() if path.exists() else []):
            known = by_run.setdefault(event.run.run_id, [])
            if event not in known:
                known.append(event)
        return by_run

    def violations(self) -> list[str]:
        """Return what violates the guarantees of the spool or differs from the files."""
        received, violations = self.received, []
        for run_id, kinds in self.emitted.items():
            types = [event.event_type.value for event in received.get(run_id, []) if event.event_type]
            # The spool may have one more: the driver was killed before it noted the event.
            if types[: len(kinds)] != kinds:
                violations.append(f"{run_id}: emitted {kinds}, received {types}")
        for events in received.values():
            times = [event.event_time for event in events]
            if times != sorted(times):
                violations.append(f"{events[0].run.run_id}: received out of order")
        for events in received.values():
            if events[-1].event_type and events[-1].event_type.value == "COMPLETE":
                violations += self._result_violations(events)
        return violations

    def _result_violations(self, events: list[RunEvent]) -> list[str]:
        """Compare the files with the expected rows, and with the output statistics."""
        (output,) = events[-1].outputs or ()
        numbers = sorted(pyarrow.parquet.read_table(output.name)["id"].to_pylist())
        outputs = [output for event in events for output in event.outputs or ()]
        facets = [output.output_facets for output in outputs if output.output_facets]
        statistics = facets[-1].output_statistics if facets else None
        violations = []
        if numbers != list(range(killed_job.ROWS)):
            violations.append(f"{output.name}: {len(numbers)} rows, or different rows")
        if statistics is None or (statistics.row_count, statistics.file_count) != (killed_job.ROWS, 4):
            violations.append(f"{output.name}: statistics are {statistics}")
        return violations


def _start(master: str, folder: Path, runs: int) -> subprocess.Popen[str]:
    settings = {"PYTHONPATH": str(ROOT), **spark_start.variables()}
    return subprocess.Popen(
        [sys.executable, str(Path(killed_job.__file__)), master, str(folder), str(runs)],
        env={**os.environ, **settings, "PYSPARK_PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _children(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(processes, timeout=10)


def _replay(folder: Path) -> None:
    done = replay(folder / "spool", FileEmitter(folder / "received.ndjson", on_error="raise"))
    assert (done.left, done.rejected, done.failure) == (0, [], None), done


def kill_driver(folder: Path, runs: int = 3) -> Outcome:
    """Run the job, kill its driver and all child processes at a random time, and replay its spool."""
    folder.mkdir(parents=True)
    job = _start("local[2]", folder, runs)
    assert job.stdout is not None
    assert job.stdout.readline(), "the job did not start"
    time.sleep(random.uniform(0, 2.5 * runs))
    ended = job.poll() is not None
    below = [] if ended else _children(job)
    job.kill()
    job.wait()
    _kill(below)
    job.stdout.close()
    _replay(folder)
    return Outcome(folder, int(not ended), ended)


def kill_executors(folder: Path, kills: int) -> Outcome:
    """Run the job on a local cluster, kill one executor in each run, and replay its spool."""
    folder.mkdir(parents=True)
    job = _start("local-cluster[2,1,1024]", folder, kills)
    assert job.stdout is not None
    killed = 0
    for line in job.stdout:
        if line.startswith("run "):
            time.sleep(random.uniform(0, 1.5))
            executors = [
                one for one in _children(job) if any("ExecutorBackend" in word for word in _command(one))
            ]
            if executors:
                _kill([random.choice(executors)])
                killed += 1
    ended = job.wait() == 0
    job.stdout.close()
    _replay(folder)
    return Outcome(folder, killed, ended)


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []
