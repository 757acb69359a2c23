# Generated from https://openlineage.io/spec/facets/1-0-0/DataQualityMetricsDatasetFacet.json (facets/DataQualityMetricsDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Size, freshness and column statistics of a dataset, whichever way it is used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.types import Integer, Maybe, Number
from openlineage_facets.generated.open_lineage import DatasetFacet


class ColumnMetrics(Model):
    """Statistics of one column over the profiled rows.

    Each number is optional, and an absent one was not computed.
    """

    null_count: Annotated[Maybe[Integer], Field(alias="nullCount")] = None
    """Number of profiled rows in which the column is null.

    Example: `312`.
    """
    distinct_count: Annotated[Maybe[Integer], Field(alias="distinctCount")] = None
    """Number of different values that occur in the column.

    A key column should come out equal to `rowCount`; large datasets are often only estimated.
    Example: `1904`.
    """
    sum: Maybe[Number] = None
    """All values of a numeric column added up, in the unit of the column.

    Example: `918233.5`.
    """
    count: Maybe[Number] = None
    """Number of values in the column.

    Profilers differ on whether nulls are included, so check it against `rowCount` and
    `nullCount`. Example: `47899`.
    """
    min: Maybe[Number] = None
    """Smallest value in a numeric column, in the unit of the column.

    Example: `-12.5`.
    """
    max: Maybe[Number] = None
    """Largest value in a numeric column, in the unit of the column.

    Example: `2480`.
    """
    quantiles: Maybe[dict[str, Number]] = None
    """Value found at each quantile of a numeric column.

    Keys are fractions between 0 and 1 written as text, so `0.5` holds the median. Example:
    `{"0.25": 9.9, "0.5": 17.4, "0.75": 31.2}`.
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


class DataQualityMetricsDatasetFacet(DatasetFacet):
    """Statistics about the content of a dataset, independent of whether a run reads or writes
    it.

    Profilers and quality tools emit it; observability tools plot the numbers over time to
    detect drift. For what one run measured on its input, use
    `DataQualityMetricsInputDatasetFacet`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/DataQualityMetricsDatasetFacet.json#/$defs/DataQualityMetricsDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "dataQualityMetrics"

    row_count: Annotated[Maybe[Integer], Field(alias="rowCount")] = None
    """Number of rows that were profiled.

    Smaller than the dataset if only a sample or a partition was looked at; divide `nullCount`
    by it for a null ratio. Example: `48211`.
    """
    bytes: Maybe[Integer] = None
    """Volume of the profiled data in bytes.

    Example: `73400320`.
    """
    file_count: Annotated[Maybe[Integer], Field(alias="fileCount")] = None
    """Number of files that the profiled data is spread over.

    Only useful for file-based storage, where many small files hint at a need for compaction.
    Example: `24`.
    """
    last_updated: Annotated[Maybe[Timestamp], Field(alias="lastUpdated")] = None
    """Moment of the most recent change to the dataset, as an RFC 3339 timestamp with UTC offset.

    Readers compare it with the current time or the event time to judge how stale the data is.
    Example: `"2026-03-02T05:47:12Z"`.
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
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
