"""What a run could not capture, for one message at its end."""

from __future__ import annotations

import threading

_MAX_KINDS = 20
"""How many different gaps are named."""


class Gaps:
    """Collect what a run could not capture."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def add(self, what: str) -> None:
        """Add something that was not captured.

        Args:
            what: What it is, why, and how to capture it.
        """
        with self._lock:
            if what in self._counts or len(self._counts) < _MAX_KINDS:
                self._counts[what] = self._counts.get(what, 0) + 1

    def message(self) -> str:
        """Return one line that names all gaps; empty if there are none."""
        with self._lock:
            found = [
                what if count == 1 else f"{what} ({count} times)" for what, count in self._counts.items()
            ]
        return f"not captured: {'; '.join(found)}" if found else ""
