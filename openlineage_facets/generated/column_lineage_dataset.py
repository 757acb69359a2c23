# Generated from https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json (facets/ColumnLineageDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Column-level lineage: which input columns each column of an output dataset depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictBool, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class Transformation(Model):
    """One way in which an input column affects the output."""

    type: StrictStr
    """Whether the output value derives from the input (`DIRECT`) or is only steered by it
    (`INDIRECT`).

    A column in the select list is direct; one that appears only in a join, filter, grouping
    or sort is indirect. Example: `"INDIRECT"`.
    """
    subtype: Maybe[StrictStr] = None
    """Finer kind of the effect, within `type`.

    Usual for `DIRECT` are `IDENTITY`, `TRANSFORMATION` and `AGGREGATION`; usual for
    `INDIRECT` are `JOIN`, `FILTER`, `GROUP_BY`, `SORT`, `WINDOW` and `CONDITIONAL`. Examples:
    `"AGGREGATION"`, `"GROUP_BY"`.
    """
    description: Maybe[StrictStr] = None
    """The computation in readable form, mostly the expression from the query.

    It is meant for people; readers do not parse it. Examples: `"sum(amount)"`, `"WHERE status
    = 'paid'"`.
    """
    masking: Maybe[StrictBool] = None
    """Whether the transformation hides the original value, as hashing, redacting or counting
    does.

    Privacy checks can stop following a sensitive column where this is true. Example: `true`.
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


class InputField(Model):
    """One column of an input dataset on which the output depends."""

    namespace: StrictStr
    """Namespace of the dataset that holds the column.

    Together with `name` it points to an entry of the event's `inputs`. Example:
    `"postgres://db.example.com:5432"`.
    """
    name: StrictStr
    """Name of the dataset that holds the column, within `namespace`.

    It is a dataset name, not the column's; that one is `field`. Example:
    `"warehouse.sales.orders"`.
    """
    field: StrictStr
    """Name of the input column, spelled as in the `schema` facet of its dataset.

    Example: `"customer_email"`.
    """
    transformations: Maybe[tuple[Transformation, ...]] = None
    """Ways in which this input column affects the output; one column may do so in several."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            field: str,
            transformations: Iterable[Transformation] | None = None,
        ) -> None: ...


class Fields(Model):
    """Sources of one output column."""

    input_fields: Annotated[tuple[InputField, ...], Field(alias="inputFields")]
    """Input columns that decide the value of this output column."""
    transformation_description: Annotated[
        Maybe[StrictStr], Field(alias="transformationDescription", deprecated=True)
    ] = None
    """Deprecated text on how the column is computed; use `transformations` on each input field.

    There the same text goes into the `description` of a transformation. Example: `"amount *
    exchange_rate"`.
    """
    transformation_type: Annotated[Maybe[StrictStr], Field(alias="transformationType", deprecated=True)] = (
        None
    )
    """Deprecated kind of computation, `IDENTITY` or `MASKED`; use `transformations` on each
    input field.

    `IDENTITY` became the `subtype` of a `DIRECT` transformation; `MASKED`, for values that
    hide the original, became `masking` set to true. Example: `"MASKED"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            input_fields: Iterable[InputField],
            transformation_description: str | None = None,
            transformation_type: str | None = None,
        ) -> None: ...


class ColumnLineageDatasetFacet(DatasetFacet):
    """Records, for an output dataset, which input columns each of its columns is made from.

    SQL parsers and engines that see the query plan emit it; backends draw column graphs,
    trace personal data and find what a column change breaks.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "columnLineage"

    fields: dict[str, Fields]
    """Dependencies of each output column, keyed by column name.

    The keys match the names in the dataset's `schema` facet; a column without an entry has no
    known source.
    """
    dataset: Maybe[tuple[InputField, ...]] = None
    """Input columns that influence the output dataset as a whole, and not just one column.

    Columns in a join condition, filter, sort or grouping belong here, so that they need not
    be repeated under every output column.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            fields: Mapping[str, Fields],
            dataset: Iterable[InputField] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
