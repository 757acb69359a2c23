# Generated from https://openlineage.io/spec/facets/1-0-0/BaseSubsetDatasetFacet.json (facets/BaseSubsetDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The part of a dataset that a run touched: partitions, locations or rows that match a
condition.

Inputs and outputs each have a facet of their own, and both use the same condition types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, StrictStr
from typing_extensions import TypeAlias

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import JsonObject, Maybe, OneOf
from openlineage_facets.generated.open_lineage import InputDatasetFacet, OutputDatasetFacet


class LocationSubsetCondition(Model):
    """Selects data by where it is stored.

    It suits file datasets that are read or written by directory or file.
    """

    type: Literal["location"]
    """Always `location`, which marks the condition as a list of storage locations."""
    locations: tuple[StrictStr, ...]
    """URIs of the directories or files that make up the subset.

    The subset is all of them together. Example: `["s3://example-lake/flights/day=2025-03-08",
    "s3://example-lake/flights/day=2025-03-09"]`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["location"],
            locations: Iterable[str],
        ) -> None: ...


class Partition(Model):
    """One partition, pinned down by the values of its partition columns."""

    identifier: Maybe[StrictStr] = None
    """Label of the partition, such as its name in the storage system, if it has one.

    It only labels the partition; `dimensions` says what it holds. Example:
    `"2025-03-09-eu-west"`.
    """
    dimensions: JsonObject
    """Values of the partition columns, keyed by column name.

    Every row of the partition has these values. Example: `{"flight_day": "2025-03-09",
    "region": "eu-west"}`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            dimensions: Mapping[str, Any],
            identifier: str | None = None,
        ) -> None: ...


class PartitionSubsetCondition(Model):
    """Selects whole partitions by the values of their partition columns."""

    type: Literal["partition"]
    """Always `partition`, which marks the condition as a list of partitions."""
    partitions: tuple[Partition, ...]
    """Partitions that make up the subset, one entry each.

    The subset is all of them together.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["partition"],
            partitions: Iterable[Partition],
        ) -> None: ...


class BinarySubsetCondition(Model):
    """Two conditions joined by a logical operator.

    Nest one inside another to join three or more.
    """

    left: BaseSubsetCondition
    """First operand, itself a condition of any kind."""
    right: BaseSubsetCondition
    """Second operand, itself a condition of any kind."""
    type: Literal["binary"]
    """Always `binary`, which marks the condition as a combination of two others."""
    operator: StrictStr
    """Logical operator between `left` and `right`, either `AND` or `OR`.

    `AND` keeps what both operands select, `OR` what at least one selects. Example: `"OR"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            left: LocationSubsetCondition
            | PartitionSubsetCondition
            | BinarySubsetCondition
            | CompareSubsetCondition,
            right: LocationSubsetCondition
            | PartitionSubsetCondition
            | BinarySubsetCondition
            | CompareSubsetCondition,
            type: Literal["binary"],
            operator: str,
        ) -> None: ...


class FieldBaseCompareExpression(Model):
    """A column of the dataset as one side of a comparison."""

    type: Literal["field"]
    """Always `field`, which marks the operand as a column."""
    field: StrictStr
    """Name of the column, spelled as in the dataset's `schema` facet.

    Example: `"departure_date"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["field"],
            field: str,
        ) -> None: ...


class LiteralCompareExpression(Model):
    """A constant as one side of a comparison."""

    type: Literal["literal"]
    """Always `literal`, which marks the operand as a constant."""
    value: StrictStr
    """The constant as text, whatever the type of the column it is compared with.

    Write numbers and dates as strings; readers convert them to the type of that column.
    Examples: `"2025-03-01"`, `"250"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["literal"],
            value: str,
        ) -> None: ...


class CompareSubsetCondition(Model):
    """Selects rows by a comparison of two values, most often a column with a constant."""

    type: Literal["compare"]
    """Always `compare`, which marks the condition as a comparison of two values."""
    left: FieldBaseCompareExpression | LiteralCompareExpression
    """Value on the left of the comparison, a column or a constant.

    With `LESS_THAN`, this is the smaller one.
    """
    right: FieldBaseCompareExpression | LiteralCompareExpression
    """Value on the right of the comparison, a column or a constant.

    With `LESS_THAN`, this is the larger one.
    """
    comparison: StrictStr
    """Relation that has to hold between `left` and `right` for a row to be selected.

    One of `EQUAL`, `LESS_THAN`, `LESS_EQUAL_THAN`, `GREATER_THAN` and `GREATER_EQUAL_THAN`.
    Examples: `"GREATER_EQUAL_THAN"`, `"LESS_THAN"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: Literal["compare"],
            left: FieldBaseCompareExpression | LiteralCompareExpression,
            right: FieldBaseCompareExpression | LiteralCompareExpression,
            comparison: str,
        ) -> None: ...


class InputSubsetInputDatasetFacet(InputDatasetFacet):
    """States which part of an input dataset a run read.

    An engine that prunes partitions or lists paths emits it; backends use it to tell whether
    a change upstream concerns this run.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/BaseSubsetDatasetFacet.json#/$defs/InputSubsetInputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "subset"

    input_condition: Annotated[BaseSubsetCondition, Field(alias="inputCondition")]
    """Condition that describes the part this run read."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            input_condition: LocationSubsetCondition
            | PartitionSubsetCondition
            | BinarySubsetCondition
            | CompareSubsetCondition,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class OutputSubsetOutputDatasetFacet(OutputDatasetFacet):
    """States which part of an output dataset a run wrote.

    An engine that fills single partitions or directories emits it; backends use it to tell
    which part is fresh and which readers are affected.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/BaseSubsetDatasetFacet.json#/$defs/OutputSubsetOutputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "subset"

    output_condition: Annotated[BaseSubsetCondition, Field(alias="outputCondition")]
    """Condition that describes the part this run wrote."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            output_condition: LocationSubsetCondition
            | PartitionSubsetCondition
            | BinarySubsetCondition
            | CompareSubsetCondition,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


BaseSubsetCondition: TypeAlias = Annotated[
    LocationSubsetCondition | PartitionSubsetCondition | BinarySubsetCondition | CompareSubsetCondition,
    Field(discriminator="type"),
]
"""Any condition that selects part of a dataset; its field `type` tells which kind it is.

The kinds are `location`, `partition`, `compare` and `binary`, the last of which nests further
conditions.
"""

BaseSubsetDatasetFacet: TypeAlias = OneOf[InputSubsetInputDatasetFacet | OutputSubsetOutputDatasetFacet]
"""Either form of the subset facet: the one for an input or the one for an output."""
