# Generated from https://openlineage.io/spec/facets/1-0-2/IcebergCommitReportOutputDatasetFacet.json (registry/iceberg/facets/IcebergCommitReportOutputDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Output facet for the report that Apache Iceberg makes when it commits to a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import JsonObject, Maybe, Number
from openlineage_facets.generated.open_lineage import OutputDatasetFacet


class CommitMetrics(Model):
    """Counters of the commit: what it added and removed, and what the table holds afterwards.

    Iceberg leaves out added and removed counts that are zero, so an absent one is usually 0.
    """

    total_duration: Annotated[Maybe[Number], Field(alias="totalDuration")] = None
    """Time that the commit took, in milliseconds, repeated attempts included.

    Example: `912`.
    """
    attempts: Maybe[Number] = None
    """Number of attempts until the commit succeeded: 1, or more where other writers came first.

    Examples: `1`, `3`.
    """
    added_data_files: Annotated[Maybe[Number], Field(alias="addedDataFiles")] = None
    """Number of data files that the commit added to the table.

    Example: `12`.
    """
    removed_data_files: Annotated[Maybe[Number], Field(alias="removedDataFiles")] = None
    """Number of data files that the commit took out of the table.

    The files themselves stay until their snapshots expire. Example: `4`.
    """
    total_data_files: Annotated[Maybe[Number], Field(alias="totalDataFiles")] = None
    """Number of data files in the table after the commit.

    Many small ones call for compaction. Example: `1860`.
    """
    added_delete_files: Annotated[Maybe[Number], Field(alias="addedDeleteFiles")] = None
    """Number of delete files that the commit added, of all kinds: equality, positional and
    deletion vectors.

    Example: `6`.
    """
    added_equality_delete_files: Annotated[Maybe[Number], Field(alias="addedEqualityDeleteFiles")] = None
    """Number of added delete files that delete rows by column values.

    Example: `2`.
    """
    added_positional_delete_files: Annotated[Maybe[Number], Field(alias="addedPositionalDeleteFiles")] = None
    """Number of added delete files that delete rows by file path and row position.

    Deletion vectors are counted in `addedDVs` instead. Example: `3`.
    """
    added_dvs: Annotated[Maybe[Number], Field(alias="addedDVs")] = None
    """Number of deletion vectors that the commit added.

    They are the bitmaps of deleted rows in tables of format version 3. Example: `1`.
    """
    removed_delete_files: Annotated[Maybe[Number], Field(alias="removedDeleteFiles")] = None
    """Number of delete files that the commit took out of the table, of all kinds.

    Example: `5`.
    """
    removed_equality_delete_files: Annotated[Maybe[Number], Field(alias="removedEqualityDeleteFiles")] = None
    """Number of removed delete files that had deleted rows by column values.

    Example: `1`.
    """
    removed_positional_delete_files: Annotated[Maybe[Number], Field(alias="removedPositionalDeleteFiles")] = (
        None
    )
    """Number of removed delete files that had deleted rows by file path and row position.

    Deletion vectors are counted in `removedDVs` instead. Example: `2`.
    """
    removed_dvs: Annotated[Maybe[Number], Field(alias="removedDVs")] = None
    """Number of deletion vectors that the commit took out of the table.

    Example: `2`.
    """
    total_delete_files: Annotated[Maybe[Number], Field(alias="totalDeleteFiles")] = None
    """Number of delete files in the table after the commit.

    Every scan of the affected data has to apply them. Example: `27`.
    """
    added_records: Annotated[Maybe[Number], Field(alias="addedRecords")] = None
    """Number of rows in the added data files.

    Example: `480000`.
    """
    removed_records: Annotated[Maybe[Number], Field(alias="removedRecords")] = None
    """Number of rows in the removed data files.

    A rewrite counts rows here and again in `addedRecords`; rows deleted through delete files
    are not counted. Example: `150000`.
    """
    total_records: Annotated[Maybe[Number], Field(alias="totalRecords")] = None
    """Number of rows in all data files after the commit.

    Rows that delete files mark as deleted still count. Example: `92400000`.
    """
    added_files_size_in_bytes: Annotated[Maybe[Number], Field(alias="addedFilesSizeInBytes")] = None
    """Size of the added data and delete files, in bytes.

    Example: `402653184`.
    """
    removed_files_size_in_bytes: Annotated[Maybe[Number], Field(alias="removedFilesSizeInBytes")] = None
    """Size of the removed data and delete files, in bytes.

    Example: `134217728`.
    """
    total_files_size_in_bytes: Annotated[Maybe[Number], Field(alias="totalFilesSizeInBytes")] = None
    """Size of all data and delete files in the table after the commit, in bytes.

    Example: `77309411328`.
    """
    added_positional_deletes: Annotated[Maybe[Number], Field(alias="addedPositionalDeletes")] = None
    """Number of deleted row positions in the added positional delete files and deletion vectors.

    Example: `340`.
    """
    removed_positional_deletes: Annotated[Maybe[Number], Field(alias="removedPositionalDeletes")] = None
    """Number of deleted row positions in the removed positional delete files and deletion
    vectors.

    Example: `120`.
    """
    total_positional_deletes: Annotated[Maybe[Number], Field(alias="totalPositionalDeletes")] = None
    """Number of deleted row positions that the table's delete files hold after the commit.

    Example: `5210`.
    """
    added_equality_deletes: Annotated[Maybe[Number], Field(alias="addedEqualityDeletes")] = None
    """Number of entries in the added equality delete files.

    One entry may delete many rows, or none. Example: `64`.
    """
    removed_equality_deletes: Annotated[Maybe[Number], Field(alias="removedEqualityDeletes")] = None
    """Number of entries in the removed equality delete files.

    Example: `16`.
    """
    total_equality_deletes: Annotated[Maybe[Number], Field(alias="totalEqualityDeletes")] = None
    """Number of entries that the table's equality delete files hold after the commit.

    Example: `880`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            total_duration: int | float | None = None,
            attempts: int | float | None = None,
            added_data_files: int | float | None = None,
            removed_data_files: int | float | None = None,
            total_data_files: int | float | None = None,
            added_delete_files: int | float | None = None,
            added_equality_delete_files: int | float | None = None,
            added_positional_delete_files: int | float | None = None,
            added_dvs: int | float | None = None,
            removed_delete_files: int | float | None = None,
            removed_equality_delete_files: int | float | None = None,
            removed_positional_delete_files: int | float | None = None,
            removed_dvs: int | float | None = None,
            total_delete_files: int | float | None = None,
            added_records: int | float | None = None,
            removed_records: int | float | None = None,
            total_records: int | float | None = None,
            added_files_size_in_bytes: int | float | None = None,
            removed_files_size_in_bytes: int | float | None = None,
            total_files_size_in_bytes: int | float | None = None,
            added_positional_deletes: int | float | None = None,
            removed_positional_deletes: int | float | None = None,
            total_positional_deletes: int | float | None = None,
            added_equality_deletes: int | float | None = None,
            removed_equality_deletes: int | float | None = None,
            total_equality_deletes: int | float | None = None,
        ) -> None: ...


class IcebergCommitReportOutputDatasetFacet(OutputDatasetFacet):
    """What Iceberg reported about one commit to an output table.

    It names the new snapshot and the kind of change, and counts what was added and removed.
    Engines with an Iceberg metrics reporter, such as Spark, emit it; engineers read it to
    follow table growth and commit conflicts.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-2/IcebergCommitReportOutputDatasetFacet.json#/$defs/IcebergCommitReportOutputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "icebergCommitReport"

    snapshot_id: Annotated[Maybe[Number], Field(alias="snapshotId")] = None
    """Id of the snapshot that the commit created, a 64-bit integer.

    Equal to the `snapshotId` in scan reports of runs that read it later; a reader that turns
    it into a float loses digits. Example: `6027384910573628451`.
    """
    sequence_number: Annotated[Maybe[Number], Field(alias="sequenceNumber")] = None
    """Number of the commit in the table's history, one higher with every commit.

    Tables of format version 1 have none and report 0. Example: `217`.
    """
    operation: Maybe[StrictStr] = None
    """Kind of change that the commit made.

    Usual values are `append`, `overwrite`, `delete` and `replace`, the last for rewrites that
    leave the rows as they are, such as compaction. Examples: `"append"`, `"overwrite"`.
    """
    commit_metrics: Annotated[Maybe[CommitMetrics], Field(alias="commitMetrics")] = None
    """Counters of the commit: what it added and removed, and what the table holds afterwards.

    Iceberg leaves out added and removed counts that are zero, so an absent one is usually 0.
    """
    metadata: Maybe[JsonObject] = None
    """Further facts about the commit by name, such as `engine-name`, `engine-version` and
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
            sequence_number: int | float | None = None,
            operation: str | None = None,
            commit_metrics: CommitMetrics | None = None,
            metadata: Mapping[str, Any] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
