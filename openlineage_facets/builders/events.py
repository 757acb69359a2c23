"""The builders of run, job and dataset events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from uuid import UUID

from typing_extensions import Self

from openlineage_facets.base.builder import EntityBuilder
from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.given import unnamed
from openlineage_facets.base.producer import current_producer, is_absolute_uri
from openlineage_facets.base.uuid7 import uuid7
from openlineage_facets.builders.entities import (
    DatasetBuilder,
    InputBuilder,
    JobBuilder,
    OutputBuilder,
    RunBuilder,
)
from openlineage_facets.builders.failure import failure_facet
from openlineage_facets.generated.open_lineage import DatasetEvent, EventType, JobEvent, RunEvent
from openlineage_facets.tags import Spelling, Tag, TagValue, user_tags

__all__ = ["DatasetEventBuilder", "JobEventBuilder", "RunEventBuilder"]

_TERMINAL = frozenset({EventType.COMPLETE, EventType.FAIL, EventType.ABORT})

B = TypeVar("B", InputBuilder, OutputBuilder)


class _Parts:
    """An event builder, whose parts have the methods that one might look for on itself."""

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {}
    """The builder of each part, by what gives it."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            owners = [f".{part}.{name}" for part, builder in self.__parts__.items() if hasattr(builder, name)]
            hint = f"; did you mean {' or '.join(owners)}?" if owners else ""
            raise AttributeError(f"{type(self).__name__} has no {name!r}{hint}")


class _EventBuilder(_Parts):
    """What the builders of run and job events share."""

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {
        "job": JobBuilder,
        "input(...)": InputBuilder,
        "output(...)": OutputBuilder,
    }

    def __init__(self, namespace: str, name: str, producer: str | None, spelling: Spelling) -> None:
        self._producer = _producer(producer)
        self._spelling: Spelling = spelling
        self._inputs: dict[tuple[str, str], InputBuilder] = {}
        self._outputs: dict[tuple[str, str], OutputBuilder] = {}
        self.job = JobBuilder(_identity(namespace, name), self._producer, spelling)
        """The facets of the job."""
        if user_tags().job:
            self.job.tags()

    def input(self, namespace: str, name: str) -> InputBuilder:
        """Return the builder of a dataset that is read; the same one each time it is named.

        Raises:
            EventError: The namespace or the name is empty or no text.
        """
        return self._named(self._inputs, InputBuilder, namespace, name)

    def output(self, namespace: str, name: str) -> OutputBuilder:
        """Return the builder of a dataset that is written; the same one each time it is named.

        Raises:
            EventError: The namespace or the name is empty or no text.
        """
        return self._named(self._outputs, OutputBuilder, namespace, name)

    def _named(self, builders: dict[tuple[str, str], B], kind: type[B], namespace: str, name: str) -> B:
        identity = _identity(namespace, name)
        if (namespace, name) not in builders:
            builders[namespace, name] = kind(identity, self._producer, self._spelling)
        return builders[namespace, name]


class RunEventBuilder(_EventBuilder):
    """Builds the events of one run, from START to its end.

    The builder keeps the run id, the job and the facets it was given, and `start()`, `running()`,
    `complete()`, `fail()`, `abort()` and `other()` each return a finished, immutable RunEvent. The
    metadata of a run adds up over its events, so a later event repeats no more than it needs:

    - always: the run id, the job's namespace and name, and the run's `parent` facet;
    - once: every other facet, in the first event after it was added or replaced;
    - an input or output, by namespace and name, where it is new or has new facets; the event that ends
      the run names them all, for consumers that look at the end alone.

    Args:
        namespace: Namespace of the job.
        name: Name of the job.
        run_id: UUID of the run; a new one if not given.
        producer: Absolute URI of the code that composes the events; the one in force if not given.
        spelling: How tags are spelled on the wire, as released or as proposed.

    Raises:
        EventError: The namespace or name is empty, the run id no UUID or the producer not absolute.
    """

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {"run": RunBuilder, **_EventBuilder.__parts__}

    def __init__(
        self,
        namespace: str,
        name: str,
        *,
        run_id: UUID | str | None = None,
        producer: str | None = None,
        spelling: Spelling = "released",
    ) -> None:
        super().__init__(namespace, name, producer, spelling)
        given = uuid7() if run_id is None else run_id
        self.run = RunBuilder({"run_id": given}, self._producer, spelling)
        """The facets of the run."""
        self.run_id = str(given)
        """UUID of the run."""
        if user_tags().run:
            self.run.tags()
        self._state: EventType | None = None

    def tag(self, key: str, value: TagValue = True, source: str | None = None) -> Self:
        """Add one tag to the job and the run.

        Raises:
            EventError: The tag is none.
        """
        return self.tags([Tag(key, value, source)])

    def tags(self, tags: Iterable[Tag]) -> Self:
        """Add tags to the job and the run.

        Raises:
            EventError: An entry is no tag, or names a field, which only datasets have.
        """
        added = list(tags) if isinstance(tags, Iterable) and not isinstance(tags, str) else tags
        self.job.tags(added)
        self.run.tags(added)
        return self

    def start(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the START event: the run begins. It comes first, and once."""
        return self._event(EventType.START, event_time)

    def running(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return a RUNNING event: the run goes on."""
        return self._event(EventType.RUNNING, event_time)

    def complete(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the COMPLETE event: the run has ended well."""
        return self._event(EventType.COMPLETE, event_time)

    def fail(
        self, error: BaseException | str | None = None, event_time: datetime | str | None = None
    ) -> RunEvent:
        """Return the FAIL event: the run has ended with an error.

        Args:
            error: What went wrong; it becomes the run's errorMessage facet, an exception with its
                stack trace.
            event_time: When it happened; now if not given.
        """
        self._assert_follows(EventType.FAIL)
        with self.run.restored_on_error():
            if error is not None:
                self.run.facet(failure_facet(error, self._producer()))
            return self._event(EventType.FAIL, event_time)

    def abort(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return the ABORT event: the run was stopped before its end."""
        return self._event(EventType.ABORT, event_time)

    def other(self, event_time: datetime | str | None = None) -> RunEvent:
        """Return an OTHER event: metadata alone, even after the run has ended."""
        return self._event(EventType.OTHER, event_time)

    def _assert_follows(self, kind: EventType) -> None:
        """Refuse an event that the lifecycle has no place for."""
        if self._state is None:
            if kind is EventType.START:
                return
            expected, hint = "START first", "call start() before"
        elif kind is EventType.START:
            expected, hint = "START once", "send RUNNING or OTHER for more metadata"
        elif self._state in _TERMINAL and kind is not EventType.OTHER:
            expected, hint = "nothing but OTHER after the end", "call other() for more metadata"
        else:
            return
        found = f"{kind.value} after {self._state.value}" if self._state else f"{kind.value} first"
        raise EventError([Finding("/eventType", expected, found, hint)])

    def _event(self, kind: EventType, event_time: datetime | str | None) -> RunEvent:
        self._assert_follows(kind)
        datasets = [*self._inputs.values(), *self._outputs.values()]
        event = RunEvent(
            event_type=kind,
            event_time=event_time,
            run=self.run.build_news("parent"),
            job=self.job.build_news(),
            inputs=_news(self._inputs.values(), everything=kind in _TERMINAL),
            outputs=_news(self._outputs.values(), everything=kind in _TERMINAL),
            producer=self._producer(),
        )
        for entity in (self.run, self.job, *datasets):
            entity.mark_sent()
        if kind is not EventType.OTHER or self._state not in _TERMINAL:
            self._state = kind
        return event


class JobEventBuilder(_EventBuilder):
    """Builds an event about a job outside any run: what it is, reads and writes by design.

    Args:
        namespace: Namespace of the job.
        name: Name of the job.
        producer: Absolute URI of the code that composes the event; the one in force if not given.
        spelling: How tags are spelled on the wire, as released or as proposed.

    Raises:
        EventError: The namespace or name is empty, or the producer is not absolute.
    """

    def __init__(
        self, namespace: str, name: str, *, producer: str | None = None, spelling: Spelling = "released"
    ) -> None:
        super().__init__(namespace, name, producer, spelling)

    def build(self, event_time: datetime | str | None = None) -> JobEvent:
        """Return the event, with everything added so far."""
        return JobEvent(
            event_time=event_time,
            job=self.job.build(),
            inputs=[one.build() for one in self._inputs.values()] or None,
            outputs=[one.build() for one in self._outputs.values()] or None,
            producer=self._producer(),
        )


class DatasetEventBuilder(_Parts):
    """Builds an event about a dataset outside any run.

    Args:
        namespace: Namespace of the dataset.
        name: Name of the dataset.
        producer: Absolute URI of the code that composes the event; the one in force if not given.
        spelling: How tags are spelled on the wire, as released or as proposed.

    Raises:
        EventError: The namespace or name is empty, or the producer is not absolute.
    """

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {"dataset": DatasetBuilder}

    def __init__(
        self, namespace: str, name: str, *, producer: str | None = None, spelling: Spelling = "released"
    ) -> None:
        self._producer = _producer(producer)
        self.dataset = DatasetBuilder(_identity(namespace, name), self._producer, spelling)
        """The facets of the dataset."""

    def build(self, event_time: datetime | str | None = None) -> DatasetEvent:
        """Return the event, with everything added so far."""
        return DatasetEvent(event_time=event_time, dataset=self.dataset.build(), producer=self._producer())


def _identity(namespace: str, name: str) -> dict[str, Any]:
    for field, value in (("namespace", namespace), ("name", name)):
        if not isinstance(value, str) or not value:
            raise EventError([unnamed(field, value)])
    return {"namespace": namespace, "name": name}


def _producer(given: str | None) -> Callable[[], str]:
    """Return what tells the producer whenever a facet or an event is made."""
    if given is None:
        return current_producer
    if not is_absolute_uri(given):
        expected = "an absolute URI such as https://example.com/etl/v7"
        raise EventError([Finding("/producer", expected, shown(given))])
    return lambda: given


def _news(datasets: Iterable[InputBuilder | OutputBuilder], *, everything: bool) -> list[Any] | None:
    """Return the datasets to name in the next event of a run, each with its new facets."""
    named = [one.build_news() for one in datasets if everything or one.has_news()]
    return named or None
