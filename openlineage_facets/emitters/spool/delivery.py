"""The background thread that takes events from a spool to their receiver."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from threading import Condition
from time import monotonic

from openlineage_facets.emitters.errors import EmissionError, EventRejected, emission_error
from openlineage_facets.emitters.reports import FailureLog
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.emitters.threads import start_thread
from openlineage_facets.emitters.wire import stream_of

__all__ = ["Delivery"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 30.0
"""Seconds to the next attempt: twice as long after each failure, up to the longest."""

_IN_USE_PAUSE = 0.1
"""Seconds until a run is looked at again that another process delivers."""

_FAILURES = 3
"""Runs that fail, one after the other, until the receiver counts as down and the others wait as well."""


class Delivery:
    """Delivers what a spool holds: first what this process has put there, then what others left behind.

    Args:
        directory: The spool.
        send: What delivers one line in one attempt.
        failures: Where failures are told.
        look_around: Whether to begin with what the spool holds already.
    """

    def __init__(
        self,
        directory: SpoolDirectory,
        send: Callable[[bytes], None],
        failures: FailureLog,
        *,
        look_around: bool,
    ) -> None:
        self._directory = directory
        self._send = send
        self._failures = failures
        self._look_around = look_around
        # Reentrant: a signal handler may close the emitter while what it interrupted closes it.
        self._changed = Condition()
        self._own: dict[str, None] = {}
        self._others: dict[str, None] = {}
        self._memory: deque[bytes] = deque()
        self._at: str | None = None
        self._running = self._stopping = False
        self._failed = 0
        self._due = 0.0
        if look_around:
            self._start()

    def _start(self) -> None:
        with self._changed:
            self._stopping = False
            running = self._running
            self._changed.notify_all()
        if not running:
            # Several may come to this at once; of their threads, one runs.
            try:
                start_thread(self._run, "openlineage-SpoolDelivery")
            except RuntimeError:
                self._run_once()

    def stored(self, name: str) -> None:
        """Tell that the spool holds a new event of the run `name`."""
        with self._changed:
            self._own[name] = None
        self._start()

    @property
    def in_memory(self) -> int:
        """How many events wait that the disk would not have."""
        return len(self._memory)

    def hold(self, event: bytes) -> None:
        """Take an event that the disk would not have."""
        with self._changed:
            self._memory.append(event)
        self._start()

    def settle(self, timeout: float) -> bool:
        """Wait until this process's events are delivered, and tell whether they are.

        Args:
            timeout: Seconds to wait at most. The receiver is tried at once, however long it was down.
        """
        if self._is_settled():
            return True
        with self._changed:
            self._failed, self._due = 0, 0.0
        self._start()
        with self._changed:
            return self._changed.wait_for(self._is_settled, timeout)

    def _is_settled(self) -> bool:
        return not self._own and not self._memory and (self._at is None or self._at in self._others)

    def stop(self) -> None:
        """End the thread after what it is at; the next event starts another."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def _may_go_on(self) -> bool:
        return self._stopping or self._due <= monotonic()

    def _run(self) -> None:
        if not self._begin():
            return
        while True:
            with self._changed:
                self._changed.wait_for(self._may_go_on, max(0.0, self._due - monotonic()))
                waits = self._own or self._others or self._memory or self._look_around
                if self._stopping or not waits:
                    self._running = False
                    self._changed.notify_all()
                    return
                if self._due > monotonic():
                    continue
            self._attempt()

    def _run_once(self) -> None:
        """Deliver what can be at once, in a thread that has other things to do."""
        if self._begin():
            try:
                self._attempt()
            finally:
                self._running = False

    def _begin(self) -> bool:
        with self._changed:
            is_first = not self._running
            self._running = True
        return is_first

    def _attempt(self) -> None:
        try:
            pause = self._deliver_all()
        except Exception as error:
            self._failures.warn(str(emission_error(error, f"spool {self._directory.path}")), "spool")
            pause = _LONGEST_PAUSE
        with self._changed:
            self._due = monotonic() + pause
            self._changed.notify_all()

    def _deliver_all(self) -> float:
        """Deliver everything that can be, and return the seconds to wait until the next attempt."""
        self._store_memory()
        if self._look_around:
            self._look_around = False
            self._find_others()
        pauses = []
        failures = 0
        for name in (*self._own, *self._others):
            pause = self._deliver(name)
            pauses.append(pause)
            failures += pause > _IN_USE_PAUSE
            if self._stopping or failures == _FAILURES:
                break
        if not failures:
            pauses.append(self._send_memory())
        return max(pauses, default=0.0)

    def _find_others(self) -> None:
        """Find what other processes have left, or the last run of this one."""
        try:
            self._directory.clear_leases()
            found = self._directory.names()
        except OSError as error:
            failure = emission_error(error, f"reading the spool {self._directory.path}")
            self._failures.warn(str(failure), failure.kind)
            return
        with self._changed:
            self._others.update(dict.fromkeys(name for name in found if name not in self._own))

    def _deliver(self, name: str) -> float:
        """Deliver one run; return the seconds to wait before its rest is tried, 0 where nothing is left."""
        with self._changed:
            is_own = name in self._own
            queue = self._own if is_own else self._others
            if is_own:
                del self._own[name]
                self._others.pop(name, None)
            self._at = name
        pause = 0.0
        try:
            for rejection in self._directory.deliver(name, self._send):
                self._failed = 0
                if rejection is not None:
                    self._failures.undelivered(rejection)
        except FileNotFoundError:
            pass  # Somebody has removed the spool.
        except BlockingIOError:
            pause = _IN_USE_PAUSE if is_own else 0.0
        except Exception as error:
            pause = self._failure(emission_error(error, f"delivering from {self._directory.path}"))
        with self._changed:
            self._at = None
            if not is_own:
                del queue[name]
            if pause:
                queue[name] = None  # At the end: the other runs come first next time.
            self._changed.notify_all()
        return pause

    def _failure(self, error: EmissionError) -> float:
        self._failures.warn(f"{error}; events wait in {self._directory.path}", error.kind)
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(self._failed, 20)) * random.uniform(0.75, 1.0)
        self._failed += 1
        return max(pause, min(error.retry_after or 0.0, _LONGEST_PAUSE))

    def _store_memory(self) -> None:
        """Give the disk what it would not have before."""
        while self._memory:
            try:
                name = self._directory.append(self._memory[0])
            except OSError:
                return
            with self._changed:
                self._own[name] = None
                self._memory.popleft()

    def _send_memory(self) -> float:
        """Deliver what the disk will not have, each behind the events of its run that the disk holds."""
        while self._memory and stream_of(self._memory[0]) not in self._own:
            try:
                self._send(self._memory[0])
                self._failed = 0
            except EventRejected as error:
                self._failures.undelivered(error)
            except Exception as error:
                return self._failure(emission_error(error, "emitting"))
            with self._changed:
                self._memory.popleft()
                self._changed.notify_all()
        return 0.0
