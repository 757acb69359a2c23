"""Scans of a physical plan and how much each of them read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from openlineage_facets.facets import IcebergScanReportInputDatasetFacet
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.iceberg_reports import PLANNING, scan_report
from openlineage_facets.spark.metrics.sql_executions import MetricValues
from openlineage_facets.spark.plans.physical_plan import Operator, PlanGraph

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

_LOCATION = re.compile(r"Location: \w+(?: ?\((\d+) paths\))?\[(.*?)(?:\]|(?<=\.\.\.))")


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
    """Yield the scans of a plan that have metrics. Scans of Delta's log are skipped."""
    for operator in graph.operators:
        name = operator.name
        if not name.startswith(("Scan ", "BatchScan ")) or name.startswith(_WITHOUT_DATASET):
            continue
        if _DELTA_LOG in operator.description:
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
    shared = f"cache {min(operator.metrics().values(), default=0)}" if is_cached else None
    was_read = counts.rows or not (counts.files is None or is_cached)
    if not was_read or (counts.files is None and name.startswith("Scan ") and locations):
        # An earlier execution read it into a cache, maybe not all of its rows.
        files = values.accumulated(operator, _FILES) if is_cached else Counts()
        return Scan(name, locations, files if files.files else Counts(), shared=shared)
    repeated_by = graph.repeating_consumer(operator)
    report = None
    if name.startswith("BatchScan "):
        report = scan_report(values.numbers(operator, PLANNING), operator.description)
    if repeated_by is None:
        return Scan(name, locations, counts, report=report, shared=shared)
    exchange = graph.exchange_of_same_rows(operator)
    sent_rows = None if exchange is None else values.counts(exchange, _SENT).rows
    repeated_by = repeated_by if sent_rows is None else None
    return Scan(name, locations, replace(counts, rows=sent_rows), repeated_by, report, shared)


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
