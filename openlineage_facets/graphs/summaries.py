"""What facets and runs say in a few words: duration, rows, data quality, tags and platform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from openlineage_facets.base.display.short_values import counted
from openlineage_facets.state import Lineage, LineageRun, Node
from openlineage_facets.tags.values import as_text

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")

_LARGEST = 2**63
"""Nothing counts that much, and floats do not represent integers of any size."""


class Check(NamedTuple):
    """The result of a data quality assertion, of a column or, with None, of a dataset."""

    column: str | None
    text: str
    success: bool


def duration_text(run: LineageRun) -> str:
    """Return how long a run took, such as `1 min 12 s`, or "" if it has no start or end."""
    seconds = seconds_of(run)
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{round(seconds, 1):g} s"
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def seconds_of(run: LineageRun) -> float | None:
    """Return how long a run took, None if it has no start or end, or the end is earlier."""
    if run.started_at is None or run.ended_at is None or run.ended_at < run.started_at:
        return None
    return (run.ended_at - run.started_at).total_seconds()


def statistics_text(facets: Mapping[str, Any]) -> str:
    """Return row count, size and file count of input or output statistics."""
    statistics = facets.get("outputStatistics") or facets.get("inputStatistics")
    if not isinstance(statistics, Mapping):
        return ""
    rows, size, files = (statistics.get(name) for name in ("rowCount", "size", "fileCount"))
    return " · ".join(filter(None, (_counted(rows, "row"), _bytes_text(size), _counted(files, "file"))))


def rows_text(reports: Sequence[Mapping[str, Any]]) -> str:
    """Return what the last runs of jobs have written or, if none has, read, such as `392 rows written`.

    A dataset may have more rows, since a run can append to it, and fewer, since one can read it twice.

    Args:
        reports: The facets of one dataset in each of these runs.
    """
    for key, role in (("outputStatistics", "written"), ("inputStatistics", "read")):
        statistics = (facets.get(key) for facets in reports)
        counts = [measured.get("rowCount") for measured in statistics if isinstance(measured, Mapping)]
        rows: list[int | float] = [count for count in counts if count is not None and _is_number(count)]
        if rows:
            return f"{counted(sum(rows), 'row')} {role}"
    return ""


def _counted(count: Any, noun: str) -> str:
    return counted(count, noun) if _is_number(count) else ""


def checks(facets: Mapping[str, Any]) -> Iterator[Check]:
    """Yield the data quality assertions in facets of a dataset. Invalid ones are left out."""
    for assertion in _items(facets, "dataQualityAssertions", "assertions"):
        if isinstance(assertion.get("assertion"), str) and isinstance(assertion.get("success"), bool):
            column = assertion.get("column")
            yield Check(
                column if isinstance(column, str) else None, assertion["assertion"], assertion["success"]
            )


def tags(facets: Mapping[str, Any]) -> Iterator[tuple[str | None, str]]:
    """Yield the tags in facets: the column or None, and the tag as `key` or `key: value`."""
    for tag in _items(facets, "tags", "tags"):
        key, value, column = tag.get("key"), tag.get("value"), tag.get("field")
        if isinstance(key, str):
            text = key if value is None or as_text(value) == "true" else f"{key}: {as_text(value)}"
            yield (column if isinstance(column, str) else None, text)


def platform(node: Node, facets: Mapping[str, Any]) -> str:
    """Return the system of a dataset or the tool of a job, such as `s3` or `spark`, or ""."""
    kind = facets.get("jobType")
    integration = kind.get("integration") if isinstance(kind, Mapping) else None
    if isinstance(integration, str):
        return integration.lower()
    scheme, separator, _ = node.namespace.partition("://")
    return scheme if separator else ""


def size_text(lineage: Lineage) -> str:
    """Return the number of jobs and datasets."""
    return f"{counted(len(lineage.jobs), 'job')} and {counted(len(lineage.datasets), 'dataset')}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST


def _bytes_text(size: Any) -> str:
    if not _is_number(size):
        return ""
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{round(size, 1 if unit else 0):g} {_UNITS[unit]}"


def _items(facets: Mapping[str, Any], key: str, name: str) -> Iterator[Mapping[str, Any]]:
    facet = facets.get(key)
    items = facet.get(name) if isinstance(facet, Mapping) else None
    yield from (item for item in items if isinstance(item, Mapping)) if isinstance(items, list) else ()
