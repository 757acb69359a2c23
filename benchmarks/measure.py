"""Two sides of one piece of work, timed in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import pyperf

ROUND = 0.02
"""Seconds that each side works in a round, so that both see the same weather."""


@dataclass(frozen=True)
class Timing:
    """What one piece of work cost.

    Args:
        ours: Seconds a time, the best of the rounds.
        theirs: Seconds a time, the best of the rounds.
        ratios: Theirs by ours, for each round.
    """

    ours: float
    theirs: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times as fast we are, in the median round."""
        return median(self.ratios)


def in_turn(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> Timing:
    """Time two sides, round by round one after the other.

    Args:
        ours: Does the work once.
        theirs: Does the same work once.
        rounds: How many times each side has its turn.
    """
    loops = [_loops(side) for side in (ours, theirs)]
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            times[side].append(_seconds((ours, theirs)[side], loops[side]))
    ratios = tuple(slow / fast for fast, slow in zip(*times, strict=True))
    return Timing(min(times[0]), min(times[1]), ratios)


def _loops(work: Callable[[], object]) -> int:
    """Return how often work is done in a round, once it is warm."""
    once = min(_seconds(work, 1) for _ in range(3))
    return max(1, round(ROUND / once))


def _seconds(work: Callable[[], object], loops: int) -> float:
    """Return the seconds that work takes, once."""
    start: float = pyperf.perf_counter()
    for _ in range(loops):
        work()
    end: float = pyperf.perf_counter()
    return (end - start) / loops
