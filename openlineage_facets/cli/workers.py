"""Checks chunks in order, here or in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from openlineage_facets.cli.checking import Checker, Checking
from openlineage_facets.cli.chunks import Chunk
from openlineage_facets.cli.failure import CommandError
from openlineage_facets.cli.results import ChunkResult

__all__ = ["checked"]

_Place = TypeVar("_Place")

_AHEAD = 3
"""Chunks that are on their way for each process, so that none of them waits."""


def checked(
    chunks: Iterable[tuple[_Place, Chunk]], checking: Checking, jobs: int
) -> Iterator[tuple[_Place, ChunkResult]]:
    """Yield what checking each chunk tells, in the order of the chunks.

    Args:
        chunks: The chunks, each with what the caller wants to know it by.
        checking: How to check.
        jobs: Processes to check in; 1 for the present one.

    Raises:
        CommandError: One of the processes died.
    """
    if jobs == 1:
        checker = Checker(checking)
        for place, chunk in chunks:
            yield place, checker.check(chunk)
        return
    # A new interpreter for each: what was forked would share locks and threads with this one.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (checking,))
    waiting: deque[tuple[_Place, Future[ChunkResult]]] = deque()
    try:
        for place, chunk in chunks:
            waiting.append((place, pool.submit(_check, chunk)))
            while len(waiting) > jobs * _AHEAD or (waiting and waiting[0][1].done()):
                first, future = waiting.popleft()
                yield first, future.result()
        for place, future in waiting:
            yield place, future.result()
    except BrokenProcessPool:
        raise CommandError("a checking process died, most likely for want of memory; try --jobs 1") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_checker: Checker


def _begin(checking: Checking) -> None:
    """Get a new process ready."""
    global _checker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that started this one ends it.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _checker = Checker(checking)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _check(chunk: Chunk) -> ChunkResult:
    return _checker.check(chunk)
