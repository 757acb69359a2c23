"""A job, a dataset and a run as returned by LineageState."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from openlineage_facets.base.model.spec_models import FacetModel, facet_of
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import EventType


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


class ColumnId(NamedTuple):
    """The identity of a column."""

    dataset: DatasetId
    name: str


F = TypeVar("F", bound=FacetModel)


class _WithFacets:
    """An object with facet containers."""

    __slots__ = ()

    def facet(self, cls: type[F]) -> F | None:
        """Return the facet of a class, None if there is none or it is deleted.

        Args:
            cls: The class of the facet, also of a custom facet.

        Raises:
            EventError: The facet under the key of the class is invalid for that class.
            TypeError: The class is not a facet of this object.

        Example:
            >>> ownership = state.job("etl", "orders").facet(OwnershipJobFacet)
        """
        containers = {
            name: type(getattr(self, name))
            for name in ("facets", "input_facets", "output_facets", "job_facets")
            if hasattr(self, name)
        }
        return facet_of(self, cls, containers)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState(_WithFacets):
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
class DatasetState(_WithFacets):
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
class RunInput(_WithFacets):
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
class RunOutput(_WithFacets):
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
class RunState(_WithFacets):
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
