"""Measure the speed and memory of `openlineage-facets validate`.

    python benchmarks/event_files.py make --count 1000000 /tmp/events.ndjson
    python benchmarks/event_files.py measure /tmp/events.ndjson --jobs 2

`make` writes a deterministic file of START and COMPLETE events. Each event has about 8 kB, two inputs and one
output with 14 columns and their column lineage. One run in a hundred has an event with an error. `measure`
runs `openlineage-facets validate` on it and sums up the memory of all its processes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

PRODUCER = "https://example.com/v7/etl"
LAKE = "s3://lake"
COLUMNS = 14
JOBS = 50
FIRST_RUN = 0x0195_0000_0000_7000_8000_0000_0000_0000
INVALID_RUN_EVERY = 100


def make(path: Path, count: int) -> None:
    """Write `count` events to `path`, one per line."""
    pairs = [pair(number) for number in range(JOBS)]
    with path.open("wb") as file:
        for number in range(count):
            run, kind = divmod(number, 2)
            line = pairs[run % JOBS][kind].replace(RUN_ID, str(UUID(int=FIRST_RUN + run)).encode())
            if kind and run % INVALID_RUN_EVERY == 0:
                line = line.replace(b'"rowCount":', b'"rowCount":"many","rows":')
            file.write(line + b"\n")


RUN_ID = str(UUID(int=FIRST_RUN)).encode()
"""Run id in each pair, replaced by a different one for each run."""


def pair(number: int) -> tuple[bytes, bytes]:
    """Return the START and COMPLETE events of a job."""
    from openlineage_facets import RunEventBuilder

    names = [f"raw/orders_{number}", f"raw/customers_{number}"]
    fields = [
        {
            "name": f"column_{column}",
            "type": "decimal(18,2)",
            "description": f"Column {column}.",
        }
        for column in range(COLUMNS)
    ]
    lineage = {
        field["name"]: {
            "inputFields": [
                {
                    "namespace": LAKE,
                    "name": name,
                    "field": field["name"],
                    "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}],
                }
                for name in names[: 1 + (number + column) % 2]
            ]
        }
        for column, field in enumerate(fields)
    }
    wires = []
    for is_complete in (False, True):
        build = RunEventBuilder("etl", f"orders.daily_{number}", run_id=RUN_ID.decode(), producer=PRODUCER)
        build.run.nominal_time(nominal_start_time="2026-03-29T00:00:00Z")
        build.job.sql(query=f"INSERT INTO daily_{number} SELECT * FROM orders_{number}")
        for name in names:
            build.input(LAKE, name).schema(fields=fields)
        output = build.output(LAKE, f"curated/daily_{number}")
        output.column_lineage(fields=lineage)
        output.schema(fields=fields)
        output.output_statistics(row_count=365 + number)
        event = build.start("2026-03-29T01:00:00Z")
        if is_complete:
            event = event.replace(event_type="COMPLETE", event_time="2026-03-29T01:04:10Z")
        wires.append(event.to_json())
    return wires[0], wires[1]


def measure(path: Path, jobs: int) -> None:
    """Check `path` and print time and memory."""
    import psutil

    command = [sys.executable, "-m", "openlineage_facets.cli", "validate", str(path), "--jobs", str(jobs)]
    began = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--no-config", "--format", "json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, memory_of(psutil.Process(process.pid)))
        time.sleep(0.25)
    seconds = time.perf_counter() - began
    assert process.stderr is not None
    summary = process.stderr.read().strip()
    megabytes = path.stat().st_size / 1e6
    print(summary)
    print(
        f"{megabytes:,.0f} MB in {seconds:,.1f} s with --jobs {jobs}: {megabytes / seconds:,.0f} MB/s; "
        f"peak memory of all processes {peak / 1e6:,.0f} MB; exit code {process.returncode}"
    )


def memory_of(process: object) -> int:
    """Return the resident memory of a process and its children. Shared pages are counted several times."""
    import psutil

    assert isinstance(process, psutil.Process)
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += one.memory_info().rss
    except psutil.Error:  # A process has just exited.
        pass
    return total


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("path", type=Path)
    making.add_argument("--count", type=int, default=100_000)
    measuring = commands.add_parser("measure")
    measuring.add_argument("path", type=Path)
    measuring.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.command == "make":
        make(options.path, options.count)
    else:
        measure(options.path, options.jobs)


if __name__ == "__main__":
    main()
