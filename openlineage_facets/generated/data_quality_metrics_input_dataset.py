# Generated from https://openlineage.io/spec/facets/1-0-3/DataQualityMetricsInputDatasetFacet.json (facets/DataQualityMetricsInputDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Size, freshness and column statistics of a dataset as one run found it while reading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.types import Integer, Maybe, Number
from openlineage_facets.generated.open_lineage import InputDatasetFacet


class ColumnMetrics(Model):
    """Statistics of one column over the profiled rows.

    Each number is optional, and an absent one was not computed.
    """

    null_count: Annotated[Maybe[Integer], Field(alias="nullCount")] = None
    """Number of profiled rows in which the column is null.

    Example: `8`.
    """
    distinct_count: Annotated[Maybe[Integer], Field(alias="distinctCount")] = None
    """Number of different values that occur in the column.

    A key column should come out equal to `rowCount`; large datasets are often only estimated.
    Example: `12750`.
    """
    sum: Maybe[Number] = None
    """All values of a numeric column added up, in the unit of the column.

    Example: `40177.25`.
    """
    count: Maybe[Number] = None
    """Number of values in the column.

    Profilers differ on whether nulls are included, so check it against `rowCount` and
    `nullCount`. Example: `12742`.
    """
    min: Maybe[Number] = None
    """Smallest value in a numeric column, in the unit of the column.

    Example: `0.99`.
    """
    max: Maybe[Number] = None
    """Largest value in a numeric column, in the unit of the column.

    Example: `399.9`.
    """
    quantiles: Maybe[dict[str, Number]] = None
    """Value found at each quantile of a numeric column.

    Keys are fractions between 0 and 1 written as text, so `0.5` holds the median. Example:
    `{"0.05": 1.49, "0.5": 3.1, "0.95": 28.75}`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            null_count: int | None = None,
            distinct_count: int | None = None,
            sum: int | float | None = None,
            count: int | float | None = None,
            min: int | float | None = None,
            max: int | float | None = None,
            quantiles: Mapping[str, int | float] | None = None,
        ) -> None: ...


class DataQualityMetricsInputDatasetFacet(InputDatasetFacet):
    """Statistics that a run measured on one of its inputs, valid for the data it read.

    Quality tools such as Great Expectations emit it; observability tools compare the numbers
    from run to run. Statistics not tied to a run's input belong in
    `DataQualityMetricsDatasetFacet`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-3/DataQualityMetricsInputDatasetFacet.json#/$defs/DataQualityMetricsInputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "dataQualityMetrics"

    row_count: Annotated[Maybe[Integer], Field(alias="rowCount")] = None
    """Number of rows that were profiled.

    Smaller than the dataset if only a sample or a partition was looked at; divide `nullCount`
    by it for a null ratio. Example: `12750`.
    """
    bytes: Maybe[Integer] = None
    """Volume of the profiled data in bytes.

    Example: `6815744`.
    """
    file_count: Annotated[Maybe[Integer], Field(alias="fileCount")] = None
    """Number of files that the profiled data is spread over.

    Only useful for file-based storage, where many small files hint at a need for compaction.
    Example: `2`.
    """
    last_updated: Annotated[Maybe[Timestamp], Field(alias="lastUpdated")] = None
    """Moment of the most recent change to the dataset, as an RFC 3339 timestamp with UTC offset.

    Readers compare it with the current time or the event time to judge how stale the data is.
    Example: `"2026-03-01T22:15:40+01:00"`.
    """
    column_metrics: Annotated[dict[str, ColumnMetrics], Field(alias="columnMetrics")]
    """Statistics per column, keyed by column name as in the `schema` facet.

    Columns that were not profiled are left out; send an empty object if none was.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            column_metrics: Mapping[str, ColumnMetrics],
            row_count: int | None = None,
            bytes: int | None = None,
            file_count: int | None = None,
            last_updated: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
