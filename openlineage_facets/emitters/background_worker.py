"""Background threads: a worker for tasks in order, and threads in signal handlers and forked processes.

A signal handler may submit a task while it interrupts another `submit`. Submitting therefore never waits for
a lock: every step is atomic and leaves a consistent state.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Generic, TypeVar


def start_thread(work: Callable[[], None], name: str) -> None:
    """Start a daemon thread without waiting for it to run.

    `Thread.start` waits until the new thread has acquired a lock of the `threading` module. In a signal
    handler, the interrupted code may hold that lock, which would be a deadlock.

    Args:
        work: The function to run.
        name: The thread's name.

    Raises:
        RuntimeError: The system cannot start another thread, or the interpreter is exiting.
    """

    def begin() -> None:
        try:
            Thread(target=work, name=name, daemon=True).start()
        except RuntimeError:  # No second thread available: use this one.
            work()

    start_new_thread(begin, ())


T = TypeVar("T")


class PerProcess(Generic[T]):
    """A separate value for each process, since threads and the locks they hold do not survive a fork.

    Args:
        first: The value of this process.
        make: Creates the value of a forked process on first use. Of several concurrent results, one is kept.
    """

    def __init__(self, first: T, make: Callable[[], T]) -> None:
        self._values = {os.getpid(): first}
        self._make = make

    def get(self) -> T:
        """Return the value of the current process."""
        process = os.getpid()
        value = self._values.get(process)
        return self._values.setdefault(process, self._make()) if value is None else value


_IDLE = 5.0
"""Seconds after which a thread without work ends; the next task starts another."""


class Task:
    """A unit of work.

    Args:
        work: The function to call, with the task.
        line: The line that the task sends, if it does.

    Attributes:
        error: The exception that the work raised, if any.
        line, size: The line and its number of bytes.
        is_in_caller: Whether a thread that submits tasks runs it, since no other could be started.
        is_late: Whether its caller no longer waits for it.
    """

    def __init__(self, work: Callable[[Task], None], line: bytes = b"") -> None:
        self.error: Exception | SystemExit | None = None
        self.line = line
        self.size = len(line)
        self.is_in_caller = self.is_late = False
        self._work = work
        self._is_over = False
        # Locked until the task ends. An `Event` has an inner lock that an interrupted thread may hold.
        self._gate = Lock()
        self._gate.acquire()

    def run(self) -> None:
        """Run the work and store the exception it raises."""
        try:
            self._work(self)
        except (Exception, SystemExit) as error:  # SystemExit would end the worker's thread.
            self.error = error

    def end(self) -> None:
        """Mark the task as done and wake up waiting threads."""
        self._is_over = True
        self._gate.release()

    def wait(self, timeout: float) -> bool:
        """Wait until the task is done. Return False on timeout.

        Args:
            timeout: Maximum number of seconds.
        """
        if not self._is_over and self._gate.acquire(timeout=max(0.0, timeout)):
            self._gate.release()  # For the next waiting thread.
        return self._is_over


class Worker:
    """Runs tasks in order, in a daemon thread that ends when idle.

    Args:
        name: The thread's name.
    """

    def __init__(self, name: str) -> None:
        def make() -> _Work:
            return _Work(name)

        self._per_process = PerProcess(make(), make)

    @property
    def waiting(self) -> int:
        """The number of unfinished tasks."""
        return len(self._per_process.get().pending)

    @property
    def waiting_bytes(self) -> int:
        """The number of bytes of their lines."""
        work = self._per_process.get()
        return work.added_bytes - work.finished_bytes

    def lines(self) -> list[bytes]:
        """Return the lines of unfinished tasks, which they keep in memory."""
        return [task.line for task in self._per_process.get().pending.copy()]

    def submit(self, work: Callable[[], None]) -> Task:
        """Add a function to the queue, as `add` does."""
        return self.add(Task(lambda _: work()))

    def add(self, task: Task) -> Task:
        """Add a task to the queue. If no thread can be started, run it in the calling thread."""
        return self._per_process.get().add(task)

    def drain(self, timeout: float) -> bool:
        """Wait until all submitted tasks are done. Return False on timeout.

        Args:
            timeout: Maximum number of seconds.
        """
        end = monotonic() + timeout
        return all(task.wait(end - monotonic()) for task in self._per_process.get().pending.copy())


class _Work:
    """The tasks of one process and the thread that runs them.

    Attributes:
        pending: The unfinished tasks, as keys.
        added_bytes: The number of bytes of all lines so far.
        finished_bytes: The same of finished tasks.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.pending: dict[Task, None] = {}
        self.added_bytes = self.finished_bytes = 0
        self._queue: SimpleQueue[Task] = SimpleQueue()  # Its `put` is reentrant.
        self._turn = Lock()  # Held by the thread that runs tasks; never waited for.

    def add(self, task: Task) -> Task:
        self.pending[task] = None
        self.added_bytes += task.size  # Atomic with the GIL; without, a lost addition loosens a bound.
        self._queue.put(task)
        if not self._turn.locked():
            # Concurrent callers may start several threads; only one acquires the turn.
            try:
                start_thread(lambda: self._run(_IDLE), self._name)
            except RuntimeError:
                self._run(idle=0, in_caller=True)
        return task

    def _run(self, idle: float, *, in_caller: bool = False) -> None:
        # The holder checks the queue again after releasing the turn, so no task is left behind.
        while not self._queue.empty() and self._turn.acquire(blocking=False):
            try:
                self._work_until_idle(idle, in_caller)
            finally:
                self._turn.release()

    def _work_until_idle(self, seconds: float, in_caller: bool) -> None:
        while True:
            try:
                task = self._queue.get(timeout=seconds)
            except Empty:
                return
            task.is_in_caller = in_caller
            try:
                task.run()
            finally:
                del self.pending[task]
                self.finished_bytes += task.size
                task.end()
