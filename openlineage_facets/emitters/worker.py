"""Work done in order by one background thread, so that whoever waits for it can stop waiting."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from threading import Condition, Event, Lock, Thread
from time import monotonic

__all__ = ["Task", "Worker"]

_IDLE = 5.0
"""Seconds after which a thread without work ends; the next task starts another."""


class Task:
    """One piece of work.

    Attributes:
        done: Set when the work is over.
        error: What it raised, if anything.
        awaited: Whether somebody still waits for it.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.done = Event()
        self.error: Exception | None = None
        self.awaited = True


class Worker:
    """Does tasks one after the other, in a daemon thread that lives while there are any.

    Args:
        name: What the thread is called.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._reset()

    def _reset(self) -> None:
        self._process = os.getpid()
        self._tasks: deque[Task] = deque()
        self._changed = Condition(Lock())
        self._alive = False

    def _after_fork(self) -> None:
        """Begin anew in a forked process: the tasks and the thread are its parent's."""
        if self._process != os.getpid():
            self._reset()

    @property
    def waiting(self) -> int:
        """How many tasks are not done."""
        self._after_fork()
        return len(self._tasks)

    def submit(self, work: Callable[[], None]) -> Task:
        """Have something done after everything submitted before."""
        self._after_fork()
        task = Task(work)
        with self._changed:
            self._tasks.append(task)
            if self._alive:
                self._changed.notify_all()
            else:
                Thread(target=self._run, name=self._name, daemon=True).start()
                self._alive = True
        return task

    def drain(self, timeout: float) -> bool:
        """Wait until everything is done, and tell whether it is.

        Args:
            timeout: Seconds to wait at most.
        """
        self._after_fork()
        end = monotonic() + timeout
        with self._changed:
            return self._changed.wait_for(lambda: not self._tasks, max(0.0, end - monotonic()))

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: self._tasks, _IDLE):
                    self._alive = False
                    return
                task = self._tasks[0]
            try:
                task.work()
            except Exception as error:
                task.error = error
            with self._changed:
                self._tasks.popleft()
                self._changed.notify_all()
            task.done.set()
