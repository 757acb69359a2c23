"""Collect which parts of its inputs a run has read, from the physical plans of its queries."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import unquote

from pyspark.sql import SparkSession

from openlineage_facets.facets import InputSubsetInputDatasetFacet
from openlineage_facets.facets import base_subset_dataset as conditions
from openlineage_facets.spark.analyzed_plan import leaves_of
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.jvm import JavaObject, class_of, has_method, members
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.metrics.scans import is_at_or_below, normalized_path
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset

_MAX_PARTS = 500
"""How many partitions or folders of a dataset are listed at most."""


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

_HIDING = ("EmptyRelationExec", "HiveTableScanExec")
"""Leaves whose scans are not known. Spark replaces a join of which one side turns out to be empty by an empty
relation, although it may have read the other side; before 4.0, by a table without rows.
"""


@dataclass(frozen=True)
class Subset:
    """A part of a dataset, or all of it.

    Args:
        partitions: Partitions, as JSON objects of the values of their columns.
        locations: Folders or files.
        is_whole: All of it, or a part that is not known.
    """

    partitions: frozenset[str] = frozenset()
    locations: frozenset[str] = frozenset()
    is_whole: bool = False

    @classmethod
    def of_partitions(cls, partitions: Iterable[dict[str, Any]]) -> Subset:
        """Return partitions with these values."""
        return cls(partitions=frozenset(json.dumps(values) for values in partitions))

    def __or__(self, other: Subset) -> Subset:
        """Return what is in one of two parts."""
        if self.is_whole or other.is_whole:
            return WHOLE
        return Subset(self.partitions | other.partitions, self.locations | other.locations)

    def columns(self) -> set[str]:
        """Return the partition columns; empty without partitions."""
        return {column for values in self.partitions for column in json.loads(values)}


WHOLE = Subset(is_whole=True)
"""All of a dataset, or an unknown part."""

NOTHING = Subset()
"""No partition satisfies the condition of a scan."""


@dataclass(frozen=True)
class FileScan:
    """What a scan has read.

    Args:
        roots: The folders or files in which Spark looked for partitions.
        part: The partitions read, of which only some are here if they are more than are listed in a facet;
            without a condition on partition columns, the roots.
    """

    roots: tuple[str, ...]
    part: Subset


def file_scans(spark: SparkSession, execution: JavaObject) -> list[FileScan] | None:
    """Return the file scans of an executed query, without those of the log of a Delta table.

    Args:
        spark: The session.
        execution: The JVM's QueryExecution.

    Returns:
        The scans; None if the plan may have others that it no longer shows.
    """
    scans = []
    for leaf in leaves_of(execution.executedPlan(), _INNER_PLANS):
        kind = class_of(leaf)
        if kind in _HIDING or (kind == "LocalTableScanExec" and leaf.rows().isEmpty()):
            return None
        if kind == "FileSourceScanExec" and class_of(leaf.relation().location()) != "DeltaLogFileIndex":
            scans.append(_file_scan(spark, leaf))
    return scans


def _file_scan(spark: SparkSession, scan: JavaObject) -> FileScan:
    paths = [str(root.toString()) for root in members(scan.relation().location().rootPaths())]
    roots = tuple(paths[: _MAX_PARTS + 1])
    if scan.partitionFilters().isEmpty():
        return FileScan(roots, Subset(locations=frozenset(roots)))
    schema = scan.relation().partitionSchema()
    selected = islice(_selected(scan), _MAX_PARTS + 1)
    return FileScan(roots, Subset.of_partitions(_as_dict(spark, values, schema) for values in selected))


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


class ReadSubsets:
    """The parts of its inputs that a run has read, as far as Spark reports the queries.

    Args:
        recorder: Records inputs and outputs.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._scans: dict[tuple[str, ...], Subset] = {}
        self._whole: set[Identity] = set()
        self._lock = threading.Lock()

    def add(self, scans: Iterable[FileScan]) -> None:
        """Add the scans of a query that was executed."""
        with self._lock:
            for scan in scans:
                known = self._scans.get(scan.roots, NOTHING)
                self._scans[scan.roots] = _listed(known | scan.part, scan.roots[0])

    def add_unreported(self, inputs: Iterable[SparkDataset]) -> None:
        """Add inputs of which an unknown part is read, because Spark does not report the query."""
        with self._lock:
            self._whole.update(dataset.identity for dataset in inputs)

    def finish(self) -> None:
        """Record the parts of the inputs that were not read completely."""
        with self._lock:
            scans, whole = dict(self._scans), set(self._whole)
        scans_below: dict[str, list[tuple[str, ...]]] = {}
        for roots in scans:
            for folder in {folder for root in roots for folder in _with_parents(root)}:
                scans_below.setdefault(folder, []).append(roots)
        for location, identity in self._recorder.inputs.by_location().items():
            below = scans_below.get(normalized_path(location), ())
            parts = [_below(roots, scans[roots], location) for roots in below]
            if identity in whole or not parts:
                continue
            subset = NOTHING
            for part in parts:
                subset = _listed(subset | part, location)
            facet = subset_facet(subset)
            if facet is not None:
                self._recorder.inputs.add_facet(identity, facet)


def _with_parents(path: str) -> Iterator[str]:
    path = normalized_path(path)
    yield path
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _listed(part: Subset, location: str) -> Subset:
    """Return a part, or the whole dataset if it is too large to list."""
    if len(part.partitions) + len(part.locations) <= _MAX_PARTS:
        return part
    log_once(f"the parts read of {location} are not captured: they are more than {_MAX_PARTS}")
    return WHOLE


def _below(roots: tuple[str, ...], part: Subset, location: str) -> Subset:
    """Return the part of the dataset at a location that a scan has read, possibly with other datasets."""
    inside = [root for root in roots if is_at_or_below(root, location)]
    if part.partitions and len(inside) < len(roots):
        return WHOLE  # The partitions may be those of the other datasets.
    if part.is_whole:
        return WHOLE
    if part == NOTHING:
        return NOTHING
    if part.locations:
        at_root = any(is_at_or_below(location, root) for root in inside)
        return WHOLE if at_root else Subset(part.partitions, frozenset(inside))
    if all(_folder_columns(root, location) <= part.columns() for root in inside):
        return part
    return Subset(locations=frozenset(inside))  # The columns in the path of the folder are missing.


def _folder_columns(root: str, location: str) -> set[str]:
    """Return the partition columns in the path of a folder below a dataset."""
    folders = root.rstrip("/").split("/")[len(location.rstrip("/").split("/")) :]
    return {unquote(folder.partition("=")[0]) for folder in folders if "=" in folder}


def subset_facet(subset: Subset) -> InputSubsetInputDatasetFacet | None:
    """Return the facet of a part; None for all of a dataset."""
    if subset.is_whole:
        return None
    partitions = conditions.PartitionSubsetCondition(
        type="partition",
        partitions=[
            conditions.Partition(dimensions=json.loads(values)) for values in sorted(subset.partitions)
        ],
    )
    if not subset.locations:
        return InputSubsetInputDatasetFacet(input_condition=partitions)
    locations = conditions.LocationSubsetCondition(type="location", locations=sorted(subset.locations))
    if not subset.partitions:
        return InputSubsetInputDatasetFacet(input_condition=locations)
    both = conditions.BinarySubsetCondition(type="binary", operator="OR", left=partitions, right=locations)
    return InputSubsetInputDatasetFacet(input_condition=both)
