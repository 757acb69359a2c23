"""The content of a lock file as text: jobs with what they read and write, datasets with their lineage."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from typing import Any

from openlineage_facets.base.redaction.redact import redact_repeated
from openlineage_facets.cli.formats.lineage_view import DatasetNumbers, lineage_lines
from openlineage_facets.cli.formats.value_text import word
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.state import (
    ColumnEdge,
    ColumnId,
    DatasetId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
)


def print_lock(lineage: Lineage, *, full: bool) -> None:
    """Print a graph with secrets in names redacted, wrapped to the width of the terminal."""
    width = shutil.get_terminal_size().columns
    for line in lock_lines(lineage, width=width, full=full):
        print(escape_commands(line))


def lock_lines(lineage: Lineage, *, width: int, full: bool) -> Iterator[str]:
    """Yield the lines of a graph, with an empty line between jobs and datasets.

    Args:
        lineage: The graph.
        width: Number of characters after which a line is wrapped.
        full: Whether to show long column names in full.
    """
    uses: dict[Node, list[str]] = {}
    for edge in lineage.edges:
        if isinstance(edge.target, JobId):
            uses.setdefault(edge.target, []).append(f"  reads   {_name(edge.source)}")
    for edge in lineage.edges:
        if isinstance(edge.target, DatasetId):
            uses.setdefault(edge.source, []).append(f"  writes  {_name(edge.target)}")
    columns: dict[DatasetId, list[ColumnEdge]] = {}
    for column_edge in lineage.columns:
        target = column_edge.target
        dataset = target.dataset if isinstance(target, ColumnId) else target
        if isinstance(dataset, DatasetId) and isinstance(column_edge.source, ColumnId):
            columns.setdefault(dataset, []).append(column_edge)
    separator: tuple[str, ...] = ()
    for job in lineage.jobs:
        yield from separator
        separator = ("",)
        yield f"job  {_name(job.id)}{_owners(job)}"
        yield from uses.get(job.id, ())
    for one in lineage.datasets:
        yield from separator
        separator = ("",)
        count = len(one.columns)
        text = f"  {count:,} column{'' if count == 1 else 's'}" if count else ""
        yield f"dataset  {_name(one.id)}{text}{_owners(one)}"
        yield from uses.get(one.id, ())
        facet = _facet(one, columns.get(one.id, ()))
        yield from lineage_lines(facet, DatasetNumbers([]), width=width, full=full)


def _name(node: Node | ColumnId) -> str:
    assert not isinstance(node, ColumnId)
    return f"{_text(node.namespace)}  {_text(node.name)}"


def _text(name: str) -> str:
    return word(redact_repeated(name))


def _owners(entity: LineageJob | LineageDataset) -> str:
    owners = entity.facets.get("ownership", {}).get("owners", ())
    return "  owned by " + ", ".join(_text(one["name"]) for one in owners) if owners else ""


def _facet(dataset: LineageDataset, edges: Iterable[ColumnEdge]) -> dict[str, Any]:
    """Return the lineage of a dataset as a `columnLineage` facet, with columns in the order of the schema."""
    facet: dict[str, Any] = {"fields": {}, "dataset": []}
    for edge in edges:
        assert isinstance(edge.source, ColumnId)
        source = {
            "namespace": redact_repeated(edge.source.dataset.namespace),
            "name": redact_repeated(edge.source.dataset.name),
            "field": edge.source.name,
            "transformations": [
                {"type": step.type, "subtype": step.subtype, "masking": step.masking}
                for step in edge.transformations
            ],
        }
        if isinstance(edge.target, ColumnId):
            facet["fields"].setdefault(edge.target.name, {"inputFields": []})["inputFields"].append(source)
        else:
            facet["dataset"].append(source)
    order = [column.name for column in dataset.columns]
    facet["fields"] = {name: facet["fields"][name] for name in order if name in facet["fields"]}
    return facet
