"""Background threads in signal handlers and in forked processes."""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections.abc import Callable
from threading import Thread
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
