"""Valid events and facets as they are in JSON, and the state of events."""

from __future__ import annotations

from typing import Any

from openlineage_facets.state import LineageState

SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs"
PRODUCER = "https://example.com/v7/etl"
SCHEMA_URL = "https://schemas.example.com/1-0-0/Facet.json#/$defs/Facet"
RUN_ID = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
JOB = {"namespace": "etl", "name": "orders.daily"}
DATASET = {"namespace": "s3://lake", "name": "raw/orders"}
FACET = {"_producer": PRODUCER, "_schemaURL": SCHEMA_URL}
"""The required fields of every facet."""


def event(kind: str, **fields: Any) -> dict[str, Any]:
    """Return the required fields of every event, and others."""
    required = {"eventTime": "2026-11-21T08:30:00Z", "producer": PRODUCER, "schemaURL": f"{SPEC}/{kind}"}
    return {**required, **fields}


EVENT = event("JobEvent")
"""The required fields of an event."""


def job_event(**fields: Any) -> dict[str, Any]:
    """Return a valid job event with some fields more, or others."""
    return event("JobEvent", **{"job": {**JOB}, **fields})


def run_event(**fields: Any) -> dict[str, Any]:
    """Return a valid run event with some fields more, or others."""
    return event("RunEvent", **{"run": {"runId": RUN_ID}, "job": {**JOB}, **fields})


def dataset_event(**fields: Any) -> dict[str, Any]:
    """Return a valid dataset event with some fields more, or others."""
    return event("DatasetEvent", **{"dataset": {**DATASET}, **fields})


def facet(**fields: Any) -> dict[str, Any]:
    """Return a facet with the required fields, and others."""
    return {**FACET, **fields}


def on_run(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose run has a facet."""
    return run_event(run={"runId": RUN_ID, "facets": {key: facet}})


def on_job(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose job has a facet."""
    return job_event(job={**JOB, "facets": {key: facet}})


def on_dataset(key: str, facet: Any) -> dict[str, Any]:
    """Return an event whose dataset has a facet."""
    return dataset_event(dataset={**DATASET, "facets": {key: facet}})


def on_input(key: str, facet: Any) -> dict[str, Any]:
    """Return an event with a facet of an input."""
    return job_event(inputs=[{**DATASET, "inputFacets": {key: facet}}])


def on_output(key: str, facet: Any) -> dict[str, Any]:
    """Return an event with a facet of an output."""
    return job_event(outputs=[{**DATASET, "outputFacets": {key: facet}}])


def folded(*events: Any, exact_history: bool = False) -> LineageState:
    """Return the state of events."""
    state = LineageState(exact_history=exact_history)
    for event in events:
        state.apply(event)
    return state
