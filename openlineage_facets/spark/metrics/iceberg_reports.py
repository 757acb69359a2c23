"""Reports of Iceberg: about commits from the summary of the snapshot, about scans from Spark's metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping

from openlineage_facets.facets import (
    IcebergCommitReportOutputDatasetFacet,
    IcebergScanReportInputDatasetFacet,
    iceberg_commit_report_output_dataset,
    iceberg_scan_report_input_dataset,
)
from openlineage_facets.spark.jvm.objects import JavaObject, entry

PLANNING = {
    "total_planning_duration": "total planning duration (ms)",
    "result_data_files": "number of result data files",
    "result_delete_files": "number of result delete files",
    "total_data_manifests": "total data manifests",
    "total_delete_manifests": "total delete manifests",
    "scanned_data_manifests": "number of scanned data manifests",
    "skipped_data_manifests": "number of skipped data manifests",
    "total_file_size_in_bytes": "total data file size (bytes)",
    "total_delete_file_size_in_bytes": "total delete file size (bytes)",
    "skipped_data_files": "number of skipped data files",
    "skipped_delete_files": "number of skipped delete files",
    "scanned_delete_manifests": "number of scanned delete manifests",
    "skipped_delete_manifests": "number of skipped delete manifest",
    "indexed_delete_files": "number of indexed delete files",
    "equality_delete_files": "number of equality delete files",
    "positional_delete_files": "number of positional delete files",
}
"""Names of the metrics of a scan in Spark by the names of the facet."""

_COUNTERS = {
    "added_data_files": "added-data-files",
    "removed_data_files": "deleted-data-files",
    "total_data_files": "total-data-files",
    "added_delete_files": "added-delete-files",
    "added_equality_delete_files": "added-equality-delete-files",
    "added_positional_delete_files": "added-position-delete-files",
    "added_dvs": "added-dvs",
    "removed_delete_files": "removed-delete-files",
    "removed_equality_delete_files": "removed-equality-delete-files",
    "removed_positional_delete_files": "removed-position-delete-files",
    "removed_dvs": "removed-dvs",
    "total_delete_files": "total-delete-files",
    "added_records": "added-records",
    "removed_records": "deleted-records",
    "total_records": "total-records",
    "added_files_size_in_bytes": "added-files-size",
    "removed_files_size_in_bytes": "removed-files-size",
    "total_files_size_in_bytes": "total-files-size",
    "added_positional_deletes": "added-position-deletes",
    "removed_positional_deletes": "removed-position-deletes",
    "total_positional_deletes": "total-position-deletes",
    "added_equality_deletes": "added-equality-deletes",
    "removed_equality_deletes": "removed-equality-deletes",
    "total_equality_deletes": "total-equality-deletes",
}
"""Iceberg's names in the summary by those of the facet."""

_FILTERS = re.compile(r"\bfilters=(.*?), (?:runtimeFilters|groupedBy)=", re.DOTALL)
_COLUMNS = re.compile(r"^BatchScan [^\[]*\[(.*?)\] ", re.DOTALL)
_CUT_OFF = re.compile(r"\.\.\. \d+ more fields$")
_METADATA = ("engine-name", "engine-version", "iceberg-version")


def scan_report(
    planning: Mapping[str, int | None], description: str
) -> IcebergScanReportInputDatasetFacet | None:
    """Return the report about a scan, without the snapshot; None if it is not one of Iceberg.

    Args:
        planning: The metrics with the names of `PLANNING`.
        description: Spark's description of the scan.
    """
    counters = {field: number for field, number in planning.items() if number is not None}
    if not counters:
        return None
    filters = _FILTERS.search(description)
    return IcebergScanReportInputDatasetFacet(
        filter_description=None if filters is None else filters[1],
        projected_field_names=_columns(description),
        scan_metrics=iceberg_scan_report_input_dataset.ScanMetrics(**counters),
    )


def _columns(description: str) -> list[str] | None:
    """Return the columns of a scan such as `BatchScan orders[id#1L, day#2] ...`; None if some are cut off."""
    columns = _COLUMNS.search(description)
    if columns is None or _CUT_OFF.search(columns[1]):
        return None
    return [] if not columns[1] else re.split(r"#\d+L?(?:, |$)", columns[1])[:-1]


def commit_report(snapshot: JavaObject) -> IcebergCommitReportOutputDatasetFacet:
    """Return the report about the commit that created a snapshot.

    The duration of the commit and the number of its attempts are not stored.
    """
    summary = snapshot.summary()
    found = {field: entry(summary, name) for field, name in _COUNTERS.items()}
    counters = {field: int(value) for field, value in found.items() if value is not None}
    metadata = {name: value for name in _METADATA if (value := entry(summary, name)) is not None}
    return IcebergCommitReportOutputDatasetFacet(
        snapshot_id=int(snapshot.snapshotId()),
        sequence_number=int(snapshot.sequenceNumber()),
        operation=str(snapshot.operation()),
        commit_metrics=iceberg_commit_report_output_dataset.CommitMetrics(**counters),
        metadata=metadata,
    )
