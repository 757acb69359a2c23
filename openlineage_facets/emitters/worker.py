"""Work done in order by one background thread, so that whoever waits for it can stop waiting.

A signal handler may hand in work while the thread it interrupted does just that. So nothing here waits for a
lock: each step of handing in is atomic, and what comes between two of them finds things as they should be.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic

from openlineage_facets.emitters.per_process import PerProcess
from openlineage_facets.emitters.threads import start_thread

__all__ = ["Task", "Worker"]

_IDLE = 5.0
"""Seconds after which a thread without work ends; the next task starts another."""


class Task:
    """One piece of work.

    Attributes:
        error: What it raised, if anything.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self.error: Exception | SystemExit | None = None
        self._work = work
        self._is_over = False
        self._gate = Lock()  # Shut until it is over; an `Event` has a lock that a signal may find taken.
        self._gate.acquire()

    def run(self) -> None:
        """Do the work; whatever it raises is kept."""
        try:
            self._work()
        except (Exception, SystemExit) as error:  # A thread that exits would do nothing any more.
            self.error = error

    def end(self) -> None:
        """Let go on who waits."""
        self._is_over = True
        self._gate.release()

    def wait(self, timeout: float) -> bool:
        """Wait until it is over, and tell whether it is.

        Args:
            timeout: Seconds to wait at most.
        """
        if not self._is_over and self._gate.acquire(timeout=max(0.0, timeout)):
            self._gate.release()  # For the next who waits.
        return self._is_over


class Worker:
    """Does tasks one after the other, in a daemon thread that lives while there are any.

    Args:
        name: What the thread is called.
    """

    def __init__(self, name: str) -> None:
        def make() -> _Work:
            return _Work(name)

        self._of_processes = PerProcess(make(), make)

    @property
    def waiting(self) -> int:
        """How many tasks are not over."""
        return len(self._of_processes.get().pending)

    def submit(self, work: Callable[[], None]) -> Task:
        """Have something done after everything submitted before.

        Where no thread can be started, it is done when this returns.
        """
        return self._of_processes.get().submit(work)

    def drain(self, timeout: float) -> bool:
        """Wait until everything submitted before is done, and tell whether it is.

        Args:
            timeout: Seconds to wait at most.
        """
        end = monotonic() + timeout
        return all(task.wait(end - monotonic()) for task in self._of_processes.get().pending.copy())


class _Work:
    """The tasks of one process, and the thread that does them.

    Attributes:
        pending: The tasks that are not over, as keys.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.pending: dict[Task, None] = {}
        self._queue: SimpleQueue[Task] = SimpleQueue()  # The queue that may be put to amid a `put`.
        self._turn = Lock()  # Held by the one thread that works; the others do not wait for it.

    def submit(self, work: Callable[[], None]) -> Task:
        task = Task(work)
        self.pending[task] = None
        self._queue.put(task)
        if not self._turn.locked():
            # Several may come to this at once; of their threads, one gets the turn.
            try:
                start_thread(lambda: self._run(_IDLE), self._name)
            except RuntimeError:
                self._run(idle=0)
        return task

    def _run(self, idle: float) -> None:
        # Who finds the turn taken leaves its task to the holder, which looks once more when it has let go.
        while not self._queue.empty() and self._turn.acquire(blocking=False):
            try:
                self._work_until_idle(idle)
            finally:
                self._turn.release()

    def _work_until_idle(self, seconds: float) -> None:
        while True:
            try:
                task = self._queue.get(timeout=seconds)
            except Empty:
                return
            try:
                task.run()
            finally:
                del self.pending[task]
                task.end()
