"""Let the garbage collector run rarely while a command builds a large graph."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_ALLOCATIONS = 10_000_000


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the garbage collector search the newest objects after ten million allocations, others hardly ever.

    It would search a graph of a million edges, which has no reference cycles, again and again: half of the
    time of a command. What is left of the graph is never searched: the process ends.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(_ALLOCATIONS, *thresholds[1:])
    try:
        yield
    finally:
        gc.freeze()  # The interpreter searches everything else again when it exits.
        gc.set_threshold(*thresholds)
