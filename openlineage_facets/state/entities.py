"""What a state tells about a job, a dataset and a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import EventType

__all__ = ["ColumnId", "DatasetId", "DatasetState", "JobId", "JobState", "RunInput", "RunOutput", "RunState"]


@dataclass(frozen=True, order=True, slots=True)
class JobId:
    """The identity of a job."""

    namespace: str
    name: str


@dataclass(frozen=True, order=True, slots=True)
class DatasetId:
    """The identity of a dataset."""

    namespace: str
    name: str


@dataclass(frozen=True, order=True, slots=True)
class ColumnId:
    """The identity of a column."""

    dataset: DatasetId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """A job at one moment."""

    namespace: str
    name: str
    facets: JobFacets
    """The facets in force."""
    inputs: tuple[DatasetId, ...]
    """Every dataset that an event named as an input of the job or of one of its runs, sorted."""
    outputs: tuple[DatasetId, ...]
    """Every dataset that an event named as an output of the job or of one of its runs, sorted."""
    first_seen: Timestamp
    """When an event first named the job, in UTC."""
    last_seen: Timestamp
    """When an event last named the job, in UTC."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Facets in force that are not what their schema says, as JSON, by JSON Pointer into the job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetState:
    """A dataset at one moment."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets in force."""
    first_seen: Timestamp
    """When an event first named the dataset, in UTC."""
    last_seen: Timestamp
    """When an event last named the dataset, in UTC."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Facets in force that are not what their schema says, as JSON, by JSON Pointer into the dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """A dataset as a run read it."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets of the dataset that were in force when the run ran."""
    input_facets: InputDatasetFacets
    """The facets of this one read."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Facets that are not what their schema says, as JSON, by JSON Pointer into the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutput:
    """A dataset as a run wrote it."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets of the dataset that were in force when the run ran."""
    output_facets: OutputDatasetFacets
    """The facets of this one write."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Facets that are not what their schema says, as JSON, by JSON Pointer into the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """A run: what all its events add up to.

    The facets in force when it ran are those of the moment it ended or, while it goes on, of its latest
    event; what its own events said of its job and datasets counts whenever they said it, since a run may
    add metadata after its end.
    """

    run_id: str
    """The run's UUID, in lower case."""
    job: JobId
    """The job it is a run of."""
    state: EventType | None
    """START, RUNNING, or how it ended; None where no event said any of these.

    The earliest of COMPLETE, FAIL and ABORT ends a run, and no later event opens it again.
    """
    started_at: Timestamp | None
    """The earliest START, in UTC."""
    ended_at: Timestamp | None
    """The end, in UTC; None while the run goes on."""
    first_seen: Timestamp
    """The run's earliest event, in UTC."""
    last_seen: Timestamp
    """The run's latest event, in UTC."""
    facets: RunFacets
    """The run's own facets."""
    job_facets: JobFacets
    """The facets of the job that were in force when it ran."""
    inputs: tuple[RunInput, ...]
    """The datasets it read, sorted by namespace and name."""
    outputs: tuple[RunOutput, ...]
    """The datasets it wrote, sorted by namespace and name."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Facets of run and job that are not what their schema says, as JSON, by JSON Pointer into an event."""
