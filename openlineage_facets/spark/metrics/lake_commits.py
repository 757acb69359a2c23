"""Commits to Delta and Iceberg tables, and reports of Iceberg: versions, and how much they added.

The table formats count what a commit adds. Spark only counts rows, including those that a format writes for
its own purposes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pyspark.sql import SparkSession

from openlineage_facets.facets import (
    DatasetVersionDatasetFacet,
    IcebergCommitReportOutputDatasetFacet,
    iceberg_commit_report_output_dataset,
)
from openlineage_facets.spark.datasets.tables import delta_snapshot, leaf_of_table, newest_snapshot
from openlineage_facets.spark.jvm import JavaObject, entry, hadoop_configuration, hadoop_path
from openlineage_facets.spark.metrics.counts import Counts, total
from openlineage_facets.spark.spark_dataset import SparkDataset

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

_METADATA = ("engine-name", "engine-version", "iceberg-version")


def commit_report(snapshot: JavaObject) -> IcebergCommitReportOutputDatasetFacet:
    """Return the report about the commit that created a snapshot.

    The duration of the commit and the number of its attempts are not stored.
    """
    summary = snapshot.summary()
    texts = {field: entry(summary, name) for field, name in _COUNTERS.items()}
    counters = {field: int(value) for field, value in texts.items() if value is not None}
    metadata = {name: value for name in _METADATA if (value := entry(summary, name)) is not None}
    return IcebergCommitReportOutputDatasetFacet(
        snapshot_id=int(snapshot.snapshotId()),
        sequence_number=int(snapshot.sequenceNumber()),
        operation=str(snapshot.operation()),
        commit_metrics=iceberg_commit_report_output_dataset.CommitMetrics(**counters),
        metadata=metadata,
    )


_DELTA_ROWS = ({"numOutputRows"}, {"numUpdatedRows", "numCopiedRows"}, {"numCopiedRows"})
"""Delta's names for the rows of added files: of a write or a merge, of an update, of a delete."""
_DELTA_FILES = ("numFiles", "numTargetFilesAdded", "numAddedFiles")
_DELTA_BYTES = ("numOutputBytes", "numTargetBytesAdded", "numAddedBytes")
_MAX_COMMITS = 1_000
"""How many commits are read at most to count what a stream has written."""
_DELTA_DELETION_VECTORS = ("numDeletionVectorsAdded", "numTargetDeletionVectorsAdded")


@dataclass(frozen=True)
class Commit:
    """A commit to a table.

    Args:
        version: The version that it created.
        previous_version: The version before it; None if there was none or none of its rows were kept.
        is_first: Whether it created the table; None if unknown.
        counts: What it added, including rows that were copied to a new file.
        report: Iceberg's report about it.
    """

    version: str
    previous_version: str | None
    is_first: bool | None
    counts: Counts
    report: IcebergCommitReportOutputDatasetFacet | None = None

    def dataset_after(self, dataset: SparkDataset) -> SparkDataset:
        """Return the table with the version that the commit created."""
        return _with_version(dataset, self.version)

    def dataset_before(self, dataset: SparkDataset) -> SparkDataset:
        """Return the table with the version before the commit."""
        return _with_version(dataset, self.previous_version)


def newest_commit(spark: SparkSession, dataset: SparkDataset, since: int) -> Commit | None:
    """Return the newest commit to a table; None if there is none since a time, or the format has no commits.

    Args:
        spark: The session.
        dataset: The table.
        since: Milliseconds since 1970.
    """
    layer = dataset.storage_layer
    if layer is None or layer not in _READERS or (dataset.table or dataset.location) is None:
        return None
    return _READERS[layer](spark, leaf_of_table(spark, dataset), since)


def counts_of_delta_stream(
    spark: SparkSession, dataset: SparkDataset, query_id: str, since: int
) -> Counts | None:
    """Return what the commits of a stream have added to a Delta table; None for another kind of sink.

    Args:
        spark: The session.
        dataset: The sink.
        query_id: The id of the StreamingQuery, which it keeps when it is started again.
        since: Milliseconds since 1970.
    """
    if dataset.storage_layer != "delta" or (dataset.table or dataset.location) is None:
        return None
    snapshot, added = delta_snapshot(leaf_of_table(spark, dataset)), [Counts(rows=0)]
    log, newest = str(snapshot.deltaLog().logPath().toString()), int(snapshot.version())
    for version in range(newest, max(-1, newest - _MAX_COMMITS), -1):
        info = _delta_commit_info(spark, log, version)
        if info.get("timestamp", -1) < since:
            return total(added)
        if (info.get("operationParameters") or {}).get("queryId") == query_id:
            added.append(_delta_counts(info.get("operationMetrics") or {}))
    return total(added) if newest < _MAX_COMMITS else None


def _iceberg_commit(spark: SparkSession, leaf: JavaObject, since: int) -> Commit | None:
    snapshot = newest_snapshot(leaf.table())
    if snapshot is None or snapshot.timestampMillis() < since:
        return None
    summary, parent = snapshot.summary(), snapshot.parentId()
    has_delete_files = entry(summary, "added-delete-files") is not None
    counts = Counts(
        int(entry(summary, "added-records") or 0),
        # The size of added files includes delete files.
        None if has_delete_files else int(entry(summary, "added-files-size") or 0),
        int(entry(summary, "added-data-files") or 0),
    )
    number = int(snapshot.sequenceNumber())  # Always 0 in version 1 of the format.
    previous = None if parent is None else str(parent)
    is_first = number == 1 if number else None
    return Commit(str(snapshot.snapshotId()), previous, is_first, counts, commit_report(snapshot))


def _delta_commit(spark: SparkSession, leaf: JavaObject, since: int) -> Commit | None:
    snapshot = delta_snapshot(leaf)
    version = int(snapshot.version())
    info = _delta_commit_info(spark, str(snapshot.deltaLog().logPath().toString()), version)
    if info.get("timestamp", -1) < since:
        return None
    previous = None if version == 0 else str(version - 1)
    return Commit(str(version), previous, version == 0, _delta_counts(info.get("operationMetrics") or {}))


def _delta_commit_info(spark: SparkSession, log: str, version: int) -> dict[str, JavaObject]:
    """Return the commit info, which Delta writes in the first line of the commit file."""
    path = hadoop_path(spark, f"{log}/{version:020d}.json")
    java: JavaObject = spark.sparkContext._jvm
    stream = path.getFileSystem(hadoop_configuration(spark)).open(path)
    try:
        line = java.java.io.BufferedReader(java.java.io.InputStreamReader(stream, "UTF-8")).readLine()
    finally:
        stream.close()
    info: dict[str, JavaObject] = json.loads(line or "{}").get("commitInfo") or {}
    return info


def _delta_counts(metrics: Mapping[str, str]) -> Counts:
    if any(int(metrics.get(name, 0)) for name in _DELTA_DELETION_VECTORS):
        return Counts()  # The counted files are unchanged files that got a deletion vector.
    names = next((names for names in _DELTA_ROWS if names <= metrics.keys()), None)
    return Counts(
        sum(int(metrics[name]) for name in names) if names else None,
        next((int(metrics[name]) for name in _DELTA_BYTES if name in metrics), None),
        next((int(metrics[name]) for name in _DELTA_FILES if name in metrics), None),
    )


def _with_version(dataset: SparkDataset, version: str | None) -> SparkDataset:
    others = tuple(facet for facet in dataset.facets if not isinstance(facet, DatasetVersionDatasetFacet))
    if version is None:
        return replace(dataset, facets=others)
    return replace(dataset, facets=(*others, DatasetVersionDatasetFacet(dataset_version=version)))


_READERS = {"delta": _delta_commit, "iceberg": _iceberg_commit}
