"""Attribute the scans of a plan to the datasets that they read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from openlineage_facets.spark.metrics.counts import Counts, total
from openlineage_facets.spark.metrics.scans import TRUNCATED, Scan
from openlineage_facets.spark.spark_dataset import SparkDataset

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/+(?=[^/])", re.IGNORECASE)


def counts_by_dataset(
    datasets: Sequence[SparkDataset],
    scans: Sequence[Scan],
    combine: Callable[[Sequence[Counts]], Counts] = total,
) -> list[tuple[SparkDataset, Counts]]:
    """Return what was read of each dataset; empty counts for datasets with ambiguous scans.

    Args:
        datasets: The datasets.
        scans: The scans.
        combine: Returns the counts of a dataset from those of its scans.
    """
    return [
        (dataset, combine([scan.counts for scan in own]) if own else Counts())
        for dataset, own in scans_by_dataset(datasets, scans)
    ]


def scans_by_dataset(
    datasets: Sequence[SparkDataset], scans: Sequence[Scan]
) -> list[tuple[SparkDataset, list[Scan]]]:
    """Return the scans of each dataset that was scanned; none for datasets with ambiguous scans.

    A scan of files belongs to the dataset of its location. It may show several locations, and Spark truncates
    long paths: a scan that matches several datasets is ambiguous. A scan of a table belongs to the table with
    its name. A single scan of something else belongs to the only dataset without a location.
    """
    owners = [_owners(datasets, scan, scans) for scan in scans]
    ambiguous = [dataset for owner in owners if len(owner) > 1 for dataset in owner]
    attributed: list[tuple[SparkDataset, list[Scan]]] = []
    for dataset in datasets:
        own = [scan for scan, owner in zip(scans, owners, strict=True) if owner == [dataset]]
        if dataset in ambiguous:
            attributed.append((dataset, []))
        elif own:
            attributed.append((dataset, own))
    return attributed


def _owners(datasets: Sequence[SparkDataset], scan: Scan, scans: Sequence[Scan]) -> list[SparkDataset]:
    if scan.locations:
        return [
            dataset
            for dataset in datasets
            if any(_may_be_below(path, dataset.location) for path in scan.locations)
        ]
    named = [
        dataset
        for dataset in datasets
        if dataset.table and scan.name == "BatchScan " + dataset.table.replace("`", "")
    ]
    if named:
        return named
    without_location = [dataset for dataset in datasets if dataset.location is None]
    other_scans = [other for other in scans if not other.locations and other is not scan]
    return without_location if len(without_location) == 1 and not other_scans else []


def _may_be_below(shown_path: str, location: str | None) -> bool:
    """Return whether a path in a plan, which may be truncated, can be a location or below it."""
    if location is None:
        return False
    path, truncated, _ = shown_path.partition(TRUNCATED)
    path, root = _normalized(path), _normalized(location)
    if truncated and len(path) <= len(root):
        return root.startswith(path)
    return path == root or path.startswith(root.rstrip("/") + "/")


def is_at_or_below(path: str, location: str) -> bool:
    """Return whether a path is a location or below it."""
    return _may_be_below(path, location)


def is_same_path(path: str, location: str | None) -> bool:
    """Return whether a path is a location."""
    return location is not None and _normalized(path) == _normalized(location)


def _normalized(path: str) -> str:
    """Return a path with one slash after its scheme: Spark writes both file:/tmp and file:///tmp."""
    return _SCHEME.sub(r"\1:/", path.strip()).rstrip("/")
