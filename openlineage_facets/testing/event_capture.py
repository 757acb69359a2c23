"""`LineageEvents`: capture the events of the code under test."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from threading import Condition
from time import monotonic
from typing import Any

from pydantic_core import from_json

from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.naming.naming_rules import VARIABLE as NAMING_VARIABLE
from openlineage_facets.parsing import Event
from openlineage_facets.state import LineageState
from openlineage_facets.state.entities import RunState
from openlineage_facets.testing.appended_file import AppendedFile
from openlineage_facets.testing.assertions import (
    ColumnName,
    DatasetName,
    failing_findings,
    finding_lines,
    lineage_differences,
    wire_form,
)
from openlineage_facets.testing.printed_events import events_in, starts_with_event
from openlineage_facets.testing.receiver import Receiver
from openlineage_facets.validation import ReadResult, read_event
from openlineage_facets.validation.event_document import Document

_POLL = 0.02
"""Seconds between two reads of the file in `wait_for`."""


class LineageEvents:
    """The events emitted by the code under test, in order.

    Pass it to the code as an emitter or a function, let the code write to `file` or post to `url`, or call
    `use_environment()` to configure clients by environment variables. Invalid events are captured, too;
    `assert_valid()` reports them.

    Args:
        folder: The folder of `file`.

    Example:
        >>> def test_job(lineage_events):
        ...     job(emit=lineage_events)
        ...     lineage_events.assert_valid()
        ...     assert lineage_events.last.event_type == "COMPLETE"
    """

    def __init__(self, folder: Path) -> None:
        self._file = AppendedFile(folder / "lineage.ndjson")
        self._readings: list[ReadResult] = []
        self._changed = Condition()
        self._receiver: Receiver | None = None
        # As it was before the test: what pytest's monkeypatch changes during the test is undone first.
        self._environment = _variables()
        self._uses_environment = False
        self._naming_file: str | None = None

    # Capturing events

    def emit(self, event: Any) -> None:
        """Capture an event of this package or of openlineage-python, JSON text, or a JSON object."""
        with self._changed:
            self._read_file()
            self._add(wire_form(event))

    __call__ = emit

    def close(self) -> None:
        """Do nothing. The job may close its emitter before the test reads the events."""

    @property
    def file(self) -> Path:
        """A file whose lines are captured as events.

        Lines must be appended. If the file is replaced, it is read again from its start, but only if it has
        become shorter since the test last read the events.
        """
        return self._file.path

    @property
    def url(self) -> str:
        """The URL of a backend on the loopback interface, started on first access.

        It accepts POST requests to any path, compressed or not, and responds with 201 to valid and invalid
        events.
        """
        if self._receiver is None:
            self._receiver = Receiver(self._add_body, self._add_unreadable)
        return self._receiver.url

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables with which OpenLineage clients in any process send events to `url`."""
        return {"OPENLINEAGE_URL": self.url, "OPENLINEAGE_DISABLED": "false"}

    def use_environment(self) -> None:
        """Set environment variables so that clients send events to `url`, until the test ends.

        All other variables of OpenLineage are removed for that time: those that configure a destination, and
        those that change events, such as `OPENLINEAGE_BACKEND` and `OPENLINEAGE_TAG_TEAM`. Set variables
        that the job needs afterwards.
        """
        self._uses_environment = True
        self._naming_file = self.naming_file
        _replace_variables(self.environment)

    @property
    def naming_file(self) -> str | None:
        """The file that `OPENLINEAGE_NAMING` names, or named when `use_environment()` removed it."""
        return os.environ.get(NAMING_VARIABLE) or self._naming_file

    def read(self, text: str | Path) -> None:
        """Capture the events in a text or a file, such as the output or the log of a job.

        Events may be on single lines, with or without a prefix from a logger, on several lines, or in an
        array. Other lines are skipped. Truncated events and events that are not valid JSON are captured as
        invalid events. In a file that starts with an event, so is any other content.

        Args:
            text: A text, or the path of a file.

        Example:
            >>> lineage_events.read(capsys.readouterr().out)
        """
        content = text.read_text(encoding="utf-8-sig") if isinstance(text, Path) else text
        with self._changed:
            self._read_file()
            only_events = isinstance(text, Path) and starts_with_event(content)
            for event in events_in(content, only_events=only_events):
                self._add(event)

    # Captured events

    @property
    def has_captured(self) -> bool:
        """Whether anything was captured, also a line of `file` that is not complete."""
        return bool(self.readings or self._file.unfinished)

    @property
    def readings(self) -> list[ReadResult]:
        """The captured events as returned by `read_event`: event, findings and raw JSON value."""
        with self._changed:
            self._read_file()
            return list(self._readings)

    @property
    def events(self) -> list[Event]:
        """The typed events, invalid ones as far as possible, without values that are not events."""
        return [reading.event for reading in self.readings if reading.event is not None]

    @property
    def raw(self) -> list[Any]:
        """The JSON values of all captured events."""
        return [reading.raw for reading in self.readings]

    @property
    def last(self) -> Event:
        """The last event.

        Raises:
            AssertionError: No event was captured.
        """
        __tracebackhide__ = True
        events = self.events
        if not events:
            raise AssertionError("no event was emitted")
        return events[-1]

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __getitem__(self, number: int) -> Event:
        return self.events[number]

    def __repr__(self) -> str:
        return f"LineageEvents({', '.join(map(_label, self.events))})"

    def of_job(self, namespace: str, name: str) -> list[RunEvent | JobEvent]:
        """Return the events of a job and its runs."""
        return [
            event
            for event in self.events
            if not isinstance(event, DatasetEvent) and _identity(event.job) == (namespace, name)
        ]

    def of_dataset(self, namespace: str, name: str) -> list[Event]:
        """Return the events that read, write or describe a dataset."""
        return [
            reading.event
            for reading in self.readings
            if reading.event is not None
            and any(dataset.identity == (namespace, name) for dataset in Document(reading.raw).datasets)
        ]

    def of_run(self, run_id: Any) -> list[RunEvent]:
        """Return the events of a run."""
        wanted = str(run_id).lower()
        return [
            event
            for event in self.events
            if isinstance(event, RunEvent) and str(getattr(event.run, "run_id", "")).lower() == wanted
        ]

    def of_type(self, *types: str) -> list[RunEvent]:
        """Return the run events with one of the types, such as "COMPLETE"."""
        return [event for event in self.events if isinstance(event, RunEvent) and event.event_type in types]

    def state(self) -> LineageState:
        """Combine the events into the current state of jobs, datasets and runs.

        Events without a required time or name are left out.
        """
        state = LineageState()
        for reading in self.readings:
            if reading.event is not None:
                try:
                    state.apply(reading.raw)
                except EventError:
                    continue
        return state

    def runs(self) -> list[RunState]:
        """Return the state of each run, in the order of their earliest events."""
        state = self.state()
        runs = [state.run(run_id) for run_id in state.runs()]
        return sorted((run for run in runs if run is not None), key=lambda run: run.first_seen)

    def wait_for(self, count: int, *, timeout: float = 5.0) -> list[Event]:
        """Wait until `count` events are captured, for clients that send events in the background.

        Args:
            count: Number of events.
            timeout: Maximum number of seconds.

        Raises:
            AssertionError: There are fewer events after `timeout` seconds.
        """
        __tracebackhide__ = True
        end = monotonic() + timeout
        with self._changed:
            while len(events := self.events) < count:
                left = end - monotonic()
                if left <= 0:
                    raise AssertionError(f"expected {count} events within {timeout:g} s, found {len(events)}")
                self._changed.wait(min(left, _POLL))
        return events

    def assert_valid(self, *, ignore: Collection[str] = (), warnings: bool = False) -> None:
        """Assert that events were captured, that all are valid, and that the last line of `file` is complete.

        Args:
            ignore: Codes of findings to ignore, such as `{"OL016"}`.
            warnings: Whether to treat warnings as errors.

        Raises:
            AssertionError: No event was captured, or one is invalid. The message has one line per finding.

        Example:
            >>> lineage_events.assert_valid(warnings=True)
        """
        __tracebackhide__ = True
        readings = self.readings
        if self._file.unfinished:  # As when the job dies while it writes.
            readings.append(read_event(self._file.unfinished))
        if not readings:
            raise AssertionError("no event was emitted; pass lineage_events, its file or its url to the job")
        lines = []
        for number, reading in enumerate(readings, start=1):
            failing = failing_findings(reading.findings, ignore=ignore, warnings=warnings)
            name = f"event {number} ({_label(reading.event)})"
            lines += [f"{name}: {line}" for line in finding_lines(failing)]
        if lines:
            raise AssertionError("\n".join(["the job emitted invalid events:", *lines]))

    def assert_lineage(
        self,
        *,
        inputs: Iterable[DatasetName] | None = None,
        outputs: Iterable[DatasetName] | None = None,
        columns: Mapping[ColumnName, Iterable[ColumnName]] | None = None,
    ) -> None:
        """Assert which datasets the captured events read and write, and where columns get their values from.

        A dataset is given by its name, by the end of its name after a slash or a dot, or as a tuple of
        namespace and name.

        Args:
            inputs: All input datasets of all events. None accepts any.
            outputs: All output datasets of all events. None accepts any.
            columns: Source columns by column, each with its dataset, according to the current
                `columnLineage` and `lineage` facets in `state()`. Columns that are not given are ignored, and
                so are sources that only decide which rows are written, and invalid facets. An empty list
                means that the value comes from no column.

        Raises:
            AssertionError: The lineage differs. The message has one line per difference.
            TypeError: Names are a string instead of a collection of strings.

        Example:
            >>> lineage_events.assert_lineage(
            ...     inputs=["customers"], outputs=["facts"], columns={"facts.email_hash": ["customers.email"]}
            ... )
        """
        __tracebackhide__ = True
        lines = list(
            lineage_differences(self.raw, self.state(), inputs=inputs, outputs=outputs, columns=columns)
        )
        if lines:
            raise AssertionError("\n".join(["the lineage differs:", *lines]))

    def clear(self) -> None:
        """Remove all captured events."""
        with self._changed:
            self._read_file()
            self._readings.clear()

    def stop(self) -> None:
        """Stop the backend and restore the environment. The fixture calls this when the test ends."""
        if self._receiver is not None:
            self._receiver.close()
            self._receiver = None
        if self._uses_environment:
            _replace_variables(self._environment)
            self._uses_environment = False

    # Reading events

    def _add(self, wire: Any) -> None:
        self._readings.append(read_event(wire))
        self._changed.notify_all()

    def _add_body(self, body: bytes) -> None:
        with self._changed:
            self._read_file()
            try:
                value = from_json(body)
            except ValueError:
                value = None
            # Some clients send several events in one request.
            for event in value if isinstance(value, list) else [body]:
                self._add(event if isinstance(event, (dict, bytes)) else json.dumps(event))

    def _add_unreadable(self, problem: str) -> None:
        with self._changed:
            finding = Finding("", "a request with an event", problem, code="OL001")
            self._readings.append(ReadResult(None, [finding], problem))
            self._changed.notify_all()

    def _read_file(self) -> None:
        """Capture complete lines that were written to the file since the last read."""
        for line in self._file.new_lines():
            self._add(line)


def _variables() -> dict[str, str]:
    """Return the variables of OpenLineage. openlineage-python sets some of them itself."""
    return {name: value for name, value in os.environ.items() if name.startswith("OPENLINEAGE_")}


def _replace_variables(variables: Mapping[str, str]) -> None:
    for name in _variables():
        del os.environ[name]
    os.environ.update(variables)


def _identity(entity: Any) -> tuple[Any, Any]:
    """Return namespace and name of an entity, None if an invalid event has another value there."""
    return getattr(entity, "namespace", None), getattr(entity, "name", None)


def _label(event: Event | None) -> str:
    """Return a short label such as `COMPLETE etl/orders`."""
    if event is None:
        return "no event"
    namespace, name = _identity(getattr(event, "job", None) or getattr(event, "dataset", None))
    event_type = getattr(event, "event_type", None) or type(event).__name__
    return f"{event_type} {namespace}/{name}"
