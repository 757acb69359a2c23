"""Changes of what the last runs reported about their outputs: lifecycle, and statistics out of a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from openlineage_facets.review.changes import LineageChange
from openlineage_facets.review.facts import Fact, Part
from openlineage_facets.state import DatasetId, JobId, Lineage

Range: TypeAlias = tuple[float, float]
"""The least and the greatest part of the earlier value."""

_STATISTICS = ("rowCount", "size", "fileCount")


def statistic_changes(before: Lineage, after: Lineage, allowed: Range) -> Iterator[LineageChange]:
    """Yield the changes of the outputs of jobs that both graphs contain. Lock files contain none of this.

    Args:
        before: The earlier graph, with the last runs of jobs.
        after: The later graph, with the last runs of jobs.
        allowed: The range of statistics, such as (0.5, 2.0) for half to double.
    """
    earlier = dict(_reported(before))
    for key, value in _reported(after):
        old = earlier.get(key)
        _, dataset, name = key
        if old is None or old == value:
            continue
        if name == "lifecycle":
            yield _change("lifecycle", dataset, old, value)
        elif not (old and allowed[0] <= value / old <= allowed[1]):
            yield _change("statistics", dataset, f"{name} {old:,}", f"{name} {value:,}")


def _change(part: Part, dataset: DatasetId, old: str, new: str) -> LineageChange:
    return LineageChange(part, Fact(part, dataset, None, old), Fact(part, dataset, None, new))


def _reported(lineage: Lineage) -> Iterator[tuple[tuple[JobId, DatasetId, str], Any]]:
    lifecycles = {one.id: _text(one.facets.get("lifecycleStateChange")) for one in lineage.datasets}
    for job in lineage.jobs:
        for output in job.last_run.outputs if job.last_run else ():
            statistics = output.facets.get("outputStatistics")
            values = statistics if isinstance(statistics, dict) else {}
            for name in _STATISTICS:
                value = values.get(name)
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    yield (job.id, output.dataset, name), value
            if lifecycle := lifecycles.get(output.dataset):
                yield (job.id, output.dataset, "lifecycle"), lifecycle


def _text(facet: Any) -> str | None:
    state = facet.get("lifecycleStateChange") if isinstance(facet, dict) else None
    return state if isinstance(state, str) else None
