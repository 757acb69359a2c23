"""What a drawing shows, as plain JSON types: nodes with their texts and colors, links with their ways.

Pictures (`svg.py`) and pages (`drawing.js`) draw from it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.display.short_values import counted
from openlineage_facets.graphs.groups import groups_of, overview_of
from openlineage_facets.graphs.labels import Label, labels_of, names_of, short_name, text_width, told_apart
from openlineage_facets.graphs.style import GROUP_COLORS, MEASURES, NAME_WIDTH, NAMESPACE_WIDTH, STATE_CLASSES
from openlineage_facets.graphs.summaries import (
    checks,
    duration_text,
    platform,
    rows_text,
    seconds_of,
    statistics_text,
    tags,
)
from openlineage_facets.graphs.ways import Grid, RoutedGraph, routed
from openlineage_facets.state import (
    ColumnId,
    DatasetId,
    JobId,
    Lineage,
    LineageColumn,
    LineageDataset,
    LineageJob,
    LineageRun,
    Node,
    Transformation,
)

_DRAWN_FACETS = frozenset({"columnLineage", "dataQualityAssertions", "lineage", "schema", "tags"})
"""Facets of jobs and datasets that the page draws."""

_LONGEST_FACET = 20_000
"""Characters. Some integrations report whole query plans."""

_SIDE_WIDTH = 13
"""The greatest width of the second line of a node, in units of its font size."""


@dataclass(frozen=True)
class Description:
    """What a drawing shows.

    Args:
        graph: The layers, lanes and links of nodes.
        nodes: The datasets, then the jobs.
        overview: The layers, lanes and links of groups.
        groups: The groups of nodes, which pages draw in place of very many nodes.
        writes: The numbers of a job, its output and the inputs that feed it, as far as its runs declare them.
    """

    graph: RoutedGraph
    nodes: list[dict[str, Any]]
    overview: Grid
    groups: list[dict[str, Any]]
    writes: list[tuple[int, int, list[int]]]

    def to_json(self) -> dict[str, Any]:
        """Return the data of a page, which numbers nodes, then groups, then the points of links."""
        graph = self.graph
        nodes, groups = len(self.nodes), len(self.groups)

        def number(item: int) -> int:
            return item if item < nodes else item + groups

        def number_of_group(item: int) -> int:
            return item + (nodes if item < groups else len(graph.lanes))

        places, links = {}, []
        for grid, number_in_page in ((graph, number), (self.overview, number_of_group)):
            for layer, items in enumerate(grid.layers):
                places.update({number_in_page(item): (layer, grid.lanes[item]) for item in items})
            for way in grid.links:
                route = [number_in_page(item) for item in way.route]
                links.append([number_in_page(way.source), number_in_page(way.target), route])
        return {
            "nodes": [*self.nodes, *self.groups],
            "places": [places[item] for item in range(len(places))],
            "writes": self.writes,
            "links": links,
            "columnLinks": [
                [
                    *(way.source, way.row, way.target, way.target_row),
                    [*map(number, way.route)],
                    _steps(edge.transformations),
                ]
                for way, edge in graph.columns
            ],
            "measures": MEASURES,
        }


def description(
    lineage: Lineage, columns: Mapping[DatasetId, Sequence[LineageColumn]] | None = None
) -> Description:
    """Return what a drawing of a graph shows.

    Args:
        lineage: The graph.
        columns: The columns of each dataset to describe. Default: all.
    """
    shown = {dataset.id: dataset.columns for dataset in lineage.datasets} if columns is None else columns
    rows = {ColumnId(node, column.name): row for node in shown for row, column in enumerate(shown[node])}
    graph = routed(lineage, rows)
    reports = _reports(lineage)
    labels = labels_of(lineage, NAME_WIDTH, NAMESPACE_WIDTH, text_width)
    nodes = [
        *(
            _dataset(dataset, shown[dataset.id], labels[dataset.id], reports.get(dataset.id, []))
            for dataset in lineage.datasets
        ),
        *(_job(job, labels[job.id], graph.numbers) for job in lineage.jobs),
    ]
    ids = list(graph.numbers)
    names = names_of(lineage)
    colors = _colors(ids)
    groups = groups_of(ids, [(ids[way.source], ids[way.target]) for way in graph.links])
    numbers_of_groups = {group: number for number, group in enumerate(dict.fromkeys(groups.values()))}
    group_of = [numbers_of_groups[group] for group in groups.values()]
    for node, described, group in zip(ids, nodes, group_of, strict=True):
        described |= {"label": names[node], "color": colors[node.namespace], "group": len(nodes) + group}
    numbers = graph.numbers
    writes = [
        (
            numbers[edge.source],
            numbers[edge.target],
            [numbers[dataset] for dataset in edge.inputs if dataset in numbers],
        )
        for edge in lineage.edges
        if edge.inputs is not None
    ]
    overview = overview_of(graph.links, group_of)
    return Description(graph, nodes, overview, _groups(nodes, groups.values()), writes)


def _groups(nodes: Sequence[Mapping[str, Any]], names: Iterable[str]) -> list[dict[str, Any]]:
    """Return the groups of nodes, given the name of the group of each node."""
    members: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        members.setdefault(name, []).append(number)
    titles = told_apart(members, NAME_WIDTH, text_width)
    return [
        _group(name, titles[name], [nodes[number] for number in numbers], numbers)
        for name, numbers in members.items()
    ]


def _group(
    name: str, title: str, nodes: Sequence[Mapping[str, Any]], numbers: Sequence[int]
) -> dict[str, Any]:
    counts = Counter(node["kind"] for node in nodes)
    detail = ", ".join(counted(counts[kind], kind) for kind in ("dataset", "job") if counts[kind])
    failed = sum(node["status"] == "bad" for node in nodes)
    side = f"{failed} failed" if failed else ""
    return {
        "kind": "group",
        "namespace": nodes[0]["namespace"],
        "name": name,
        "label": name,
        "title": title,
        "detail": detail,
        "side": side if text_width(f"{detail} {side}") <= _SIDE_WIDTH else "",
        "tags": [],
        "facets": {},
        "status": "bad" if failed else None,
        "color": nodes[0]["color"],
        "members": numbers,
    }


def _colors(nodes: Iterable[Node]) -> dict[str, int]:
    """Return the color of each namespace: the largest have their own."""
    common = Counter(node.namespace for node in nodes).most_common()
    return {name: min(place, GROUP_COLORS - 1) for place, (name, _) in enumerate(common)}


def _reports(lineage: Lineage) -> dict[DatasetId, list[Mapping[str, Any]]]:
    """Return the facets that the last runs of jobs reported about datasets, those of outputs first."""
    runs = [job.last_run for job in lineage.jobs if job.last_run]
    reports: dict[DatasetId, list[Mapping[str, Any]]] = {}
    for used in (*chain(*(run.outputs for run in runs)), *chain(*(run.inputs for run in runs))):
        reports.setdefault(used.dataset, []).append(used.facets)
    return reports


def _dataset(
    dataset: LineageDataset,
    columns: Sequence[LineageColumn],
    label: Label,
    reports: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    results = list(dict.fromkeys(check for facets in (dataset.facets, *reports) for check in checks(facets)))
    failed = [check for check in results if not check.success]
    own_tags: dict[str | None, list[str]] = {}
    for column_name, text in tags(dataset.facets):
        own_tags.setdefault(column_name, []).append(text)
    successes: dict[str | None, list[bool]] = {}
    for check in results:
        successes.setdefault(check.column, []).append(check.success)
    detail = (
        label.namespace
        or (f"{len(failed)} of {counted(len(results), 'check')} failed" if failed else "")
        or rows_text(reports)
        or (counted(len(dataset.columns), "column") if dataset.columns else "")
        or (dataset.id.namespace and short_name(dataset.id.namespace, NAMESPACE_WIDTH, text_width))
    )
    return {
        **_entity(dataset.id, dataset.facets, label, detail),
        "status": ("bad" if failed else "good") if results else None,
        "seen": None if dataset.last_seen is None else dataset.last_seen.text,
        "columns": [
            _column(column, successes.get(column.name), own_tags.get(column.name, ())) for column in columns
        ],
        "checks": results,
        "facets": _facets(dataset.facets, _DRAWN_FACETS),
    }


def _column(
    column: LineageColumn, successes: Sequence[bool] | None, own_tags: Iterable[str]
) -> list[str | None]:
    """Return name, type and description, the name and the tags or type to draw, and the result of checks."""
    side = printable(" ".join(f"#{text}" for text in own_tags)[:18] or (column.type or "")[:14])
    status = ("good" if all(successes) else "bad") if successes else None
    short = short_name(column.name, 28 - len(side))
    return [column.name, column.type, column.description, short, side, status]


def _job(job: LineageJob, label: Label, numbers: Mapping[Node, int]) -> dict[str, Any]:
    run, state = job.last_run, _state(job.last_run)
    duration = duration_text(run) if run else ""
    # The color says that a run is complete.
    texts = filter(None, ("" if duration and state == "COMPLETE" else state or "no state", duration))
    return {
        **_entity(job.id, job.facets, label, label.namespace or (" · ".join(texts) if run else "no run")),
        "status": STATE_CLASSES.get(state, "none") if run else None,
        "seen": None if job.last_seen is None else job.last_seen.text,
        "facets": _facets(job.facets, _DRAWN_FACETS),
        "run": None if run is None else _run(run, numbers),
        "runs": [_run_in_short(shown) for shown in (run, *job.earlier_runs) if shown],
    }


def _entity(node: Node, facets: Mapping[str, Any], label: Label, detail: str) -> dict[str, Any]:
    words = [] if label.namespace else [platform(node, facets)]
    words += [f"#{text}" for column, text in tags(facets) if column is None]
    side = ""
    for word in filter(None, map(printable, words)):
        if text_width(f"{detail}{side} {word}") <= _SIDE_WIDTH:
            side = f"{side} {word}".lstrip()
    return {
        "kind": "job" if isinstance(node, JobId) else "dataset",
        "namespace": node.namespace,
        "name": node.name,
        "title": label.name,
        "detail": detail,
        "side": side,
        "tags": [(text, column) for column, text in tags(facets)],
    }


def _state(run: LineageRun | None) -> str:
    return run.state.value if run and run.state else ""


def _run(run: LineageRun, numbers: Mapping[Node, int]) -> dict[str, Any]:
    return {
        "id": run.run_id,
        "state": _state(run) or None,
        "started": None if run.started_at is None else run.started_at.text,
        "ended": None if run.ended_at is None else run.ended_at.text,
        "duration": duration_text(run),
        "failure": _failure(run.facets),
        "facets": _facets(run.facets),
        **{
            role: [
                [numbers[used.dataset], _facets(used.facets, _DRAWN_FACETS), statistics_text(used.facets)]
                for used in datasets
                if used.dataset in numbers
            ]
            for role, datasets in (("inputs", run.inputs), ("outputs", run.outputs))
        },
    }


def _run_in_short(run: LineageRun) -> dict[str, Any]:
    """Return state, start, duration and rows of a run, with the names of outputs if there are several."""
    started, state = run.started_at, _state(run)
    written = [(output.dataset.name, statistics_text(output.facets)) for output in run.outputs]
    return {
        "state": state or None,
        "status": STATE_CLASSES.get(state, "none"),
        "started": None if started is None else started.text,
        "duration": duration_text(run),
        "seconds": seconds_of(run),
        "written": [
            (name if len(written) > 1 else "", text.split(" · ")[0]) for name, text in written if text
        ],
    }


def _failure(facets: Mapping[str, Any]) -> list[str] | None:
    """Return the lines of the error message of a run, its beginning if it is very long."""
    facet = facets.get("errorMessage")
    message = facet.get("message") if isinstance(facet, Mapping) else None
    if not isinstance(message, str) or not message:
        return None
    length = len(message)
    shown = message if length <= _LONGEST_FACET else f"{message[:_LONGEST_FACET]}\n… {length:,} characters"
    return shown.split("\n")


def _facets(facets: Mapping[str, Any], drawn: Container[str] = ()) -> dict[str, list[str]]:
    """Return the lines of the facets that the page lists, without producers and schema URLs.

    They are text, since JavaScript rounds long numbers.
    """
    shown = {}
    for key, facet in sorted(facets.items()):
        if key in drawn:
            continue
        if isinstance(facet, dict):
            facet = {name: value for name, value in facet.items() if name not in ("_producer", "_schemaURL")}
        text = json.dumps(facet, indent=2, ensure_ascii=False)
        is_short = len(text) <= _LONGEST_FACET
        shown[key] = text.split("\n") if is_short else [f"{len(text):,} characters, too long to show here"]
    return shown


def _steps(transformations: Iterable[Transformation]) -> str:
    """Return transformations as text, such as `AGGREGATION (masked)`."""
    return ", ".join(
        f"{step.subtype or step.type}{' (masked)' if step.masking else ''}" for step in transformations
    )
