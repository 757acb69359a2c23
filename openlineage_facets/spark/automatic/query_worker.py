"""Process executed queries in a thread, so that neither the job nor Spark's listener bus waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.expected_errors import expected_errors

_RETRY = 0.2
"""Seconds until postponed queries are tried again."""


class QueryWorker:
    """A thread that processes queries in the order of their arrival.

    Args:
        process: Processes a query; returns False to postpone it.
        after_each_pass: Called with the postponed queries; if there are none, with the last of the others.
    """

    def __init__(
        self,
        process: Callable[[ExecutedQuery], bool],
        after_each_pass: Callable[[list[ExecutedQuery]], None],
    ) -> None:
        self._process = process
        self._after_each_pass = after_each_pass
        self._changed = threading.Condition()
        self._waiting: list[ExecutedQuery] = []
        self._postponed: list[ExecutedQuery] = []
        self._requested = 0
        self._completed = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="openlineage-queries", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and discard what it has not processed."""
        with self._changed:
            self._thread = None
            self._waiting, self._postponed = [], []
            self._changed.notify_all()

    def put(self, query: ExecutedQuery) -> None:
        """Process a query later."""
        with self._changed:
            self._waiting.append(query)
            self._changed.notify_all()

    def finish(self, timeout: float) -> bool:
        """Wait until everything that has arrived was processed; return False after a timeout.

        Args:
            timeout: Seconds to wait at most.
        """
        with self._changed:
            self._requested += 1
            request = self._requested
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._completed >= request, timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                retry = _RETRY if self._postponed else None
                self._changed.wait_for(self._has_work, retry)
                if self._thread is not threading.current_thread():
                    return
                request = self._requested
                queries = [*self._postponed, *self._waiting]
                self._waiting, self._postponed = [], []
            with expected_errors():
                postponed = [query for query in queries if not self._process(query)]
                if queries:
                    self._after_each_pass(postponed or queries[-1:])
            with self._changed:
                self._postponed = [*postponed, *self._postponed]
                self._completed = request
                self._changed.notify_all()

    def _has_work(self) -> bool:
        is_running = self._thread is threading.current_thread()
        return not is_running or bool(self._waiting) or self._requested > self._completed
