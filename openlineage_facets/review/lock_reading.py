"""Read lock files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr, ValidationError, with_config
from typing_extensions import NotRequired, Required, TypedDict

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.review.lock import LOCK_FORMAT
from openlineage_facets.review.reviewed import NO_TIME, ReviewedLineage
from openlineage_facets.state import (
    DatasetId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
    Transformation,
)
from openlineage_facets.state.column_edges import Steps, unique_steps
from openlineage_facets.state.lineage import LineageBuilder


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
            target = DatasetId(output["namespace"], output["name"])
            feeding = output.get("from")
            builder.add(job_id, target, "job", NO_TIME)
            builder.add_inputs(
                job_id, target, None if feeding is None else [DatasetId(one[1], one[2]) for one in feeding]
            )
    for dataset in lock.datasets:
        dataset_id = DatasetId(dataset.namespace, dataset.name)
        builder.add_dataset(LineageDataset(id=dataset_id, facets=dataset.facets()))
        _add_sources(builder, [*dataset.sources, *dataset.rows], dataset_id)
        for name, sources in dataset.sources_of_columns():
            _add_sources(builder, sources, dataset_id, name)
    return ReviewedLineage.of(builder.lineage())


def _add_sources(
    builder: LineageBuilder, sources: Iterable[_Source], target: Node, column: str | None = None
) -> None:
    edges = builder.columns
    for is_job, namespace, name, field, steps in sources:
        if field is not None:
            edges.add(edges.column(namespace, name, field), edges.number(target, column), steps)
            continue
        node = JobId(namespace, name) if is_job else DatasetId(namespace, name)
        if column is None:
            builder.add(node, target, "job", NO_TIME)
        else:
            edges.add(edges.number(node), edges.number(target, column), steps)


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


_Source: TypeAlias = "tuple[bool, str, str, str | None, Steps]"
"""Whether it is a job, its namespace and name, the column, the transformations."""


@cache
def _steps(*steps: tuple[str, str | None, bool | None]) -> Steps:
    return unique_steps(Transformation(kind, subtype, None, masking) for kind, subtype, masking in steps)


def _source(end: _End) -> _Source:
    """Return an end as a tuple: a file has a million of them, and dicts would need much more memory."""
    by = [(one["type"], one.get("subtype"), one.get("masking")) for one in end.get("by", ())]
    is_job = end.get("kind") == "job" and end.get("column") is None
    return is_job, end["namespace"], end["name"], end.get("column"), _steps(*by)


if TYPE_CHECKING:
    _SourceInFile: TypeAlias = _Source
else:
    _SourceInFile = Annotated[_End, AfterValidator(_source)]


_Output = TypedDict(
    "_Output",
    {
        "kind": NotRequired[StrictStr],
        "namespace": Required[StrictStr],
        "name": Required[StrictStr],
        "from": NotRequired["list[_SourceInFile] | None"],
    },
)
with_config(_STRICT)(_Output)


class _Owner(_Strict):
    name: StrictStr
    type: StrictStr | None = None


class _Tag(_Strict):
    key: StrictStr
    value: StrictStr | None = None
    field: StrictStr | None = None


class _NestedColumn(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    name: StrictStr
    type: NotRequired[StrictStr | None]
    description: NotRequired[StrictStr | None]
    fields: NotRequired[list[_NestedColumn]]


class _LockColumn(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]
    name: StrictStr
    type: NotRequired[StrictStr | None]
    description: NotRequired[StrictStr | None]
    fields: NotRequired[list[_NestedColumn]]
    sources: NotRequired[list[_SourceInFile]]


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
    inputs: list[_SourceInFile] = []
    outputs: list[_Output] = []


class _Dataset(_Entity):
    columns: list[_LockColumn] = []
    rows: list[_SourceInFile] = []
    sources: list[_SourceInFile] = []

    def facets(self) -> dict[str, Any]:
        columns = [{key: one for key, one in column.items() if key != "sources"} for column in self.columns]
        return {**super().facets(), **({"schema": {"fields": columns}} if columns else {})}

    def sources_of_columns(self) -> Iterator[tuple[str, list[_Source]]]:
        for column in self.columns:
            yield column["name"], column.get("sources", [])


class _Lock(_Strict):
    format: StrictStr = Field(pattern=f"^{LOCK_FORMAT}\\z")
    jobs: list[_Job] = []
    datasets: list[_Dataset] = []


def _message(error: ValidationError) -> str:
    (first, *_) = error.errors(include_url=False)
    pointer = json_pointer(first["loc"])
    found = "" if first["type"] in ("missing", "json_invalid") else f", found {describe(first['input'])}"
    return f"expected a lock file: {pointer or '(root)'}: {first['msg'][:1].lower()}{first['msg'][1:]}{found}"
