"""Check chunks in worker processes, with results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from openlineage_facets.cli.check.chunk_checker import CheckSettings, ChunkChecker
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.chunk_results import ChunkResult
from openlineage_facets.event_files.chunks import Chunk

_Key = TypeVar("_Key")

_QUEUED_PER_WORKER = 3
"""Chunks submitted per worker, so that none is idle."""


def check_chunks(
    chunks: Iterable[tuple[_Key, Chunk]], settings: CheckSettings, jobs: int
) -> Iterator[tuple[_Key, ChunkResult]]:
    """Check chunks and yield the results in the same order.

    Args:
        chunks: Chunks, each with a key of the caller that is returned with the result.
        settings: How to check.
        jobs: Number of worker processes. 1 checks in this process.

    Raises:
        CommandError: A worker process died.
    """
    if jobs == 1:
        checker = ChunkChecker(settings)
        for key, chunk in chunks:
            yield key, checker.check(chunk)
        return
    # Spawn: forked processes would share locks and threads with this one.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start_worker, (settings,))
    pending: deque[tuple[_Key, Future[ChunkResult]]] = deque()
    try:
        for key, chunk in chunks:
            pending.append((key, pool.submit(_check, chunk)))
            while len(pending) > jobs * _QUEUED_PER_WORKER or (pending and pending[0][1].done()):
                first, future = pending.popleft()
                yield first, future.result()
        for key, future in pending:
            yield key, future.result()
    except BrokenProcessPool:
        _interrupt_writes(pool)
        raise CommandError("a worker process died, probably because of low memory; try --jobs 1") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _interrupt_writes(pool: ProcessPoolExecutor) -> None:
    """Interrupt writing to dead workers, for which Python before 3.11.5 waits forever."""
    if sys.version_info < (3, 11, 5):
        pool._call_queue._reader.close()  # type: ignore[attr-defined,unused-ignore]


_checker: ChunkChecker


def _start_worker(settings: CheckSettings) -> None:
    """Initialize a worker process."""
    global _checker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent process handles the interrupt.
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _checker = ChunkChecker(settings)


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _check(chunk: Chunk) -> ChunkResult:
    return _checker.check(chunk)
