"""Lock files: the lineage of jobs as text that is reviewed and committed next to their code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from json.encoder import encode_basestring
from typing import Any

from openlineage_facets.review.paths import grouped
from openlineage_facets.review.reviewed_lineage import (
    facets_of_dataset,
    reviewed_edges,
    reviewed_facets,
    reviewed_steps,
)
from openlineage_facets.state import ColumnId, DatasetId, Edge, JobId, Lineage
from openlineage_facets.state.by_identity import by_identity
from openlineage_facets.state.column_edges import ColumnEdges, Node, Steps

LOCK_FORMAT = "openlineage-facets lock 1"
"""The value of `format` in a lock file."""

_BEGINNING = re.compile(r'\ufeff?\s*\{\s*"(?:format"\s*:\s*"openlineage-facets lock |(?:datasets|jobs)"\s*:)')
_FORMAT = re.compile(r'"format"\s*:\s*"openlineage-facets lock ')


def lock_text(lineage: Lineage) -> str:
    """Return the lock file of a graph. Equal lineage has equal text, whenever and wherever the jobs ran.

    Example:
        >>> Path("lineage.lock.json").write_text(lock_text(state.lineage()), encoding="utf-8")
    """
    return "".join(lock_pieces(lineage))


def lock_pieces(lineage: Lineage) -> Iterator[str]:
    """Yield the pieces of a lock file: one text needs as much memory as the graph."""
    return _Lock(lineage).pieces()


def begins_like_lock(text: str) -> bool:
    """Return whether a text begins like a lock file or, with sorted keys, possibly another file."""
    return _BEGINNING.match(text) is not None


def is_lock(text: str) -> bool:
    """Return whether a text is a lock file, of this version or of a later one, also with sorted keys."""
    return begins_like_lock(text) and _FORMAT.search(text) is not None


class _Lock:
    """Writes a lock file. What many edges have in common is encoded once."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._columns = ColumnEdges.of(lineage.columns)
        self._ends = self._columns.ends
        self._sources_of = self._columns.by_target()
        self._ranks = self._ends.ranks()
        self._beginning = cache(self._beginning_of)
        self._by = by_identity(_steps_text)

    def pieces(self) -> Iterator[str]:
        """Yield the pieces of the text."""
        edges = grouped((_place(edge), edge) for edge in reviewed_edges(self._lineage))
        jobs = (
            _identity(job.id, reviewed_facets(job.facets)) | self._of_job(job.id, edges.get(job.id, ()))
            for job in self._lineage.jobs
        )
        datasets = (
            _identity(dataset.id, facets) | self._of_dataset(dataset.id, facets, edges.get(dataset.id, ()))
            for dataset in self._lineage.datasets
            for facets in [facets_of_dataset(dataset, self._ends, self._sources_of)]
        )
        yield f'{{\n  "format": "{LOCK_FORMAT}"'
        for name, entities in (("jobs", jobs), ("datasets", datasets)):
            yield f',\n  "{name}": ['
            separator, end = "\n    ", "]"
            for entity in entities:
                yield f"{separator}{_written(entity, '    ', is_long=True)}"
                separator, end = ",\n    ", "\n  ]"
            yield end
        yield "\n}\n"

    def _of_job(self, job: JobId, edges: Iterable[Edge]) -> dict[str, Any]:
        outputs = [
            _node(edge.target)
            | ({} if edge.inputs is None else {"from": [*map(_node, edge.inputs)]})
            | ({} if edge.has_columns else {"columns": False})
            for edge in edges
            if edge.target != job
        ]
        inputs = [_node(edge.source) for edge in edges if edge.target == job]
        return _filled(inputs=[*inputs, *self._sources(self._ends.node(job))], outputs=outputs)

    def _of_dataset(
        self, dataset: DatasetId, facets: Mapping[str, Any], edges: Iterable[Edge]
    ) -> dict[str, Any]:
        numbers = self._ends.columns(dataset)
        columns = [
            field | _filled(sources=self._sources(numbers.get(field["name"], -1)))
            for field in facets.get("schema", {}).get("fields", ())
        ]
        rows = self._sources(self._ends.node(dataset))
        return _filled(columns=columns, rows=rows, sources=[_node(edge.source) for edge in edges])

    def _beginning_of(self, number: int) -> str:
        end = self._ends.known[number]
        if isinstance(end, ColumnId):
            return f'{self._beginning(self._ends.nodes[number])}, "column": {encode_basestring(end.name)}'
        return _written(_node(end), "")[:-1]

    def _sources(self, target: int) -> list[str]:
        """Return what a column is computed from, or what decides about the rows of a dataset."""
        beginning, by, steps = self._beginning, self._by, self._columns.steps
        return [
            f"{beginning(source)}{by(steps(source, target))}}}"
            for source in sorted(self._sources_of.get(target, ()), key=self._ranks.__getitem__)
        ]


def _place(edge: Edge) -> Node:
    """Return the job or dataset of which an edge is an output, an input or a source."""
    is_output = isinstance(edge.source, JobId) and isinstance(edge.target, DatasetId)
    return edge.source if is_output else edge.target


def _node(node: Node) -> dict[str, Any]:
    kind = {"kind": "job"} if isinstance(node, JobId) else {}
    return {**kind, "namespace": node.namespace, "name": node.name}


def _steps_text(steps: Steps) -> str:
    by = [
        _filled(type=step.type, subtype=step.subtype, masking=step.masking) for step in reviewed_steps(steps)
    ]
    return f', "by": {json.dumps(by, ensure_ascii=False)}' if by else ""


def _identity(node: Node, facets: Mapping[str, Any]) -> dict[str, Any]:
    return _filled(
        namespace=node.namespace,
        name=node.name,
        description=facets.get("documentation", {}).get("description"),
        owners=facets.get("ownership", {}).get("owners"),
        tags=facets.get("tags", {}).get("tags"),
    )


def _filled(**fields: Any) -> dict[str, Any]:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None and value != []}


def _written(value: dict[str, Any], indent: str, *, is_long: bool = False) -> str:
    """Return an object as JSON. Each item of a list has its own line, so that a git diff shows what changes.

    Args:
        value: The object; its values are texts, false and lists of objects. A text in a list is JSON.
        indent: The spaces before it.
        is_long: Whether each field has its own line, also without lists.
    """
    parts, inner = [], f"{indent}  "
    for name, field in value.items():
        if type(field) is str:
            text = encode_basestring(field)
        elif field:
            is_long = True
            texts = [item if type(item) is str else _written(item, f"{inner}  ") for item in field]
            items = f",\n{inner}  ".join(texts)
            text = f"[\n{inner}  {items}\n{inner}]"
        else:
            text = "false" if field is False else "[]"
        parts.append(f'"{name}": {text}')
    if not is_long:
        return f"{{{', '.join(parts)}}}"
    joined = f",\n{inner}".join(parts)
    return f"{{\n{inner}{joined}\n{indent}}}"
