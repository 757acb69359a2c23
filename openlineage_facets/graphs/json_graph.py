"""Lineage graphs as JSON."""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.state import (
    ColumnId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    LineageRun,
    Node,
    RunFacetsOfDataset,
    Transformation,
)


def json_graph(lineage: Lineage) -> dict[str, Any]:
    """Return a graph as plain JSON types: `jobs`, `datasets`, `edges` and `columnEdges`.

    Example:
        >>> list(json_graph(state.lineage()))
        ['jobs', 'datasets', 'edges', 'columnEdges']
    """
    return {
        "jobs": [_job(job) for job in lineage.jobs],
        "datasets": [_dataset(dataset) for dataset in lineage.datasets],
        "edges": [
            {
                "source": _end(edge.source),
                "target": _end(edge.target),
                "origins": list(edge.origins),
                "firstSeen": edge.first_seen.text,
                "lastSeen": edge.last_seen.text,
                **({} if edge.inputs is None else {"inputs": [_end(dataset) for dataset in edge.inputs]}),
            }
            for edge in lineage.edges
        ],
        "columnEdges": [
            {
                "source": _end(edge.source),
                "target": _end(edge.target),
                "transformations": [_transformation(step) for step in edge.transformations],
            }
            for edge in lineage.columns
        ],
    }


def _job(job: LineageJob) -> dict[str, Any]:
    return {
        "namespace": job.id.namespace,
        "name": job.id.name,
        "lastSeen": _text(job.last_seen),
        "lastRun": None if job.last_run is None else _run(job.last_run),
        "earlierRuns": [_run(run) for run in job.earlier_runs],
        "facets": dict(job.facets),
    }


def _run(run: LineageRun) -> dict[str, Any]:
    return {
        "runId": run.run_id,
        "state": None if run.state is None else run.state.value,
        "startedAt": _text(run.started_at),
        "endedAt": _text(run.ended_at),
        "facets": dict(run.facets),
        "inputs": [_used(used, "inputFacets") for used in run.inputs],
        "outputs": [_used(used, "outputFacets") for used in run.outputs],
    }


def _used(used: RunFacetsOfDataset, facets: str) -> dict[str, Any]:
    return {"namespace": used.dataset.namespace, "name": used.dataset.name, facets: dict(used.facets)}


def _dataset(dataset: LineageDataset) -> dict[str, Any]:
    columns = [
        {"name": column.name, "type": column.type, "description": column.description}
        for column in dataset.columns
    ]
    return {
        "namespace": dataset.id.namespace,
        "name": dataset.id.name,
        "lastSeen": _text(dataset.last_seen),
        "columns": [_without_none(column) for column in columns],
        "facets": dict(dataset.facets),
    }


def _end(end: ColumnId | Node) -> dict[str, str]:
    if isinstance(end, ColumnId):
        return {**_end(end.dataset), "column": end.name}
    kind = "job" if isinstance(end, JobId) else "dataset"
    return {"kind": kind, "namespace": end.namespace, "name": end.name}


def _transformation(step: Transformation) -> dict[str, Any]:
    return _without_none(
        {
            "type": step.type,
            "subtype": step.subtype,
            "description": step.description,
            "masking": step.masking,
        }
    )


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _text(time: Timestamp | None) -> str | None:
    return None if time is None else time.text
