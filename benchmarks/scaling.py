"""Measure and plot how time and memory scale with the input size."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import ROOT, python, run

COLUMNS = (10, 100, 1_000, 5_000, 10_000, 20_000)
FACETS = (1, 10, 100, 500, 1_000, 2_000)
EVENTS = (100, 1_000, 10_000, 50_000)

_MEASURED = """
import json, os, sys, time
from benchmarks.processes import peak_memory
{setup}
work()
start = time.perf_counter()
size = work()
seconds = time.perf_counter() - start
print(json.dumps([seconds, peak_memory(os.getpid()), size]))
"""

_OF_COLUMNS = """
from benchmarks import our_events
from benchmarks.sample_data import sample_data
from openlineage_facets import parse_event
data = sample_data(int(sys.argv[1]))
def work():
    wire = our_events.event_from_dicts(data).to_json()
    parse_event(wire)
    return len(wire)
"""

_OF_FACETS = """
from openlineage_facets import Job, Run, RunEvent, parse_event
from openlineage_facets.facets import RunFacet
URL = "https://example.com/schemas/1-0-0/AcmeRunFacet.json"
count = int(sys.argv[1])
def work():
    facets = {f"acme_{number}": RunFacet(cost=number, schema_url=URL) for number in range(count)}
    wire = RunEvent(run=Run(facets=facets), job=Job(namespace="etl", name="orders")).to_json()
    parse_event(wire)
    return len(wire)
"""


@dataclass(frozen=True)
class Point:
    """Time and memory for one input size.

    Args:
        size: Input size in units of the plot's axis.
        seconds: Time after warming up.
        memory: Peak memory in bytes, minus that of the smallest size.
        wire: Size of the JSON in bytes.
    """

    size: int
    seconds: float
    memory: int
    wire: int


@dataclass(frozen=True)
class Scaling:
    """Measurements of one plot."""

    name: str
    axis: str
    task: str
    points: tuple[Point, ...]

    @property
    def exponent(self) -> float:
        """Exponent of time over size for the larger half of the sizes. 1 is linear."""
        from math import log

        first, last = self.points[len(self.points) // 2], self.points[-1]
        return log(last.seconds / first.seconds) / log(last.size / first.size)


def scalings(folder: Path) -> list[Scaling]:
    """Measure all tasks. Files are written to `folder`."""
    return [
        Scaling(
            "columns", "columns", "compose, serialize and parse", _points(COLUMNS, _in_process(_OF_COLUMNS))
        ),
        Scaling(
            "facets",
            "run facets",
            "compose, serialize and parse",
            _points(FACETS, _in_process(_OF_FACETS)),
        ),
        Scaling(
            "events", "events per file", "validate on the command line", _points(EVENTS, _of_file(folder))
        ),
    ]


def _points(sizes: Sequence[int], measure: Callable[[int], tuple[float, int, int]]) -> tuple[Point, ...]:
    measured = [(size, *measure(size)) for size in sizes]
    smallest = measured[0][2]
    return tuple(Point(size, seconds, memory - smallest, wire) for size, seconds, memory, wire in measured)


def _in_process(setup: str) -> Callable[[int], tuple[float, int, int]]:
    def measure(size: int) -> tuple[float, int, int]:
        code = _MEASURED.format(setup=setup)
        done = subprocess.run(python(code, str(size)), cwd=ROOT, capture_output=True, text=True, check=True)
        seconds, memory, wire = json.loads(done.stdout)
        return seconds, memory, wire

    return measure


def _of_file(folder: Path) -> Callable[[int], tuple[float, int, int]]:
    from benchmarks.mixed_events import write_events

    def measure(size: int) -> tuple[float, int, int]:
        path = folder / f"{size}.ndjson"
        write_events(path, size)
        usage = run([sys.executable, "-m", "openlineage_facets.cli", "validate", str(path)])
        wire = path.stat().st_size
        path.unlink()
        return usage.seconds, usage.memory, wire

    return measure


def plot(scaling: Scaling, path: Path) -> None:
    """Plot time and memory over the input size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    time, memory = figure.subplots(1, 2)
    sizes = [point.size for point in scaling.points]
    time.plot(sizes, [point.seconds * 1e3 for point in scaling.points], marker="o")
    time.set(xlabel=scaling.axis, ylabel="milliseconds", xscale="log", yscale="log", title=scaling.task)
    memory.plot(sizes, [max(point.memory, 0) / 2**20 for point in scaling.points], marker="o")
    memory.set(xlabel=scaling.axis, ylabel="MiB more than the smallest", xscale="log", title="peak memory")
    for axes in (time, memory):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110, metadata={"Software": None})
