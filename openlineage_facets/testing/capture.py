"""What a job under test emits, by whichever way it goes."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from threading import Condition
from time import monotonic
from typing import Any

from pydantic_core import from_json

from openlineage_facets.base.errors import EventError, Finding
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.parsing import Event
from openlineage_facets.state import LineageState
from openlineage_facets.state.entities import RunState
from openlineage_facets.testing.assertions import finding_lines, objectionable
from openlineage_facets.testing.printed import events_in, is_json_file
from openlineage_facets.testing.receiver import Receiver
from openlineage_facets.testing.wire_forms import wire_form
from openlineage_facets.validation import Reading, read_event

__all__ = ["LineageEvents"]

_POLL = 0.02
"""Seconds between two looks at the file while somebody waits for an event."""


class LineageEvents:
    """The events that the code under test emitted, in the order in which they came.

    It is an emitter (`emit`, `close`), and may be called with an event. Code that writes a file writes it
    to `file`; code that posts to a backend posts to `url`; code that is configured by environment
    variables finds them set after `use_environment()`. Invalid events are kept, too: `assert_valid()`
    says what is wrong with them.

    Args:
        folder: Where `file` is.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "lineage.ndjson"
        self._offset = 0
        self._readings: list[Reading] = []
        self._changed = Condition()
        self._receiver: Receiver | None = None
        self._environment: dict[str, str] | None = None

    # Ways in

    def emit(self, event: Any) -> None:
        """Take an event: of this package or of openlineage-python, as JSON text, or as a JSON object."""
        with self._changed:
            self._read_file()
            self._take(wire_form(event))

    __call__ = emit

    def close(self) -> None:
        """Do nothing: an emitter is closed by the job, and looked at by the test."""

    @property
    def file(self) -> Path:
        """A file for events, one a line; whatever is written there has been emitted."""
        return self._file

    @property
    def url(self) -> str:
        """The address of a backend on this machine, which starts when it is first asked for.

        It takes what is posted to any path, compressed or not, and answers 201 to every event, valid or not.
        """
        if self._receiver is None:
            self._receiver = Receiver(self._take_body, self._take_refusal)
        return self._receiver.url

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which OpenLineage clients, in this process or another, send events here."""
        return {"OPENLINEAGE_URL": self.url, "OPENLINEAGE_DISABLED": "false"}

    def use_environment(self) -> None:
        """Have clients that are configured by the environment send events here, until the test ends.

        Every other variable that says where events go is taken out, for that time.
        """
        if self._environment is None:
            self._environment = {name: os.environ[name] for name in _variables()}
        for name in _variables():
            del os.environ[name]
        os.environ.update(self.environment)

    def read(self, text: str | Path) -> None:
        """Take the events of a text, or of a file: such as what a job printed, or logged.

        Events may stand one a line, behind whatever a logger writes before them, over several lines, or in
        an array; every other line is skipped. An event that is cut, or is no JSON, is one that
        `assert_valid` objects to. In a file that begins with an event, so is all that is none.

        Example:
            >>> lineage_events.read(capsys.readouterr().out)
        """
        given = text.read_text(encoding="utf-8-sig") if isinstance(text, Path) else text
        with self._changed:
            self._read_file()
            for event in events_in(given, alone=isinstance(text, Path) and is_json_file(given)):
                self._take(event)

    # What came

    @property
    def readings(self) -> list[Reading]:
        """What came, as `read_event` reads it: event, findings and raw JSON value."""
        with self._changed:
            self._read_file()
            return list(self._readings)

    @property
    def events(self) -> list[Event]:
        """The events, typed; invalid ones as far as they can be, and but for what is no event at all."""
        return [reading.event for reading in self.readings if reading.event is not None]

    @property
    def raw(self) -> list[Any]:
        """The JSON values of all that came."""
        return [reading.raw for reading in self.readings]

    @property
    def last(self) -> Event:
        """The last event.

        Raises:
            AssertionError: There is none.
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
        return [event for event in self.events if (namespace, name) in _datasets(event)]

    def of_run(self, run_id: Any) -> list[RunEvent]:
        """Return the events of a run."""
        wanted = str(run_id).lower()
        return [
            event
            for event in self.events
            if isinstance(event, RunEvent) and str(getattr(event.run, "run_id", "")).lower() == wanted
        ]

    def of_type(self, *types: str) -> list[RunEvent]:
        """Return the run events of some types, such as "COMPLETE"."""
        return [event for event in self.events if isinstance(event, RunEvent) and event.event_type in types]

    def state(self) -> LineageState:
        """Return what the events add up to: jobs, datasets, runs and the lineage between them.

        An event that tells of nothing, since it lacks a time or a name, is left out.
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
        """Return what the events say of each run, in the order of their earliest events."""
        state = self.state()
        found = [state.run(run_id) for run_id in state.runs()]
        return sorted((run for run in found if run is not None), key=lambda run: run.first_seen)

    def wait_for(self, count: int, *, timeout: float = 5.0) -> list[Event]:
        """Wait until there are `count` events, as for a client that sends them in the background.

        Raises:
            AssertionError: There are fewer after `timeout` seconds.
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
        """Assert that all that came is valid.

        Args:
            ignore: Codes of findings to let pass.
            warnings: Whether warnings fail the assertion, too.

        Raises:
            AssertionError: Something is not; the message has a line for each finding.
        """
        __tracebackhide__ = True
        lines = []
        for number, reading in enumerate(self.readings, start=1):
            found = objectionable(reading.findings, ignore=ignore, warnings=warnings)
            name = f"event {number} ({_label(reading.event)})"
            lines += [f"{name}: {line}" for line in finding_lines(found)]
        if lines:
            raise AssertionError("\n".join(["the job emitted what is not valid:", *lines]))

    def clear(self) -> None:
        """Forget all that came so far."""
        with self._changed:
            self._read_file()
            self._readings.clear()

    def stop(self) -> None:
        """Stop receiving, and put the environment back; the fixture does so when the test ends."""
        if self._receiver is not None:
            self._receiver.close()
            self._receiver = None
        if self._environment is not None:
            for name in _variables():
                del os.environ[name]
            os.environ.update(self._environment)
            self._environment = None

    # How it is kept

    def _take(self, wire: Any) -> None:
        self._readings.append(read_event(wire))
        self._changed.notify_all()

    def _take_body(self, body: bytes) -> None:
        with self._changed:
            self._read_file()
            try:
                value = from_json(body)
            except ValueError:
                value = None
            # Some clients send several events at once.
            for event in value if isinstance(value, list) else [body]:
                self._take(event if isinstance(event, (dict, bytes)) else json.dumps(event))

    def _take_refusal(self, why: str) -> None:
        with self._changed:
            self._readings.append(
                Reading(None, [Finding("", "a request with an event", why, code="OL001")], why)
            )
            self._changed.notify_all()

    def _read_file(self) -> None:
        """Take what was written to the file since it was last looked at, but for a line not yet whole."""
        try:
            with self._file.open("rb") as file:
                file.seek(self._offset)
                written = file.read()
        except FileNotFoundError:
            return
        whole = written[: written.rfind(b"\n") + 1]
        if _is_json(written[len(whole) :]):
            whole = written
        self._offset += len(whole)
        for line in whole.splitlines():
            if line.strip():
                self._take(line)


_CONFIGURING = (
    "OPENLINEAGE_URL",
    "OPENLINEAGE_ENDPOINT",
    "OPENLINEAGE_API_KEY",
    "OPENLINEAGE_DISABLED",
    "OPENLINEAGE_CONFIG",
    "OPENLINEAGE_SPOOL_DIR",
    "OPENLINEAGE__TRANSPORT",
    "OPENLINEAGE__DISABLED",
)
"""How the variables start that say where events go. The client itself sets some of them."""


def _variables() -> list[str]:
    return [name for name in os.environ if name.startswith(_CONFIGURING)]


def _is_json(text: bytes) -> bool:
    try:
        from_json(text)
    except ValueError:
        return False
    return True


def _identity(entity: Any) -> tuple[Any, Any]:
    """Return namespace and name of an entity, whatever an invalid event has in its place."""
    return getattr(entity, "namespace", None), getattr(entity, "name", None)


def _datasets(event: Event) -> list[tuple[Any, Any]]:
    held = [getattr(event, "dataset", None)]
    for name in ("inputs", "outputs"):
        value = getattr(event, name, None)
        held += value if isinstance(value, (list, tuple)) else []
    return [_identity(dataset) for dataset in held]


def _label(event: Event | None) -> str:
    """Name an event in a few words."""
    if event is None:
        return "no event"
    namespace, name = _identity(getattr(event, "job", None) or getattr(event, "dataset", None))
    event_type = getattr(event, "event_type", None) or type(event).__name__
    return f"{event_type} {namespace}/{name}"
