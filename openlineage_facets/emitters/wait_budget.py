"""The total time that a job may wait for an emitter without a delivery."""

from __future__ import annotations

from time import monotonic

_RESTORED_SHARE = 0.1
"""Share of the time between two deliveries by which the budget is restored."""


class WaitBudget:
    """Seconds that an emitter may delay the job, shared by `emit`, `close` and interpreter exit.

    Waiting that ends with a delivery costs nothing, so a slow receiver gets every event. Waiting without a
    delivery is deducted. Each delivery restores a tenth of the time since the previous one, so a process that
    runs for days recovers from a short outage.

    Safe for threads and signal handlers: each update is one assignment.

    Args:
        seconds: The initial and maximum budget.
    """

    def __init__(self, seconds: float) -> None:
        self._bound = self._left = seconds
        self._restored = monotonic()

    @property
    def left(self) -> float:
        """Remaining seconds."""
        return self._left

    def spend(self, seconds: float) -> None:
        """Deduct seconds that the job waited without a delivery."""
        self._left = max(0.0, self._left - seconds)

    def delivered(self) -> None:
        """Restore a part of the budget after a delivery."""
        now = monotonic()
        self._left = min(self._bound, self._left + _RESTORED_SHARE * (now - self._restored))
        self._restored = now
