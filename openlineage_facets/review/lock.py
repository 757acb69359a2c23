"""Lock files: the lineage of jobs as text that is reviewed and committed next to their code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.review.reviewed import NO_TIME, reviewed
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
    Transformation,
)
from openlineage_facets.state.lineage import LineageBuilder

LOCK_FORMAT = "openlineage-facets lock 1"
"""The value of `format` in a lock file."""

_BEGINNING = re.compile(r'\s*\{\s*"format"\s*:\s*"openlineage-facets lock ')

_ONE_PER_LINE = frozenset("jobs datasets inputs outputs from columns fields sources rows owners tags".split())
"""Lists with one item per line, so that a difference of two versions shows what has changed."""


def lock_text(lineage: Lineage) -> str:
    """Return the lock file of a graph. Equal lineage has equal text, whenever and wherever the jobs ran.

    Example:
        >>> Path("lineage.lock.json").write_text(lock_text(state.lineage()), encoding="utf-8")
    """
    lineage = reviewed(lineage)
    edges: dict[Node, list[Edge]] = {}
    for edge in lineage.edges:
        is_output = isinstance(edge.source, JobId) and isinstance(edge.target, DatasetId)
        edges.setdefault(edge.source if is_output else edge.target, []).append(edge)
    columns: dict[ColumnId | Node, list[ColumnEdge]] = {}
    for column_edge in lineage.columns:
        columns.setdefault(column_edge.target, []).append(column_edge)
    lock = {
        "format": LOCK_FORMAT,
        "jobs": [_job(job, edges.get(job.id, ()), columns.get(job.id, ())) for job in lineage.jobs],
        "datasets": [_dataset(one, edges.get(one.id, ()), columns) for one in lineage.datasets],
    }
    return "".join(_written(lock, "")) + "\n"


def read_lock(text: str | bytes) -> Lineage:
    """Return the graph of a lock file. Its edges have the origin `job`, and times in 1970.

    Raises:
        ValueError: The text is not a lock file. The message has one line.

    Example:
        >>> read_lock(Path("lineage.lock.json").read_bytes()).flows()
    """
    try:
        lock = _Lock.model_validate_json(text)
    except ValidationError as error:
        raise ValueError(_message(error)) from None
    builder = LineageBuilder()
    for job in lock.jobs:
        job_id = JobId(job.namespace, job.name)
        builder.add_job(LineageJob(id=job_id, facets=job.facets()))
        _add_sources(builder, job.inputs, job_id)
        for output in job.outputs:
            builder.add(job_id, output.dataset(), "job", NO_TIME)
            feeding = None if output.from_ is None else [one.dataset() for one in output.from_]
            builder.add_inputs(job_id, output.dataset(), feeding)
    for dataset in lock.datasets:
        dataset_id = DatasetId(dataset.namespace, dataset.name)
        builder.add_dataset(LineageDataset(id=dataset_id, facets=dataset.facets()))
        _add_sources(builder, [*dataset.sources, *dataset.rows], dataset_id)
        for column in dataset.columns:
            for source in column.sources:
                steps = [Transformation(one.type, one.subtype, None, one.masking) for one in source.by]
                builder.add_columns(source.end(), ColumnId(dataset_id, column.name), steps)
    return builder.lineage()


def is_lock(text: str) -> bool:
    """Return whether a text begins like a lock file, of this version or of a later one."""
    return _BEGINNING.match(text) is not None


def _job(job: LineageJob, edges: Iterable[Edge], columns: Iterable[ColumnEdge]) -> dict[str, Any]:
    inputs = [*(_end(edge.source) for edge in edges if edge.target == job.id), *map(_source, columns)]
    outputs = [_output(edge) for edge in edges if edge.target != job.id]
    return _filled(**_identity(job), inputs=inputs, outputs=outputs)


def _output(edge: Edge) -> dict[str, Any]:
    fed = {} if edge.inputs is None else {"from": [_end(one) for one in edge.inputs]}
    return {**_end(edge.target), **fed}


def _dataset(
    dataset: LineageDataset, edges: Iterable[Edge], columns: Mapping[ColumnId | Node, list[ColumnEdge]]
) -> dict[str, Any]:
    return _filled(
        **_identity(dataset),
        columns=[
            _filled(**field, sources=[*map(_source, columns.get(ColumnId(dataset.id, field["name"]), ()))])
            for field in dataset.facets.get("schema", {}).get("fields", ())
        ],
        rows=[*map(_source, columns.get(dataset.id, ()))],
        sources=[_end(edge.source) for edge in edges],
    )


def _identity(entity: LineageJob | LineageDataset) -> dict[str, Any]:
    facets = entity.facets
    return {
        "namespace": entity.id.namespace,
        "name": entity.id.name,
        "description": facets.get("documentation", {}).get("description"),
        "owners": facets.get("ownership", {}).get("owners"),
        "tags": facets.get("tags", {}).get("tags"),
    }


def _source(edge: ColumnEdge) -> dict[str, Any]:
    steps = [_filled(type=one.type, subtype=one.subtype, masking=one.masking) for one in edge.transformations]
    return _filled(**_end(edge.source), by=steps)


def _end(end: ColumnId | Node) -> dict[str, Any]:
    if isinstance(end, ColumnId):
        return {**_end(end.dataset), "column": end.name}
    kind = {"kind": "job"} if isinstance(end, JobId) else {}
    return {**kind, "namespace": end.namespace, "name": end.name}


def _filled(**fields: Any) -> dict[str, Any]:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None and value != []}


def _written(value: Any, indent: str) -> Iterator[str]:
    """Yield the pieces of a JSON value: objects with a list of `_ONE_PER_LINE` over lines."""
    if not isinstance(value, dict) or not any(value.get(name) for name in _ONE_PER_LINE):
        yield json.dumps(value, ensure_ascii=False)
        return
    inner = f"{indent}  "
    begin = "{\n"
    for name, one in value.items():
        yield f"{begin}{inner}{json.dumps(name)}: "
        begin = ",\n"
        if name in _ONE_PER_LINE and one:
            for number, item in enumerate(one):
                yield f"{',' if number else '['}\n{inner}  "
                yield from _written(item, f"{inner}  ")
            yield f"\n{inner}]"
        else:
            yield json.dumps(one, ensure_ascii=False)
    yield f"\n{indent}}}"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Step(_Strict):
    type: StrictStr
    subtype: StrictStr | None = None
    masking: bool | None = None


class _End(_Strict):
    """A dataset, a job, or with `column` a column."""

    kind: StrictStr = Field("dataset", pattern=r"^(job|dataset)\z")
    namespace: StrictStr
    name: StrictStr
    column: StrictStr | None = None
    by: list[_Step] = []

    def end(self) -> ColumnId | Node:
        if self.column is not None:
            return ColumnId(self.dataset(), self.column)
        return JobId(self.namespace, self.name) if self.kind == "job" else self.dataset()

    def dataset(self) -> DatasetId:
        return DatasetId(self.namespace, self.name)


class _Output(_End):
    from_: list[_End] | None = Field(None, alias="from")


class _Owner(_Strict):
    name: StrictStr
    type: StrictStr | None = None


class _Tag(_Strict):
    key: StrictStr
    value: StrictStr | None = None
    field: StrictStr | None = None


class _NestedColumn(_Strict):
    name: StrictStr
    type: StrictStr | None = None
    description: StrictStr | None = None
    fields: list[_NestedColumn] = []


class _LockColumn(_NestedColumn):
    sources: list[_End] = []


class _Entity(_Strict):
    namespace: StrictStr
    name: StrictStr
    description: StrictStr | None = None
    owners: list[_Owner] = []
    tags: list[_Tag] = []

    def facets(self) -> dict[str, Any]:
        plain = self.model_dump(include={"owners", "tags"}, exclude_unset=True)
        return {
            **({"ownership": {"owners": plain["owners"]}} if self.owners else {}),
            **({"tags": {"tags": plain["tags"]}} if self.tags else {}),
            **({} if self.description is None else {"documentation": {"description": self.description}}),
        }


class _Job(_Entity):
    inputs: list[_End] = []
    outputs: list[_Output] = []


class _Dataset(_Entity):
    columns: list[_LockColumn] = []
    rows: list[_End] = []
    sources: list[_End] = []

    def facets(self) -> dict[str, Any]:
        columns = [one.model_dump(exclude={"sources"}, exclude_unset=True) for one in self.columns]
        return {**super().facets(), **({"schema": {"fields": columns}} if columns else {})}


class _Lock(_Strict):
    format: StrictStr = Field(pattern=f"^{LOCK_FORMAT}\\z")
    jobs: list[_Job] = []
    datasets: list[_Dataset] = []


def _add_sources(builder: LineageBuilder, sources: Iterable[_End], target: Node) -> None:
    for source in sources:
        end = source.end()
        if isinstance(end, ColumnId):
            steps = [Transformation(one.type, one.subtype, None, one.masking) for one in source.by]
            builder.add_columns(end, target, steps)
        else:
            builder.add(end, target, "job", NO_TIME)


def _message(error: ValidationError) -> str:
    (first, *_) = error.errors(include_url=False)
    pointer = json_pointer(first["loc"])
    found = "" if first["type"] in ("missing", "json_invalid") else f", found {describe(first['input'])}"
    return f"expected a lock file: {pointer or '(root)'}: {first['msg'][:1].lower()}{first['msg'][1:]}{found}"
