"""Put things in an order in which each comes after those it depends on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import Any, TypeVar

Item = TypeVar("Item", bound=Hashable)


class Cycle(ValueError):
    """Some things depend on each other.

    Args:
        members: Each depends on the next; the last is the first again.
    """

    def __init__(self, members: Sequence[Any]) -> None:
        self.members: tuple[Any, ...] = tuple(members)
        super().__init__(" -> ".join(map(str, members)))


def dependencies_first(items: Iterable[Item], needs: Callable[[Item], Iterable[Item]]) -> list[Item]:
    """Return `items`, each after those it needs, otherwise in the given order.

    Args:
        items: Distinct items.
        needs: Returns the dependencies of an item; those not in `items` are ignored.

    Raises:
        Cycle: Some items depend on each other.
    """
    positions = {item: position for position, item in enumerate(items)}
    sorter = TopologicalSorter({item: [one for one in needs(item) if one in positions] for item in positions})
    try:
        sorter.prepare()
    except CycleError as error:
        # graphlib lists a cycle from dependency to dependent.
        raise Cycle(tuple(reversed(error.args[1]))) from None
    by_position = list(positions)
    ready: list[int] = []
    ordered = []
    while sorter.is_active():
        for item in sorter.get_ready():
            heappush(ready, positions[item])
        item = by_position[heappop(ready)]
        ordered.append(item)
        sorter.done(item)
    return ordered
