"""Threads for work in the background."""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable
from threading import Thread

__all__ = ["start_thread"]


def start_thread(work: Callable[[], None], name: str) -> None:
    """Have a daemon thread begin with `work`, and do not wait until it has.

    `Thread.start` does wait, for a thread that wants a lock of the `threading` module first. Where a signal
    handler starts one, what the signal interrupted may hold that lock, and neither would ever go on.

    Args:
        work: What the thread does.
        name: What it is called.

    Raises:
        RuntimeError: The system has no room for one more thread, or the interpreter ends.
    """

    def begin() -> None:
        try:
            Thread(target=work, name=name, daemon=True).start()
        except RuntimeError:  # No room for two: this one serves as well.
            work()

    start_new_thread(begin, ())
