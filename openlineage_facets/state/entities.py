"""A job, a dataset and a run as returned by LineageState."""

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
    """A job at one time."""

    namespace: str
    name: str
    facets: JobFacets
    """The facets in force."""
    inputs: tuple[DatasetId, ...]
    """All inputs of the job and of its runs, sorted."""
    outputs: tuple[DatasetId, ...]
    """All outputs of the job and of its runs, sorted."""
    first_seen: Timestamp
    """The first event about the job, in UTC."""
    last_seen: Timestamp
    """The last event about the job, in UTC."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Invalid facets in force, as JSON, by JSON Pointer into the job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetState:
    """A dataset at one time."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets in force."""
    first_seen: Timestamp
    """The first event about the dataset, in UTC."""
    last_seen: Timestamp
    """The last event about the dataset, in UTC."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Invalid facets in force, as JSON, by JSON Pointer into the dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """An input of a run."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets of the dataset at the time of the run."""
    input_facets: InputDatasetFacets
    """The input facets of this run."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Invalid facets, as JSON, by JSON Pointer into the input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutput:
    """An output of a run."""

    namespace: str
    name: str
    facets: DatasetFacets
    """The facets of the dataset at the time of the run."""
    output_facets: OutputDatasetFacets
    """The output facets of this run."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Invalid facets, as JSON, by JSON Pointer into the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """A run, accumulated from all its events.

    Facets of its job and datasets are those in force when the run ended, or at its latest event if it has
    not ended. Facets reported by its own events always count, even after the end.
    """

    run_id: str
    """The run's UUID, in lower case."""
    job: JobId
    """The job of the run."""
    state: EventType | None
    """START, RUNNING or the terminal event type; None without such an event.

    The earliest of COMPLETE, FAIL and ABORT ends the run. Later events do not reopen it.
    """
    started_at: Timestamp | None
    """The earliest START, in UTC."""
    ended_at: Timestamp | None
    """The earliest terminal event, in UTC; None if the run has not ended."""
    first_seen: Timestamp
    """The run's earliest event, in UTC."""
    last_seen: Timestamp
    """The run's latest event, in UTC."""
    facets: RunFacets
    """The run's own facets."""
    job_facets: JobFacets
    """The facets of the job at the time of the run."""
    inputs: tuple[RunInput, ...]
    """The inputs, sorted by namespace and name."""
    outputs: tuple[RunOutput, ...]
    """The outputs, sorted by namespace and name."""
    invalid_facets: Mapping[str, Any] = field(default_factory=dict)
    """Invalid facets of run and job, as JSON, by JSON Pointer into an event."""
