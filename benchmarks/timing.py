"""Time two implementations in alternating rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import pyperf

ROUND = 0.02
"""Seconds per implementation and round. Short rounds expose both to the same machine load."""


@dataclass(frozen=True)
class Timing:
    """Times of both implementations.

    Args:
        ours: Seconds per call in the best round.
        theirs: Seconds per call in the best round.
        ratios: `theirs / ours` for each round.
    """

    ours: float
    theirs: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Speed-up in the median round."""
        return median(self.ratios)


def alternate(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> Timing:
    """Time two implementations in alternating rounds.

    Args:
        ours: Do the task once.
        theirs: Do the same task once.
        rounds: Number of rounds.
    """
    loops = [_loops(side) for side in (ours, theirs)]
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            times[side].append(_seconds((ours, theirs)[side], loops[side]))
    ratios = tuple(slow / fast for fast, slow in zip(*times, strict=True))
    return Timing(min(times[0]), min(times[1]), ratios)


def _loops(work: Callable[[], object]) -> int:
    """Return the number of calls per round, after warming up."""
    once = min(_seconds(work, 1) for _ in range(3))
    return max(1, round(ROUND / once))


def _seconds(work: Callable[[], object], loops: int) -> float:
    """Return the seconds per call."""
    start: float = pyperf.perf_counter()
    for _ in range(loops):
        work()
    end: float = pyperf.perf_counter()
    return (end - start) / loops
