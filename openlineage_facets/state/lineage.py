"""The lineage graph of jobs, datasets and columns, and its builder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet, Fields, InputField
from openlineage_facets.generated.column_lineage_dataset import Transformation as ColumnTransformation
from openlineage_facets.generated.lineage import (
    LineageDatasetEntry,
    LineageDatasetFacet,
    LineageDatasetInput,
    LineageJobEntry,
    LineageJobFacet,
    LineageJobInput,
    LineageTransformation,
)
from openlineage_facets.state.entities import ColumnId, DatasetId, JobId
from openlineage_facets.state.instants import Span, timestamp_of, widened

__all__ = ["ColumnEdge", "Edge", "Lineage", "LineageBuilder", "Node", "Origin", "Transformation"]

Node: TypeAlias = JobId | DatasetId
"""A job or a dataset."""

Origin: TypeAlias = Literal["run", "job", "facet"]
"""The source of an edge: a run event, a job event, or a current `lineage` facet."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """How a source affects its target."""

    type: str
    """`DIRECT` or `INDIRECT`."""
    subtype: str | None = None
    """Such as `IDENTITY` or `JOIN`."""
    description: str | None = None
    """A readable description of the computation."""
    masking: bool | None = None
    """Whether it hides the original value."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Data flow from a job or dataset to another."""

    source: Node
    target: Node
    origins: tuple[Origin, ...]
    """The sources of the edge, sorted."""
    first_seen: Timestamp
    """The earliest event that reported it, in UTC."""
    last_seen: Timestamp
    """The latest event that reported it, in UTC. Edges are never removed, but may be stale."""


@dataclass(frozen=True, slots=True)
class ColumnEdge:
    """Data flow to or from a column: at least one end is a column."""

    source: ColumnId | Node
    target: ColumnId | Node
    transformations: tuple[Transformation, ...] = ()
    """The reported transformations, without duplicates."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The graph of jobs, datasets and columns."""

    edges: tuple[Edge, ...]
    """Edges between datasets and jobs, and all edges of `lineage` facets; sorted."""
    columns: tuple[ColumnEdge, ...]
    """Column edges of the current `columnLineage` and `lineage` facets; sorted."""


@dataclass(slots=True)
class LineageBuilder:
    """Collects edges without duplicates."""

    names: dict[DatasetId, DatasetId] = field(default_factory=dict)
    """The primary name of each dataset with several names."""
    _edges: dict[tuple[Node, Node], tuple[set[Origin], Span]] = field(default_factory=dict)
    _columns: dict[tuple[ColumnId | Node, ColumnId | Node], set[Transformation]] = field(default_factory=dict)

    def add(self, source: Node, target: Node, origin: Origin, span: Span) -> None:
        """Add an edge between jobs and datasets."""
        ends = self._named(source), self._named(target)
        origins, current = self._edges.setdefault(ends, (set(), span))
        origins.add(origin)
        self._edges[ends] = origins, widened(current, span)

    def add_column_lineage(self, dataset: DatasetId, facet: ColumnLineageDatasetFacet) -> None:
        """Add the edges of a `columnLineage` facet."""
        for name, entry in facet.fields.items():
            for source in entry.input_fields:
                self._add_column(_column(source), ColumnId(dataset, name), _column_steps(source, entry))
        for source in facet.dataset or ():
            self._add_column(_column(source), dataset, _column_steps(source))

    def add_dataset_lineage(
        self,
        dataset: DatasetId,
        facet: LineageDatasetFacet | LineageDatasetEntry,
        job: JobId | None,
        span: Span,
    ) -> None:
        """Add the edges of a dataset's `lineage` facet.

        Args:
            dataset: The dataset of the facet.
            facet: The facet, or an entry of a job's facet.
            job: The job meant by sources without a name.
            span: When the facet was reported.
        """
        self._add_sources(facet.inputs or (), dataset, job, span)
        for name, entry in (facet.fields or {}).items():
            self._add_sources(entry.inputs, ColumnId(dataset, name), job, span)

    def add_job_lineage(self, job: JobId, facet: LineageJobFacet, span: Span) -> None:
        """Add the edges of a job's `lineage` facet."""
        for entry in facet.entries:
            if isinstance(entry, LineageDatasetEntry):
                self.add_dataset_lineage(DatasetId(entry.namespace, entry.name), entry, job, span)
            else:
                self._add_sources(entry.inputs or (), _job(entry, job) or job, job, span)

    def lineage(self) -> Lineage:
        """Return the graph."""
        return Lineage(
            tuple(
                Edge(source, target, tuple(sorted(origins)), timestamp_of(span[0]), timestamp_of(span[1]))
                for (source, target), (origins, span) in sorted(
                    self._edges.items(), key=lambda e: _sorted(e[0])
                )
            ),
            tuple(
                ColumnEdge(source, target, tuple(sorted(steps, key=repr)))
                for (source, target), steps in sorted(self._columns.items(), key=lambda e: _sorted(e[0]))
            ),
        )

    def _add_sources(
        self,
        sources: Iterable[LineageDatasetInput | LineageJobInput],
        target: ColumnId | Node,
        job: JobId | None,
        span: Span,
    ) -> None:
        for source in sources:
            origin: ColumnId | Node | None
            if isinstance(source, LineageJobInput):
                origin = _job(source, job)
            elif source.field is None:
                origin = DatasetId(source.namespace, source.name)
            else:
                origin = ColumnId(DatasetId(source.namespace, source.name), source.field)
            if origin is None:
                continue
            if isinstance(origin, ColumnId) or isinstance(target, ColumnId):
                self._add_column(origin, target, map(_transformation, source.transformations or ()))
            else:
                self.add(origin, target, "facet", span)

    def _add_column(
        self, source: ColumnId | Node, target: ColumnId | Node, steps: Iterable[Transformation]
    ) -> None:
        ends = self._named_end(source), self._named_end(target)
        self._columns.setdefault(ends, set()).update(steps)

    def _named(self, node: Node) -> Node:
        return self.names.get(node, node) if isinstance(node, DatasetId) else node

    def _named_end(self, end: ColumnId | Node) -> ColumnId | Node:
        if isinstance(end, ColumnId):
            return ColumnId(self.names.get(end.dataset, end.dataset), end.name)
        return self._named(end)


def _job(end: LineageJobInput | LineageJobEntry, unnamed: JobId | None) -> JobId | None:
    if end.namespace is None or end.name is None:
        return unnamed
    return JobId(end.namespace, end.name)


def _column(source: InputField) -> ColumnId:
    return ColumnId(DatasetId(source.namespace, source.name), source.field)


def _column_steps(source: InputField, entry: Fields | None = None) -> Iterator[Transformation]:
    yield from map(_transformation, source.transformations or ())
    if entry is None or source.transformations is not None:
        return
    # Older events have one transformation type for all sources of a column.
    older = entry.to_dict()
    kind = older.get("transformationType")
    if kind is not None:
        yield Transformation(
            "DIRECT",
            subtype="IDENTITY" if kind == "IDENTITY" else None,
            description=older.get("transformationDescription"),
            masking=True if kind == "MASKED" else None,
        )


def _transformation(step: ColumnTransformation | LineageTransformation) -> Transformation:
    return Transformation(step.type, step.subtype, step.description, step.masking)


def _sorted(ends: tuple[ColumnId | Node, ColumnId | Node]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(_end_text, ends))


def _end_text(end: ColumnId | Node) -> tuple[str, ...]:
    if isinstance(end, ColumnId):
        return "column", end.dataset.namespace, end.dataset.name, end.name
    return "job" if isinstance(end, JobId) else "dataset", end.namespace, end.name
