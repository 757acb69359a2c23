"""What differs between two lineage graphs, as facts about jobs, datasets and columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from openlineage_facets.review.changes import Fact
from openlineage_facets.review.paths import grouped
from openlineage_facets.review.reviewed_lineage import reviewed_fields, sorted_items, written_datasets
from openlineage_facets.state import ColumnId, DatasetId, Edge, JobId, Lineage, LineageDataset, LineageJob
from openlineage_facets.state.column_edges import ColumnEdges, End, Node

T = TypeVar("T")


def differing_facts(before: Lineage, after: Lineage) -> tuple[list[Fact], list[Fact]]:
    """Return the facts of two graphs of `reviewed` about what differs between them.

    Most of two large graphs is equal, and no facts about that are created. Those about jobs, datasets and
    columns that only one graph has are complete. A dataset that jobs write in one graph, and that has no
    edges in the other, is only in the first: the other one knows its name from a catalog. One that jobs only
    read has lost no columns if the catalog does not list them.
    """
    old = ColumnEdges.of(before.columns)
    new = ColumnEdges.of(after.columns).with_ends(old.ends)
    parts = zip(
        _differing(_used_jobs(before, after), _used_jobs(after, before), _id, _facets),
        _differing(_used_datasets(before, after), _used_datasets(after, before), _id, _facets),
        _differing(before.edges, after.edges, attrgetter("source", "target", "inputs", "has_columns")),
        (old.missing_in(new), new.missing_in(old)),
        strict=True,
    )
    old_facts, new_facts = ([*_facts_of(*of_side)] for of_side in parts)
    return old_facts, new_facts


def _facts_of(
    jobs: Iterable[Any], datasets: Iterable[LineageDataset], edges: Iterable[Edge], columns: Iterable[Any]
) -> Iterator[Fact]:
    for job in jobs:
        yield Fact("job", job.id)
        yield from _annotations(job.id, job.facets)
    for dataset in datasets:
        yield from _dataset_facts(dataset)
    for edge in edges:
        yield _edge_fact(edge)
        if not edge.has_columns:
            yield Fact("columns", edge.source, edge.target)
    for source, target, steps in columns:
        yield Fact("source" if isinstance(target, ColumnId) else "rows", target, source, steps)


_id = attrgetter("id")
_facets = attrgetter("facets")


def _used_datasets(lineage: Lineage, other: Lineage) -> Collection[LineageDataset]:
    """Return the datasets of a graph without those that have no edges, and that jobs write in the other.

    Those that have no edges in the other, and no columns, are returned without columns.
    """
    ends = _ends(lineage)
    unused = written_datasets(other) - ends
    if unused:
        unused.difference_update(node for node, _ in ColumnEdges.of(lineage.columns).columns())
    only_read = ends - _ends(other) - written_datasets(lineage)
    unlisted = {
        dataset.id for dataset in other.datasets if dataset.id in only_read and not reviewed_fields(dataset)
    }
    return [
        _without_columns(dataset) if dataset.id in unlisted else dataset
        for dataset in lineage.datasets
        if dataset.id not in unused
    ]


def _without_columns(dataset: LineageDataset) -> LineageDataset:
    facets = {key: facet for key, facet in dataset.facets.items() if key != "schema"}
    return LineageDataset(id=dataset.id, facets=facets)


def _ends(lineage: Lineage) -> set[Node]:
    """Return the jobs and datasets that have edges."""
    return {end for edge in lineage.edges for end in (edge.source, edge.target)}


def _used_jobs(lineage: Lineage, other: Lineage) -> Collection[LineageJob]:
    """Return the jobs of a graph without those that have edges only in the other: a catalog knows them."""
    unused = _ends(other) - _ends(lineage)
    return [job for job in lineage.jobs if job.id not in unused]


def _differing(
    before: Iterable[T],
    after: Iterable[T],
    key: Callable[[T], Hashable],
    value: Callable[[T], Any] = lambda _: None,
) -> tuple[list[T], list[T]]:
    """Return the items of each side that the other does not have, or has with another value."""
    later = {key(item): item for item in after}
    old: list[T] = []
    new: list[T] = []
    for item in before:
        other = later.pop(key(item), None)
        if other is None:
            old.append(item)
        elif item is not other and value(item) != value(other):
            old.append(item)
            new.append(other)
    return old, [*new, *later.values()]


def _dataset_facts(dataset: LineageDataset) -> Iterator[Fact]:
    yield Fact("dataset", dataset.id)
    yield from _annotations(dataset.id, dataset.facets)
    for field in reviewed_fields(dataset):
        column = ColumnId(dataset.id, field["name"])
        yield Fact("column", column, None, _type(field))
        if description := _descriptions(field):
            yield Fact("description", column, None, description)


def _edge_fact(edge: Edge) -> Fact:
    if isinstance(edge.target, JobId):
        return Fact("input", edge.target, edge.source)
    if isinstance(edge.source, JobId):
        return Fact("output", edge.source, edge.target, edge.inputs)
    return Fact("source", edge.target, edge.source, ())


def _annotations(node: Node, facets: Mapping[str, Any]) -> Iterator[Fact]:
    owners = sorted_items(facets, "ownership", "owners", "name", "type")
    if owners:
        yield Fact("owners", node, None, tuple(_joined(owner, "name", "type") for owner in owners))
    for subject, texts in grouped(_tags(node, facets)).items():
        yield Fact("tags", subject, None, tuple(texts))
    if "documentation" in facets:
        yield Fact("description", node, None, facets["documentation"]["description"])


def _tags(node: Node, facets: Mapping[str, Any]) -> Iterator[tuple[End, str]]:
    for tag in sorted_items(facets, "tags", "tags", "key", "value", "field"):
        text = _joined(tag, "key", "value")
        yield ColumnId(node, tag["field"]) if isinstance(node, DatasetId) and "field" in tag else node, text


def _joined(item: Mapping[str, str], first: str, second: str) -> str:
    return item[first] if second not in item else f"{item[first]}={item[second]}"


def _type(field: Mapping[str, Any]) -> str | None:
    """Return the type of a column with those of nested columns, such as `struct<email: string>`."""
    nested = ", ".join(f"{part['name']}: {_type(part) or 'unknown'}" for part in field.get("fields", ()))
    kind: str | None = field.get("type")
    return f"{kind or ''}<{nested}>" if nested else kind


def _descriptions(field: Mapping[str, Any]) -> str:
    """Return the description of a column; with those of nested columns, as JSON."""
    nested = {part["name"]: text for part in field.get("fields", ()) if (text := _descriptions(part))}
    own: str = field.get("description", "")
    return json.dumps([own, nested]) if nested else own
