"""Mutable records of jobs, datasets and runs, which merge in any order, and what they declare to write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.generated.containers import JobFacets
from openlineage_facets.generated.lineage import LineageDatasetEntry, LineageDatasetInput, LineageJobInput
from openlineage_facets.state.canonical_json import canonical_json, read_facets
from openlineage_facets.state.event_parts import DatasetParts, EventParts, Key
from openlineage_facets.state.facet_history import FacetHistory, SortKey
from openlineage_facets.state.instants import Span, widened

DeclaredWrites: TypeAlias = Mapping[Key, frozenset[Key]]
"""The inputs of each output, as far as they are declared."""


@lru_cache(maxsize=1_000)
def declared_writes(facet: str) -> str | None:
    """Return what the `lineage` facet of a job declares, as JSON that `writes_from_json` reads.

    Equal declarations return equal texts. A tombstone declares nothing.

    Args:
        facet: The facet in canonical JSON.

    Returns:
        The declarations; None if the facet is invalid.
    """
    if is_tombstone(facet):
        return "[]"
    lineage = read_facets(JobFacets, {"lineage": facet}, "")[0].lineage
    if lineage is None:
        return None
    writes: dict[Key, set[Key]] = {}
    for entry in lineage.entries:
        if not isinstance(entry, LineageDatasetEntry):
            continue
        inputs = _datasets(entry.inputs or ())
        for column in (entry.fields or {}).values():
            inputs |= _datasets(column.inputs)
        if inputs or entry.inputs is not None:  # Otherwise the sources are unknown.
            writes.setdefault((entry.namespace, entry.name), set()).update(inputs)
    return canonical_json([[*target, sorted(inputs)] for target, inputs in sorted(writes.items())])


def writes_from_json(text: str) -> DeclaredWrites:
    """Return the declarations that `declared_writes` returned."""
    return {
        (namespace, name): frozenset((dataset[0], dataset[1]) for dataset in inputs)
        for namespace, name, inputs in json.loads(text)
    }


def _datasets(inputs: Iterable[LineageDatasetInput | LineageJobInput]) -> set[Key]:
    return {(source.namespace, source.name) for source in inputs if isinstance(source, LineageDatasetInput)}


LatestFacets: TypeAlias = dict[str, tuple[SortKey, str]]
"""The latest version of each facet that belongs to one run: sort key and canonical JSON, by facet key."""

Use: TypeAlias = tuple[Literal["input", "output"], Literal["job", "run"], str, str]
"""How a job uses a dataset: role, kind of the event that reported it, namespace and name."""


def _keep_latest(kept: LatestFacets, key: str, sort_key: SortKey, value: str) -> None:
    if key not in kept or kept[key] < (sort_key, value):
        kept[key] = (sort_key, value)


def _keep_all_latest(kept: LatestFacets, facets: Mapping[str, str], sort_key: SortKey) -> None:
    for key, value in facets.items():
        _keep_latest(kept, key, sort_key, value)


def _merge_latest(kept: LatestFacets, other: LatestFacets) -> None:
    for key, (sort_key, value) in other.items():
        _keep_latest(kept, key, sort_key, value)


@dataclass(slots=True)
class EntityRecord:
    """A dataset, or the part of a job that datasets have too."""

    seen: Span | None = None
    """The first and the last event about it."""
    facets: dict[str, FacetHistory] = field(default_factory=dict)

    def add(self, facets: Mapping[str, str], sort_key: SortKey, source: str, *, exact: bool) -> None:
        """Add the facets of one event."""
        instant = sort_key[:2]
        self.seen = widened(self.seen, (instant, instant))
        for key, value in facets.items():
            history = self.facets.get(key)
            if history is None:
                history = self.facets[key] = FacetHistory()
            history.add(sort_key, value, source, exact=exact)

    def merge(self, other: EntityRecord, *, exact: bool) -> None:
        """Add everything in `other`."""
        if other.seen is not None:
            self.seen = widened(self.seen, other.seen)
        for key, history in other.facets.items():
            self.facets.setdefault(key, FacetHistory()).merge(history, exact=exact)

    def values(self, at: Instant | None = None, source: str = "") -> dict[str, str]:
        """Return the facets in force by facet key, now or at an instant, without those that are deleted."""
        return {
            key: version.value
            for key, history in self.facets.items()
            if (version := history.latest() if at is None else history.at(at, source)) is not None
            and not is_tombstone(version.value)
        }


@dataclass(slots=True)
class JobRecord(EntityRecord):
    """A job and the datasets it uses."""

    uses: dict[Use, Span] = field(default_factory=dict)

    def use(self, use: Use, span: Span) -> None:
        """Add a use of a dataset."""
        self.uses[use] = widened(self.uses.get(use), span)

    def merge(self, other: EntityRecord, *, exact: bool) -> None:
        """Add everything in `other`."""
        # Not super(): dataclass(slots=True) creates a second class, which super() does not refer to.
        EntityRecord.merge(self, other, exact=exact)
        if isinstance(other, JobRecord):
            for use, span in other.uses.items():
                self.use(use, span)


@dataclass(slots=True)
class RunRecord:
    """A run, without the facets of its job and datasets."""

    seen: Span | None = None
    first_of_type: dict[str, Instant] = field(default_factory=dict)
    job: tuple[SortKey, Key] | None = None
    facets: LatestFacets = field(default_factory=dict)
    inputs: dict[Key, LatestFacets] = field(default_factory=dict)
    outputs: dict[Key, LatestFacets] = field(default_factory=dict)
    writes: tuple[SortKey, str] | None = None
    """What the last `lineage` facet of its job declares, with the sort key of its event."""

    def add(self, event: EventParts) -> None:
        """Add an event of the run."""
        assert event.job is not None
        assert event.run_facets is not None
        sort_key = event.sort_key()
        self.seen = widened(self.seen, (event.instant, event.instant))
        if event.event_type is not None:
            self._add_type(event.event_type, event.instant)
        self._add_job((sort_key, event.job))
        _keep_all_latest(self.facets, event.run_facets, sort_key)
        if event.job_facets and "lineage" in event.job_facets:
            declared = declared_writes(event.job_facets["lineage"])
            if declared is not None:
                self._add_writes((sort_key, declared))
        for used, datasets in ((self.inputs, event.inputs), (self.outputs, event.outputs)):
            for dataset in datasets:
                _keep_all_latest(used.setdefault(dataset.key, {}), dataset.use_facets, sort_key)

    def _add_type(self, event_type: str, instant: Instant) -> None:
        self.first_of_type[event_type] = min(self.first_of_type.get(event_type, instant), instant)

    def _add_job(self, job: tuple[SortKey, Key]) -> None:
        self.job = job if self.job is None else max(self.job, job)

    def _add_writes(self, writes: tuple[SortKey, str]) -> None:
        self.writes = writes if self.writes is None else max(self.writes, writes)

    def merge(self, other: RunRecord) -> None:
        """Add everything in `other`."""
        if other.seen is not None:
            self.seen = widened(self.seen, other.seen)
        for event_type, instant in other.first_of_type.items():
            self._add_type(event_type, instant)
        if other.job is not None:
            self._add_job(other.job)
        if other.writes is not None:
            self._add_writes(other.writes)
        _merge_latest(self.facets, other.facets)
        for used, others in ((self.inputs, other.inputs), (self.outputs, other.outputs)):
            for key, facets in others.items():
                _merge_latest(used.setdefault(key, {}), facets)

    def declared_writes(self) -> DeclaredWrites:
        """Return the inputs of each output, as far as they are declared."""
        return {} if self.writes is None else writes_from_json(self.writes[1])

    def end(self) -> tuple[str, Instant] | None:
        """Return type and time of the earliest terminal event, or None if the run has not ended."""
        ended = [
            (self.first_of_type[name], TERMINAL_EVENT_TYPES.index(name))
            for name in TERMINAL_EVENT_TYPES
            if name in self.first_of_type
        ]
        if not ended:
            return None
        instant, rank = min(ended)
        return TERMINAL_EVENT_TYPES[rank], instant

    def state(self) -> str | None:
        """Return the state of the run, or None without START, RUNNING or a terminal event."""
        end = self.end()
        if end is not None:
            return end[0]
        return next((name for name in ("RUNNING", "START") if name in self.first_of_type), None)

    def facets_at(self) -> Instant:
        """Return the instant whose job and dataset facets apply to the run: its end or its latest event."""
        end = self.end()
        if end is not None:
            return end[1]
        assert self.seen is not None
        return self.seen[1]


@dataclass(slots=True)
class Records:
    """All jobs, datasets and runs of a state."""

    jobs: dict[Key, JobRecord] = field(default_factory=dict)
    datasets: dict[Key, EntityRecord] = field(default_factory=dict)
    runs: dict[str, RunRecord] = field(default_factory=dict)

    def add(self, event: EventParts, *, exact: bool) -> None:
        """Add an event."""
        if event.dataset is not None:
            self._add_dataset(event.dataset, event, exact=exact)
        if event.run is not None:
            run = self.runs.get(event.run)
            if run is None:
                run = self.runs[event.run] = RunRecord()
            run.add(event)
        if event.job is not None:
            self._add_job(event.job, event, exact=exact)
        for output, datasets in ((False, event.inputs), (True, event.outputs)):
            for dataset in datasets:
                self._add_dataset(dataset, event, output=output, exact=exact)

    def _add_dataset(
        self, dataset: DatasetParts, event: EventParts, *, output: bool = False, exact: bool
    ) -> None:
        record = self.datasets.get(dataset.key)
        if record is None:
            record = self.datasets[dataset.key] = EntityRecord()
        record.add(dataset.facets, event.sort_key(output=output), event.run or "", exact=exact)

    def _add_job(self, key: Key, event: EventParts, *, exact: bool) -> None:
        record = self.jobs.get(key)
        if record is None:
            record = self.jobs[key] = JobRecord()
        record.add(event.job_facets or {}, event.sort_key(), event.run or "", exact=exact)
        span = event.instant, event.instant
        reported_by: Literal["job", "run"] = "job" if event.run is None else "run"
        for dataset in event.inputs:
            record.use(("input", reported_by, *dataset.key), span)
        for dataset in event.outputs:
            record.use(("output", reported_by, *dataset.key), span)

    def merge(self, other: Records, *, exact: bool) -> None:
        """Add everything in `other`."""
        for job, job_record in other.jobs.items():
            self.jobs.setdefault(job, JobRecord()).merge(job_record, exact=exact)
        for dataset, record in other.datasets.items():
            self.datasets.setdefault(dataset, EntityRecord()).merge(record, exact=exact)
        for run, run_record in other.runs.items():
            self.runs.setdefault(run, RunRecord()).merge(run_record)
