"""Convert LineageTables and LineageState to a common form for comparison."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from openlineage_facets.spark.archives import LineageTables
from openlineage_facets.state import ColumnId, DatasetId, JobId, LineageState

Summary = dict[str, Any]


def tables_as_dict(tables: LineageTables) -> Summary:
    """Return the content of the tables, which are computed once."""
    tables = tables.cached()
    return {
        "jobs": {
            (row.namespace, row.name): (row.first_seen, row.last_seen, [*row.inputs], [*row.outputs])
            for row in tables.jobs.collect()
        },
        "datasets": {
            (row.namespace, row.name): (row.first_seen, row.last_seen) for row in tables.datasets.collect()
        },
        "runs": {
            row.run_id: (
                tuple(row.job),
                row.state,
                *(row.started_at, row.ended_at, row.first_seen, row.last_seen),
                [*row.inputs],
                [*row.outputs],
            )
            for row in tables.runs.collect()
        },
        "facets": facets_as_dict(tables),
        "facets when run": _each_once(
            ((row.run_id, row.entity, row.namespace, row.name, row.key), json.loads(row.facet))
            for row in tables.facets_at_run.collect()
        ),
        "edges": _each_once(
            (
                (tuple(row.source), tuple(row.target)),
                (
                    [*row.origins],
                    row.first_seen,
                    row.last_seen,
                    None if row.inputs is None else [tuple(one) for one in row.inputs],
                ),
            )
            for row in tables.edges.collect()
        ),
        "column edges": column_edges(tables),
    }


def column_edges(tables: LineageTables) -> dict[Any, Any]:
    """Return the edges of columns."""
    return _each_once(
        ((tuple(row.source), tuple(row.target)), {tuple(step) for step in row.transformations})
        for row in tables.column_edges.collect()
    )


def facets_as_dict(tables: LineageTables) -> dict[Any, Any]:
    """Return the current facets."""
    return _each_once(
        ((row.entity, row.namespace, row.name, row.run_id, row.key), json.loads(row.facet))
        for row in tables.facets.collect()
    )


def _each_once(rows: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    listed = list(rows)
    found = dict(listed)
    assert len(found) == len(listed), "one row for each"
    return found


def state_as_dict(state: LineageState) -> Summary:
    """Return the same content of a state."""
    jobs = {(it.namespace, it.name): state.job(it.namespace, it.name) for it in state.jobs()}
    datasets = {(it.namespace, it.name): state.dataset(it.namespace, it.name) for it in state.datasets()}
    runs = {run: state.run(run) for run in state.runs()}
    lineage = state.lineage()
    facets: dict[Any, Any] = {}
    when_run: dict[Any, Any] = {}
    for kind, entities in (("job", jobs), ("dataset", datasets)):
        for key, entity in entities.items():
            held = _facets(entity.facets, entity.invalid_facets, "/facets")
            facets.update({(kind, *key, None, name): value for name, value in held.items()})
    for run_id, run in runs.items():
        held = _facets(run.facets, run.invalid_facets, "/run/facets")
        facets.update({("run", None, None, run_id, name): value for name, value in held.items()})
        job = (run_id, "job", run.job.namespace, run.job.name)
        held = _facets(run.job_facets, run.invalid_facets, "/job/facets")
        when_run.update({(*job, name): value for name, value in held.items()})
        for role, used in (("input", run.inputs), ("output", run.outputs)):
            for it in used:
                own = _facets(getattr(it, f"{role}_facets"), it.invalid_facets, f"/{role}Facets")
                facets.update({(role, it.namespace, it.name, run_id, name): own[name] for name in own})
                held = _facets(it.facets, it.invalid_facets, "/facets")
                when_run.update({(run_id, role, it.namespace, it.name, name): held[name] for name in held})
    return {
        "jobs": {
            key: (
                str(it.first_seen),
                str(it.last_seen),
                [(d.namespace, d.name) for d in it.inputs],
                [(d.namespace, d.name) for d in it.outputs],
            )
            for key, it in jobs.items()
        },
        "datasets": {key: (str(it.first_seen), str(it.last_seen)) for key, it in datasets.items()},
        "runs": {
            run_id: (
                (it.job.namespace, it.job.name),
                it.state and it.state.value,
                *(time and str(time) for time in (it.started_at, it.ended_at, it.first_seen, it.last_seen)),
                [(d.namespace, d.name) for d in it.inputs],
                [(d.namespace, d.name) for d in it.outputs],
            )
            for run_id, it in runs.items()
        },
        "facets": facets,
        "facets when run": when_run,
        "edges": {
            (_end(it.source)[:3], _end(it.target)[:3]): (
                list(it.origins),
                str(it.first_seen),
                str(it.last_seen),
                None if it.inputs is None else [(one.namespace, one.name) for one in it.inputs],
            )
            for it in lineage.edges
        },
        "column edges": {
            (_end(it.source), _end(it.target)): {
                (step.type, step.subtype, step.description, step.masking) for step in it.transformations
            }
            for it in lineage.columns
        },
    }


def _facets(valid: Mapping[str, Any], invalid: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    spelled = {
        name.removeprefix(f"{pointer}/"): value for name, value in invalid.items() if name.startswith(pointer)
    }
    return {**{key: facet.to_dict() for key, facet in valid.items()}, **spelled}


def _end(end: ColumnId | JobId | DatasetId) -> tuple[str, str, str, str | None]:
    if isinstance(end, ColumnId):
        return ("dataset", end.dataset.namespace, end.dataset.name, end.name)
    return ("job" if isinstance(end, JobId) else "dataset", end.namespace, end.name, None)
