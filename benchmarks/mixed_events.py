"""Deterministic file with events of different kinds and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from openlineage_facets import DatasetEventBuilder, JobEventBuilder, RunEventBuilder

_FIRST = 0x0195_0000_0000_7000_8000_0000_0000_0000
_LAKE = "s3://lake"


def write_events(path: Path, count: int) -> None:
    """Write `count` events, one per line: run, job and dataset events of 0.4 to 12 kB."""
    patterns = [_pattern(number) for number in range(100)]
    with path.open("wb") as file:
        for number in range(count):
            run, kind = divmod(number, 2)
            lines = patterns[run % len(patterns)]
            file.write(lines[kind].replace(_ID, str(UUID(int=_FIRST + run)).encode()) + b"\n")


_ID = str(UUID(int=_FIRST)).encode()
"""Run id in each pattern, replaced by a different one in each event."""


def _pattern(number: int) -> tuple[bytes, bytes]:
    """Return two consecutive events."""
    if number % 10 == 8:
        job = JobEventBuilder("etl", f"job_{number}", producer="https://example.com/v7/etl")
        job.job.sql(query=f"SELECT {number}")
        wire = job.build("2026-03-29T01:00:00Z").to_json()
        return wire, wire
    if number % 10 == 9:
        dataset = DatasetEventBuilder(_LAKE, f"table_{number}", producer="https://example.com/v7/etl")
        dataset.dataset.schema(fields=list(_columns(number)))
        wire = dataset.build("2026-03-29T01:00:00Z").to_json()
        return wire, wire
    run = RunEventBuilder("etl", f"job_{number}", run_id=_ID.decode(), producer="https://example.com/v7/etl")
    run.run.nominal_time(nominal_start_time="2026-03-29T00:00:00Z")
    run.job.sql(query=f"INSERT INTO table_{number} SELECT * FROM raw_{number}")
    run.input(_LAKE, f"raw_{number}").schema(fields=list(_columns(number)))
    started = run.start("2026-03-29T01:00:00Z")
    output = run.output(_LAKE, f"table_{number}")
    output.schema(fields=list(_columns(number)))
    output.column_lineage(
        fields={
            column["name"]: {
                "inputFields": [{"namespace": _LAKE, "name": f"raw_{number}", "field": column["name"]}]
            }
            for column in _columns(number)
        }
    )
    output.output_statistics(row_count=number)
    ended = run.complete("2026-03-29T01:04:10Z")
    return started.to_json(), ended.to_json()


def _columns(number: int) -> Iterator[dict[str, str]]:
    return ({"name": f"column_{column}", "type": "decimal(12,2)"} for column in range(number % 50 + 1))
