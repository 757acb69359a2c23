"""Read lock files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

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
from openlineage_facets.review.reviewed import NO_TIME, ReviewedLineage
from openlineage_facets.state import (
    DatasetId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
)
from openlineage_facets.state.column_edges import steps_of
from openlineage_facets.state.lineage import LineageBuilder


def read_lock(text: str | bytes) -> Lineage:
    """Return the graph of a lock file. Its edges have the origin `job`, and times in 1970.

    Raises:
        ValueError: The text is not a lock file. The message has one line.

    Example:
        >>> read_lock(Path("lineage.lock.json").read_bytes()).flows()
    """
    builder = LineageBuilder()
    try:
        _Lock.model_validate_json(text, context=builder)
    except ValidationError as error:
        raise ValueError(_message(error)) from None
    return ReviewedLineage.of(builder.lineage())


# Each job and dataset is added as soon as it is valid: all together need more memory than the graph.


def _add_job(job: _Job, info: ValidationInfo) -> None:
    builder = info.context
    assert isinstance(builder, LineageBuilder)
    job_id = JobId(job.namespace, job.name)
    builder.add_job(LineageJob(id=job_id, facets=job.facets()))
    _add_sources(builder, job.inputs, job_id)
    for output in job.outputs:
        target = DatasetId(output["namespace"], output["name"])
        feeding = output.get("from")
        builder.add(job_id, target, "job", NO_TIME)
        inputs = None if feeding is None else [DatasetId(one["namespace"], one["name"]) for one in feeding]
        builder.add_inputs(job_id, target, inputs)


def _add_dataset(dataset: _Dataset, info: ValidationInfo) -> None:
    builder = info.context
    assert isinstance(builder, LineageBuilder)
    dataset_id = DatasetId(dataset.namespace, dataset.name)
    builder.add_dataset(LineageDataset(id=dataset_id, facets=dataset.facets()))
    _add_sources(builder, [*dataset.sources, *dataset.rows], dataset_id)
    for column in dataset.columns:
        _add_sources(builder, column.get("sources", ()), dataset_id, column["name"])


def _add_sources(
    builder: LineageBuilder, sources: Sequence[_End], target: Node, column: str | None = None
) -> None:
    columns = [source for source in sources if source.get("column") is not None]
    if columns:
        number = builder.columns.number(target, column)
        builder.columns.add_sources(number, columns, _IN_LOCK, builder.names)
    for source in sources if len(columns) < len(sources) else ():
        if source.get("column") is None:
            namespace, name = source["namespace"], source["name"]
            node = JobId(namespace, name) if source.get("kind") == "job" else DatasetId(namespace, name)
            if column is None:
                builder.add(node, target, "job", NO_TIME)
            else:
                edges = builder.columns
                edges.add(edges.number(node), edges.number(target, column), steps_of(source.get("by", ())))


_IN_LOCK = ("column", "by")

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

    def facets(self) -> dict[str, Any]:
        return {
            **({"ownership": {"owners": self.owners}} if self.owners else {}),
            **({"tags": {"tags": self.tags}} if self.tags else {}),
            **({} if self.description is None else {"documentation": {"description": self.description}}),
        }


class _Job(_Entity):
    inputs: list[_End] = Field(default_factory=list)
    outputs: list[_Output] = Field(default_factory=list)


class _Dataset(_Entity):
    columns: list[_LockColumn] = Field(default_factory=list)
    rows: list[_End] = Field(default_factory=list)
    sources: list[_End] = Field(default_factory=list)

    def facets(self) -> dict[str, Any]:
        columns = [{key: one for key, one in column.items() if key != "sources"} for column in self.columns]
        return {**super().facets(), **({"schema": {"fields": columns}} if columns else {})}


class _Lock(_Strict):
    format: StrictStr = Field(pattern=f"^{LOCK_FORMAT}\\z")
    jobs: list[Annotated[_Job, AfterValidator(_add_job)]] = []
    datasets: list[Annotated[_Dataset, AfterValidator(_add_dataset)]] = []


def _message(error: ValidationError) -> str:
    (first, *_) = error.errors(include_url=False)
    pointer = json_pointer(first["loc"])
    found = "" if first["type"] in ("missing", "json_invalid") else f", found {describe(first['input'])}"
    return f"expected a lock file: {pointer or '(root)'}: {first['msg'][:1].lower()}{first['msg'][1:]}{found}"
