"""Compare `spark-validate` with the command line, a bare Spark session and the `jsonschema` package.

    python -m benchmarks.spark_archives [--events N] [--rounds N] [--fold N ...]

All sides take turns, so that they are exposed to the same load. The startup of Spark is measured with a small
archive and subtracted. Ratios per core are those of processor time (JVM and Python), which other work on the
machine changes least. For `local[1]`, the JVM and Python share one processor: otherwise the compiler and the
garbage collector of the JVM would use another one.

`--fold` compares the cost of an event in larger archives with that in the first one, which is repeated. The
number of jobs, datasets and runs is the same in all of them, so memory should be, too. 10,000,000 events take
an hour or more: `--rounds 0 --fold 100000 1000000 10000000`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.archives import make, measure_until_exit

_SMALL = 800
_JSONSCHEMA_LINES = (200, 1000)

_BARE_SESSION = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.range(10).count()
spark.range(10).write.parquet(sys.argv[1])
spark.stop()
"""


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    wall: float
    cpu: float
    memory: tuple[int, int] = (0, 0)
    """Peak bytes of the JVM and of the largest Python process."""

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.wall - other.wall, self.cpu - other.cpu)


def main() -> None:
    """Run all sides in rounds and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark_archives", description=__doc__)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fold", type=int, nargs="*", default=[100_000, 1_000_000], metavar="N")
    options = parser.parse_args()
    if options.rounds:
        _compare(options.events, options.rounds)
    if options.fold:
        _compare_sizes(options.fold)


def _compare(events: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = _sides(Path(folder), events)
        found: dict[str, list[Cost]] = {name: [] for name in sides}
        for number in range(rounds):
            names = list(sides)
            first = number % len(names)
            for name in names[first:] + names[:first]:
                cost = sides[name](f"{folder}/out-{number}-{names.index(name)}")
                found[name].append(cost)
                print(f"{name:<28}{cost.wall:>8.1f} s{cost.cpu:>8.1f} s of CPU", flush=True)
    _print_table(found, events)


def _sides(folder: Path, events: int) -> dict[str, Callable[[str], Cost]]:
    archives = {"small": folder / "small", "large": folder / "large"}
    make(archives["small"], _SMALL)
    make(archives["large"], events)
    sides: dict[str, Callable[[str], Cost]] = {
        "bare session": lambda out: _measured([sys.executable, "-c", _BARE_SESSION, out], processors=1)
    }
    for size, archive in archives.items():
        sides[f"command line {size}"] = _command_line(archive)
        for cores in (1, 2):
            sides[f"state local[{cores}] {size}"] = _spark_validate(archive, cores, state=True)
        sides[f"no state {size}"] = _spark_validate(archive, 1, state=False)
    for lines in _JSONSCHEMA_LINES:
        sides[f"jsonschema {lines}"] = _jsonschema(archives["large"], lines)
    return sides


def _command_line(archive: Path) -> Callable[[str], Cost]:
    command = [sys.executable, "-m", "openlineage_facets.cli", "validate", "--jobs=1", str(archive)]
    return lambda _: _measured(command, statuses=(0, 1))


def _spark_validate(archive: Path, cores: int, *, state: bool) -> Callable[[str], Cost]:
    program = "openlineage_facets.cli.commands.spark_validate"
    command = [sys.executable, "-m", program, f"--master=local[{cores}]", str(archive)]
    names = ("valid", "quarantine", *(["state"] if state else []))
    return lambda out: _measured(
        [*command, *(f"--{name}={out}/{name}" for name in names)], processors=cores, statuses=(0, 1)
    )


def _jsonschema(archive: Path, lines: int) -> Callable[[str], Cost]:
    command = [sys.executable, "-m", "benchmarks.archives", "jsonschema"]
    options = [f"--folder={archive}", f"--lines={lines}", "--master=local[1]"]
    return lambda _: _measured([*command, *options], processors=1)


def _measured(command: list[str], *, processors: int = 0, statuses: tuple[int, ...] = (0,)) -> Cost:
    """Run a command on some processors, all by default. Validators end with status 1 if lines are invalid."""
    available = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(available)[: processors or None]))
    try:
        began = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            usage = measure_until_exit(process, every=0.1)
    finally:
        os.sched_setaffinity(0, available)
    if process.returncode not in statuses:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return Cost(time.monotonic() - began, sum(usage.cpu.values()), (usage.jvm, usage.one_python))


def _compare_sizes(sizes: list[int]) -> None:
    """Fold an archive, and the same archive several times, and print the cost of an event."""
    few, *more = sizes
    with tempfile.TemporaryDirectory() as folder:
        once = Path(folder) / "once"
        make(once, few)
        make(Path(folder) / "small", _SMALL)
        startup = _spark_validate(Path(folder) / "small", 2, state=True)(f"{folder}/out-small")
        print("\n| events folded | CPU s | us an event | ratio | goal | peak MB: JVM | a Python process |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        first = 0.0
        for size in (few, *more):
            archive = Path(folder) / f"{size}"
            archive.mkdir()
            for copy in range(size // few):
                for path in once.iterdir():
                    os.link(path, archive / f"{copy}-{path.name}")
            cost = _spark_validate(archive, 2, state=True)(f"{folder}/out-{size}")
            each = (cost.cpu - startup.cpu) / size * 1e6
            first = first or each
            peaks = " | ".join(f"{peak / 1e6:,.0f}" for peak in cost.memory)
            goal = "" if size == few else "1.1"
            row = f"| {size:,} | {cost.cpu:.0f} | {each:.0f} | {each / first:.2f} | {goal} | {peaks} |"
            print(row, flush=True)


def _print_table(found: dict[str, list[Cost]], events: int) -> None:
    def cost(name: str) -> Cost:
        costs = found[name]
        return Cost(median(it.wall for it in costs), median(it.cpu for it in costs))

    def each(name: str) -> Cost:
        """Return the cost of an event, without startup."""
        added = cost(f"{name} large") - cost(f"{name} small")
        return Cost(added.wall / (events - _SMALL), added.cpu / (events - _SMALL))

    few, many = _JSONSCHEMA_LINES
    slow = cost(f"jsonschema {many}") - cost(f"jsonschema {few}")
    by_jsonschema = slow.cpu / (many - few)
    line, plain, state, two = map(each, ("command line", "no state", "state local[1]", "state local[2]"))
    startup = cost("state local[1] small"), cost("bare session")
    rows = [
        ("without state, per core", "command line, one process", line.cpu / plain.cpu, 0.9),
        ("with state, per core", "command line, one process", line.cpu / state.cpu, 0.6),
        ("without state, per core", "jsonschema in a UDF", by_jsonschema / plain.cpu, 30),
        ("with state, two cores", "with state, one core (elapsed time)", state.wall / two.wall, 1.8),
    ]
    print(
        f"\n{events:,} events, median of {len(found['bare session'])} rounds, load {os.getloadavg()[0]:.1f}"
    )
    for name, it in (("command line", line), ("no state", plain), ("state", state), ("state, 2 cores", two)):
        print(f"{name:<16}{it.cpu * 1e6:>8.0f} us of CPU an event{it.wall * 1e6:>8.0f} us elapsed")
    print(f"{'jsonschema':<16}{by_jsonschema * 1e6:>8.0f} us of CPU an event")
    print("\n| spark-validate | compared with | ratio | goal | |\n| --- | --- | ---: | ---: | --- |")
    for task, alternative, ratio, goal in rows:
        print(f"| {task} | {alternative} | {ratio:.2f} | {goal} | {'met' if ratio >= goal else 'not met'} |")
    times = startup[0].wall / startup[1].wall
    print(
        f"| duration with state, {_SMALL} events | a bare session with one job and one write | {times:.2f} | "
        f"at most 1.5 | {'met' if times <= 1.5 else 'not met'} |"
    )


if __name__ == "__main__":
    main()
