"""Read lock files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import Required, TypedDict

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.review.lock import LOCK_FORMAT
from openlineage_facets.review.reviewed_lineage import ReviewedLineage, facets_of, timeless_edge
from openlineage_facets.state import ColumnId, DatasetId, Edge, JobId, Lineage, LineageDataset, LineageJob
from openlineage_facets.state.column_edges import ColumnEdges, End, Ends, Node, steps_of
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.lineage_nodes import columns_of
from openlineage_facets.state.serialization import first_problem


def read_lock(text: str | bytes) -> Lineage:
    """Return the graph of a lock file. Its edges have the origin `job`, and times in 1970.

    Raises:
        ValueError: The text is not a lock file. The message has one line.

    Example:
        >>> read_lock(Path("lineage.lock.json").read_bytes()).flows()
    """
    return LockReader().read(text)


class LockReader:
    """Reads lock files that have most of their jobs and datasets in common: these are read once."""

    def __init__(self) -> None:
        self._ends = Ends()
        self._parts: dict[tuple[str, bytes], Lineage] = {}
        """The part of a graph that a job or dataset adds, by its kind and the digest of its text."""

    def read(self, text: str | bytes) -> Lineage:
        """Return the graph of a lock file, as `read_lock` does."""
        encoded = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        encoded = encoded.removeprefix(BOM_UTF8)
        try:
            parts = [self._part(kind, entity) for kind, entity in entity_texts(encoded)]
        except ValidationError:
            parts = []
        if not parts:  # The file is empty, invalid, or has been formatted by another program.
            try:
                lock = _LOCK.validate_json(encoded)
            except ValidationError as error:
                raise ValueError(_conflict(encoded) or _message(error)) from None
            parts = [_job_part(job, self._ends) for job in lock.get("jobs", ())]
            parts += [_dataset_part(dataset, self._ends) for dataset in lock.get("datasets", ())]
        _assert_unique("job", [job.id for part in parts for job in part.jobs])
        _assert_unique("dataset", [dataset.id for part in parts for dataset in part.datasets])
        builder = LineageBuilder(columns=ColumnEdges(self._ends))
        for part in parts:
            builder.add_lineage(part)
        lineage = builder.lineage()
        return ReviewedLineage(lineage.edges, lineage.columns, lineage.jobs, lineage.datasets)

    def _part(self, kind: str, text: bytes) -> Lineage:
        key = kind, blake2b(text, digest_size=16).digest()
        part = self._parts.get(key)
        if part is None and kind == "job":
            part = self._parts[key] = _job_part(_JOB.validate_json(text), self._ends)
        elif part is None:
            part = self._parts[key] = _dataset_part(_DATASET.validate_json(text), self._ends)
        return part


def _conflict(text: bytes) -> str | None:
    """Return a message about the first merge conflict in a file."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(b"<<<<<<< "):
            fix = "resolve the merge, or delete the file"
            return f"expected a lock file, found a merge conflict in line {number}; {fix}"
    return None


def _assert_unique(kind: str, nodes: Sequence[Node]) -> None:
    """Reject two entries of one job or dataset: joined, they would be lineage that no run has reported."""
    first: dict[Node, int] = {}
    for index, node in enumerate(nodes):
        if first.setdefault(node, index) != index:
            place = f"expected a lock file: /{kind}s/{index}: expected each {kind} once"
            found = f"found {node.namespace} {node.name} also at /{kind}s/{first[node]}"
            raise ValueError(f"{place}, {found}; a merge may have kept both, delete the outdated one")


def entity_texts(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the text of each job and dataset of a file as `lock_text` writes it, nothing of another one.

    To parse all of them at once needs several times the memory of the graph.
    """
    between = text.find(_BETWEEN)
    if text.startswith(_BEGINNING) and text.endswith(_END) and between >= 0:
        jobs, datasets = text[len(_BEGINNING) : between], text[between + len(_BETWEEN) : -len(_END)]
        for kind, entities in (("job", jobs), ("dataset", datasets)):
            yield from ((kind, b"{%b}" % entity) for entity in entities.split(_NEXT))


_BEGINNING = f'{{\n  "format": "{LOCK_FORMAT}",\n  "jobs": [\n    {{'.encode()
_NEXT = b"\n    },\n    {"
_BETWEEN = b'\n    }\n  ],\n  "datasets": [\n    {'
_END = b"\n    }\n  ]\n}\n"


_STRICT = ConfigDict(extra="forbid", strict=True)
"""Of a lock file and its entities, and so of everything in them."""


class _Step(TypedDict, total=False):
    type: Required[str]
    subtype: str | None
    masking: bool | None


class _Node(TypedDict):
    namespace: str
    name: str


class _End(_Node, total=False):
    """A dataset, a job, or with `column` a column."""

    kind: Annotated[str, Field(pattern=r"^(job|dataset)\z")]
    column: str | None
    by: list[_Step]


class _Output(_Node, total=False):
    kind: str
    from_: Annotated[list[_End] | None, Field(alias="from")]
    columns: bool


class _Owner(TypedDict, total=False):
    name: Required[str]
    type: str | None


class _Tag(TypedDict, total=False):
    key: Required[str]
    value: str | None
    field: str | None


class _NestedColumn(TypedDict, total=False):
    name: Required[str]
    type: str | None
    description: str | None
    fields: list[_NestedColumn]


class _Column(_NestedColumn, total=False):
    sources: list[_End]


class _Entity(_Node, total=False):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    description: str | None
    owners: list[_Owner]
    tags: list[_Tag]


class _Job(_Entity, total=False):
    inputs: list[_End]
    outputs: list[_Output]


class _Dataset(_Entity, total=False):
    columns: list[_Column]
    rows: list[_End]
    sources: list[_End]


class _Lock(TypedDict, total=False):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    format: Required[Annotated[str, Field(pattern=f"^{LOCK_FORMAT}\\z")]]
    jobs: list[_Job]
    datasets: list[_Dataset]


_LOCK, _JOB, _DATASET = TypeAdapter(_Lock), TypeAdapter(_Job), TypeAdapter(_Dataset)


def _job_part(entity: _Job, ends: Ends) -> Lineage:
    """Return what a job adds to a graph."""
    job, columns = JobId(entity["namespace"], entity["name"]), ColumnEdges(ends)
    edges = _add_sources(columns, entity.get("inputs", ()), job)
    for output in entity.get("outputs", ()):
        feeding = output.get("from_")
        inputs = None if feeding is None else tuple(map(_dataset, feeding))
        edges.append(timeless_edge(job, _dataset(output), inputs, has_columns=output.get("columns", True)))
    return Lineage(tuple(edges), columns, (LineageJob(id=job, facets=_facets(entity)),))


def _dataset_part(entity: _Dataset, ends: Ends) -> Lineage:
    """Return what a dataset adds to a graph."""
    dataset, columns = _dataset(entity), ColumnEdges(ends)
    edges = _add_sources(columns, [*entity.get("sources", ()), *entity.get("rows", ())], dataset)
    fields = entity.get("columns", [])
    for column in fields:
        _add_sources(columns, column.pop("sources", ()), ColumnId(dataset, column["name"]))
    facets = _facets(entity, fields)
    node = LineageDataset(id=dataset, columns=columns_of(facets, ()), facets=facets)
    return Lineage(tuple(edges), columns, (), (node,))


def _facets(entity: _Entity, fields: Sequence[_Column] = ()) -> dict[str, Any]:
    return facets_of(entity.get("owners"), entity.get("tags"), entity.get("description"), fields)


def _dataset(end: Any) -> DatasetId:
    return DatasetId(end["namespace"], end["name"])


def _add_sources(columns: ColumnEdges, sources: Sequence[_End], target: End) -> list[Edge]:
    """Add what something is computed from. Return the edges that do not come from or lead to a column."""
    ends = columns.ends
    others = [source for source in sources if source.get("column") is None]
    if len(others) < len(sources):  # Usually all of them are columns.
        of_columns = [it for it in sources if it.get("column") is not None] if others else sources
        columns.add_sources([(ends.of(target), of_columns, ())], ("column", "by"), {})
    if not isinstance(target, ColumnId):
        return [timeless_edge(_node(source), target) for source in others]
    for source in others:
        columns.add(ends.node(_node(source)), ends.of(target), steps_of(source.get("by", ())))
    return []


def _node(end: _End) -> Node:
    return (JobId if end.get("kind") == "job" else DatasetId)(end["namespace"], end["name"])


def _message(error: ValidationError) -> str:
    (first, *_) = error.errors(include_url=False)
    if first["type"] == "string_pattern_mismatch" and first["loc"] == ("format",):
        found = describe(first["input"])
        return f"expected {LOCK_FORMAT}, found {found}; another version of openlineage-facets has written it"
    return f"expected a lock file: {first_problem(error)}"
