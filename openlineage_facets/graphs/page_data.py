"""The data of a page: a graph as compact JSON, in layers and with the ways of links."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from openlineage_facets.graphs.colors import STATE_CLASSES
from openlineage_facets.graphs.labels import labels_of, names_of, text_width
from openlineage_facets.graphs.measures import MEASURES, NAME_WIDTH, NAMESPACE_WIDTH
from openlineage_facets.graphs.ways import routed
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
    columns = {
        ColumnId(dataset.id, column.name): number
        for dataset in lineage.datasets
        for number, column in enumerate(dataset.columns)
    }
    graph = routed(lineage, columns)
    nodes = [
        *(_dataset(dataset, names[dataset.id]) for dataset in lineage.datasets),
        *(_job(job, names[job.id], graph.numbers) for job in lineage.jobs),
    ]
    labels = labels_of(lineage, NAME_WIDTH, NAMESPACE_WIDTH, text_width)
    for node, label in zip(nodes, map(labels.__getitem__, graph.numbers), strict=True):
        node["title"], node["place"] = label.name, label.namespace
    return {
        "nodes": nodes,
        "layers": graph.layers,
        "writes": [
            [
                graph.numbers[edge.source],
                graph.numbers[edge.target],
                [graph.numbers[one] for one in edge.inputs if one in graph.numbers],
            ]
            for edge in lineage.edges
            if edge.inputs is not None
        ],
        "links": [[way.source, way.target, way.route] for way in graph.links],
        "columnLinks": [
            [way.source, way.row, way.target, way.target_row, way.route, _steps(edge.transformations)]
            for way, edge in graph.columns
        ],
        "measures": MEASURES,
        "stateClasses": STATE_CLASSES,
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
