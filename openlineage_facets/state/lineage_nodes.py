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


def member_of(facets: Mapping[str, Any], key: str, name: str) -> Any:
    """Return what a facet contains, None if there is no such facet or it is invalid."""
    facet = facets.get(key)
    return facet.get(name) if isinstance(facet, Mapping) else None


def objects(values: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; nothing of what is no list."""
    items = values if isinstance(values, (list, tuple)) else ()
    # To ask for the abstract class takes eight times as long.
    return [item for item in items if type(item) is dict or isinstance(item, Mapping)]


def columns_of(facets: Mapping[str, Any], others: Iterable[str]) -> tuple[LineageColumn, ...]:
    """Return the columns of a dataset.

    Args:
        facets: The facets of the dataset as JSON. The schema may be invalid.
        others: Names of columns with lineage, which may be missing in the schema.
    """
    columns: dict[str, LineageColumn] = {}
    for column in objects(member_of(facets, "schema", "fields")):
        if isinstance(name := column.get("name"), str):
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
    groups: dict[DatasetId, set[DatasetId]] = {}  # A group is one object for all of its names.
    carriers: set[DatasetId] = set()
    listed: set[DatasetId] = set()
    for dataset, identifiers in links:
        others = {*identifiers} - {dataset}
        if not others:
            continue
        carriers.add(dataset)
        listed |= others
        names = {dataset, *others}
        parts = {id(group): group for name in names if (group := groups.get(name)) is not None}
        joined = max(parts.values(), key=len, default=set())
        for part in (*parts.values(), names):
            if part is not joined:
                joined.update(part)
                groups.update(dict.fromkeys(part, joined))
    primaries: dict[DatasetId, DatasetId] = {}
    for group in {id(group): group for group in groups.values()}.values():
        candidates = group if preferred is None else set(preferred(group))
        primary = min((candidates & carriers) - listed or candidates & carriers or candidates)
        primaries.update(dict.fromkeys(group - {primary}, primary))
    return primaries


_ITEMS = {
    "schema": ("fields", ("name",)),
    "tags": ("tags", ("key", "field")),
    "ownership": ("owners", ("name",)),
}
"""Facets with a list, the name of the list, and the fields that identify its items."""

_LINEAGE = ("columnLineage", "lineage")
"""Facets about the sources of a dataset and of its columns."""

_OF_ALL_SOURCES = ("transformationType", "transformationDescription")
"""What older events report about all sources of a column."""


def joined_facets(first: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return facets, and those of another source that they lack or that are deleted in them.

    Of both are also single columns, tags and owners, and what is reported about lineage.
    """
    both = {**other, **first}
    for key in first.keys() & other.keys():
        if _is_deleted(first[key]) or _is_deleted(other[key]):
            both[key] = other[key] if _is_deleted(first[key]) else first[key]
        elif key in _ITEMS:
            both[key] = joined_items(key, first[key], other[key])
        elif key in _LINEAGE:
            both[key] = _joined_json(first[key], other[key])
    return both


def _is_deleted(facet: Any) -> bool:
    return isinstance(facet, Mapping) and facet.get("_deleted") is True


def _joined_json(first: Any, other: Any) -> Any:
    """Return the members and items of two values. Of values that are neither objects nor lists, the first."""
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        both = {
            **first,
            **other,
            **{key: _joined_json(first[key], other[key]) for key in first.keys() & other.keys()},
        }
        unequal = (key for key in _OF_ALL_SOURCES if first.get(key) != other.get(key))
        for key in unequal:
            both.pop(key, None)  # It is about all sources of one of them, and not about those of the other.
        return both
    if isinstance(first, list) and isinstance(other, list):
        known = {*map(repr, first)}
        return [*first, *(item for item in other if repr(item) not in known)]
    return first


def joined_items(key: str, first: Any, other: Any) -> Any:
    """Return a facet with the items of another one that it lacks, if it has a list of items."""
    name, fields = _ITEMS[key]
    items, more = (facet.get(name) if isinstance(facet, Mapping) else None for facet in (first, other))
    if not isinstance(items, list) or not isinstance(more, list):
        return first

    def identity(item: Any) -> object:
        return [item.get(field) for field in fields] if isinstance(item, Mapping) else item

    known = {repr(identity(item)) for item in items}
    return {**first, name: [*items, *(item for item in more if repr(identity(item)) not in known)]}
