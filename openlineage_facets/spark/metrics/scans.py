"""Scans of a physical plan and how much each of them read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.sql_executions import MetricValues
from openlineage_facets.spark.plans.physical_plan import Operator, PlanGraph

__all__ = ["TRUNCATED", "Scan", "scans_of"]

TRUNCATED = "..."
"""How Spark marks truncated paths and path lists."""

_READ = {"rows": "number of output rows", "bytes": "size of files read", "files": "number of files read"}
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
    """

    name: str
    locations: tuple[str, ...]
    counts: Counts
    repeated_by: str | None = None


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


def _scan(graph: PlanGraph, operator: Operator, values: MetricValues) -> Scan:
    name, locations = operator.name, _locations(operator.description)
    counts = values.counts(operator, _READ)
    was_read = counts.rows or not (counts.files is None or graph.is_below_cache(operator))
    if not was_read or (counts.files is None and name.startswith("Scan ") and locations):
        return Scan(name, locations, Counts())  # An earlier execution read it into a cache.
    repeated_by = graph.repeating_consumer(operator)
    if repeated_by is None:
        return Scan(name, locations, counts)
    exchange = graph.exchange_of_same_rows(operator)
    sent_rows = None if exchange is None else values.counts(exchange, _SENT).rows
    return Scan(name, locations, replace(counts, rows=sent_rows), repeated_by if sent_rows is None else None)


def _locations(description: str) -> tuple[str, ...]:
    """Return the paths of a scan; the last one is `...` if others are not shown or cannot be separated."""
    match = _LOCATION.search(description)
    if match is None:
        return ()
    number = int(match[1] or 1)
    shown = [match[2]] if number == 1 else match[2].split(", ")
    return tuple(shown) if len(shown) == number else (*shown, TRUNCATED)
