"""Measure what lineage costs a Spark job: without lineage, with `SparkRun`, with the Spark listener.

    python -m benchmarks.spark_capture [--rounds N] [--scale FACTOR]

Each side has its own process and session. They take turns, so that all are exposed to the same load.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.spark_capture.jobs import JOBS, SIDES

_ROOT = Path(__file__).resolve().parents[2]


class _Worker:
    """A process with a Spark session that runs jobs on request."""

    def __init__(self, side: str, folder: Path, scale: float) -> None:
        command = [sys.executable, "-m", "benchmarks.spark_capture.worker", side, str(folder), str(scale)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=_ROOT,
        )

    def run(self, job: str) -> dict[str, float]:
        """Run a job; return its seconds of wall time and of processor time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{job}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of the benchmark ended with status {self._process.wait()}")
        measured: dict[str, float] = json.loads(line)
        return measured

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def main() -> None:
    """Run the jobs in rounds and print a table of medians."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark_capture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="size of the large writes")
    parser.add_argument("--jobs", nargs="*", choices=tuple(JOBS), default=list(JOBS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        workers = {}
        for side in SIDES:
            workers[side] = _Worker(side, Path(folder) / side, options.scale)
            stack.callback(workers[side].close)
        for job in options.jobs:
            _measure(workers, job, options.rounds)


def _measure(workers: dict[str, _Worker], job: str, rounds: int) -> None:
    for worker in workers.values():
        worker.run(job)  # Compile the code of Spark.
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in workers}
    for number in range(rounds):
        sides = list(workers)
        first = number % len(sides)
        for side in sides[first:] + sides[:first]:
            found[side].append(workers[side].run(job))
    writes = JOBS[job].writes
    print(f"\n{writes} {job} writes, {rounds} rounds, load average {os.getloadavg()[0]:.1f}")
    print(f"{'':<12}{'wall':>9}{'CPU':>9}{'per write':>12}{'added':>10}{'':>9}{'added CPU':>12}")
    none = found["none"]
    for side, measured in found.items():
        wall, cpu = (median(one[key] for one in measured) for key in ("wall", "cpu"))
        added = median(one["wall"] - base["wall"] for one, base in zip(measured, none, strict=True))
        added_cpu = median(one["cpu"] - base["cpu"] for one, base in zip(measured, none, strict=True))
        share = added / median(one["wall"] for one in none)
        print(
            f"{side:<12}{wall:>8.2f}s{cpu:>8.2f}s{wall / writes * 1000:>10.0f}ms"
            f"{added / writes * 1000:>8.0f}ms{share:>9.1%}{added_cpu / writes * 1000:>10.0f}ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
