"""Values that a forked process must not share with its parent."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

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
