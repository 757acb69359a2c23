"""Adjacency lists and shortest paths, for everything that follows lineage."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
S = TypeVar("S")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the second items of pairs by the first ones, in their order.

    Example:
        >>> grouped([("orders", "daily"), ("orders", "weekly"), ("rates", "daily")])
        {'orders': ['daily', 'weekly'], 'rates': ['daily']}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def last_steps(starts: Iterable[K], following: Callable[[K], Iterable[tuple[K, S]]]) -> dict[K, S | None]:
    """Return everything that follows some starts, the nearest first.

    Each has the last step of a shortest path to it, None for starts.

    Args:
        starts: Where paths begin.
        following: Returns what follows directly, each with the step to it.
    """
    reached: dict[K, S | None] = dict.fromkeys(starts)
    waiting = deque(reached)
    while waiting:
        for target, step in following(waiting.popleft()):
            if target not in reached:
                reached[target] = step
                waiting.append(target)
    return reached
