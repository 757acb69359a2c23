"""Collect which parts of its inputs a run has read."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from openlineage_facets.facets import InputSubsetInputDatasetFacet
from openlineage_facets.facets import base_subset_dataset as conditions
from openlineage_facets.spark.capture.guard import Gaps
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.metrics.scans import is_at_or_below
from openlineage_facets.spark.plans.physical_plan import MAX_PARTS, FileScan
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset


class ReadSubsets:
    """The parts of its inputs that a run has read, as far as Spark reports the queries.

    Args:
        recorder: Records inputs and outputs.
        gaps: What could not be captured.
    """

    def __init__(self, recorder: Recorder, gaps: Gaps) -> None:
        self._recorder = recorder
        self._gaps = gaps
        self._scans: dict[tuple[str, ...], Subset] = {}
        self._whole: set[Identity] = set()
        self._lock = threading.Lock()

    def add(self, scans: Iterable[FileScan]) -> None:
        """Add the scans of a query that was executed."""
        with self._lock:
            for scan in scans:
                known = self._scans.get(scan.roots)
                part = _part(scan)
                if not scan.is_listed:
                    self._gaps.add(f"the parts read of {scan.roots[0]}, more than {MAX_PARTS}")
                self._scans[scan.roots] = part if known is None else union(known, part)

    def add_unreported(self, inputs: Iterable[SparkDataset]) -> None:
        """Add inputs of which an unknown part is read, because Spark does not report the query."""
        with self._lock:
            self._whole.update(dataset.identity for dataset in inputs)

    def finish(self) -> None:
        """Record the parts of the inputs that were not read completely."""
        with self._lock:
            scans, whole = dict(self._scans), set(self._whole)
        for location, identity in self._recorder.input_locations().items():
            parts = [
                _below(roots, part, location)
                for roots, part in scans.items()
                if any(is_at_or_below(root, location) for root in roots)
            ]
            if identity in whole or not parts:
                continue
            subset = parts[0]
            for part in parts[1:]:
                subset = union(subset, part)
            facet = subset_facet(subset)
            if facet is not None:
                self._recorder.add_input_facet(identity, facet)


def _part(scan: FileScan) -> Subset:
    if not scan.is_listed:
        return WHOLE
    if scan.partitions is not None:
        return Subset.of_partitions(scan.partitions)
    return Subset(locations=frozenset(scan.roots))


def _below(roots: tuple[str, ...], part: Subset, location: str) -> Subset:
    """Return the part of the dataset at a location that a scan has read, possibly with other datasets."""
    inside = [root for root in roots if is_at_or_below(root, location)]
    if part.partitions and len(inside) < len(roots):
        return WHOLE  # The partitions may be those of the other datasets.
    if part.is_whole:
        return WHOLE
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

    def columns(self) -> set[str]:
        """Return the partition columns; empty without partitions."""
        return {column for values in self.partitions for column in json.loads(values)}


WHOLE = Subset(is_whole=True)
"""All of a dataset, or an unknown part."""


def union(first: Subset, second: Subset) -> Subset:
    """Return what is in one of two parts."""
    if first.is_whole or second.is_whole:
        return WHOLE
    return Subset(first.partitions | second.partitions, first.locations | second.locations)


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
