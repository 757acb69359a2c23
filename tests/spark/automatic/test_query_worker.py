"""Executed queries are processed in the order of their arrival, unless they are postponed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from openlineage_facets.spark.automatic.query_listener import QueryWorker


@contextmanager
def started(worker: QueryWorker[int]) -> Iterator[QueryWorker[int]]:
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


def worker_of(process: Callable[[int], bool]) -> QueryWorker[int]:
    """Return a worker whose queries are numbers."""

    def ignore(queries: Sequence[Any]) -> None:
        """Forget nothing."""

    return QueryWorker(process, ignore)


def test_calls_are_remembered_for_postponed_queries() -> None:
    """A postponed query may belong to a call that ended before a query which was processed earlier began."""
    may_process = {5: False, 9: True}
    processed: list[int] = []
    remembered_since: list[int] = []

    def process(began: int) -> bool:
        if may_process[began]:
            processed.append(began)
        return may_process[began]

    with started(QueryWorker(process, lambda queries: remembered_since.append(min(queries)))) as worker:
        for began in (5, 9):
            worker.put(began)
        assert worker.finish(10)
        assert (processed, set(remembered_since)) == ([9], {5})
        may_process[5] = True
        assert worker.finish(10)
        assert (processed, set(remembered_since)) == ([9, 5], {5})


def test_a_query_that_arrives_while_the_thread_does_not_run_is_discarded() -> None:
    """A stream that outlives its run still reports queries, and the next run must not receive them."""
    processed: list[int] = []
    worker = worker_of(lambda query: not processed.append(query))
    worker.put(1)
    with started(worker):
        worker.put(2)
        assert worker.finish(10)
    worker.put(3)
    with started(worker):
        assert worker.finish(10)
    assert processed == [2]


def test_a_postponed_query_is_only_processed_again_when_a_call_has_ended() -> None:
    attempts: list[int] = []

    def process(query: int) -> bool:
        attempts.append(query)
        return query != 0

    all_processed = threading.Event()
    with started(
        worker_of(lambda query: process(query) and (query < 60 or not all_processed.set()))
    ) as worker:
        for query in range(61):
            worker.put(query)
        assert all_processed.wait(10)
        assert attempts == list(range(61))
        worker.retry()
        assert worker.finish(10)
    assert set(attempts[61:]) == {0}


def test_a_call_that_ends_while_its_query_is_being_postponed_is_noticed() -> None:
    attempts: list[int] = []
    processed = threading.Event()

    def process(query: int) -> bool:
        attempts.append(query)
        if len(attempts) == 1:
            worker.retry()
            return False
        processed.set()
        return True

    worker = worker_of(process)
    with started(worker):
        worker.put(1)
        assert processed.wait(10)
    assert attempts == [1, 1]


def test_a_thread_that_was_stopped_postpones_no_query_for_the_next() -> None:
    is_processing, may_postpone = threading.Event(), threading.Event()
    attempts: list[int] = []

    def process(query: int) -> bool:
        attempts.append(query)
        is_processing.set()
        return not may_postpone.wait(10)

    worker = worker_of(process)
    with started(worker):
        worker.put(1)
        assert is_processing.wait(10)
        thread = worker._thread
    with started(worker):
        may_postpone.set()
        assert thread is not None
        thread.join(10)
        worker.retry()
        assert worker.finish(10)
    assert attempts == [1]
