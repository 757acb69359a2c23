"""Valid events, one per file, and changed copies of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VALID = sorted(Path(__file__).with_name("valid").glob("*.json"))
"""Every valid example; a new file is tested without further ado."""

RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"

EVENT: dict[str, Any] = {
    "eventTime": "2026-11-21T08:30:00Z",
    "producer": "https://git.example.com/etl",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
}
"""The required fields of every event."""

JOB = {"namespace": "etl", "name": "orders.daily"}

DATASET = {"namespace": "s3://lake", "name": "raw/orders"}

FACET = {"_producer": "https://git.example.com/etl", "_schemaURL": "https://schemas.example.com/Facet.json"}
"""The required fields of every facet."""


def job_event(**fields: Any) -> dict[str, Any]:
    """Return a valid job event with some fields more, or others."""
    return {**EVENT, "job": JOB, **fields}


def run_event(**fields: Any) -> dict[str, Any]:
    """Return a valid run event with some fields more, or others."""
    return {**EVENT, "run": {"runId": RUN_ID}, "job": JOB, **fields}


def dataset_event(**fields: Any) -> dict[str, Any]:
    """Return a valid dataset event with some fields more, or others."""
    return {**EVENT, "dataset": DATASET, **fields}


def on_run(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose run carries a facet."""
    return run_event(run={"runId": RUN_ID, "facets": {key: facet}})


def on_job(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose job carries a facet."""
    return job_event(job={**JOB, "facets": {key: facet}})


def on_dataset(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose dataset carries a facet."""
    return dataset_event(dataset={**DATASET, "facets": {key: facet}})


def on_input(key: str, facet: Any) -> dict[str, Any]:
    """Return an event with a facet of an input."""
    return job_event(inputs=[{**DATASET, "inputFacets": {key: facet}}])


def on_output(key: str, facet: Any) -> dict[str, Any]:
    """Return an event with a facet of an output."""
    return job_event(outputs=[{**DATASET, "outputFacets": {key: facet}}])


def text_with(event: dict[str, Any], field: str) -> str:
    """Return the JSON text of an event with one more field, as it is spelled."""
    return f"{json.dumps(event)[:-1]}, {field}}}"
