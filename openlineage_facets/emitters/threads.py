"""Start background threads safely from signal handlers."""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable
from threading import Thread


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
