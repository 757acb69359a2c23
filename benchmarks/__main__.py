"""Run the benchmarks and write RESULTS.md (`make bench`), or only print the table (`make bench-quick`)."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import event_files, lineage_review, official_client_events, our_events, processes, timing
from benchmarks.combined_schema import combined_schema
from benchmarks.comparisons import comparisons
from benchmarks.mixed_events import write_events
from benchmarks.processes import python
from benchmarks.pydantic_floors import floors
from benchmarks.results_page import Row, floor_table, format_bytes, format_seconds, page, table
from benchmarks.sample_data import sample_data
from benchmarks.scaling import plot, scalings

FOLDER = Path(__file__).resolve().parent


def main() -> None:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="only print the table, with fewer rounds (1 min)"
    )
    quick = parser.parse_args().quick
    processes.compile_package()
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for row in _rows(Path(folder), quick):
            rows.append(row)
            outcome = f"{row.ratio:8.3g}  (goal {row.goal:.3g}, {row.outcome})"
            print(f"{outcome}  {row.task}, compared with {row.alternative}", flush=True)
        if quick:
            return
        lower_bounds = list(floors(rounds=25))
        measured = scalings(Path(folder))
    for scaling in measured:
        plot(scaling, FOLDER / f"scaling-{scaling.name}.png")
    discussion = (FOLDER / "discussion.md").read_text("utf-8")
    (FOLDER / "RESULTS.md").write_text(page(rows, lower_bounds, measured, discussion), "utf-8")
    print(f"\n{table(rows)}\n\n{floor_table(lower_bounds)}")


def _rows(folder: Path, quick: bool) -> Iterator[Row]:
    for one in comparisons():
        measured = timing.alternate(one.ours, one.theirs, rounds=5 if quick else 25)
        yield _row(one.task, one.alternative, measured, one.goal)
    yield from _of_processes(folder, rounds=3 if quick else 10)
    yield from _of_command_line(folder, count=100 if quick else 10_000)
    yield from _of_worker_processes(folder, 2_000 if quick else 60_000, rounds=1 if quick else 3)
    yield from lineage_review.rows(folder, 50 if quick else 5_000)
    ours_size = len(our_events.event_from_dicts(sample_data(20)).to_json())
    theirs_size = len(official_client_events.to_json(official_client_events.event(sample_data(20))))
    yield Row(
        "size of the reference event as JSON",
        "openlineage-python",
        format_bytes(ours_size),
        format_bytes(theirs_size),
        theirs_size / ours_size,
        1,
    )


def _of_processes(folder: Path, rounds: int) -> Iterator[Row]:
    first = processes.alternate(
        python(processes.FIRST_EVENT_OURS, str(folder / "ours.ndjson")),
        python(processes.FIRST_EVENT_OFFICIAL, str(folder / "theirs.ndjson")),
        rounds,
    )
    yield _row(
        "start a process and emit an event to a file",
        "openlineage-python",
        first.timing,
        1 / 0.6,
    )
    mine, other = first.memory
    yield Row(
        "peak memory of that process",
        "openlineage-python",
        format_bytes(mine),
        format_bytes(other),
        other / mine,
        1,
    )
    for name, code, goal in (
        (f"`{processes.IMPORT_PYDANTIC}`", processes.IMPORT_PYDANTIC, 1 / 1.3),
        (f"`{processes.IMPORT_BASE_MODEL}`", processes.IMPORT_BASE_MODEL, 1 / 1.2),
        ("the same, and a model with one field", processes.DEFINE_MODEL, 1 / 1.2),
    ):
        measured = processes.alternate(python(processes.IMPORT_OURS), python(code), rounds).timing
        yield _row("import openlineage_facets and access RunEvent", name, measured, goal)


def _of_worker_processes(folder: Path, count: int, rounds: int) -> Iterator[Row]:
    path = folder / "archive.ndjson"
    event_files.make(path, count)
    one, two = (
        [sys.executable, "-m", "openlineage_facets.cli", "validate", str(path), "--no-config", "--jobs", jobs]
        for jobs in ("1", "2")
    )
    measured = processes.alternate(two, one, rounds, exit_codes=(0, 1)).timing
    path.unlink()
    yield _row(f"validate {count:,} events of 8 kB, 2 processes", "1 process", measured, 1.8)


def _of_command_line(folder: Path, count: int) -> Iterator[Row]:
    """Validate a file of events. check-jsonschema does not support lines and gets one file per event."""
    lines, schema, documents = folder / "events.ndjson", folder / "schema.json", folder / "documents"
    write_events(lines, count)
    schema.write_text(json.dumps(combined_schema()), "utf-8")
    documents.mkdir()
    for number, line in enumerate(lines.read_bytes().splitlines()):
        (documents / f"{number}.json").write_bytes(line)
    validate = [sys.executable, "-m", "openlineage_facets.cli", "validate", str(lines)]
    files = [str(path) for path in sorted(documents.iterdir())]
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *files]
    script = python(processes.JSONSCHEMA_SCRIPT, str(schema), str(lines))
    for alternative, command in (("check-jsonschema", check), ("a script with jsonschema", script)):
        measured = processes.alternate(validate, command, 1).timing
        yield _row(f"validate {count:,} events on the command line", alternative, measured, 50)


def _row(task: str, alternative: str, measured: timing.Timing, goal: float) -> Row:
    return Row(
        task,
        alternative,
        format_seconds(measured.ours),
        format_seconds(measured.theirs),
        measured.ratio,
        goal,
    )


if __name__ == "__main__":
    main()
