# Generated from https://openlineage.io/spec/facets/1-0-0/LineageFacet.json (facets/LineageFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Explicit lineage: edges stated outright, not derived from the inputs and outputs of an event.

One facet goes on a dataset and lists its sources, the other goes on a job and may describe
any number of targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import Field, StrictBool, StrictStr, model_validator
from typing_extensions import TypeAlias

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart, require_with
from openlineage_facets.base.types import Maybe, UuidText
from openlineage_facets.generated.open_lineage import DatasetFacet, JobFacet


class LineageTransformation(Model):
    """One way in which a source affects its target."""

    type: StrictStr
    """Whether target values derive from the source (`DIRECT`) or are only steered by it
    (`INDIRECT`).

    Example: `"DIRECT"`.
    """
    subtype: Maybe[StrictStr] = None
    """Finer kind of the effect, within `type`.

    Usual for `DIRECT` are `IDENTITY`, `TRANSFORMATION` and `AGGREGATION`; usual for
    `INDIRECT` are `JOIN`, `FILTER`, `GROUP_BY`, `SORT`, `WINDOW` and `CONDITIONAL`. Examples:
    `"TRANSFORMATION"`, `"JOIN"`.
    """
    description: Maybe[StrictStr] = None
    """The computation in readable form, mostly an expression from the code.

    It is meant for people; readers do not parse it. Example: `"upper(country_code)"`.
    """
    masking: Maybe[StrictBool] = None
    """Whether the transformation hides the original value, as hashing, redacting or counting
    does.

    Privacy checks can stop following sensitive data where this is true. Example: `true`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: str,
            subtype: str | None = None,
            description: str | None = None,
            masking: bool | None = None,
        ) -> None: ...


class LineageDatasetInput(Model):
    """A dataset, or one column of it, from which a target receives data."""

    namespace: StrictStr
    """Namespace of the dataset the data comes from.

    Example: `"postgres://db.example.com:5432"`.
    """
    name: StrictStr
    """Name of the dataset the data comes from, unique in `namespace`.

    Example: `"warehouse.sales.orders"`.
    """
    type: Literal["DATASET"]
    """Always `DATASET`, which tells this source from a job."""
    field: Maybe[StrictStr] = None
    """Name of the source column; absent, the source is the dataset as a whole.

    Under a target column it is what that column derives from; in an entry's own `inputs` it
    affects the entire target. Example: `"order_total"`.
    """
    transformations: Maybe[tuple[LineageTransformation, ...]] = None
    """What happens to the data on its way from this source to the target."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            type: Literal["DATASET"],
            field: str | None = None,
            transformations: Iterable[LineageTransformation] | None = None,
        ) -> None: ...


class LineageJobInput(Model):
    """A job that hands data to a target directly; without a name it is the job of the event.

    Use it where no dataset lies between, as when a job generates data or passes it on in
    memory.
    """

    namespace: Maybe[StrictStr] = None
    """Namespace of the job the data comes from; give it together with `name` or not at all.

    Absent, the source is the job of the event. Example: `"airflow-prod"`.
    """
    name: Maybe[StrictStr] = None
    """Name of the job the data comes from; give it together with `namespace` or not at all.

    Example: `"flights_hourly.fetch_api"`.
    """
    type: Literal["JOB"]
    """Always `JOB`, which tells this source from a dataset."""
    run_id: Annotated[Maybe[UuidText], Field(alias="runId")] = None
    """UUID of the source job's run, if the edge holds for that execution only.

    It equals the `runId` in the events of that run. Example:
    `"0195793a-e7b1-7d09-b2c8-40f6a95e1d37"`.
    """
    transformations: Maybe[tuple[LineageTransformation, ...]] = None
    """What the source job does to the data it hands over."""

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    _require_with_namespace = model_validator(mode="after")(require_with("namespace", "name"))

    _require_with_name = model_validator(mode="after")(require_with("name", "namespace"))

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["JOB"],
            namespace: str | None = None,
            name: str | None = None,
            run_id: UUID | str | None = None,
            transformations: Iterable[LineageTransformation] | None = None,
        ) -> None: ...


class LineageFieldEntry(Model):
    """Sources of one column of a target dataset."""

    inputs: tuple[LineageInput, ...]
    """Columns, datasets and jobs from which the column gets its value."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            inputs: Iterable[LineageDatasetInput | LineageJobInput],
        ) -> None: ...


class LineageDatasetFacet(DatasetFacet):
    """States which datasets and jobs feed the dataset that carries it, as a whole or column by
    column.

    Catalogs and view definitions emit it to declare lineage without a run; backends add the
    edges to their graph.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/LineageFacet.json#/$defs/LineageDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "lineage"

    inputs: Maybe[tuple[LineageInput, ...]] = None
    """Sources of the dataset as a whole.

    A source that names a `field` says that this one column affects every row or column of the
    target, as a filter column does.
    """
    fields: Maybe[dict[str, LineageFieldEntry]] = None
    """Sources of single columns, keyed by the column name in this dataset."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            inputs: Iterable[LineageDatasetInput | LineageJobInput] | None = None,
            fields: Mapping[str, LineageFieldEntry] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class LineageDatasetEntry(Model):
    """A dataset that receives data, with its sources for the whole and for single columns."""

    namespace: StrictStr
    """Namespace of the dataset that receives the data.

    Example: `"s3://example-lake"`.
    """
    name: StrictStr
    """Name of the dataset that receives the data, unique in `namespace`.

    Example: `"curated/orders_by_day"`.
    """
    type: Literal["DATASET"]
    """Always `DATASET`, which tells this target from a job."""
    inputs: Maybe[tuple[LineageInput, ...]] = None
    """Sources of the dataset as a whole.

    An empty list asserts that nothing known feeds it, as for generated data; leaving the key
    out asserts nothing.
    """
    fields: Maybe[dict[str, LineageFieldEntry]] = None
    """Sources of single columns, keyed by the column name in the target dataset."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            type: Literal["DATASET"],
            inputs: Iterable[LineageDatasetInput | LineageJobInput] | None = None,
            fields: Mapping[str, LineageFieldEntry] | None = None,
        ) -> None: ...


class LineageJobEntry(Model):
    """A job that receives data, with its sources; without a name it is the job of the event.

    It fits jobs that consume data but write no dataset, such as a quality check or an export.
    """

    namespace: Maybe[StrictStr] = None
    """Namespace of the job that receives the data; give it together with `name` or not at all.

    Absent, the entry means the job of the event. Example: `"airflow-prod"`.
    """
    name: Maybe[StrictStr] = None
    """Name of the job that receives the data; give it together with `namespace` or not at all.

    Example: `"orders_daily.send_report"`.
    """
    type: Literal["JOB"]
    """Always `JOB`, which tells this target from a dataset."""
    run_id: Annotated[Maybe[UuidText], Field(alias="runId")] = None
    """UUID of the receiving job's run, if the edge holds for that execution only.

    It equals the `runId` in the events of that run. Example:
    `"0195793b-6a10-7c52-8e4f-91d3b7a2c605"`.
    """
    inputs: Maybe[tuple[LineageInput, ...]] = None
    """Datasets and jobs that feed the target job."""

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    _require_with_namespace = model_validator(mode="after")(require_with("namespace", "name"))

    _require_with_name = model_validator(mode="after")(require_with("name", "namespace"))

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["JOB"],
            namespace: str | None = None,
            name: str | None = None,
            run_id: UUID | str | None = None,
            inputs: Iterable[LineageDatasetInput | LineageJobInput] | None = None,
        ) -> None: ...


class LineageJobFacet(JobFacet):
    """States which sources feed which targets in a job, edge by edge.

    On a `JobEvent` it declares the job's design, on a `RunEvent` it reports what that run
    did. It helps where not every input of the job feeds every output.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/LineageFacet.json#/$defs/LineageJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "lineage"

    entries: tuple[LineageEntry, ...]
    """Targets of data flow, each with the sources that feed it."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            entries: Iterable[LineageDatasetEntry | LineageJobEntry],
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


LineageInput: TypeAlias = Annotated[LineageDatasetInput | LineageJobInput, Field(discriminator="type")]
"""One source of data flow; the field `type` tells a dataset from a job."""

LineageEntry: TypeAlias = Annotated[LineageDatasetEntry | LineageJobEntry, Field(discriminator="type")]
"""One target of data flow with its sources; the field `type` tells a dataset from a job."""
