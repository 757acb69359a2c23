"""Record what a run has read."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from openlineage_facets.facets import (
    IcebergScanReportInputDatasetFacet,
    InputDatasetFacet,
    InputStatisticsInputDatasetFacet,
    StorageDatasetFacet,
)
from openlineage_facets.spark.capture.dataset_names import DatasetNames
from openlineage_facets.spark.capture.recorded_facets import RecordedFacets
from openlineage_facets.spark.datasets.read_versions import facets_of_versions
from openlineage_facets.spark.metrics.counts import Counts, total, widest
from openlineage_facets.spark.metrics.scans import Scan, scans_by_dataset
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset


class RecordedInputs:
    """The inputs of a run.

    Args:
        facets: The facets of its inputs and outputs.
        lock: Held while they are changed.
        names: The names that the user passed for datasets.
    """

    def __init__(
        self, facets: RecordedFacets, lock: AbstractContextManager[Any], names: DatasetNames
    ) -> None:
        self._facets = facets
        self._lock = lock
        self._names = names
        self._read: dict[Identity, Counts] = {}
        self._shared_scans: set[str] = set()
        self._locations: dict[str, Identity] = {}

    def add(self, found: Iterable[SparkDataset]) -> list[SparkDataset]:
        """Add inputs, and return them without duplicates under their final names."""
        distinct = {dataset.identity: dataset for dataset in map(self._names.apply, found)}
        for identity, dataset in distinct.items():
            with self._lock:
                known = self._facets.inputs.get(identity, {}).values()
                facets = facets_of_versions(known, dataset.facets) or dataset.facets
                self._facets.add_input(identity, facets)
                if dataset.location is not None:
                    self._locations[dataset.location] = identity
        return list(distinct.values())

    def add_executed(self, found: Iterable[SparkDataset]) -> None:
        """Add the inputs of a query that Spark has executed.

        To infer the columns of a CSV or JSON file, Spark reads it as text, in a separate query. This does not
        replace what is known of the file.
        """
        self.add(dataset for dataset in found if not self._is_known_with_another_format(dataset))

    def _is_known_with_another_format(self, dataset: SparkDataset) -> bool:
        if _file_format(dataset.facets) != "text":
            return False
        identity = self._names.apply(dataset).identity
        with self._lock:
            known = self._facets.inputs.get(identity, {})
            return _file_format(known.values()) not in (None, "text")

    def add_scans(
        self, inputs: Iterable[SparkDataset], scans: Iterable[Scan], *, repeated: bool = False
    ) -> list[Scan]:
        """Add what one action read of each input, for scans that belong to exactly one input.

        Args:
            inputs: The inputs.
            scans: What the scans of the action read.
            repeated: The action scans the same rows of an input several times; count them once.

        Returns:
            The scans without those of a cache or a batch that were counted before.
        """
        combine = widest if repeated else total
        inputs, scans = list(inputs), self._uncounted(scans)
        for dataset, own in scans_by_dataset(inputs, scans):
            identity = self._names.apply(dataset).identity
            facets: list[InputDatasetFacet] = []
            if len(own) == 1 or (own and repeated):
                most = widest([scan.counts for scan in own])
                facets += self._scan_reports(identity, next(scan for scan in own if scan.counts == most))
            counts = combine([scan.counts for scan in own]) if own else Counts()
            with self._lock:
                read = self._read.get(identity, Counts(0, 0, 0)) + counts
                self._read[identity] = read
                was_reported = "inputStatistics" in self._facets.inputs.get(identity, {})
            # Without any count, the facet takes back what was reported before.
            if read or was_reported:
                facets.append(InputStatisticsInputDatasetFacet(**read.statistics))
            if facets:
                self._facets.add_input(identity, facets)
        return scans

    def _uncounted(self, scans: Iterable[Scan]) -> list[Scan]:
        """Return scans without those of a cache or a batch that were counted before."""
        uncounted = []
        with self._lock:
            for scan in scans:
                if scan.shared is None or scan.shared not in self._shared_scans:
                    uncounted.append(scan)
                if scan.shared is not None:
                    self._shared_scans.add(scan.shared)
        return uncounted

    def _scan_reports(self, identity: Identity, scan: Scan) -> list[IcebergScanReportInputDatasetFacet]:
        """Return Iceberg's report about a scan, if any, of the version of an input that was added last."""
        if scan.report is None:
            return []
        with self._lock:
            version = self._facets.inputs.get(identity, {}).get("version")
        if version is None:
            return [scan.report]
        return [scan.report.model_copy(update={"snapshot_id": int(version.dataset_version)})]

    def by_location(self) -> dict[str, Identity]:
        """Return the inputs that have files, by their location."""
        with self._lock:
            return dict(self._locations)

    def add_facet(self, identity: Identity, facet: InputDatasetFacet) -> None:
        """Add a facet of an input."""
        self._facets.add_input(identity, [facet])


def _file_format(facets: Iterable[Any]) -> str | None:
    """Return the file format that a storage facet names."""
    return next((facet.file_format for facet in facets if isinstance(facet, StorageDatasetFacet)), None)
