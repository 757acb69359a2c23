"""Which scan of a plan read which dataset."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openlineage_facets.spark.datasets import SparkDataset
from openlineage_facets.spark.measuring import Counts, Scan

__all__ = ["scans_of"]

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/+(?=[^/])", re.IGNORECASE)
_CUT = "..."
"""How Spark ends a path that is too long to show."""


def scans_of(datasets: Sequence[SparkDataset], scans: Sequence[Scan]) -> list[tuple[SparkDataset, Counts]]:
    """Return what was read of each dataset, where every scan that may be its own surely is.

    A scan of files belongs to the dataset whose location it names. It may name several, and Spark cuts long
    paths: what two datasets may own is nobody's, and then neither dataset's numbers are known. A scan of a
    table belongs to the table that it names, and the one scan of something else to the one dataset that has
    no location.
    """
    owners = [_owners(datasets, scan, scans) for scan in scans]
    doubtful = [dataset for owner in owners if len(owner) > 1 for dataset in owner]
    return [(dataset, Counts()) for dataset in datasets if dataset in doubtful] + [
        (dataset, sum(counts, Counts(0, 0, 0)) if len(counts) > 1 else counts[0])
        for dataset in datasets
        if dataset not in doubtful
        and (counts := [scan.counts for scan, own in zip(scans, owners, strict=True) if own == [dataset]])
    ]


def _owners(datasets: Sequence[SparkDataset], scan: Scan, scans: Sequence[Scan]) -> list[SparkDataset]:
    if scan.locations:
        return [one for one in datasets if any(_may_lie(path, one.location) for path in scan.locations)]
    named = [one for one in datasets if one.table and scan.name == "BatchScan " + one.table.replace("`", "")]
    if named:
        return named
    placeless = [one for one in datasets if one.location is None]
    others = [one for one in scans if not one.locations and one is not scan]
    return placeless if len(placeless) == 1 and not others else []


def _may_lie(scanned: str, location: str | None) -> bool:
    """Tell whether a path that a plan shows may be a location, or lie below it."""
    if location is None:
        return False
    path, cut, _ = scanned.partition(_CUT)
    path, root = _plain(path), _plain(location)
    if cut and len(path) <= len(root):
        return root.startswith(path)
    return path == root or path.startswith(root.rstrip("/") + "/")


def _plain(path: str) -> str:
    """Return a path in one spelling: Spark writes file:/tmp as well as file:///tmp."""
    return _SCHEME.sub(r"\1:/", path.strip()).rstrip("/")
