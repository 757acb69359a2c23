"""Remember results for objects that a large graph contains many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def by_identity(function: Callable[[T], R]) -> Callable[[T], R]:
    """Return a function that computes the result for each object once.

    The edges of a graph share their ends and transformations. To compute the hash of one of these, as a usual
    cache does, takes longer than what is done with an edge. Equal objects have results of their own.

    Example:
        >>> text_of = by_identity(str)
        >>> texts = [text_of(edge.source) for edge in lineage.columns]
    """
    known: dict[int, tuple[T, R]] = {}

    def remembered(value: T) -> R:
        found = known.get(id(value))
        if found is None:
            # The object is kept, since another one could have its id later.
            found = known[id(value)] = value, function(value)
        return found[1]

    return remembered
