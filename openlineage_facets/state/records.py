"""What a state keeps of each job, dataset and run; every part of it merges in any order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from openlineage_facets.state.history import FacetHistory, Order, Statement
from openlineage_facets.state.moments import Moment, Span, widened
from openlineage_facets.state.reading import TERMINAL, EventReading, Key

__all__ = ["DatasetRecord", "Facets", "JobRecord", "RunRecord", "Use"]

Facets: TypeAlias = dict[str, tuple[Order, str]]
"""The latest of each facet that belongs to one run: its order and its canonical JSON, by wire key."""

Use: TypeAlias = tuple[Literal["input", "output"], Literal["job", "run"], str, str]
"""How a job uses a dataset, whether a job event or a run event said so, and namespace and name."""


def _keep_latest(kept: Facets, key: str, order: Order, value: str) -> None:
    if key not in kept or kept[key] < (order, value):
        kept[key] = (order, value)


def _keep_all_latest(kept: Facets, facets: Mapping[str, str], order: Order) -> None:
    for key, value in facets.items():
        _keep_latest(kept, key, order, value)


def _merge_latest(kept: Facets, other: Facets) -> None:
    for key, (order, value) in other.items():
        _keep_latest(kept, key, order, value)


@dataclass(slots=True)
class DatasetRecord:
    """A dataset, or what a job has in common with one: when it was heard of, and its facets over time."""

    seen: Span | None = None
    facets: dict[str, FacetHistory] = field(default_factory=dict)

    def say(self, facets: Mapping[str, str], order: Order, source: str, *, every: bool) -> None:
        """Remember the facets that an event gives the entity."""
        self.seen = widened(self.seen, (order[:2], order[:2]))
        for key, value in facets.items():
            self.facets.setdefault(key, FacetHistory()).add(Statement(order, value, source), every=every)

    def merge(self, other: DatasetRecord, *, every: bool) -> None:
        """Remember what `other` does."""
        if other.seen is not None:
            self.seen = widened(self.seen, other.seen)
        for key, history in other.facets.items():
            self.facets.setdefault(key, FacetHistory()).merge(history, every=every)

    def values(self, at: Moment | None = None, source: str = "") -> dict[str, str]:
        """Return the facets in force, now or at a moment, by wire key; deleted ones included."""
        if at is None:
            return {key: history.latest().value for key, history in self.facets.items()}
        held = ((key, history.at(at, source)) for key, history in self.facets.items())
        return {key: statement.value for key, statement in held if statement is not None}


@dataclass(slots=True)
class JobRecord(DatasetRecord):
    """A job: as a dataset, and when it was said to use which datasets."""

    uses: dict[Use, Span] = field(default_factory=dict)

    def use(self, use: Use, span: Span) -> None:
        """Remember that the job uses a dataset."""
        self.uses[use] = widened(self.uses.get(use), span)

    def merge(self, other: DatasetRecord, *, every: bool) -> None:
        """Remember what `other` does."""
        # Not super(): a dataclass with slots is another class than the one `super()` closed over.
        DatasetRecord.merge(self, other, every=every)
        if isinstance(other, JobRecord):
            for use, span in other.uses.items():
                self.use(use, span)


@dataclass(slots=True)
class RunRecord:
    """A run: all that its events added up to, but for the facets of its job and datasets."""

    seen: Span | None = None
    first_of_type: dict[str, Moment] = field(default_factory=dict)
    job: tuple[Order, Key] | None = None
    facets: Facets = field(default_factory=dict)
    inputs: dict[Key, Facets] = field(default_factory=dict)
    outputs: dict[Key, Facets] = field(default_factory=dict)

    def add(self, event: EventReading) -> None:
        """Remember what an event of the run says."""
        assert event.job is not None
        assert event.run_facets is not None
        order = event.order()
        self.seen = widened(self.seen, (event.moment, event.moment))
        if event.event_type is not None:
            self._see_type(event.event_type, event.moment)
        self._see_job((order, event.job))
        _keep_all_latest(self.facets, event.run_facets, order)
        for used, datasets in ((self.inputs, event.inputs), (self.outputs, event.outputs)):
            for dataset in datasets:
                _keep_all_latest(used.setdefault(dataset.key, {}), dataset.use_facets, order)

    def _see_type(self, event_type: str, moment: Moment) -> None:
        self.first_of_type[event_type] = min(self.first_of_type.get(event_type, moment), moment)

    def _see_job(self, job: tuple[Order, Key]) -> None:
        self.job = job if self.job is None else max(self.job, job)

    def merge(self, other: RunRecord) -> None:
        """Remember what `other` does."""
        if other.seen is not None:
            self.seen = widened(self.seen, other.seen)
        for event_type, moment in other.first_of_type.items():
            self._see_type(event_type, moment)
        if other.job is not None:
            self._see_job(other.job)
        _merge_latest(self.facets, other.facets)
        for used, others in ((self.inputs, other.inputs), (self.outputs, other.outputs)):
            for key, facets in others.items():
                _merge_latest(used.setdefault(key, {}), facets)

    def end(self) -> tuple[str, Moment] | None:
        """Return how and when the run ended: its earliest terminal event, or None while it goes on."""
        ended = [
            (self.first_of_type[name], TERMINAL.index(name))
            for name in TERMINAL
            if name in self.first_of_type
        ]
        if not ended:
            return None
        moment, rank = min(ended)
        return TERMINAL[rank], moment

    def state(self) -> str | None:
        """Return the state the run reached, or None where no lifecycle event was seen."""
        end = self.end()
        if end is not None:
            return end[0]
        return next((name for name in ("RUNNING", "START") if name in self.first_of_type), None)

    def moment(self) -> Moment:
        """Return the moment whose facets the run had: its end, or its latest event while it goes on."""
        end = self.end()
        if end is not None:
            return end[1]
        assert self.seen is not None
        return self.seen[1]
