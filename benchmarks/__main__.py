"""Measure, print the table, and write RESULTS.md: `make bench`, or `make bench-quick` for the table alone."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import measure, official, ours, processes
from benchmarks.comparisons import comparisons
from benchmarks.every_facet import every_facet
from benchmarks.facts import facts
from benchmarks.floors import floors
from benchmarks.growth import growths, plot
from benchmarks.mixed_events import write_events
from benchmarks.processes import python
from benchmarks.report import Row, floor_table, page, shown_bytes, shown_seconds, table

FOLDER = Path(__file__).resolve().parent


def main() -> None:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the table alone, in a minute, from less work")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for row in _rows(Path(folder), quick):
            rows.append(row)
            print(
                f"{row.ratio:8.3g}  (goal {row.goal:.3g}, {row.verdict})  {row.work}, beside {row.beside}",
                flush=True,
            )
        if quick:
            return
        under = list(floors(rounds=25))
        drawn = growths(Path(folder))
    for growth in drawn:
        plot(growth, FOLDER / f"growth-{growth.name}.png")
    remarks = (FOLDER / "remarks.md").read_text("utf-8")
    (FOLDER / "RESULTS.md").write_text(page(rows, under, drawn, remarks), "utf-8")
    print(f"\n{table(rows)}\n\n{floor_table(under)}")


def _rows(folder: Path, quick: bool) -> Iterator[Row]:
    for one in comparisons():
        timing = measure.in_turn(one.ours, one.theirs, rounds=5 if quick else 25)
        yield _row(one.work, one.beside, timing, one.goal)
    yield from _of_processes(folder, rounds=3 if quick else 10)
    yield from _of_command_line(folder, count=100 if quick else 10_000)
    ours_size = len(ours.event_of_rows(facts(20)).to_json())
    theirs_size = len(official.to_json(official.event(facts(20))))
    yield Row(
        "size of the reference event on the wire",
        "openlineage-python",
        shown_bytes(ours_size),
        shown_bytes(theirs_size),
        theirs_size / ours_size,
        1,
    )


def _of_processes(folder: Path, rounds: int) -> Iterator[Row]:
    first = processes.in_turn(
        python(processes.FIRST_EVENT_OURS, str(folder / "ours.ndjson")),
        python(processes.FIRST_EVENT_OFFICIAL, str(folder / "theirs.ndjson")),
        rounds,
    )
    yield _row(
        "from the start of a process to its first event in a file",
        "openlineage-python",
        first.timing,
        1 / 0.6,
    )
    mine, other = first.memory
    yield Row(
        "the memory of that process",
        "openlineage-python",
        shown_bytes(mine),
        shown_bytes(other),
        other / mine,
        1,
    )
    for code in (processes.IMPORT_PYDANTIC, processes.IMPORT_BASE_MODEL):
        timing = processes.in_turn(python(processes.IMPORT_OURS), python(code), rounds).timing
        yield _row("import the package and name RunEvent", f"`{code}`", timing, 1 / 1.3)


def _of_command_line(folder: Path, count: int) -> Iterator[Row]:
    """Validate a file of events; check-jsonschema, which knows no lines, gets a file for each event."""
    lines, schema, documents = folder / "events.ndjson", folder / "schema.json", folder / "documents"
    write_events(lines, count)
    schema.write_text(json.dumps(every_facet()), "utf-8")
    documents.mkdir()
    for number, line in enumerate(lines.read_bytes().splitlines()):
        (documents / f"{number}.json").write_bytes(line)
    validate = [sys.executable, "-m", "openlineage_facets.cli", "validate", str(lines)]
    files = [str(path) for path in sorted(documents.iterdir())]
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *files]
    script = python(processes.JSONSCHEMA_SCRIPT, str(schema), str(lines))
    for beside, command in (("check-jsonschema", check), ("a script with jsonschema", script)):
        timing = processes.in_turn(validate, command, 1).timing
        yield _row(f"validate {count:,} events on the command line", beside, timing, 50)


def _row(work: str, beside: str, timing: measure.Timing, goal: float) -> Row:
    return Row(work, beside, shown_seconds(timing.ours), shown_seconds(timing.theirs), timing.ratio, goal)


if __name__ == "__main__":
    main()
