"""How time and memory grow with the work: a plot each, beside the table."""

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
from benchmarks.processes import most_memory
{setup}
work()
start = time.perf_counter()
size = work()
seconds = time.perf_counter() - start
print(json.dumps([seconds, most_memory(os.getpid()), size]))
"""

_OF_COLUMNS = """
from benchmarks import ours
from benchmarks.facts import facts
from openlineage_facets import parse_event
told = facts(int(sys.argv[1]))
def work():
    wire = ours.event_of_rows(told).to_json()
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
    """What one size of the work cost.

    Args:
        size: The size, as the plot's axis counts it.
        seconds: Time, once warm.
        memory: The most memory the process held beyond that of the smallest size, in bytes.
        wire: Bytes of JSON.
    """

    size: int
    seconds: float
    memory: int
    wire: int


@dataclass(frozen=True)
class Growth:
    """One plot."""

    name: str
    axis: str
    work: str
    points: tuple[Point, ...]

    @property
    def exponent(self) -> float:
        """The slope of time over size in a plot of logarithms, for the larger half: 1 is linear."""
        from math import log

        first, last = self.points[len(self.points) // 2], self.points[-1]
        return log(last.seconds / first.seconds) / log(last.size / first.size)


def growths(folder: Path) -> list[Growth]:
    """Measure every growth; work that needs files puts them into `folder`."""
    return [
        Growth(
            "columns", "columns", "compose, serialize and read", _points(COLUMNS, _in_process(_OF_COLUMNS))
        ),
        Growth(
            "facets",
            "facets of a run",
            "compose, serialize and read",
            _points(FACETS, _in_process(_OF_FACETS)),
        ),
        Growth(
            "events", "events in a file", "validate on the command line", _points(EVENTS, _of_file(folder))
        ),
    ]


def _points(sizes: Sequence[int], measure: Callable[[int], tuple[float, int, int]]) -> tuple[Point, ...]:
    measured = [(size, *measure(size)) for size in sizes]
    least = measured[0][2]
    return tuple(Point(size, seconds, memory - least, wire) for size, seconds, memory, wire in measured)


def _in_process(setup: str) -> Callable[[int], tuple[float, int, int]]:
    def measure(size: int) -> tuple[float, int, int]:
        code = _MEASURED.format(setup=setup)
        answer = subprocess.run(python(code, str(size)), cwd=ROOT, capture_output=True, text=True, check=True)
        seconds, memory, wire = json.loads(answer.stdout)
        return seconds, memory, wire

    return measure


def _of_file(folder: Path) -> Callable[[int], tuple[float, int, int]]:
    from benchmarks.mixed_events import write_events

    def measure(size: int) -> tuple[float, int, int]:
        path = folder / f"{size}.ndjson"
        write_events(path, size)
        ended = run([sys.executable, "-m", "openlineage_facets.cli", "validate", str(path)])
        wire = path.stat().st_size
        path.unlink()
        return ended.seconds, ended.memory, wire

    return measure


def plot(growth: Growth, path: Path) -> None:
    """Draw time and memory over the size of the work."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    time, memory = figure.subplots(1, 2)
    sizes = [point.size for point in growth.points]
    time.plot(sizes, [point.seconds * 1e3 for point in growth.points], marker="o")
    time.set(xlabel=growth.axis, ylabel="milliseconds", xscale="log", yscale="log", title=growth.work)
    memory.plot(sizes, [max(point.memory, 0) / 2**20 for point in growth.points], marker="o")
    memory.set(xlabel=growth.axis, ylabel="MiB beyond the smallest", xscale="log", title="peak memory")
    for axes in (time, memory):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110, metadata={"Software": None})
