"""Executed queries are processed in the order of their arrival, unless they are postponed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from openlineage_facets.spark.automatic.query_listener import QueryWorker
from openlineage_facets.spark.capture.query_capture import ExecutedQuery


@dataclass(frozen=True)
class Query:
    """What the worker knows of a query."""

    began: int


def test_calls_are_remembered_for_postponed_queries() -> None:
    """A postponed query may belong to a call that ended before a query which was processed earlier began."""
    may_process = {5: False, 9: True}
    processed: list[int] = []
    remembered_since: list[int] = []

    def process(query: ExecutedQuery) -> bool:
        if may_process[query.began]:
            processed.append(query.began)
        return may_process[query.began]

    def after_each_pass(queries: list[ExecutedQuery]) -> None:
        remembered_since.append(min(query.began for query in queries))

    worker = QueryWorker(process, after_each_pass)
    for began in (5, 9):
        worker.put(cast(ExecutedQuery, Query(began)))
    worker.start()
    assert worker.finish(10)
    assert (processed, set(remembered_since)) == ([9], {5})
    may_process[5] = True
    assert worker.finish(10)
    assert (processed, set(remembered_since)) == ([9, 5], {5})
    worker.stop()
