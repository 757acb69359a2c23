"""Read lock files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Annotated, Any, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictStr,
    ValidationError,
    ValidationInfo,
    with_config,
)
from typing_extensions import NotRequired, Required, TypedDict

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.review.lock import LOCK_FORMAT
from openlineage_facets.review.stable_lineage import NO_TIME, ReviewedLineage
from openlineage_facets.state import (
    ColumnId,
    DatasetId,
    Edge,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
)
from openlineage_facets.state.column_edges import ColumnEdges, End, Ends, node_of, steps_of
from openlineage_facets.state.instants import timestamp_of
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.lineage_nodes import columns_of


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
        self._parts: dict[bytes, Lineage] = {}
        """The part of a graph that a job or dataset adds, by the digest of its text."""

    def read(self, text: str | bytes) -> Lineage:
        """Return the graph of a lock file, as `read_lock` does."""
        encoded = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        encoded = encoded.removeprefix(BOM_UTF8)
        try:
            parts = [self._part(kind, entity) for kind, entity in _entities(encoded)]
        except ValidationError:
            parts = []
        if not parts:  # The file is empty, invalid, or has been formatted by another program.
            try:
                lock = _Lock.model_validate_json(encoded, context=self._ends)
            except ValidationError as error:
                raise ValueError(_message(error)) from None
            parts = cast("list[Lineage]", [*lock.jobs, *lock.datasets])
        _assert_unique("job", [job.id for part in parts for job in part.jobs])
        _assert_unique("dataset", [dataset.id for part in parts for dataset in part.datasets])
        builder = LineageBuilder(columns=ColumnEdges(self._ends))
        for part in parts:
            builder.add_lineage(part)
        return ReviewedLineage.of(builder.lineage())

    def _part(self, kind: type[_Entity], text: bytes) -> Lineage:
        digest = blake2b(text, digest_size=16).digest()
        part = self._parts.get(digest)
        if part is None:
            part = self._parts[digest] = kind.model_validate_json(text).part(self._ends)
        return part


def _assert_unique(kind: str, nodes: Sequence[Node]) -> None:
    """Reject two entries of one job or dataset: joined, they would be lineage that no run has reported."""
    first: dict[Node, int] = {}
    for index, node in enumerate(nodes):
        if first.setdefault(node, index) != index:
            found = f"found {node.namespace} {node.name} also at /{kind}s/{first[node]}"
            fix = "a merge may have kept both, delete the outdated one"
            raise ValueError(
                f"expected a lock file: /{kind}s/{index}: expected each {kind} once, {found}; {fix}"
            )


def _entities(text: bytes) -> Iterator[tuple[type[_Entity], bytes]]:
    """Yield the text of each job and dataset of a file as `lock_text` writes it, nothing of another one.

    To parse all of them at once needs several times the memory of the graph.
    """
    between = text.find(_BETWEEN)
    if text.startswith(_BEGINNING) and text.endswith(_END) and between >= 0:
        datasets = between + len(_BETWEEN)
        for kind, start, end in (
            (_Job, len(_BEGINNING), between),
            (_Dataset, datasets, len(text) - len(_END)),
        ):
            while start <= end:
                stop = text.find(_NEXT, start, end)
                stop = end if stop < 0 else stop
                yield kind, b"{%b}" % text[start:stop]
                start = stop + len(_NEXT)


_BEGINNING = f'{{\n  "format": "{LOCK_FORMAT}",\n  "jobs": [\n    {{'.encode()
_NEXT = b"\n    },\n    {"
_BETWEEN = b'\n    }\n  ],\n  "datasets": [\n    {'
_END = b"\n    }\n  ]\n}\n"


_STRICT = ConfigDict(extra="forbid")


class _Strict(BaseModel):
    model_config = _STRICT


class _Step(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    type: StrictStr
    subtype: NotRequired[StrictStr | None]
    masking: NotRequired[bool | None]


class _End(TypedDict):
    """A dataset, a job, or with `column` a column."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    kind: NotRequired[Annotated[StrictStr, Field(pattern=r"^(job|dataset)\z")]]
    namespace: StrictStr
    name: StrictStr
    column: NotRequired[StrictStr | None]
    by: NotRequired[list[_Step]]


_Output = TypedDict(
    "_Output",
    {
        "kind": NotRequired[StrictStr],
        "namespace": Required[StrictStr],
        "name": Required[StrictStr],
        "from": NotRequired[list[_End] | None],
    },
)
with_config(_STRICT)(_Output)


class _Owner(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    name: StrictStr
    type: NotRequired[StrictStr | None]


class _Tag(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    key: StrictStr
    value: NotRequired[StrictStr | None]
    field: NotRequired[StrictStr | None]


class _NestedColumn(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    name: StrictStr
    type: NotRequired[StrictStr | None]
    description: NotRequired[StrictStr | None]
    fields: NotRequired[list[_NestedColumn]]


class _LockColumn(_NestedColumn):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    sources: NotRequired[list[_End]]


class _Entity(_Strict):
    namespace: StrictStr
    name: StrictStr
    description: StrictStr | None = None
    owners: list[_Owner] = Field(default_factory=list)  # A list as default would be copied deeply.
    tags: list[_Tag] = Field(default_factory=list)

    def part(self, ends: Ends) -> Lineage:
        """Return what a job or dataset adds to a graph."""
        raise NotImplementedError

    def facets(self) -> dict[str, Any]:
        return {
            **({"ownership": {"owners": self.owners}} if self.owners else {}),
            **({"tags": {"tags": self.tags}} if self.tags else {}),
            **({} if self.description is None else {"documentation": {"description": self.description}}),
        }


class _Job(_Entity):
    inputs: list[_End] = Field(default_factory=list)
    outputs: list[_Output] = Field(default_factory=list)

    def part(self, ends: Ends) -> Lineage:
        job, columns = JobId(self.namespace, self.name), ColumnEdges(ends)
        edges = _add_sources(columns, self.inputs, job)
        for one in self.outputs:
            feeding = one.get("from")
            inputs = (
                None
                if feeding is None
                else tuple(DatasetId(fed["namespace"], fed["name"]) for fed in feeding)
            )
            edges.append(_edge(job, DatasetId(one["namespace"], one["name"]), inputs))
        return Lineage(tuple(edges), columns, (LineageJob(id=job, facets=self.facets()),))


class _Dataset(_Entity):
    columns: list[_LockColumn] = Field(default_factory=list)
    rows: list[_End] = Field(default_factory=list)
    sources: list[_End] = Field(default_factory=list)

    def part(self, ends: Ends) -> Lineage:
        dataset, columns = DatasetId(self.namespace, self.name), ColumnEdges(ends)
        edges = _add_sources(columns, [*self.sources, *self.rows], dataset)
        for column in self.columns:
            _add_sources(columns, column.pop("sources", ()), ColumnId(dataset, column["name"]))
        facets = {**self.facets(), **({"schema": {"fields": self.columns}} if self.columns else {})}
        node = LineageDataset(id=dataset, columns=columns_of(facets, ()), facets=facets)
        return Lineage(tuple(edges), columns, (), (node,))


def _part(entity: _Entity, info: ValidationInfo) -> Any:
    assert isinstance(info.context, Ends)
    return entity.part(info.context)


class _Lock(_Strict):
    format: StrictStr = Field(pattern=f"^{LOCK_FORMAT}\\z")
    # Each part is created as soon as its job or dataset is valid.
    jobs: list[Annotated[_Job, AfterValidator(_part)]] = []
    datasets: list[Annotated[_Dataset, AfterValidator(_part)]] = []


def _add_sources(columns: ColumnEdges, sources: Sequence[_End], target: End) -> list[Edge]:
    """Add what something is computed from. Return the edges that do not come from or lead to a column."""
    edges, ends = [], columns.ends
    of_columns = [source for source in sources if source.get("column") is not None]
    if of_columns:
        columns.add_sources(ends.of(target), of_columns, _IN_LOCK, {})
    for source in sources if len(of_columns) < len(sources) else ():
        if source.get("column") is None and isinstance(target, ColumnId):
            columns.add(ends.node(_node(source)), ends.of(target), steps_of(source.get("by", ())))
        elif source.get("column") is None:
            edges.append(_edge(_node(source), node_of(target)))
    return edges


_IN_LOCK = ("column", "by")


def _node(end: _End) -> Node:
    return (JobId if end.get("kind") == "job" else DatasetId)(end["namespace"], end["name"])


def _edge(source: Node, target: Node, inputs: tuple[DatasetId, ...] | None = None) -> Edge:
    return Edge(source, target, ("job",), _NO_TIME, _NO_TIME, inputs)


_NO_TIME = timestamp_of(NO_TIME[0])


def _message(error: ValidationError) -> str:
    (first, *_) = error.errors(include_url=False)
    pointer = json_pointer(first["loc"])
    found = "" if first["type"] in ("missing", "json_invalid") else f", found {describe(first['input'])}"
    return f"expected a lock file: {pointer or '(root)'}: {first['msg'][:1].lower()}{first['msg'][1:]}{found}"
