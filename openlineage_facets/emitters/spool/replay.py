"""Deliver the events of a spool on request."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

from openlineage_facets.emitters.errors import EmissionError
from openlineage_facets.emitters.protocol import EmitTarget, emitter_to, line_sender
from openlineage_facets.emitters.retries import RETRY_AFTER_LIMIT
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.emitters.spool.failing_runs import FailingRuns

_PAUSE = 0.5
"""Seconds before the first retry; doubled for each later one."""

_PROBES = 4
"""Runs from other parts of the spool to try before stopping, as the oldest runs may be the invalid ones."""


@dataclass
class ReplayResult:
    """The result of `replay`.

    Attributes:
        delivered: Number of delivered events.
        rejected: The reason for each rejected event.
        left: Number of events that are still pending.
        in_use: Number of runs that another process delivers.
        unusable: Files that cannot be read or written, with the reason; the events of their runs stay
            pending.
        failure: The last failure if events were tried and stay pending, otherwise None.
    """

    delivered: int = 0
    rejected: list[str] = field(default_factory=list)
    left: int = 0
    in_use: int = 0
    unusable: list[str] = field(default_factory=list)
    failure: str | None = None


def replay(
    directory: str | os.PathLike[str], to: EmitTarget[Any], *, rejected: bool = False, attempts: int = 3
) -> ReplayResult:
    """Deliver the events of a spool, in order within each run.

    A failing run does not block the others. Its events are rejected after `attempts` attempts if events of
    other runs are delivered. Otherwise the receiver counts as down: delivery stops and the events stay in the
    spool.

    Args:
        directory: The folder of a `SpoolEmitter`.
        to: An emitter, a function that accepts an event, a URL or the path of a file.
        rejected: Whether to deliver rejected events, too.
        attempts: Number of attempts per event.

    Raises:
        OSError: The folder cannot be read, or rejected events cannot be restored.
    """
    if isinstance(to, (str, os.PathLike)):
        with emitter_to(to, on_error="raise") as emitter:
            return replay(directory, emitter, rejected=rejected, attempts=attempts)
    spool = SpoolDirectory(directory)
    if rejected:
        spool.restore_rejected()
    passes = _Passes(spool, line_sender(to), attempts)
    waiting = spool.names()
    pause = _PAUSE
    for number in range(attempts):
        if number:
            sleep(pause)
            pause *= 2
        waiting = passes.deliver(waiting)
        if not waiting:
            break
    return passes.log_total()


class _Passes:
    """Several passes over all runs of a spool."""

    def __init__(self, spool: SpoolDirectory, send: Callable[[bytes], None], attempts: int) -> None:
        self._spool = spool
        self._send = send
        self._failing_runs = FailingRuns(attempts)
        self._done = ReplayResult()
        self._unusable: dict[str, OSError] = {}
        self._failures: dict[str, EmissionError] = {}
        self._retry_at = 0.0  # When the receiver allows the next request.

    def deliver(self, names: list[str]) -> list[str]:
        """Try each run once and return the runs with pending events, in the order of the next pass.

        If the receiver counts as down, the pass ends with the first failure.
        """
        untried = deque(names)
        failed = []
        probes = 0 if self._failing_runs.is_down else _PROBES
        while untried:
            if self._failing_runs.is_down and probes:
                untried.rotate(len(untried) // 2 + 1)
                probes -= 1
            name = untried.popleft()
            if self._deliver(name):
                continue
            failed.append(name)
            failure = self._failures[name]
            if failure.retry_after or not failure.kind.startswith("HTTP "):
                probes = min(probes, 1)  # Each attempt may take long: without a response, the whole timeout.
            if self._failing_runs.is_down and not probes:
                break
        return [*untried, *failed]

    def _deliver(self, name: str) -> bool:
        """Deliver a run. Return False if it failed and may be retried."""

        def attempt(line: bytes) -> None:
            sleep(max(0.0, self._retry_at - monotonic()))
            self._failing_runs.attempt(name, lambda: self._send(line))

        self._failures.pop(name, None)
        try:
            for rejection in self._spool.deliver(name, attempt):
                if rejection is None:
                    self._done.delivered += 1
                else:
                    self._done.rejected.append(str(rejection))
        except BlockingIOError:
            self._done.in_use += 1
        except OSError as error:
            self._unusable[name] = error
        except EmissionError as error:
            self._failures[name] = error
            self._retry_at = monotonic() + min(error.retry_after or 0.0, RETRY_AFTER_LIMIT)
            return False
        return True

    def log_total(self) -> ReplayResult:
        """Return the result of all passes."""
        done = self._done
        for name in self._spool.names():
            try:
                done.left += self._spool.run_file(name).count()
            except OSError as error:
                self._unusable.setdefault(name, error)
        for name, reason in self._unusable.items():
            path = reason.filename or self._spool.run_file(name).path
            done.unusable.append(f"{path}: {reason.strerror or reason}")
        if self._failures:
            done.failure = str(list(self._failures.values())[-1])
        return done
