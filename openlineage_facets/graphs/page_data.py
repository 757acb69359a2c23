"""The data of a page: a graph as compact JSON, with the place of each node."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from openlineage_facets.graphs.labels import labels_of, names_of, text_width
from openlineage_facets.graphs.layout import layered
from openlineage_facets.graphs.links import links_of, nodes_of
from openlineage_facets.graphs.placement import NAME_WIDTH, NAMESPACE_WIDTH
from openlineage_facets.state import (
    ColumnId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    LineageRun,
    Node,
    Transformation,
)

__all__ = ["page_data"]

_DRAWN_FACETS = frozenset({"columnLineage", "lineage", "schema"})
"""Facets that the page draws."""

_LONGEST_FACET = 20_000
"""Characters. Some integrations report whole query plans."""


def page_data(lineage: Lineage) -> dict[str, Any]:
    """Return everything a page shows, as plain JSON types. Nodes and columns are numbered."""
    names = names_of(lineage)
    numbers: dict[Node, int] = {node: number for number, node in enumerate(nodes_of(lineage))}
    columns = {
        ColumnId(dataset.id, column.name): number
        for dataset in lineage.datasets
        for number, column in enumerate(dataset.columns)
    }
    links = [(numbers[source], numbers[target]) for source, target in links_of(lineage)]
    places = layered(len(numbers), links)
    nodes = [
        *(_dataset(dataset, names[dataset.id]) for dataset in lineage.datasets),
        *(_job(job, names[job.id], numbers) for job in lineage.jobs),
    ]
    labels = labels_of(lineage, NAME_WIDTH, NAMESPACE_WIDTH, text_width)
    for node, place, label in zip(nodes, places, map(labels.__getitem__, numbers), strict=True):
        node["layer"], node["order"] = place.layer, round(place.order, 2)
        node["title"], node["place"] = label.name, label.namespace

    def end(end: ColumnId | Node) -> list[int]:
        if isinstance(end, ColumnId):
            return [numbers[end.dataset], columns[end]]
        return [numbers[end], -1]

    return {
        "nodes": nodes,
        "links": links,
        "columnLinks": [
            [*end(edge.source), *end(edge.target), _steps(edge.transformations)] for edge in lineage.columns
        ],
    }


def _dataset(dataset: LineageDataset, label: str) -> dict[str, Any]:
    return {
        **_entity(dataset.id, label),
        "seen": None if dataset.last_seen is None else dataset.last_seen.text,
        "columns": [[column.name, column.type, column.description] for column in dataset.columns],
        "facets": _facets(dataset.facets),
    }


def _job(job: LineageJob, label: str, numbers: Mapping[Node, int]) -> dict[str, Any]:
    return {
        **_entity(job.id, label),
        "seen": None if job.last_seen is None else job.last_seen.text,
        "facets": _facets(job.facets),
        "run": None if job.last_run is None else _run(job.last_run, numbers),
    }


def _entity(node: Node, label: str) -> dict[str, Any]:
    kind = "job" if isinstance(node, JobId) else "dataset"
    return {"kind": kind, "namespace": node.namespace, "name": node.name, "label": label}


def _run(run: LineageRun, numbers: Mapping[Node, int]) -> dict[str, Any]:
    return {
        "id": run.run_id,
        "state": None if run.state is None else run.state.value,
        "started": None if run.started_at is None else run.started_at.text,
        "ended": None if run.ended_at is None else run.ended_at.text,
        "facets": _facets(run.facets),
        "inputs": [
            [numbers[used.dataset], _facets(used.facets)] for used in run.inputs if used.dataset in numbers
        ],
        "outputs": [
            [numbers[used.dataset], _facets(used.facets)] for used in run.outputs if used.dataset in numbers
        ],
    }


def _facets(facets: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facets that the page lists, without producers and schema URLs."""
    shown = {}
    for key, facet in sorted(facets.items()):
        if key in _DRAWN_FACETS:
            continue
        if isinstance(facet, dict):
            facet = {name: value for name, value in facet.items() if name not in ("_producer", "_schemaURL")}
        length = len(json.dumps(facet))
        shown[key] = facet if length <= _LONGEST_FACET else f"{length:,} characters, too long to show here"
    return shown


def _steps(transformations: Iterable[Transformation]) -> str:
    """Return transformations as text, such as `AGGREGATION (masked)`."""
    return ", ".join(
        f"{step.subtype or step.type}{' (masked)' if step.masking else ''}" for step in transformations
    )
