"""A lineage graph as facts about jobs, datasets and columns, which two graphs have in common or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, TypeAlias, TypeVar

from openlineage_facets.review.reviewed import sorted_items
from openlineage_facets.state import (
    ColumnEdge,
    ColumnId,
    DatasetId,
    Edge,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
)
from openlineage_facets.state.column_edges import ColumnEdges, End

Part: TypeAlias = Literal[
    "job",
    "dataset",
    "column",
    "input",
    "output",
    "source",
    "rows",
    "order",
    "owners",
    "tags",
    "description",
    "lifecycle",
    "statistics",
]
"""What a fact is about.

The value of a `column` is its type; of an `output` the declared inputs that feed it, None if undeclared; of a
`source` and of `rows` their transformations; of `order` the columns; of the others texts.
"""


ENTITIES = ("job", "dataset", "column")
"""The parts that are jobs, datasets and columns themselves."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact, such as a source of a column."""

    part: Part
    subject: End
    """The job, dataset or column."""
    other: End | None = None
    """What it reads or writes, or what it is computed from."""
    value: Any = None
    """See `Part`."""


def differing_facts(before: Lineage, after: Lineage) -> tuple[list[Fact], list[Fact]]:
    """Return the facts of two graphs of `reviewed` about what differs between them.

    Most of two large graphs is equal, and no facts about that are created. Those about jobs, datasets and
    columns that only one graph has are complete.
    """
    old = ColumnEdges.of(before.columns)
    new = ColumnEdges.of(after.columns).with_ends(old.ends)
    parts = zip(
        _differing(before.jobs, after.jobs, _id, _facets),
        _differing(before.datasets, after.datasets, _id, _facets),
        _differing(before.edges, after.edges, attrgetter("source", "target", "inputs")),
        (old.missing_in(new), new.missing_in(old)),
        strict=True,
    )
    old_facts, new_facts = ([*_facts_of(*of_side)] for of_side in parts)
    return old_facts, new_facts


def _facts_of(
    jobs: Iterable[LineageJob],
    datasets: Iterable[LineageDataset],
    edges: Iterable[Edge],
    columns: Iterable[ColumnEdge],
) -> Iterator[Fact]:
    for job in jobs:
        yield Fact("job", job.id)
        yield from _annotations(job.id, job.facets)
    for dataset in datasets:
        yield from _dataset_facts(dataset)
    yield from map(_edge_fact, edges)
    for edge in columns:
        part: Part = "source" if isinstance(edge.target, ColumnId) else "rows"
        yield Fact(part, edge.target, edge.source, edge.transformations)


_id = attrgetter("id")
_facets = attrgetter("facets")

T = TypeVar("T")


def _differing(
    before: Iterable[T],
    after: Iterable[T],
    key: Callable[[T], Hashable],
    value: Callable[[T], Any] = lambda _: None,
) -> tuple[list[T], list[T]]:
    """Return the items of each side that the other does not have, or has with another value."""
    later = {key(one): one for one in after}
    old: list[T] = []
    new: list[T] = []
    for one in before:
        other = later.pop(key(one), None)
        if other is None:
            old.append(one)
        elif value(one) != value(other):
            old.append(one)
            new.append(other)
    return old, [*new, *later.values()]


def _dataset_facts(dataset: LineageDataset) -> Iterator[Fact]:
    yield Fact("dataset", dataset.id)
    yield from _annotations(dataset.id, dataset.facets)
    for field in dataset.facets.get("schema", {}).get("fields", ()):
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
        yield Fact("owners", node, None, tuple(_joined(one, "name", "type") for one in owners))
    tags: dict[End, list[str]] = {}
    for tag in sorted_items(facets, "tags", "tags", "key", "value", "field"):
        is_of_column = "field" in tag and isinstance(node, DatasetId)
        subject: End = ColumnId(node, tag["field"]) if is_of_column and isinstance(node, DatasetId) else node
        tags.setdefault(subject, []).append(_joined(tag, "key", "value"))
    for subject, texts in tags.items():
        yield Fact("tags", subject, None, tuple(texts))
    if "documentation" in facets:
        yield Fact("description", node, None, facets["documentation"]["description"])


def _joined(item: Mapping[str, str], first: str, second: str) -> str:
    return item[first] if second not in item else f"{item[first]}={item[second]}"


def _type(field: Mapping[str, Any]) -> str | None:
    """Return the type of a column with those of nested columns, such as `struct<email: string>`."""
    nested = ", ".join(f"{one['name']}: {_type(one) or 'unknown'}" for one in field.get("fields", ()))
    kind: str | None = field.get("type")
    return f"{kind or ''}<{nested}>" if nested else kind


def _descriptions(field: Mapping[str, Any]) -> str:
    """Return the description of a column; with those of nested columns, as JSON."""
    nested = {one["name"]: text for one in field.get("fields", ()) if (text := _descriptions(one))}
    own: str = field.get("description", "")
    return json.dumps([own, nested]) if nested else own
