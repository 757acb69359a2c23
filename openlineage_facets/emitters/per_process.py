"""What a forked process must not share with its parent."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["PerProcess"]

T = TypeVar("T")


class PerProcess(Generic[T]):
    """A value of which each process has its own: threads, and locks they hold, do not outlive a fork.

    Args:
        first: The value of this process.
        make: Makes that of a forked one, when it is first asked for; of several made at once, one stays.
    """

    def __init__(self, first: T, make: Callable[[], T]) -> None:
        self._values = {os.getpid(): first}
        self._make = make

    def get(self) -> T:
        """Return the value of the process that asks."""
        process = os.getpid()
        value = self._values.get(process)
        return self._values.setdefault(process, self._make()) if value is None else value
