"""The background thread that delivers the events of a spool."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from threading import Condition
from time import monotonic

from openlineage_facets.emitters.background_worker import start_thread
from openlineage_facets.emitters.errors import EmissionError, EventRejected, FailureLog, emission_error
from openlineage_facets.emitters.event_lines import ordering_key
from openlineage_facets.emitters.retries import RETRY_AFTER_LIMIT
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.emitters.spool.failing_runs import FailingRuns

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 30.0
"""Seconds before the first retry, and the limit for later ones; the pause doubles after each failure."""

_IN_USE_PAUSE = 0.1
"""Seconds before a run that another process delivers is checked again."""

_TURN = 1.0
"""Seconds for which events of one run are delivered while other runs wait."""

_ATTEMPTS = 10
"""Attempts, over about two minutes, before an event that fails while others are delivered is rejected."""

_MEMORY_EVENTS, _MEMORY_BYTES = 10_000, 256 * 2**20
"""Maximum number of events, and of their bytes, in memory while the disk is not writable."""


class Delivery:
    """Delivers the events of a spool: first those of this process, then those left by others.

    Args:
        directory: The spool.
        send: Delivers one line in a single attempt.
        failures: Returns the log of failures.
        include_existing: Whether to deliver events that are already in the spool.
        on_delivered: Called after each delivered event.
    """

    def __init__(
        self,
        directory: SpoolDirectory,
        send: Callable[[bytes], None],
        failures: Callable[[], FailureLog],
        *,
        include_existing: bool,
        on_delivered: Callable[[], None] = lambda: None,
    ) -> None:
        self._directory = directory
        self._send = send
        self._failures = failures
        self._include_existing = include_existing
        self._on_delivered = on_delivered
        # Reentrant: a signal handler may close the emitter while it interrupts `close`.
        self._changed = Condition()
        self._runs: dict[str, bool] = {}  # The runs to deliver, and whether this process has stored events.
        self._memory: dict[str, deque[bytes]] = {}  # By run, without empty ones.
        self._delivers_own = self._running = self._stopping = False
        self._memory_bytes = 0
        self._failing_runs = FailingRuns(_ATTEMPTS)
        self._retry_at: dict[str, float] = {}  # Earliest time of the next attempt, by failing or used run.
        self._unreadable: set[str] = set()  # Runs whose stored events cannot be read.
        self._failures_by_run: dict[str, int] = {}
        self._failures_in_a_row = 0
        self._next_attempt = self._retry_after_until = 0.0
        if include_existing:
            self._start()

    def _start(self) -> None:
        with self._changed:
            self._stopping = False
            running = self._running
            self._changed.notify_all()
        if not running:
            # Concurrent callers may start several threads; only one of them runs.
            try:
                start_thread(self._run, "openlineage-SpoolDelivery")
            except RuntimeError:
                self._run_once()

    def stored(self, name: str) -> None:
        """Schedule a new event of the run `name` that is stored in the spool."""
        with self._changed:
            self._runs[name] = True
            if name not in self._retry_at and not self._failing_runs.is_down:
                # A new run does not wait for the failing ones.
                self._next_attempt = min(self._next_attempt, self._retry_after_until)
        self._start()

    @property
    def in_memory(self) -> int:
        """The number of pending events that could not be written to the disk."""
        return sum(map(len, self._memory.copy().values()))

    def holds_run_of(self, event: bytes) -> bool:
        """Return whether events of the same run are in memory."""
        return bool(self._memory) and ordering_key(event) in self._memory

    def hold(self, event: bytes) -> None:
        """Schedule an event that could not be written to the disk.

        Raises:
            EmissionError: Too many events are in memory; this one is lost.
        """
        name = ordering_key(event)
        with self._changed:
            is_full = self._memory_bytes + len(event) > _MEMORY_BYTES and self._memory
            if is_full or self.in_memory >= _MEMORY_EVENTS:
                raise EmissionError(
                    f"the queue is full: {self.in_memory} events of {self._memory_bytes} bytes in memory",
                    kind="queue full",
                )
            self._memory.setdefault(name, deque()).append(event)
            self._memory_bytes += len(event)
        self._start()

    def _forget(self, name: str) -> None:
        """Remove the first event of a run from the memory, after it was stored or delivered."""
        with self._changed:
            events = self._memory[name]
            self._memory_bytes -= len(events.popleft())
            if not events:
                del self._memory[name]
            self._changed.notify_all()

    def settle(self, timeout: float) -> bool:
        """Wait until the events of this process are delivered. Return False on timeout.

        The receiver is tried immediately, without the pause after failures, except for `Retry-After`.

        Args:
            timeout: Maximum number of seconds.
        """
        if self._is_settled():
            return True
        with self._changed:
            self._failures_in_a_row, self._next_attempt = 0, self._retry_after_until
            self._retry_at.clear()
            self._failures_by_run.clear()
            if self._retry_after_until > monotonic() + timeout:
                return False
        self._start()
        with self._changed:
            return self._changed.wait_for(self._is_settled, timeout)

    def _is_settled(self) -> bool:
        return not (any(self._runs.copy().values()) or self._memory or self._delivers_own)

    def stop(self) -> None:
        """End the thread after its current delivery. The next event starts another thread."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def _may_continue(self) -> bool:
        return self._stopping or self._next_attempt <= monotonic()

    def _run(self) -> None:
        if not self._claim_delivery():
            return
        while True:
            with self._changed:
                self._changed.wait_for(self._may_continue, max(0.0, self._next_attempt - monotonic()))
                has_work = self._runs or self._memory or self._include_existing
                if self._stopping or not has_work:
                    self._running = False
                    self._changed.notify_all()
                    return
                if self._next_attempt > monotonic():
                    continue
            self._attempt()

    def _run_once(self) -> None:
        """Deliver events in the calling thread until the first failure."""
        if self._next_attempt <= monotonic() and self._claim_delivery():
            try:
                self._attempt(stop_on_failure=True)
            finally:
                self._running = False

    def _claim_delivery(self) -> bool:
        with self._changed:
            is_first = not self._running
            self._running = True
        return is_first

    def _attempt(self, *, stop_on_failure: bool = False) -> None:
        try:
            self._deliver_all(stop_on_failure)
            earliest = 0.0
        except Exception as error:
            failure = emission_error(error, f"could not deliver the spool {self._directory.path}")
            self._failures().warn(str(failure), "spool")
            earliest = monotonic() + _LONGEST_PAUSE
        with self._changed:
            self._next_attempt = max(earliest, self._next_due())
            self._changed.notify_all()

    def _deliver_all(self, stop_on_failure: bool) -> None:
        """Try to deliver all events.

        Args:
            stop_on_failure: Whether to stop at the first failure.
        """
        self._spool_memory()
        if self._include_existing:
            self._include_existing = False
            self._find_other_runs()
        failed = False
        # First the runs without failures, those of this process first, then those that failed longest ago.
        runs = sorted(
            self._runs.copy().items(), key=lambda run: (self._retry_at.get(run[0], 0.0), not run[1])
        )
        for name, _ in runs:
            if self._retry_at.get(name, 0.0) > monotonic():
                continue
            failed = self._deliver(name)
            if self._stopping or self._must_pause(failed) or (failed and stop_on_failure):
                break
        if not self._must_pause(failed):
            self._send_memory()

    def _next_due(self) -> float:
        """Return the time of the next attempt."""
        if self._failing_runs.is_down:
            return monotonic() + self._pause_after(self._failures_in_a_row - 1)
        # A failing run does not delay the others, unless the receiver sent `Retry-After`.
        pending = [*self._runs.copy(), *map(self._attempted_as, self._memory.copy())]
        times = [self._retry_at.get(name, 0.0) for name in pending]
        return max(self._retry_after_until, min(times, default=0.0))

    def _must_pause(self, failed: bool) -> bool:
        """Return whether to send nothing more for now, after an attempt."""
        return self._retry_after_until > monotonic() or (failed and self._failing_runs.is_down)

    def _find_other_runs(self) -> None:
        """Find the events that other or earlier processes have left."""
        try:
            self._directory.clear_leases()
            names = self._directory.names()
        except OSError as error:
            failure = emission_error(error, f"could not read the spool {self._directory.path}")
            self._failures().warn(str(failure), failure.kind)
            return
        with self._changed:
            for name in names:
                self._runs.setdefault(name, False)

    def _deliver(self, name: str) -> bool:
        """Deliver events of one run, until others wait for too long, and return whether it failed."""
        with self._changed:
            # Events stored from now on are delivered again.
            is_own = self._delivers_own = self._runs.pop(name)
        self._unreadable.discard(name)
        self._retry_at.pop(name, None)
        is_pending = failed = False
        end = monotonic() + _TURN
        try:
            with closing(self._directory.deliver(name, lambda line: self._try(name, line))) as outcomes:
                for rejection in outcomes:
                    if rejection is not None:
                        self._failures().undelivered(rejection)
                    is_pending = self._stopping or (monotonic() > end and self._others_wait(name))
                    if is_pending:
                        break
        except FileNotFoundError:
            pass  # The spool was removed.
        except BlockingIOError:
            is_pending = is_own
            if is_own:
                self._retry_at[name] = monotonic() + _IN_USE_PAUSE
        except Exception as error:
            if isinstance(error, OSError):
                self._unreadable.add(name)
            failure = emission_error(error, f"could not deliver from {self._directory.path}")
            self._failure(name, failure, f"events are kept in {self._directory.path}")
            is_pending = failed = True
        with self._changed:
            self._delivers_own = False
            if is_pending:
                self._runs[name] = is_own or name in self._runs
            self._changed.notify_all()
        return failed

    def _others_wait(self, name: str) -> bool:
        return bool(self._memory or self._runs.keys() - {name})

    def _try(self, name: str, line: bytes) -> None:
        self._failing_runs.attempt(name, lambda: self._send(line))
        self._retry_at.pop(name, None)
        self._failures_by_run.pop(name, None)
        self._failures_in_a_row = 0
        self._on_delivered()

    def _failure(self, name: str, error: EmissionError, consequence: str) -> None:
        """Log a failure and determine when the run is tried again."""
        self._failures().warn(f"{error}; {consequence}", error.kind)
        failed = self._failures_by_run[name] = self._failures_by_run.get(name, -1) + 1
        self._failures_in_a_row += 1
        retry_after = min(error.retry_after or 0.0, RETRY_AFTER_LIMIT)
        if retry_after:
            self._retry_after_until = monotonic() + retry_after
        self._retry_at[name] = monotonic() + max(self._pause_after(failed), retry_after)

    def _pause_after(self, failed: int) -> float:
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(failed, 20)) * random.uniform(0.75, 1.0)
        return max(pause, self._retry_after_until - monotonic())

    def _spool_memory(self) -> None:
        """Write the events in memory to the disk, as far as it is writable again."""
        for name, events in self._memory.copy().items():
            with suppress(OSError):
                while events:
                    self._directory.append(events[0])
                    with self._changed:
                        self._runs[name] = True
                        self._forget(name)

    def _attempted_as(self, name: str) -> str:
        """Return the name for attempts of events in memory: another one if the stored ones are unreadable."""
        return f"{name} in memory" if name in self._unreadable else name

    def _send_memory(self) -> None:
        """Deliver the events in memory, after the stored ones of their runs, unless these are unreadable."""
        for run, events in self._memory.copy().items():
            name = self._attempted_as(run)
            for event in list(events):
                if self._runs.get(name) or self._retry_at.get(name, 0.0) > monotonic():
                    break
                failed = not self._send_from_memory(name, event)
                if not failed:
                    self._forget(run)
                if self._must_pause(failed) or (failed and self._stopping):
                    return

    def _send_from_memory(self, name: str, event: bytes) -> bool:
        """Send an event, and return whether it was delivered or rejected."""
        try:
            self._try(name, event)
        except EventRejected as error:
            self._failures().undelivered(error)
        except Exception as error:
            failure = emission_error(error, "could not emit the event")
            self._failure(name, failure, "events are kept in memory")
            return False
        return True
