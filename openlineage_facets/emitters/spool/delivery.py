"""The background thread that delivers the events of a spool."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
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

_ATTEMPTS = 10
"""Attempts, over about two minutes, before an event that fails while others are delivered is rejected."""

_MEMORY_EVENTS, _MEMORY_BYTES = 10_000, 256 * 2**20
"""Maximum number of events, and of their bytes, in memory while the disk is not writable."""


class Delivery:
    """Delivers the events of a spool: first those of this process, then those left by others.

    Args:
        directory: The spool.
        send: Delivers one line in a single attempt.
        failures: Logs failures.
        include_existing: Whether to deliver events that are already in the spool.
        on_delivered: Called after each delivered event.
    """

    def __init__(
        self,
        directory: SpoolDirectory,
        send: Callable[[bytes], None],
        failures: FailureLog,
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
        self._memory: deque[bytes] = deque()
        self._delivers_own = self._running = self._stopping = False
        self._memory_bytes = 0
        self._failing_runs = FailingRuns(_ATTEMPTS)
        self._retry_at: dict[str, float] = {}  # Earliest time of the next attempt, by failing run.
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
        return len(self._memory)

    def hold(self, event: bytes) -> None:
        """Schedule an event that could not be written to the disk.

        Raises:
            EmissionError: Too many events are in memory; this one is lost.
        """
        with self._changed:
            is_full = self._memory_bytes + len(event) > _MEMORY_BYTES and self._memory
            if is_full or len(self._memory) >= _MEMORY_EVENTS:
                raise EmissionError(
                    f"the queue is full: {len(self._memory)} events of {self._memory_bytes} bytes in memory",
                    kind="queue full",
                )
            self._memory.append(event)
            self._memory_bytes += len(event)
        self._start()

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
            pause = self._deliver_all(stop_on_failure)
        except Exception as error:
            failure = emission_error(error, f"could not deliver the spool {self._directory.path}")
            self._failures.warn(str(failure), "spool")
            pause = _LONGEST_PAUSE
        with self._changed:
            self._next_attempt = monotonic() + pause
            self._changed.notify_all()

    def _deliver_all(self, stop_on_failure: bool) -> float:
        """Try to deliver all events and return the seconds until the next attempt.

        Args:
            stop_on_failure: Whether to stop at the first failure.
        """
        self._spool_memory()
        if self._include_existing:
            self._include_existing = False
            self._find_other_runs()
        pauses = []
        failed = False
        # First the runs without failures, those of this process first, then those that failed longest ago.
        runs = sorted(
            self._runs.copy().items(), key=lambda run: (self._retry_at.get(run[0], 0.0), not run[1])
        )
        for name, _ in runs:
            remaining = self._retry_at.get(name, 0.0) - monotonic()
            if remaining > 0:
                pauses.append(remaining)
                continue
            pause = self._deliver(name)
            if pause:
                pauses.append(pause)
            failed = pause > _IN_USE_PAUSE
            if self._stopping or (failed and (stop_on_failure or self._failing_runs.is_down)):
                break
        if not (failed and self._failing_runs.is_down):
            pauses.append(self._send_memory())
        if self._failing_runs.is_down:
            return self._pause_after(self._failures_in_a_row - 1)
        # A failing run does not delay the others, unless the receiver sent `Retry-After`.
        retry_after = self._retry_after_until - monotonic()
        return max(retry_after, min((pause for pause in pauses if pause), default=0.0))

    def _find_other_runs(self) -> None:
        """Find the events that other or earlier processes have left."""
        try:
            self._directory.clear_leases()
            names = self._directory.names()
        except OSError as error:
            failure = emission_error(error, f"could not read the spool {self._directory.path}")
            self._failures.warn(str(failure), failure.kind)
            return
        with self._changed:
            for name in names:
                self._runs.setdefault(name, False)

    def _deliver(self, name: str) -> float:
        """Deliver one run and return the seconds until its next attempt, 0 if nothing is pending."""
        with self._changed:
            # Events stored from now on are delivered again.
            is_own = self._delivers_own = self._runs.pop(name)
        pause = 0.0
        self._unreadable.discard(name)
        try:
            for rejection in self._directory.deliver(name, lambda line: self._try(name, line)):
                if rejection is not None:
                    self._failures.undelivered(rejection)
        except FileNotFoundError:
            pass  # The spool was removed.
        except BlockingIOError:
            pause = _IN_USE_PAUSE if is_own else 0.0
        except Exception as error:
            if isinstance(error, OSError):
                self._unreadable.add(name)
            failure = emission_error(error, f"could not deliver from {self._directory.path}")
            pause = self._failure(name, failure, f"events are kept in {self._directory.path}")
        with self._changed:
            self._delivers_own = False
            if pause:
                self._runs[name] = is_own or name in self._runs
            self._changed.notify_all()
        return pause

    def _try(self, name: str, line: bytes) -> None:
        self._failing_runs.attempt(name, lambda: self._send(line))
        self._retry_at.pop(name, None)
        self._failures_by_run.pop(name, None)
        self._failures_in_a_row = 0
        self._on_delivered()

    def _failure(self, name: str, error: EmissionError, consequence: str) -> float:
        """Log a failure and return the seconds until the run's next attempt."""
        self._failures.warn(f"{error}; {consequence}", error.kind)
        failed = self._failures_by_run[name] = self._failures_by_run.get(name, -1) + 1
        self._failures_in_a_row += 1
        retry_after = min(error.retry_after or 0.0, RETRY_AFTER_LIMIT)
        if retry_after:
            self._retry_after_until = monotonic() + retry_after
        pause = max(self._pause_after(failed), retry_after)
        self._retry_at[name] = monotonic() + pause
        return pause

    def _pause_after(self, failed: int) -> float:
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(failed, 20)) * random.uniform(0.75, 1.0)
        return max(pause, self._retry_after_until - monotonic())

    def _spool_memory(self) -> None:
        """Write the events in memory to the disk, if it is writable again."""
        while self._memory:
            try:
                name = self._directory.append(self._memory[0])
            except OSError:
                return
            with self._changed:
                self._runs[name] = True
                self._memory_bytes -= len(self._memory.popleft())

    def _send_memory(self) -> float:
        """Deliver the events in memory, each after the stored events of its run, unless these are unreadable.

        Returns:
            Seconds until the next attempt, 0 if none failed.
        """
        retry_in: dict[str, float] = {}
        for event in list(self._memory):
            name = ordering_key(event)
            if name in self._unreadable:
                name += " in memory"  # With attempts of its own.
            if self._runs.get(name) or name in retry_in:
                continue
            remaining = self._retry_at.get(name, 0.0) - monotonic()
            if remaining > 0:
                retry_in[name] = remaining
                continue
            try:
                self._try(name, event)
            except EventRejected as error:
                self._failures.undelivered(error)
            except Exception as error:
                retry_in[name] = self._failure(
                    name, emission_error(error, "could not emit the event"), "events are kept in memory"
                )
                if self._failing_runs.is_down or self._stopping:
                    break
                continue
            with self._changed:
                self._memory.remove(event)
                self._memory_bytes -= len(event)
                self._changed.notify_all()
        return min(retry_in.values(), default=0.0)
