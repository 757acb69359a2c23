# Generated from https://openlineage.io/spec/facets/1-0-1/IcebergScanReportInputDatasetFacet.json (registry/iceberg/facets/IcebergScanReportInputDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Input facet for the report that Apache Iceberg makes when it plans a table scan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import JsonObject, Maybe, Number
from openlineage_facets.generated.open_lineage import InputDatasetFacet


class ScanMetrics(Model):
    """Counters of the scan planning: what was considered, kept and pruned.

    Counters that the engine did not report are absent.
    """

    total_planning_duration: Annotated[Maybe[Number], Field(alias="totalPlanningDuration")] = None
    """Time that planning took, in milliseconds; reading the data comes on top.

    Example: `184`.
    """
    result_data_files: Annotated[Maybe[Number], Field(alias="resultDataFiles")] = None
    """Number of data files that remain to be read after all pruning.

    Example: `48`.
    """
    result_delete_files: Annotated[Maybe[Number], Field(alias="resultDeleteFiles")] = None
    """Number of delete files to apply, counted anew for every data file they apply to.

    One delete file that concerns ten data files counts as ten. Example: `6`.
    """
    total_data_manifests: Annotated[Maybe[Number], Field(alias="totalDataManifests")] = None
    """Number of data manifests in the snapshot, before any are pruned.

    Example: `20`.
    """
    total_delete_manifests: Annotated[Maybe[Number], Field(alias="totalDeleteManifests")] = None
    """Number of delete manifests in the snapshot, before any are pruned.

    Example: `4`.
    """
    scanned_data_manifests: Annotated[Maybe[Number], Field(alias="scannedDataManifests")] = None
    """Number of data manifests that planning opened, as they may hold matching files.

    Example: `5`.
    """
    skipped_data_manifests: Annotated[Maybe[Number], Field(alias="skippedDataManifests")] = None
    """Number of data manifests that the filter ruled out unopened.

    High against `totalDataManifests` means that partition pruning works. Example: `15`.
    """
    total_file_size_in_bytes: Annotated[Maybe[Number], Field(alias="totalFileSizeInBytes")] = None
    """Size of the data files to be read, in bytes.

    Whole files count, even where few columns are read. Example: `3221225472`.
    """
    total_delete_file_size_in_bytes: Annotated[Maybe[Number], Field(alias="totalDeleteFileSizeInBytes")] = (
        None
    )
    """Size of the delete files to be applied, in bytes, counted as in `resultDeleteFiles`.

    Example: `196608`.
    """
    skipped_data_files: Annotated[Maybe[Number], Field(alias="skippedDataFiles")] = None
    """Number of data files in opened manifests that the filter ruled out.

    Partition values and column bounds decide. Example: `112`.
    """
    skipped_delete_files: Annotated[Maybe[Number], Field(alias="skippedDeleteFiles")] = None
    """Number of delete files in opened manifests that the filter ruled out.

    Example: `2`.
    """
    scanned_delete_manifests: Annotated[Maybe[Number], Field(alias="scannedDeleteManifests")] = None
    """Number of delete manifests that planning opened, as they may hold matching delete files.

    Example: `1`.
    """
    skipped_delete_manifests: Annotated[Maybe[Number], Field(alias="skippedDeleteManifests")] = None
    """Number of delete manifests that the filter ruled out unopened.

    Example: `3`.
    """
    indexed_delete_files: Annotated[Maybe[Number], Field(alias="indexedDeleteFiles")] = None
    """Number of distinct delete files that planning matched against the data files.

    `equalityDeleteFiles` and `positionalDeleteFiles` count two kinds of them. Example: `5`.
    """
    equality_delete_files: Annotated[Maybe[Number], Field(alias="equalityDeleteFiles")] = None
    """Number of indexed delete files that delete rows by column values.

    Example: `2`.
    """
    positional_delete_files: Annotated[Maybe[Number], Field(alias="positionalDeleteFiles")] = None
    """Number of indexed delete files that delete rows by file path and row position.

    Example: `3`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            total_planning_duration: int | float | None = None,
            result_data_files: int | float | None = None,
            result_delete_files: int | float | None = None,
            total_data_manifests: int | float | None = None,
            total_delete_manifests: int | float | None = None,
            scanned_data_manifests: int | float | None = None,
            skipped_data_manifests: int | float | None = None,
            total_file_size_in_bytes: int | float | None = None,
            total_delete_file_size_in_bytes: int | float | None = None,
            skipped_data_files: int | float | None = None,
            skipped_delete_files: int | float | None = None,
            scanned_delete_manifests: int | float | None = None,
            skipped_delete_manifests: int | float | None = None,
            indexed_delete_files: int | float | None = None,
            equality_delete_files: int | float | None = None,
            positional_delete_files: int | float | None = None,
        ) -> None: ...


class IcebergScanReportInputDatasetFacet(InputDatasetFacet):
    """What Iceberg reported about planning the scan of an input table.

    It names the snapshot, the filter and the columns, and counts what was read and what was
    pruned. Engines with an Iceberg metrics reporter, such as Spark, emit it; engineers read
    it to judge partitioning and table upkeep.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/IcebergScanReportInputDatasetFacet.json#/$defs/IcebergScanReportInputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "icebergScanReport"

    snapshot_id: Annotated[Maybe[Number], Field(alias="snapshotId")] = None
    """Id of the table snapshot that was scanned, a 64-bit integer.

    Equal to the `snapshotId` in the commit report of the run that wrote the snapshot; a
    reader that turns it into a float loses digits. Example: `6027384910573628451`.
    """
    filter_description: Annotated[Maybe[StrictStr], Field(alias="filterDescription")] = None
    """Row filter of the scan in Iceberg's expression notation, for human readers.

    Iceberg may put placeholders for the literal values; an empty text means that no filter
    was pushed down. Example: `"ref(name=\\"order_day\\") == \\"(date)\\""`.
    """
    schema_id: Annotated[Maybe[Number], Field(alias="schemaId")] = None
    """Id of the table schema that the scan used, as numbered in the table's metadata.

    Example: `3`.
    """
    projected_field_names: Annotated[Maybe[tuple[StrictStr, ...]], Field(alias="projectedFieldNames")] = None
    """Columns that the scan asked for, nested ones with dots.

    Compare them with the dataset's `schema` facet to see what was left out. Example:
    `["order_id", "customer.country", "amount"]`.
    """
    scan_metrics: Annotated[Maybe[ScanMetrics], Field(alias="scanMetrics")] = None
    """Counters of the scan planning: what was considered, kept and pruned.

    Counters that the engine did not report are absent.
    """
    metadata: Maybe[JsonObject] = None
    """Further facts about the scan by name, such as `engine-name`, `engine-version` and
    `iceberg-version`.

    Example: `{"engine-name": "spark", "engine-version": "3.5.4", "iceberg-version": "Apache
    Iceberg 1.7.1"}`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            snapshot_id: int | float | None = None,
            filter_description: str | None = None,
            schema_id: int | float | None = None,
            projected_field_names: Iterable[str] | None = None,
            scan_metrics: ScanMetrics | None = None,
            metadata: Mapping[str, Any] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
