"""A lineage graph as facts about jobs, datasets and columns, which two graphs have in common or not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from openlineage_facets.review.reviewed import sorted_items
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node, Transformation

End: TypeAlias = "ColumnId | Node"
"""A job, a dataset or a column."""

Steps: TypeAlias = tuple[Transformation, ...]

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


def facts_of(lineage: Lineage) -> Iterator[Fact]:
    """Yield the facts of a graph of `reviewed`."""
    for job in lineage.jobs:
        yield Fact("job", job.id)
        yield from _annotations(job.id, job.facets)
    for dataset in lineage.datasets:
        yield Fact("dataset", dataset.id)
        yield from _annotations(dataset.id, dataset.facets)
        for field in dataset.facets.get("schema", {}).get("fields", ()):
            column = ColumnId(dataset.id, field["name"])
            yield Fact("column", column, None, _type(field))
            if description := _descriptions(field):
                yield Fact("description", column, None, description)
    for edge in lineage.edges:
        if isinstance(edge.target, JobId):
            yield Fact("input", edge.target, edge.source)
        elif isinstance(edge.source, JobId):
            yield Fact("output", edge.source, edge.target, edge.inputs)
        else:
            yield Fact("source", edge.target, edge.source, ())
    for column_edge in lineage.columns:
        is_column = isinstance(column_edge.target, ColumnId)
        yield Fact(
            "source" if is_column else "rows",
            column_edge.target,
            column_edge.source,
            column_edge.transformations,
        )


def node_of_end(end: End) -> Node:
    """Return a job or dataset, or the dataset of a column."""
    return end.dataset if isinstance(end, ColumnId) else end


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
