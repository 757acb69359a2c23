"""Lineage of a company: 5,000 jobs, 20,000 datasets and 500,000 column edges, and a changed copy of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

JOBS = 5_000
OUTPUTS = 4
"""Datasets that each job writes."""
COLUMNS = 10
"""Columns of a dataset, each with two sources."""
ROW_CAUSES = 5
"""Columns that decide about the rows of a dataset."""

_BASE = {"_producer": "https://example.com/etl", "_schemaURL": "https://schemas.example.com/1-0-0/F.json"}
_LAYERS = 10
_KINDS = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


def write_events(path: Path, *, jobs: int = JOBS, is_changed: bool = False) -> None:
    """Write one event per job.

    Args:
        path: File to write.
        jobs: Number of jobs.
        is_changed: Whether one of a hundred jobs renames a column, loses a filter and masks another column.
    """
    with path.open("w", encoding="utf-8") as file:
        for number in range(jobs):
            changed = is_changed and number % 100 == 50
            file.write(json.dumps(_event(number, jobs, changed), separators=(",", ":")) + "\n")


def _event(number: int, jobs: int, is_changed: bool) -> dict[str, Any]:
    sources = [_dataset(one) for one in _sources(number, jobs)]
    outputs = []
    for position in range(OUTPUTS):
        output = _dataset(number * OUTPUTS + position)
        outputs.append({**output, "facets": _facets(number + position, sources, is_changed)})
    return {
        "eventTime": "2026-11-21T08:31:13Z",
        "producer": _BASE["_producer"],
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "eventType": "COMPLETE",
        "run": {"runId": f"01950000-0000-7000-8000-{number:012d}"},
        "job": {"namespace": f"team-{number % 40}", "name": f"job.{number}", "facets": _owner(number)},
        "inputs": sources,
        "outputs": outputs,
    }


def _sources(number: int, jobs: int) -> Iterator[int]:
    """Yield the datasets that a job reads: three of the layer below."""
    of_layer = max(1, jobs // _LAYERS) * OUTPUTS
    first = (number * OUTPUTS // of_layer - 1) * of_layer
    for step in (1, 7, 31):
        # Jobs of the first layer read sources, which no job writes.
        yield -1 - (number * step) % of_layer if first < 0 else first + (number * OUTPUTS + step) % of_layer


def _dataset(number: int) -> dict[str, Any]:
    name = f"sources/table_{-number}" if number < 0 else f"warehouse/area_{number % 97}/table_{number}"
    return {"namespace": f"s3://lake-{number % 7}", "name": name}


def _facets(seed: int, sources: list[dict[str, Any]], is_changed: bool) -> dict[str, Any]:
    names = [f"column_{number}" for number in range(COLUMNS)]
    if is_changed:
        names[3] = "column_renamed"
    fields = {
        name: {
            "inputFields": [
                _source(sources[(seed + number + other) % 3], number, _KINDS[number % 3], is_changed)
                for other in (0, 1)
            ]
        }
        for number, name in enumerate(names)
    }
    rows = [
        _row_cause(sources[number % 3], number, "FILTER" if number % 2 else "JOIN")
        for number in range(ROW_CAUSES - is_changed)
    ]
    schema = [
        {"name": name, "type": "string" if number % 4 else "bigint"} for number, name in enumerate(names)
    ]
    facets: dict[str, Any] = {
        "schema": {**_BASE, "fields": schema},
        "columnLineage": {**_BASE, "fields": fields, "dataset": rows},
    }
    if seed % 50 == 0:
        facets["tags"] = {**_BASE, "tags": [{"key": "pii", "value": "true", "field": "column_7"}]}
    return {**facets, **_owner(seed)}


def _source(source: dict[str, Any], number: int, subtype: str, is_masked: bool) -> dict[str, Any]:
    masking = is_masked and number == 5
    steps = [{"type": "DIRECT", "subtype": subtype, "description": "", "masking": masking}]
    return {**source, "field": f"column_{number}", "transformations": steps}


def _row_cause(source: dict[str, Any], number: int, subtype: str) -> dict[str, Any]:
    steps = [{"type": "INDIRECT", "subtype": subtype, "description": "", "masking": False}]
    return {**source, "field": f"column_{number}", "transformations": steps}


def _owner(seed: int) -> dict[str, Any]:
    return {"ownership": {**_BASE, "owners": [{"name": f"team:{seed % 40}", "type": "OWNER"}]}}
