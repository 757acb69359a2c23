"""File scans of a query that Spark has executed, with the partitions and folders that they read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, has_method
from openlineage_facets.spark.jvm.session import members
from openlineage_facets.spark.plans.analyzed_plan import leaves_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MAX_PARTS = 500
"""How many partitions or folders of a scan are listed at most."""

_INNER_PLANS = {
    "AdaptiveSparkPlanExec": ("executedPlan",),
    "BroadcastQueryStageExec": ("plan",),
    "CommandResultExec": ("commandPhysicalPlan",),
    "InMemoryTableScanExec": ("relation.cachedPlan",),
    "ResultQueryStageExec": ("plan",),
    "ShuffleQueryStageExec": ("plan",),
    "TableCacheQueryStageExec": ("plan",),
}
"""Methods that return the inner plans of leaves of a physical plan."""


@dataclass(frozen=True)
class FileScan:
    """What a scan has read.

    Args:
        roots: The folders or files in which Spark looked for partitions.
        partitions: The values of the partition columns of the partitions read; None if the scan has no
            condition on partition columns.
        is_listed: False if there were more parts than are listed.
    """

    roots: tuple[str, ...]
    partitions: tuple[dict[str, Any], ...] | None = None
    is_listed: bool = field(default=True)


def file_scans(spark: SparkSession, execution: JavaObject) -> list[FileScan]:
    """Return the file scans of an executed query, without those of the log of a Delta table.

    Args:
        spark: The session.
        execution: The JVM's QueryExecution.
    """
    leaves = leaves_of(execution.executedPlan(), _INNER_PLANS)
    return [_file_scan(spark, leaf) for leaf in leaves if _reads_data(leaf)]


def _reads_data(leaf: JavaObject) -> bool:
    return (
        class_of(leaf) == "FileSourceScanExec" and class_of(leaf.relation().location()) != "DeltaLogFileIndex"
    )


def _file_scan(spark: SparkSession, scan: JavaObject) -> FileScan:
    roots = [str(root.toString()) for root in members(scan.relation().location().rootPaths())]
    if scan.partitionFilters().isEmpty():
        return FileScan(tuple(roots[:MAX_PARTS]), is_listed=len(roots) <= MAX_PARTS)
    partitions: list[dict[str, Any]] = []
    for values in _selected(scan):
        if len(partitions) == MAX_PARTS:
            return FileScan(tuple(roots[:MAX_PARTS]), tuple(partitions), is_listed=False)
        partitions.append(_as_dict(spark, values, scan.relation().partitionSchema()))
    return FileScan(tuple(roots[:MAX_PARTS]), tuple(partitions), is_listed=len(roots) <= MAX_PARTS)


def _selected(scan: JavaObject) -> Iterator[JavaObject]:
    """Yield the values of the partitions that a scan has selected, also by the rows of a join."""
    found = scan.dynamicallySelectedPartitions()
    if has_method(found, "filePartitionIterator"):  # Since Spark 4.0.
        return (part.values() for part in members(found.filePartitionIterator()))
    return (part.values() for part in found)


def _as_dict(spark: SparkSession, values: JavaObject, schema: JavaObject) -> dict[str, Any]:
    java: Any = spark.sparkContext._jvm
    row = java.org.apache.spark.sql.catalyst.CatalystTypeConverters.convertToScala(values, schema)
    found: dict[str, Any] = json.loads(row.json())
    return {str(name): found.get(name) for name in schema.fieldNames()}
