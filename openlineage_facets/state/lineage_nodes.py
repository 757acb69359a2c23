"""The jobs and datasets of a lineage graph, and one name for datasets that have several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, NamedTuple

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.generated.open_lineage import EventType
from openlineage_facets.state.entities import DatasetId, JobId

MOST_RUNS = 10
"""The number of runs of a job in a graph."""


class LineageColumn(NamedTuple):
    """A column of a dataset."""

    name: str
    type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacetsOfDataset:
    """What a run reported about one of its inputs or outputs."""

    dataset: DatasetId
    facets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Input or output facets as JSON, such as `outputStatistics`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageRun:
    """The last run of a job."""

    run_id: str
    state: EventType | None
    """START, RUNNING or the terminal event type; None without such an event."""
    started_at: Timestamp | None
    ended_at: Timestamp | None
    facets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The run's own facets as JSON."""
    inputs: tuple[RunFacetsOfDataset, ...] = ()
    outputs: tuple[RunFacetsOfDataset, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageJob:
    """A job of a lineage graph."""

    id: JobId
    facets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The current facets as JSON, also invalid ones."""
    last_seen: Timestamp | None = None
    """The last event about it; None if only facets of others mention it."""
    last_run: LineageRun | None = None
    """The run that was first seen last."""
    earlier_runs: tuple[LineageRun, ...] = ()
    """The runs before it, the latest first, at most nine: times and states, and the statistics of outputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageDataset:
    """A dataset of a lineage graph."""

    id: DatasetId
    columns: tuple[LineageColumn, ...] = ()
    """The columns of its schema, then others with lineage."""
    facets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The current facets as JSON, also invalid ones."""
    last_seen: Timestamp | None = None
    """The last event about it; None if only facets of others mention it."""


def columns_of(facets: Mapping[str, Any], others: Iterable[str]) -> tuple[LineageColumn, ...]:
    """Return the columns of a dataset.

    Args:
        facets: The facets of the dataset as JSON. The schema may be invalid.
        others: Names of columns with lineage, which may be missing in the schema.
    """
    schema = facets.get("schema")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    columns: dict[str, LineageColumn] = {}
    for column in fields if isinstance(fields, list) else ():
        if isinstance(column, dict) and isinstance(name := column.get("name"), str):
            kind, description = column.get("type"), column.get("description")
            columns[name] = LineageColumn(
                name,
                kind if isinstance(kind, str) else None,
                description if isinstance(description, str) else None,
            )
    return (*columns.values(), *(LineageColumn(name) for name in sorted({*others} - columns.keys())))


def last_runs(runs: Iterable[tuple[JobId, tuple[Any, str]]]) -> dict[JobId, list[str]]:
    """Return the ids of the last runs of each job, the latest first.

    Args:
        runs: The job of each run, when it was first seen, and its id.
    """
    of_job: dict[JobId, list[tuple[Any, str]]] = {}
    for job, run in runs:
        of_job.setdefault(job, []).append(run)
    return {job: [run_id for _, run_id in nlargest(MOST_RUNS, known)] for job, known in of_job.items()}


def primary_names(
    links: Iterable[tuple[DatasetId, Iterable[DatasetId]]],
    preferred: Callable[[Iterable[DatasetId]], Iterable[DatasetId]] | None = None,
) -> dict[DatasetId, DatasetId]:
    """Return the primary name for each alternative name of a dataset.

    Names linked by `symlinks` facets, directly or transitively, are one dataset. Its primary name has such a
    facet and is not listed in another one. If several names qualify, the first in sort order is used; if none
    does, the first that has a facet.

    Args:
        links: The datasets with a `symlinks` facet, and the names in it.
        preferred: Returns those of all names of a dataset of which one is to be primary; by default, those
            with a facet.
    """
    groups: dict[DatasetId, set[DatasetId]] = {}
    carriers: set[DatasetId] = set()
    listed: set[DatasetId] = set()
    for dataset, identifiers in links:
        others = {*identifiers} - {dataset}
        if not others:
            continue
        carriers.add(dataset)
        listed |= others
        joined = {dataset, *others}
        for name in tuple(joined):
            joined |= groups.get(name, set())
        for name in joined:
            groups[name] = joined
    primaries: dict[DatasetId, DatasetId] = {}
    for name, group in groups.items():
        candidates = group if preferred is None else set(preferred(group))
        primary = min((candidates & carriers) - listed or candidates & carriers or candidates)
        if primary != name:
            primaries[name] = primary
    return primaries
