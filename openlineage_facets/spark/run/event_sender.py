"""Pass the events of a run to its emitter."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any

from openlineage_facets.emitters import EmitTarget, as_emitter
from openlineage_facets.emitters.event_lines import event_line, parsed_event
from openlineage_facets.generated.open_lineage import RunEvent
from openlineage_facets.naming.naming_rules import VARIABLE, Naming, NamingError
from openlineage_facets.spark.capture.guard import Guard

if TYPE_CHECKING:
    from openlineage_facets.naming.naming_file import NamingInput
    from openlineage_facets.validation.backends.catalogue import Backends


class EventSender:
    """Pass events to an emitter.

    Args:
        emit: What `SparkRun` accepts. Without it, the emitter that the environment configures is created with
            the first event.
        guard: Runs the emitter.
        backend: The backends for which events are repaired.
        naming: Rules for the names of datasets, or the path of a naming file.

    Raises:
        TypeError: `emit` is neither an emitter, a callable, a URL nor a path.
        ValueError: Events cannot be emitted to this URL or path, a backend is unknown, or the naming file is
            invalid.
        ImportError: `emit` is the URL of an object store whose driver is not installed.
    """

    def __init__(
        self,
        emit: EmitTarget[RunEvent] | None,
        guard: Guard,
        backend: Backends | None = None,
        naming: NamingInput | None = None,
    ) -> None:
        self._guard = guard
        self._naming = _naming(naming, guard)
        self._repairs = _repairs(backend) if backend else None
        self._emitter: Any = None
        # Other runs may use an emitter that the user passed.
        self._closes_emitter = emit is None or isinstance(emit, (str, PathLike))
        if emit is not None:
            try:
                emitter = as_emitter(emit)
            except (TypeError, ValueError, ImportError) as error:
                raise type(error)(f"emit: {error}") from None
            if self._closes_emitter:
                emitter.summarize_failures(self._warn_of_undelivered)
            # The errors of a user's emitter are logged by the guard.
            self._emitter = emitter if self._closes_emitter else emit

    def send(self, event: Any) -> None:
        """Emit an event."""
        if self._emitter is None:
            emitter: Any = _discard
            with self._guard.step("create the emitter"):
                from openlineage_facets.emitters import SpoolEmitter, emitter_from_environment

                emitter = emitter_from_environment()
                if not isinstance(emitter, SpoolEmitter):  # It keeps what it cannot deliver.
                    emitter.summarize_failures(self._warn_of_undelivered)
            self._emitter = emitter
        with self._guard.step("emit an event"):
            getattr(self._emitter, "emit", self._emitter)(self._repaired(self._renamed(event)))

    def _renamed(self, event: Any) -> Any:
        if self._naming is None:
            return event
        with self._guard.step("rename datasets"):
            from openlineage_facets.state.renaming import renamed_event

            document = json.loads(event_line(event))
            renamed = renamed_event(document, self._naming)
            return event if renamed == document else parsed_event(json.dumps(renamed).encode())
        return event

    def _repaired(self, event: Any) -> Any:
        if self._repairs is None:
            return event
        line = event_line(event)
        repaired = self._repairs(line)
        return event if repaired is line else parsed_event(repaired)

    def close(self) -> None:
        """Close the emitter unless the user passed it."""
        if self._closes_emitter and self._emitter is not None:
            with self._guard.step("close the emitter"):
                getattr(self._emitter, "close", lambda: None)()

    def _warn_of_undelivered(self, summary: str) -> None:
        self._guard.warn_once(
            "deliver the events",
            f"{summary}; to keep such events for openlineage-facets replay, set OPENLINEAGE_SPOOL_DIR "
            "or emit to SpoolEmitter(URL, FOLDER)",
        )


def _naming(naming: NamingInput | None, guard: Guard) -> Naming | None:
    if naming is None and VARIABLE not in os.environ:
        return None
    from openlineage_facets.naming.naming_file import naming_of

    if naming is not None:
        try:
            return naming_of(naming)
        except NamingError as error:
            raise NamingError(f"naming: {error}") from None
    with guard.step("read the naming file"):
        return naming_of(None)
    return None


def _repairs(backend: Backends) -> Callable[[bytes], bytes]:
    from openlineage_facets.emitters import BackendRepairs
    from openlineage_facets.validation.backends.profile import BackendError

    try:
        return BackendRepairs(backend)
    except BackendError as error:
        raise BackendError(f"backend: {error}") from None


def _discard(event: Any) -> None:
    """Discard an event because there is no emitter."""
