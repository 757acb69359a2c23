"""LineageState: the current state of jobs, datasets and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import describe, invalid
from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import DatasetEvent, EventType, JobEvent, RunEvent
from openlineage_facets.state.canonical_json import read_facets
from openlineage_facets.state.entities import (
    DatasetId,
    DatasetState,
    JobId,
    JobState,
    RunInput,
    RunOutput,
    RunState,
)
from openlineage_facets.state.event_parts import Key, normalized_run_id, split_event
from openlineage_facets.state.instants import instant_of, timestamp_of
from openlineage_facets.state.lineage import Lineage
from openlineage_facets.state.record_lineage import lineage_of
from openlineage_facets.state.records import EntityRecord, JobRecord, LatestFacets, Records
from openlineage_facets.state.serialization import records_from_dict, records_to_dict

if TYPE_CHECKING:
    from pathlib import Path

    from openlineage_facets.base.json.client_objects import ClientEvent


class LineageState:
    """The current state of jobs, datasets and runs, folded from their events in any order.

    - Facets of a job or dataset apply from the time of their event until a later event replaces or deletes
      (`_deleted`) them. A facet is replaced as a whole: the latest `tags` facet holds all tags.
    - Facets of a run, and input and output facets, belong to one run. The events of a run accumulate: the
      latest version of each facet, all inputs and all outputs.
    - Inputs and outputs of a job accumulate over its runs and job events. Input and output facets of job
      events are ignored, because they belong to no run.

    **Order.** Events are ordered by `eventTime`, with all fraction digits and the offset. For facets with
    the same time, the later one in this list wins: job and dataset events, START, RUNNING, OTHER (and
    events without a type), FAIL, ABORT, COMPLETE; then facets of outputs over other facets; then the
    greater canonical JSON (sorted keys, no spaces). A run ends with its earliest terminal event; at the same
    time, FAIL precedes ABORT and ABORT precedes COMPLETE. Therefore events may arrive in any order and
    more than once; the resulting states are equal.

    **Memory** grows with the number of jobs, datasets, runs and distinct facet values, not with the number
    of events. For each value of a job or dataset facet, the state stores the first and the last time
    at which each run reported it, and the first and the last time at which job and dataset events did.
    Current facets, `job(...)` and `dataset(...)` without `at`, are always exact. Past facets, also those in
    `run(...)`, are exact unless one source (a run, or all job and dataset events) reports a value
    three times or more and another value is in force in between: the times in the middle are not stored, and
    the other value appears to be in force until the last. `exact_history=True` stores every time, about 100
    bytes for each facet of a job or dataset in each event.

    Args:
        exact_history: Store every time at which a facet was repeated.

    Example:
        >>> state = LineageState()
        >>> for line in open("lineage.ndjson"):
        ...     state.apply(parse_event(line))
        >>> state.dataset("s3://lake", "curated/daily").facets.schema
        SchemaDatasetFacet(fields=[20 items])
    """

    __slots__ = ("_exact", "_records")

    def __init__(self, *, exact_history: bool = False) -> None:
        self._exact = exact_history
        self._records = Records()

    def apply(
        self,
        event: RunEvent | JobEvent | DatasetEvent | Mapping[str, Any] | ClientEvent,
        *,
        null_is_absent: bool = False,
    ) -> None:
        """Fold an event into the state.

        Args:
            event: An event, its JSON object as a dict, or an event of openlineage-python. It may be invalid:
                invalid facets are kept as JSON, and inputs and outputs that are not objects are ignored.
            null_is_absent: Read fields that are null as absent, as for `parse_event`. Otherwise a facet that
                is null replaces an earlier one.

        Raises:
            EventError: `event` is not an event, its time is missing or has no offset, or a run, job or
                dataset has no name. The state is unchanged.
        """
        self._records.add(split_event(event, null_is_absent=null_is_absent), exact=self._exact)

    def merge(self, other: LineageState) -> None:
        """Fold another state into this one.

        Merging is associative, commutative and idempotent: the states of parts of a stream merge into the
        state of the whole stream.

        Raises:
            ValueError: Only one of the states has an exact history.
        """
        if other._exact != self._exact:
            raise ValueError("cannot merge states with different `exact_history`: create both with the same")
        self._records.merge(other._records, exact=self._exact)

    def jobs(self) -> Iterator[JobId]:
        """Return all jobs, sorted."""
        return (JobId(*key) for key in sorted(self._records.jobs))

    def datasets(self) -> Iterator[DatasetId]:
        """Return all datasets, sorted."""
        return (DatasetId(*key) for key in sorted(self._records.datasets))

    def runs(self) -> Iterator[str]:
        """Return all run ids, sorted."""
        return iter(sorted(self._records.runs))

    def job(self, namespace: str, name: str, *, at: datetime | str | None = None) -> JobState | None:
        """Return a job, or None if it is unknown.

        Args:
            namespace: Namespace of the job.
            name: Name of the job.
            at: The time for which to return facets, inputs and outputs. Default: now.

        Raises:
            EventError: `at` is not a date-time with an offset.
        """
        instant = None if at is None else _instant_at(at)
        record = self._records.jobs.get((namespace, name))
        return None if record is None else _job_state((namespace, name), record, instant)

    def dataset(self, namespace: str, name: str, *, at: datetime | str | None = None) -> DatasetState | None:
        """Return a dataset, or None if it is unknown.

        Args:
            namespace: Namespace of the dataset.
            name: Name of the dataset.
            at: The time for which to return facets. Default: now.

        Raises:
            EventError: `at` is not a date-time with an offset.
        """
        instant = None if at is None else _instant_at(at)
        record = self._records.datasets.get((namespace, name))
        return None if record is None else _dataset_state((namespace, name), record, instant)

    def run(self, run_id: str | UUID) -> RunState | None:
        """Return a run, or None if it is unknown."""
        return _run_state(normalized_run_id(str(run_id)), self._records)

    def lineage(
        self, *, join_symlinks: bool = False, by_job: bool = False, facets: Container[str] | None = None
    ) -> Lineage:
        """Return the graph of jobs, datasets and columns.

        Edges come from the inputs and outputs of run and job events and from the current `lineage` facets,
        column edges from the current `columnLineage` and `lineage` facets. Which inputs of a job feed which
        output comes from the last `lineage` facet of each run. Invalid facets are ignored.

        Args:
            join_symlinks: Combine datasets that are linked by current `symlinks` facets into one node,
                named after the dataset that has the facet.
            by_job: Combine what the last run of each job says about a dataset, instead of using what was
                reported last. The graph is then the same in whatever order the jobs ran.
            facets: The keys of the facets that jobs, datasets and last runs have. Default: all. Edges are the
                same.
        """
        return lineage_of(self._records, join_symlinks=join_symlinks, by_job=by_job, facets=facets)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as plain JSON types, for `from_dict`."""
        return {"exactHistory": self._exact, **records_to_dict(self._records)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> LineageState:
        """Return the state written by `to_dict`.

        Raises:
            ValueError: The dict has another format, or is invalid.
        """
        state = cls(exact_history=isinstance(plain, Mapping) and plain.get("exactHistory") is True)
        state._records = records_from_dict(plain, exact=state._exact)
        return state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineageState):
            return NotImplemented
        return (self._exact, self._records) == (other._exact, other._records)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        records = self._records
        counts = f"{len(records.jobs)} jobs, {len(records.datasets)} datasets, {len(records.runs)} runs"
        return f"LineageState({counts})"

    def show(self) -> Path:
        """Open the lineage as a page in a browser, and return the file of the page."""
        from openlineage_facets.base.display.notebook_html import show_graph

        return show_graph(self)

    def _repr_html_(self) -> str:
        """Return a picture and a table of the jobs, for notebooks."""
        from openlineage_facets.base.display.notebook_html import MOST_ROWS, notebook_list, picture_of

        records = self._records
        namespaces = Counter(name for _, name in records.datasets)
        rows = []
        for key in sorted(records.jobs)[: MOST_ROWS + 1]:
            used: dict[str, set[str]] = {role: set() for role in _ROLES}
            for role, _, namespace, name in records.jobs[key].uses:
                used[role].add(name if namespaces[name] == 1 else f"{namespace}/{name}")
            rows.append(("/".join(key), sorted(used["input"]), sorted(used["output"])))
        table = notebook_list(repr(self), ("job", "reads", "writes"), rows, total=len(records.jobs))
        return picture_of(self) + table


def _instant_at(at: datetime | str) -> Instant:
    try:
        return instant_of(at)
    except (TypeError, ValueError, OverflowError):
        expected = "a date-time with an offset, such as 2026-03-29T01:00:00Z"
        is_datetime = isinstance(at, datetime)
        found = "a datetime without an offset" if is_datetime else describe(at)
        hint = "give it a tzinfo, such as timezone.utc" if is_datetime else ""
        raise invalid("/at", expected, found, hint) from None


def _job_state(key: Key, record: JobRecord, at: Instant | None) -> JobState | None:
    """Return a job now or at an instant, or None before its first event."""
    common = _common_fields(key, record, at, JobFacets)
    if common is None:
        return None
    used: dict[str, set[DatasetId]] = {"input": set(), "output": set()}
    for (role, _, *dataset), span in record.uses.items():
        if at is None or span[0] <= at:
            used[role].add(DatasetId(*dataset))
    return JobState(inputs=tuple(sorted(used["input"])), outputs=tuple(sorted(used["output"])), **common)


def _dataset_state(key: Key, record: EntityRecord, at: Instant | None) -> DatasetState | None:
    """Return a dataset now or at an instant, or None before its first event."""
    common = _common_fields(key, record, at, DatasetFacets)
    return None if common is None else DatasetState(**common)


def _common_fields(
    key: Key, record: EntityRecord, at: Instant | None, container: type[FacetMap[Any]]
) -> dict[str, Any] | None:
    """Return the fields that jobs and datasets have in common, None before the first event."""
    assert record.seen is not None
    first, last = record.seen
    if at is not None and first > at:
        return None
    facets, invalid = read_facets(container, record.values(at), "/facets")
    return {
        "namespace": key[0],
        "name": key[1],
        "facets": facets,
        "first_seen": timestamp_of(first),
        "last_seen": timestamp_of(last),
        "invalid_facets": invalid,
    }


def _run_state(run: str, records: Records) -> RunState | None:
    """Return a run with the facets of its job and datasets, or None if it is unknown."""
    record = records.runs.get(run)
    if record is None or record.job is None or record.seen is None:
        return None
    job = record.job[1]
    at, end, state = record.facets_at(), record.end(), record.state()
    started = record.first_of_type.get("START")
    facets, invalid = read_facets(RunFacets, _values(record.facets), "/run/facets")
    job_facets, invalid_job = read_facets(JobFacets, records.jobs[job].values(at, run), "/job/facets")
    datasets = records.datasets
    return RunState(
        run_id=run,
        job=JobId(*job),
        state=None if state is None else EventType(state),
        started_at=None if started is None else timestamp_of(started),
        ended_at=None if end is None else timestamp_of(end[1]),
        first_seen=timestamp_of(record.seen[0]),
        last_seen=timestamp_of(record.seen[1]),
        facets=facets,
        job_facets=job_facets,
        inputs=tuple(
            _used("input", key, use_facets, datasets[key].values(at, run))
            for key, use_facets in sorted(record.inputs.items())
        ),
        outputs=tuple(
            _used("output", key, use_facets, datasets[key].values(at, run))
            for key, use_facets in sorted(record.outputs.items())
        ),
        invalid_facets={**invalid, **invalid_job},
    )


_ROLES: dict[str, tuple[type[Any], type[FacetMap[Any]]]] = {
    "input": (RunInput, InputDatasetFacets),
    "output": (RunOutput, OutputDatasetFacets),
}
"""The class of the inputs and outputs of a run, and the container of their own facets."""


def _used(role: str, key: Key, use_facets: LatestFacets, dataset_facets: Mapping[str, str]) -> Any:
    """Return an input or an output of a run."""
    cls, container = _ROLES[role]
    facets, invalid = read_facets(DatasetFacets, dataset_facets, "/facets")
    own, invalid_own = read_facets(container, _values(use_facets), f"/{role}Facets")
    return cls(
        namespace=key[0],
        name=key[1],
        facets=facets,
        invalid_facets={**invalid, **invalid_own},
        **{f"{role}_facets": own},
    )


def _values(facets: LatestFacets) -> dict[str, str]:
    return {key: value for key, (_, value) in facets.items()}
