"""Scans of a physical plan: how much each of them read, and of which dataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from openlineage_facets.facets import (
    IcebergScanReportInputDatasetFacet,
    iceberg_scan_report_input_dataset,
)
from openlineage_facets.naming.storage import parent_folders
from openlineage_facets.spark.datasets.rdd_sources import root_rdds
from openlineage_facets.spark.datasets.sources import BatchedStream, Source
from openlineage_facets.spark.jvm import JavaObject, class_of, each
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.plan_graph import Operator, PlanGraph
from openlineage_facets.spark.metrics.sql_executions import MetricValues
from openlineage_facets.spark.spark_dataset import SparkDataset

TRUNCATED = "..."
"""How Spark marks truncated paths and path lists."""

_READ = {"rows": "number of output rows", "bytes": "size of files read", "files": "number of files read"}
_READ_OF_ICEBERG = {
    "rows": "number of output rows",
    "bytes": "total data file size (bytes)",
    "files": "number of result data files",
}
_FILES = {name: metric for name, metric in _READ.items() if name != "rows"}
_SENT = {"rows": "shuffle records written"}
_WITHOUT_DATASET = ("Scan ExistingRDD", "Scan OneRowRelation")
_DELTA_LOG = "Location: DeltaLogFileIndex"
"""Part of a scan's description when Delta reads its own log."""

_LOCATION = re.compile(r"Location: \w+(?: ?\((\d+) paths\))?\[(.*?)(?:\](?=, |\s|$)|(?<=\.\.\.))")

_PLANNING = {
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

_FILTERS = re.compile(r"\bfilters=(.*?), (?:runtimeFilters|groupedBy)=", re.DOTALL)
_COLUMNS = re.compile(r"^BatchScan [^\[]*\[(.*?)\] ", re.DOTALL)
_CUT_OFF = re.compile(r"\.\.\. \d+ more fields$")


@dataclass(frozen=True)
class Scan:
    """A scan of a plan and what it read.

    Args:
        name: Spark's name, such as `Scan parquet`.
        locations: The paths in its description; the last one is `...` if others are not shown.
        counts: What it read.
        repeated_by: The operator that may have read rows more than once, so that they are not counted.
        report: Iceberg's report about it.
        shared: If several executions use what it has read once, as from a cache, a name of it.
    """

    name: str
    locations: tuple[str, ...]
    counts: Counts
    repeated_by: str | None = None
    report: IcebergScanReportInputDatasetFacet | None = field(default=None, compare=False)
    shared: str | None = None


def scans_of(graph: PlanGraph, values: MetricValues) -> Iterator[Scan]:
    """Yield the scans of a plan that have metrics, without those of Delta's log and earlier executions."""
    for operator in graph.operators:
        name = operator.name
        if not name.startswith(("Scan ", "BatchScan ")) or name.startswith(_WITHOUT_DATASET):
            continue
        if _DELTA_LOG in operator.description or graph.is_below_rdd(operator):
            continue
        scan = _scan(graph, operator, values)
        if scan.counts or scan.repeated_by:
            yield scan


def scan_of_stream(source: str, rows: int) -> Scan:
    """Return what a stream has read of a source.

    Args:
        source: Its description, such as `FileStreamSource[file:/lake/orders]`.
        rows: The rows read.
    """
    kind, _, location = source.partition("[")
    path = location.removesuffix("]")
    return Scan(kind, (path,) if "/" in path else (), Counts(rows=rows))


def _scan(graph: PlanGraph, operator: Operator, values: MetricValues) -> Scan:
    name = operator.name
    locations = _locations(operator.description) or _path_of_table(name)
    counts = values.counts(operator, _READ)
    if counts.files is None:
        counts = values.counts(operator, _READ_OF_ICEBERG)
    is_cached = graph.is_below_cache(operator)
    shared = f"cache {min(operator.metrics.values(), default=0)}" if is_cached else None
    was_read = counts.rows or not (counts.files is None or is_cached)
    if not was_read or (counts.files is None and name.startswith("Scan ") and locations):
        # An earlier execution read it into a cache, maybe not all of its rows.
        files = values.accumulated(operator, _FILES) if is_cached else Counts()
        return Scan(name, locations, files if files.files else Counts(), shared=shared)
    repeated_by = graph.repeating_consumer(operator)
    report = None
    if name.startswith("BatchScan "):
        report = _scan_report(values.numbers(operator, _PLANNING), operator.description)
    if repeated_by is None:
        return Scan(name, locations, counts, report=report, shared=shared)
    exchange = graph.exchange_of_same_rows(operator)
    sent_rows = None if exchange is None else values.counts(exchange, _SENT).rows
    repeated_by = repeated_by if sent_rows is None else None
    return Scan(name, locations, replace(counts, rows=sent_rows), repeated_by, report, shared)


def _scan_report(
    planning: Mapping[str, int | None], description: str
) -> IcebergScanReportInputDatasetFacet | None:
    """Return the report about a scan, without the snapshot; None if it is not one of Iceberg.

    Args:
        planning: The metrics with the names of `_PLANNING`.
        description: Spark's description of the scan.
    """
    counters = {field: number for field, number in planning.items() if number is not None}
    if not counters:
        return None
    filters = _FILTERS.search(description)
    return IcebergScanReportInputDatasetFacet(
        filter_description=None if filters is None else filters[1],
        projected_field_names=_columns_in(description),
        scan_metrics=iceberg_scan_report_input_dataset.ScanMetrics(**counters),
    )


def _columns_in(description: str) -> list[str] | None:
    """Return the columns of a scan such as `BatchScan orders[id#1L, day#2] ...`; None if some are cut off."""
    columns = _COLUMNS.search(description)
    if columns is None or _CUT_OFF.search(columns[1]):
        return None
    return [] if not columns[1] else re.split(r"#\d+L?(?:, |$)", columns[1])[:-1]


def _path_of_table(name: str) -> tuple[str, ...]:
    """Return the path of a table that is read by its path, such as `BatchScan /lake/orders`."""
    table = name.removeprefix("BatchScan ")
    return (table,) if "/" in table and table != name else ()


def _locations(description: str) -> tuple[str, ...]:
    """Return the paths of a scan; the last one is `...` if others are not shown or cannot be separated."""
    match = _LOCATION.search(description)
    if match is None:
        return ()
    number = int(match[1] or 1)
    shown = [match[2]] if number == 1 else match[2].split(", ")
    return tuple(shown) if len(shown) == number else (*shown, TRUNCATED)


_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/+(?=[^/])", re.IGNORECASE)


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
    path, truncated, _ = shown_path.partition(TRUNCATED)
    if truncated and location is not None and len(normalized_path(path)) <= len(normalized_path(location)):
        return normalized_path(location).startswith(normalized_path(path))
    return is_at_or_below(path, location)


def is_at_or_below(path: str, location: str | None) -> bool:
    """Return whether a path is a location or below it."""
    if location is None:
        return False
    normalized, root = normalized_path(path), normalized_path(location)
    return normalized == root or normalized.startswith(root.rstrip("/") + "/")


def is_same_path(path: str, location: str | None) -> bool:
    """Return whether a path is a location."""
    return location is not None and normalized_path(path) == normalized_path(location)


def normalized_path(path: str) -> str:
    """Return a path with one slash after its scheme: Spark writes both file:/tmp and file:///tmp."""
    return _SCHEME.sub(r"\1:/", path.strip()).rstrip("/")


_MAX_FILES = 1_000
"""Every file takes a few calls to the JVM. A batch of more is not counted."""


def scans_of_batches(sources: Iterable[Source]) -> list[Scan]:
    """Return the files that the batches among the sources of a DataFrame have read, without their rows.

    The function may use a batch several times: the scan of a batch is shared.
    """
    return [
        scan
        for source in sources
        if isinstance(source.query, BatchedStream) and source.query.batch is not None
        for root in root_rdds(source.query.batch, set())
        if class_of(root) == "FileScanRDD"
        for scan in _scans_of_rdd(root)
    ]


def _scans_of_rdd(rdd: JavaObject) -> Iterator[Scan]:
    """Yield the scan of an RDD of files, of which several partitions may read parts of one file."""
    parts = list(islice(_parts(rdd), _MAX_FILES + 1))
    if 0 < len(parts) <= _MAX_FILES:
        paths = {path for path, _ in parts}
        counts = Counts(None, sum(length for _, length in parts), len(paths))
        batch = f"batch {rdd.id()} of {rdd.context().applicationId()}"
        yield Scan("FileScanRDD", tuple(parent_folders(sorted(paths))), counts, shared=batch)


def _parts(rdd: JavaObject) -> Iterator[tuple[str, int]]:
    for partition in each(rdd.filePartitions()):
        for file in partition.files():
            yield str(file.filePath().toPath().toString()), int(file.length())
