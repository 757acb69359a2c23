"""What the log of a Delta or Iceberg table says of a write: the version made, and how much was added.

A write to such a table is a commit, and what is committed is counted by the table format itself. Spark counts
the rows alone, and with them those that the format writes for its own use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetVersionDatasetFacet, StorageDatasetFacet
from openlineage_facets.spark.jvm import JavaObject, class_of, entry, hadoop_configuration, hadoop_path
from openlineage_facets.spark.measuring import Counts
from openlineage_facets.spark.plan import analyzed_plan, leaves_of
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Commit", "commit_since"]

_DELTA_ROWS = ({"numOutputRows"}, {"numUpdatedRows", "numCopiedRows"}, {"numCopiedRows"})
"""What Delta calls the rows of the files it adds: those of a write or a merge, of an update, of a delete."""
_DELTA_FILES = ("numFiles", "numTargetFilesAdded", "numAddedFiles")
_DELTA_BYTES = ("numOutputBytes", "numTargetBytesAdded", "numAddedBytes")
_DELTA_MARKED = ("numDeletionVectorsAdded", "numTargetDeletionVectorsAdded")


@dataclass(frozen=True)
class Commit:
    """One commit to a table.

    Args:
        version: The version that it made.
        before: The version that it was made on; None where there was none, or nothing of it was kept.
        is_first: Whether it has made the table; None where that is not known.
        counts: What it added, rows that were copied to a new file among them.
    """

    version: str
    before: str | None
    is_first: bool | None
    counts: Counts

    def after(self, dataset: SparkDataset) -> SparkDataset:
        """Return the table as the commit has left it."""
        return _at(dataset, self.version)

    def ahead(self, dataset: SparkDataset) -> SparkDataset:
        """Return the table as the commit has found it."""
        return _at(dataset, self.before)


def commit_since(spark: SparkSession, dataset: SparkDataset, began: int) -> Commit | None:
    """Return the newest commit to a table; None for what has no commits, or none since a write began.

    Args:
        spark: The session.
        dataset: The table.
        began: When the write began, in milliseconds since 1970.
    """
    layer = next((one.storage_layer for one in dataset.facets if isinstance(one, StorageDatasetFacet)), None)
    if layer not in _READERS or (dataset.table or dataset.location) is None:
        return None
    if dataset.table is not None:
        frame = spark.table(dataset.table)
    else:
        frame = spark.read.format(layer).load(dataset.location)
    [leaf] = leaves_of(analyzed_plan(frame))
    return _READERS[layer](spark, leaf, began)


def _iceberg(spark: SparkSession, leaf: JavaObject, began: int) -> Commit | None:
    snapshot = leaf.table().table().currentSnapshot()
    if snapshot is None or snapshot.timestampMillis() < began:
        return None
    summary, parent = snapshot.summary(), snapshot.parentId()
    marked = entry(summary, "added-delete-files") is not None  # The bytes are theirs, too.
    counts = Counts(
        int(entry(summary, "added-records") or 0),
        None if marked else int(entry(summary, "added-files-size") or 0),
        int(entry(summary, "added-data-files") or 0),
    )
    number = int(snapshot.sequenceNumber())  # Always 0 in the first version of the format.
    before = None if parent is None else str(parent)
    return Commit(str(snapshot.snapshotId()), before, number == 1 if number else None, counts)


def _delta(spark: SparkSession, leaf: JavaObject, began: int) -> Commit | None:
    if class_of(leaf) == "LogicalRelation":
        snapshot = leaf.relation().location().getSnapshot()
    else:
        snapshot = leaf.table().initialSnapshot()
    version = int(snapshot.version())
    info = _delta_commit(spark, f"{snapshot.deltaLog().logPath().toString()}/{version:020d}.json")
    if info.get("timestamp", -1) < began:
        return None
    before = None if version == 0 else str(version - 1)
    return Commit(str(version), before, version == 0, _delta_counts(info.get("operationMetrics") or {}))


def _delta_commit(spark: SparkSession, file: str) -> dict[str, JavaObject]:
    """Return what a commit says of itself, which Delta writes in its first line."""
    path = hadoop_path(spark, file)
    java: JavaObject = spark.sparkContext._jvm
    stream = path.getFileSystem(hadoop_configuration(spark)).open(path)
    try:
        line = java.java.io.BufferedReader(java.java.io.InputStreamReader(stream, "UTF-8")).readLine()
    finally:
        stream.close()
    found: dict[str, JavaObject] = json.loads(line or "{}").get("commitInfo") or {}
    return found


def _delta_counts(metrics: Mapping[str, str]) -> Counts:
    if any(int(metrics.get(name, 0)) for name in _DELTA_MARKED):
        return Counts()  # Files whose rows are marked as deleted are added again, as they were.
    names = next((names for names in _DELTA_ROWS if names <= metrics.keys()), None)
    return Counts(
        sum(int(metrics[name]) for name in names) if names else None,
        next((int(metrics[name]) for name in _DELTA_BYTES if name in metrics), None),
        next((int(metrics[name]) for name in _DELTA_FILES if name in metrics), None),
    )


def _at(dataset: SparkDataset, version: str | None) -> SparkDataset:
    others = tuple(one for one in dataset.facets if not isinstance(one, DatasetVersionDatasetFacet))
    if version is None:
        return replace(dataset, facets=others)
    return replace(dataset, facets=(*others, DatasetVersionDatasetFacet(dataset_version=version)))


_READERS = {"delta": _delta, "iceberg": _iceberg}
