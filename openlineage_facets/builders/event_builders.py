"""Builders of run, job and dataset events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from typing_extensions import Self

from openlineage_facets.base.containers.builder import EntityBuilder
from openlineage_facets.base.display.short_values import TruncatedRepr
from openlineage_facets.base.errors.findings import EventError, describe, invalid, missing_name
from openlineage_facets.base.json.json_input import assert_utf8
from openlineage_facets.base.producer import current_producer, is_absolute_uri
from openlineage_facets.base.times.uuid7 import uuid7
from openlineage_facets.builders.entity_builders import (
    BuilderParts,
    DatasetBuilder,
    InputBuilder,
    JobBuilder,
    OutputBuilder,
    RunBuilder,
)
from openlineage_facets.builders.error_facet import failure_facet
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.generated.open_lineage import DatasetEvent, EventType, JobEvent, RunEvent
from openlineage_facets.tags import Tag, TagsInput, TagValue, WireFormat, tag_list, user_tags

B = TypeVar("B", InputBuilder, OutputBuilder)


class _EventBuilder(BuilderParts):
    """Base of RunEventBuilder and JobEventBuilder."""

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {
        "job": JobBuilder,
        "input(...)": InputBuilder,
        "output(...)": OutputBuilder,
    }

    def __init__(
        self, namespace: str, name: str, *, producer: str | None = None, wire_format: WireFormat = "released"
    ) -> None:
        self._producer = _producer(producer)
        self._wire_format: WireFormat = wire_format
        self._inputs: dict[tuple[str, str], InputBuilder] = {}
        self._outputs: dict[tuple[str, str], OutputBuilder] = {}
        job = self._part("job", JobBuilder)
        self._job = job(_identity(namespace, name), self._producer, wire_format)
        if user_tags().job:
            self._job.tags()

    # A property, so that type checkers accept that a subclass returns a builder with more methods.
    @property
    def job(self) -> JobBuilder:
        """The facets of the job."""
        return self._job

    def input(self, namespace: str, name: str) -> InputBuilder:
        """Return the builder of an input dataset. The same name returns the same builder.

        Raises:
            EventError: The namespace or the name is empty or not a string.
        """
        return self._named(self._inputs, self._part("input(...)", InputBuilder), namespace, name)

    def output(self, namespace: str, name: str) -> OutputBuilder:
        """Return the builder of an output dataset. The same name returns the same builder.

        Raises:
            EventError: The namespace or the name is empty or not a string.
        """
        return self._named(self._outputs, self._part("output(...)", OutputBuilder), namespace, name)

    def discard_output(self, namespace: str, name: str) -> Self:
        """Leave out an output dataset that was not written after all. Unknown names are ignored.

        Events that were composed before keep it.

        Args:
            namespace: Namespace of the dataset.
            name: Name of the dataset.
        """
        self._outputs.pop((namespace, name), None)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={TruncatedRepr(value)!r}" for name, value in self._summary())
        return f"{type(self).__name__}({shown})"

    def _summary(self) -> list[tuple[str, object]]:
        """Return what identifies the builder and what it contains."""
        job = self.job.build()
        return [
            ("namespace", job.namespace),
            ("name", job.name),
            ("inputs", len(self._inputs)),
            ("outputs", len(self._outputs)),
        ]

    def _repr_html_(self) -> str:
        """Return a table of the parts, for notebooks."""
        from openlineage_facets.base.display.notebook_html import notebook_table

        return notebook_table(type(self).__name__, self._contents())

    def _contents(self) -> list[tuple[str, list[str]]]:
        """Return each part with its facet keys."""
        return [
            ("job", [self.job._described()]),
            ("inputs", [dataset._described() for dataset in self._inputs.values()]),
            ("outputs", [dataset._described() for dataset in self._outputs.values()]),
        ]

    def _named(self, builders: dict[tuple[str, str], B], kind: type[B], namespace: str, name: str) -> B:
        identity = _identity(namespace, name)
        if (namespace, name) not in builders:
            builders[namespace, name] = kind(identity, self._producer, self._wire_format)
        return builders[namespace, name]


class RunEventBuilder(_EventBuilder):
    """Builds the events of one run, from START to its terminal event.

    `start()`, `running()`, `complete()`, `fail()`, `abort()` and `other()` each return an immutable RunEvent.
    The metadata of a run accumulates over its events. An event contains the run id, namespace and name of
    the job, the `parent` facet, and what was added since the previous event. The terminal event contains
    everything again, for consumers that only read terminal events.

    Args:
        namespace: Namespace of the job.
        name: Name of the job.
        run_id: UUID of the run. Default: a new UUIDv7.
        producer: Absolute URI of the code that composes the events. Default: the current producer.
        wire_format: The wire format of tags, `released` or `proposal`.

    Raises:
        EventError: The namespace or name is empty, the run id is not a UUID, or the producer is not absolute.
    """

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {"run": RunBuilder, **_EventBuilder.__parts__}

    def __init__(
        self,
        namespace: str,
        name: str,
        *,
        run_id: UUID | str | None = None,
        producer: str | None = None,
        wire_format: WireFormat = "released",
    ) -> None:
        super().__init__(namespace, name, producer=producer, wire_format=wire_format)
        run_id = uuid7() if run_id is None else run_id
        run = self._part("run", RunBuilder)
        self._run = run({"run_id": run_id}, self._producer, wire_format)
        self.run_id = str(run_id)
        """UUID of the run."""
        if user_tags().run:
            self._run.tags()
        self._lifecycle = _RunLifecycle()

    @property
    def run(self) -> RunBuilder:
        """The facets of the run."""
        return self._run

    def tag(self, key: str, value: TagValue = True, source: str | None = None) -> Self:
        """Add one tag to the job and the run.

        Raises:
            EventError: The tag is invalid.
        """
        return self.tags([Tag(key, value, source)])

    def tags(self, tags: TagsInput) -> Self:
        """Add tags to the job and the run.

        Args:
            tags: `Tag` objects, tokens such as "pii" and "team=dataos", or a mapping from key to value.

        Raises:
            EventError: An item is not a Tag, or has a field, which only datasets have.
        """
        added = tag_list(tags)
        self.job.tags(added)
        self.run.tags(added)
        return self

    def start(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the START event. Must be the first event, once."""
        return self._event(EventType.START, event_time)

    def running(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return a RUNNING event, for metadata during the run."""
        return self._event(EventType.RUNNING, event_time)

    def complete(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the COMPLETE event: the run succeeded."""
        return self._event(EventType.COMPLETE, event_time)

    def fail(
        self, error: BaseException | str | None = None, event_time: datetime | str | None = None
    ) -> RunEvent:
        """Return the FAIL event: the run failed.

        Args:
            error: The exception or message for the errorMessage facet, an exception with its stack trace.
            event_time: The time of the event. Default: now.
        """
        self._lifecycle.check(EventType.FAIL)
        with self.run.restored_on_error():
            if error is not None:
                self.run.facet(failure_facet(error, self._producer()))
            return self._event(EventType.FAIL, event_time)

    def abort(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the ABORT event: the run was stopped."""
        return self._event(EventType.ABORT, event_time)

    def other(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return an OTHER event, for metadata at any time, including after the end."""
        return self._event(EventType.OTHER, event_time)

    def _summary(self) -> list[tuple[str, object]]:
        state = self._lifecycle.state
        return [*super()._summary(), ("run_id", self.run_id), ("state", state and state.value)]

    def _contents(self) -> list[tuple[str, list[str]]]:
        state = self._lifecycle.state
        return [
            ("run", [self.run._described()]),
            ("state", ["not started" if state is None else state.value]),
            *super()._contents(),
        ]

    def _preview(self) -> RunEvent:
        """Return an event of everything until now, which is not sent."""
        return self._composed(self._lifecycle.state or EventType.OTHER, None, True)

    def _event(self, kind: EventType, event_time: datetime | str | None) -> RunEvent:
        self._lifecycle.check(kind)
        datasets = [*self._inputs.values(), *self._outputs.values()]
        event = self._composed(kind, event_time, kind in TERMINAL_EVENT_TYPES)
        for entity in (self.run, self.job, *datasets):
            entity.mark_sent()
        self._lifecycle.advance(kind)
        return event

    def _composed(self, kind: EventType, event_time: datetime | str | None, is_complete: bool) -> RunEvent:
        return RunEvent(
            event_type=kind,
            event_time=event_time,
            run=self.run.build() if is_complete else self.run.build_changes("parent"),
            job=self.job.build() if is_complete else self.job.build_changes(),
            inputs=_datasets_to_send(self._inputs.values(), is_complete),
            outputs=_datasets_to_send(self._outputs.values(), is_complete),
            producer=self._producer(),
        )


class JobEventBuilder(_EventBuilder):
    """Builds a JobEvent: static metadata and lineage of a job, outside any run.

    Args:
        namespace: Namespace of the job.
        name: Name of the job.
        producer: Absolute URI of the code that composes the event. Default: the current producer.
        wire_format: The wire format of tags, `released` or `proposal`.

    Raises:
        EventError: The namespace or name is empty, or the producer is not absolute.
    """

    def build(self, event_time: datetime | str | None = None) -> JobEvent:
        """Return the event with everything added so far."""
        return JobEvent(
            event_time=event_time,
            job=self.job.build(),
            inputs=[dataset.build() for dataset in self._inputs.values()] or None,
            outputs=[dataset.build() for dataset in self._outputs.values()] or None,
            producer=self._producer(),
        )


class DatasetEventBuilder(BuilderParts):
    """Builds a DatasetEvent: static metadata of a dataset, outside any run.

    Args:
        namespace: Namespace of the dataset.
        name: Name of the dataset.
        producer: Absolute URI of the code that composes the event. Default: the current producer.
        wire_format: The wire format of tags, `released` or `proposal`.

    Raises:
        EventError: The namespace or name is empty, or the producer is not absolute.
    """

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {"dataset": DatasetBuilder}

    def __init__(
        self, namespace: str, name: str, *, producer: str | None = None, wire_format: WireFormat = "released"
    ) -> None:
        self._producer = _producer(producer)
        dataset = self._part("dataset", DatasetBuilder)
        self._dataset = dataset(_identity(namespace, name), self._producer, wire_format)

    @property
    def dataset(self) -> DatasetBuilder:
        """The facets of the dataset."""
        return self._dataset

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.dataset!r})"

    def _repr_html_(self) -> str:
        """Return a table of the facets, for notebooks."""
        return self.dataset._repr_html_()

    def build(self, event_time: datetime | str | None = None) -> DatasetEvent:
        """Return the event with everything added so far."""
        return DatasetEvent(event_time=event_time, dataset=self.dataset.build(), producer=self._producer())


class _RunLifecycle:
    """The order of a run's events: START first, then one terminal event, then only OTHER."""

    def __init__(self) -> None:
        self.state: EventType | None = None
        """The type of the latest event, except OTHER after the end; None before START."""

    def check(self, event_type: EventType) -> None:
        """Check whether an event may follow.

        Raises:
            EventError: The lifecycle does not allow the event.
        """
        if self.state is None:
            if event_type is EventType.START:
                return
            expected, hint = "START first", "call start() before"
        elif event_type is EventType.START:
            expected, hint = "START once", "send RUNNING or OTHER for more metadata"
        elif self.state in TERMINAL_EVENT_TYPES and event_type is not EventType.OTHER:
            expected, hint = "only OTHER after the end", "call other() for more metadata"
        else:
            return
        found = f"{event_type.value} after {self.state.value}" if self.state else f"{event_type.value} first"
        raise invalid("/eventType", expected, found, hint)

    def advance(self, event_type: EventType) -> None:
        """Record an event. OTHER after the end does not change the state."""
        if event_type is not EventType.OTHER or self.state not in TERMINAL_EVENT_TYPES:
            self.state = event_type


def _identity(namespace: str, name: str) -> dict[str, Any]:
    for field, value in (("namespace", namespace), ("name", name)):
        if not isinstance(value, str) or not value:
            raise EventError([missing_name(field, value)])
        assert_utf8(value, f"/{field}")
    return {"namespace": namespace, "name": name}


def _producer(uri: str | None) -> Callable[[], str]:
    """Return a function that returns the producer of the next facet or event."""
    if uri is None:
        return current_producer
    if not is_absolute_uri(uri):
        expected = "an absolute URI such as https://example.com/v7/etl"
        raise invalid("/producer", expected, describe(uri))
    assert_utf8(uri, "/producer")
    return lambda: uri


def _datasets_to_send(
    datasets: Iterable[InputBuilder | OutputBuilder], is_complete: bool
) -> list[Any] | None:
    """Return all datasets of a complete event, or those that changed with their new facets."""
    if is_complete:
        return [dataset.build() for dataset in datasets] or None
    return [dataset.build_changes() for dataset in datasets if dataset.has_changes()] or None
