"""Capture what a job does with Spark's own methods, for the runs that are active in this process."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.spark.automatic.active_runs import ActiveRun, ActiveRuns, UnknownRunError
from openlineage_facets.spark.automatic.callbacks import check_callbacks
from openlineage_facets.spark.automatic.query_listener import (
    QueryListener,
    QueryWorker,
    started_streams,
)
from openlineage_facets.spark.automatic.received_query import ReceivedQuery
from openlineage_facets.spark.automatic.wrapped_methods import WrappedMethods
from openlineage_facets.spark.automatic.writer_state import session_of
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.jvm import deliver_pending, has_jvm, is_stopped, threads_are_pinned

_DELIVERY_BEFORE = 0.5
"""Seconds to wait for queries from before a run; those that come later are recognised by their time."""

_DELIVERY = 10.0
"""Seconds to wait at the end of a run for queries that Spark has not delivered, or that are not processed."""

_UNCALLED = "actions, and writes not made by PySpark's own methods"
"""What is only captured if the JVM calls Python."""


class AutomaticCapture:
    """Capture the queries, writes and statements of a job for one run.

    Args:
        calls: Captures calls of the job.
    """

    def __init__(self, calls: LineageCapture) -> None:
        self._run = ActiveRun(calls)
        self._calls = calls
        self._guard = calls.guard
        calls.reported.call_ended = self._call_ended

    def begin(self) -> None:
        """Capture everything from now on."""
        run, spark, has_listener = self._run, self._calls.spark, False
        with self._guard.step("find the JVM of the session"):
            has_listener = has_jvm(spark) and not is_stopped(spark)
        if has_listener:
            _add_tag(run)
            run.begins_late = not deliver_pending(spark, _DELIVERY_BEFORE)
        with _lifecycle:
            if has_listener:
                try:
                    _register(spark)
                    run.is_listening = True
                except Exception as error:
                    self._calls.gaps.add(f"{_UNCALLED}: {error}")
            with self._guard.step("wrap Spark's own methods"):
                _active.add(run)
                _methods.install()

    def end(self) -> None:
        """Record what Spark has not reported yet, and capture nothing more for this run."""
        with self._guard.step("record the last queries"):
            self._record_last_queries()
        with self._guard.step("find the streams that are not captured"):
            self._add_streams_to_gaps()
        with _lifecycle, self._guard.step("end the capture"):
            if _active.remove(self._run):
                self._end_last()
        with self._guard.step("remove a job tag"):
            self._remove_tag()
        with self._guard.step("name what is not captured"):
            self._warn_of_gaps()

    def _call_ended(self) -> None:
        """Process the queries that wait for a call of the run."""
        self._run.note_end()
        _worker.retry()

    def _end_last(self) -> None:
        with self._guard.step("restore Spark's own methods"):
            _methods.restore()
        with self._guard.step("receive no more queries"):
            _listener.unregister()
        with self._guard.step("notice no more streams"):
            started_streams.unregister()
        with self._guard.step("stop the thread that processes queries"):
            _worker.stop()

    def _record_last_queries(self) -> None:
        if not self._run.is_listening:
            return
        self._run.is_ending = True
        spark = self._calls.spark
        try:
            if not is_stopped(spark):
                check_callbacks(spark)
        except ConnectionError as error:
            self._calls.gaps.add(f"{_UNCALLED}: {error}")
        delivered = is_stopped(spark) or deliver_pending(spark, _DELIVERY)
        if not (_worker.finish(_DELIVERY) and delivered):
            self._calls.gaps.add(
                f"queries that Spark had not reported {_DELIVERY:.0f} seconds after the last"
            )

    def _add_streams_to_gaps(self) -> None:
        for name in started_streams.uncaptured(self._run.began):
            self._calls.gaps.add(
                f"the stream {name}, which was not started by PySpark's own methods; add its sources and its "
                "sink with run.build.input(namespace, name) and run.build.output(namespace, name)"
            )

    def _warn_of_gaps(self) -> None:
        for call in self._calls.reported.unfinished():
            names = ", ".join(name for _, name in call.outputs) or "an unknown dataset"
            self._calls.gaps.add(f"the result of a write to {names}, which had not ended when the run ended")
        message = self._calls.gaps.message()
        if message:
            self._guard.warn_once("capture everything", message, length=len(message))

    def _remove_tag(self) -> None:
        # A tag of another thread cannot be removed.
        spark = self._calls.spark
        if self._run.tagged_thread == threading.get_ident() and not is_stopped(spark):
            spark.sparkContext.removeJobTag(self._run.tag)


def _add_tag(run: ActiveRun) -> None:
    """Tag the jobs of the current thread as those of a run."""
    with run.calls.guard.step("add a job tag"):
        if threads_are_pinned(run.spark):
            run.spark.sparkContext.addJobTag(run.tag)
            run.tagged_thread = threading.get_ident()


def _capture_of_call(caller: Any) -> LineageCapture | None:
    """Return what captures a call of an object's method in the current thread."""
    spark = session_of(caller)
    try:
        run = _active.of_call(spark, lambda: _tags_of_thread(spark))
    except UnknownRunError:
        _add_gap(
            "a call of a thread that belongs to none of several active runs; start the thread with "
            "pyspark.InheritableThread or in contextvars.copy_context()"
        )
        return None
    if run is None:
        return None
    if spark is None:
        return run.calls
    if spark is not run.spark:
        _listen(spark)
    return run.calls.in_session(spark)


def _tags_of_thread(spark: SparkSession | None) -> Collection[str]:
    """Return the job tags of the current thread.

    Args:
        spark: The session of a call; None for that of an RDD, for example, which has the tags as well.
    """
    if spark is None:
        spark = next((run.spark for run in _active.all() if has_jvm(run.spark)), None)
    if spark is None or not (has_jvm(spark) and threads_are_pinned(spark)):
        return ()
    return spark.sparkContext.getJobTags()


def _register(spark: SparkSession) -> None:
    """Receive the queries of a session, and notice its streams."""
    _worker.start()
    _listener.register(spark)
    started_streams.register(spark)


def _listen(spark: SparkSession) -> None:
    """Receive the queries of a session that the job has created, or uses besides that of its run."""
    try:
        if has_jvm(spark) and _active.all():
            moved = _move_runs(spark)
            _register(spark)
            for run in moved:
                run.is_listening = True
    except Exception as error:
        _add_gap(f"{_UNCALLED}, in another session: {error}")


def _move_runs(spark: Any) -> list[ActiveRun]:
    """Continue the runs whose Spark application was stopped in that of a session, and return them."""
    runs = [
        run
        for run in _active.all()
        if has_jvm(run.spark) and spark._sc is not getattr(run.spark, "_sc", None) and is_stopped(run.spark)
    ]
    if runs:
        _worker.finish(_DELIVERY)  # What the stopped application has executed.
    for run in runs:
        run.calls.move_to(spark)
        if run.tagged_thread in (None, threading.get_ident()):
            _add_tag(run)
    return runs


def _receive(query: ExecutedQuery, started_by: int) -> None:
    _worker.put(ReceivedQuery(query, started_by, _active, _add_gap))


def _process(query: ReceivedQuery) -> bool:
    try:
        return query.process()
    except Exception as error:
        _add_gap(f"a query: {type(error).__name__}: {error}")
        return True


def _forget_before(queries: Sequence[ReceivedQuery]) -> None:
    """Forget the calls that only queries before these may belong to."""
    with suppress(Exception):  # Without a JVM, no further query will be reported.
        _active.forget_before(min(query.began for query in queries))


def _add_gap(what: str) -> None:
    for run in _active.all():
        run.calls.gaps.add(what)


_lifecycle = threading.Lock()
_active = ActiveRuns()
_methods = WrappedMethods(_capture_of_call, _listen, _add_gap)
_worker = QueryWorker(_process, _forget_before)
_listener = QueryListener(_receive, _add_gap)
