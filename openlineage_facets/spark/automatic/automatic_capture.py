"""Capture what a job does with Spark's own methods, for the runs that are active in this process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

from pyspark.sql import SparkSession

from openlineage_facets.spark.automatic.callbacks import check_callbacks
from openlineage_facets.spark.automatic.query_listener import (
    QueryListener,
    QueryWorker,
    deliver_pending,
    started_streams,
)
from openlineage_facets.spark.automatic.wrapped_methods import WrappedMethods
from openlineage_facets.spark.automatic.writer_state import session_of
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.jvm import has_jvm, is_stopped, session_of_java, threads_are_pinned
from openlineage_facets.spark.statements.command_effects import is_command

_DELIVERY_BEFORE = 0.5
"""Seconds to wait for queries from before a run; commands that come later are recognised by their time."""

_DELIVERY = 10.0
"""Seconds to wait at the end of a run for queries that Spark has not delivered, or that are not processed."""

_UNCALLED = "actions, and writes not made by PySpark's own methods"
"""What is only captured if the JVM calls Python."""


class ActiveRun:
    """Capture the queries, writes and statements of a job for one run.

    Args:
        calls: Captures calls of the job.
    """

    def __init__(self, calls: LineageCapture) -> None:
        self.calls = calls
        self.tag = f"openlineage-facets-run-{uuid4()}"
        """A job tag of the thread that has started the run, which Spark passes on to threads of its own."""
        self.tagged_thread: int | None = None
        """The thread that has the job tag."""
        self.began = int(time.time() * 1000)
        self.is_listening = False
        """Spark reports the queries of the run."""
        self.is_ending = False
        """The run waits for its last queries."""
        self._guard = calls.guard
        self._process = os.getpid()
        self._is_active = True

    @property
    def spark(self) -> SparkSession:
        """The session of the run; a later one if the job has stopped it."""
        return self.calls.spark

    @property
    def is_active(self) -> bool:
        """Whether the run is active; False in a forked process."""
        return self._is_active and self._process == os.getpid()

    def deactivate(self) -> None:
        """Let no more calls and queries belong to the run."""
        self._is_active = False

    def begin(self) -> None:
        """Capture everything from now on."""
        spark, has_listener = self.spark, False
        with self._guard.step("find the JVM of the session"):
            has_listener = has_jvm(spark) and not is_stopped(spark)
        if has_listener:
            _add_tag(self)
            deliver_pending(spark, _DELIVERY_BEFORE)
        with _lifecycle:
            if has_listener:
                try:
                    _register(spark)
                    self.is_listening = True
                except Exception as error:
                    self.calls.gaps.add(f"{_UNCALLED}: {error}")
            with self._guard.step("wrap Spark's own methods"):
                _active.add(self)
                _methods.install()

    def end(self) -> None:
        """Record what Spark has not reported yet, and capture nothing more for this run."""
        with self._guard.step("record the last queries"):
            self._record_last_queries()
        with self._guard.step("find the streams that are not captured"):
            self._add_streams_to_gaps()
        with _lifecycle, self._guard.step("end the capture"):
            if _active.remove(self):
                self._end_last()
        with self._guard.step("remove a job tag"):
            self._remove_tag()
        with self._guard.step("name what is not captured"):
            self._warn_of_gaps()

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
        if not self.is_listening:
            return
        self.is_ending = True
        spark = self.spark
        try:
            if not is_stopped(spark):
                check_callbacks(spark)
        except ConnectionError as error:
            self.calls.gaps.add(f"{_UNCALLED}: {error}")
        delivered = is_stopped(spark) or deliver_pending(spark, _DELIVERY)
        if not (_worker.finish(_DELIVERY) and delivered):
            self.calls.gaps.add(f"queries that Spark had not reported {_DELIVERY:.0f} seconds after the last")

    def _add_streams_to_gaps(self) -> None:
        for name in started_streams.uncaptured(self.began):
            self.calls.gaps.add(
                f"the stream {name}, which was not started by PySpark's own methods; add its sources and its "
                "sink with run.build.input(namespace, name) and run.build.output(namespace, name)"
            )

    def _warn_of_gaps(self) -> None:
        for call in self.calls.reported.unfinished():
            names = ", ".join(name for _, name in call.outputs) or "an unknown dataset"
            self.calls.gaps.add(f"the result of a write to {names}, which had not ended when the run ended")
        message = self.calls.gaps.message()
        if message:
            self._guard.warn_once("capture everything", message)

    def _remove_tag(self) -> None:
        # A tag of another thread cannot be removed.
        if self.tagged_thread == threading.get_ident() and not is_stopped(self.spark):
            self.spark.sparkContext.removeJobTag(self.tag)


class ActiveRuns:
    """The active runs of this process.

    A call belongs to the run that was started last in its own context: in its thread, its asyncio task, and
    everything to which their context was passed on. In a context without a run it belongs to the only active
    run, or to the run whose job tag its thread has inherited, or to the only run in its session.
    """

    def __init__(self) -> None:
        self._all: list[ActiveRun] = []
        self._lock = threading.Lock()
        self._of_context: ContextVar[tuple[ActiveRun, ...]] = ContextVar("runs_of_context", default=())

    def add(self, run: ActiveRun) -> None:
        """Add a run and enter it in the current context."""
        with self._lock:
            self._all.append(run)
        self._of_context.set((*filter(_is_active, self._of_context.get()), run))

    def remove(self, run: ActiveRun) -> bool:
        """End a run; return True if none is left."""
        run.deactivate()
        with self._lock:
            if run in self._all:
                self._all.remove(run)
            is_last = not any(map(_is_active, self._all))
        self._of_context.set(tuple(filter(_is_active, self._of_context.get())))
        return is_last

    def all(self) -> list[ActiveRun]:
        """Return the active runs, in the order of their start."""
        with self._lock:
            return [run for run in self._all if run.is_active]

    def of_call(
        self, spark: SparkSession | None, find_tags: Callable[[], Collection[str]]
    ) -> ActiveRun | None:
        """Return the run of a call in the current thread; None if there is none, or if it is unknown.

        Args:
            spark: The session of the call; None if it is unknown.
            find_tags: Returns the job tags of the thread.
        """
        entered = [run for run in self._of_context.get() if run.is_active]
        if entered:
            return entered[-1]
        return self.chosen(self.all(), lambda run: run.spark is spark, find_tags)

    def chosen(
        self,
        candidates: list[ActiveRun],
        is_in_session: Callable[[ActiveRun], bool],
        find_tags: Callable[[], Collection[str]],
    ) -> ActiveRun | None:
        """Return the run of a call or a query outside of a known context.

        Args:
            candidates: The runs that were active.
            is_in_session: Returns True if a run is in the session of the call.
            find_tags: Returns the job tags of the call.
        """
        if len(candidates) > 1:
            tags = find_tags()
            tagged = [run for run in candidates if run.tag in tags]
            if tagged:
                return tagged[-1]  # Of nested runs the inner one.
            candidates = [run for run in candidates if is_in_session(run)]
        return candidates[0] if len(candidates) == 1 else None


def _is_active(run: ActiveRun) -> bool:
    return run.is_active


def _add_tag(run: ActiveRun) -> None:
    """Tag the jobs of the current thread as those of a run."""
    with run.calls.guard.step("add a job tag"):
        if threads_are_pinned(run.spark):
            run.spark.sparkContext.addJobTag(run.tag)
            run.tagged_thread = threading.get_ident()


def _capture_of_call(caller: Any) -> LineageCapture | None:
    """Return what captures a call of an object's method in the current thread."""

    def tags() -> Collection[str]:
        if spark is None or not (has_jvm(spark) and threads_are_pinned(spark)):
            return ()
        return spark.sparkContext.getJobTags()

    spark = session_of(caller)
    run = _active.of_call(spark, tags)
    if run is None:
        _add_gap(
            "a call of a thread that belongs to none of several active runs; start the thread with "
            "pyspark.InheritableThread or in contextvars.copy_context()"
        )
        return None
    if spark is None:
        return run.calls
    if spark is not run.spark:
        _listen(spark)
    return run.calls.in_session(spark)


def _register(spark: SparkSession) -> None:
    """Receive the queries of a session, and notice its streams."""
    _listener.register(spark)
    started_streams.register(spark)
    _worker.start()


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


def _process(query: ExecutedQuery) -> bool:
    """Record a query for the run it belongs to; return False while that is not known."""
    try:
        return _record(query, _active.all())
    except Exception as error:
        _add_gap(f"a query: {type(error).__name__}: {error}")
        return True


def _record(query: ExecutedQuery, runs: list[ActiveRun]) -> bool:
    if not runs or not query.was_executed:
        return True
    runs = _begun_before(query, runs)
    if not runs:
        return True
    # A call that is still being executed may turn out to write the same dataset.
    is_open = any(run.calls.reported.has_unfinished_since(query.began) for run in runs if not run.is_ending)
    if is_open and is_command(runs[-1].spark, query.plan):
        return False
    session = query.execution.sparkSession()

    def is_in_session(run: ActiveRun) -> bool:
        spark: Any = run.spark
        return has_jvm(spark) and bool(spark._jsparkSession.equals(session))

    run = _active.chosen(
        [run for run in runs if has_jvm(run.spark)], is_in_session, lambda: runs[-1].calls.job_tags(query)
    )
    if run is None:
        if not any(each.calls.reported.may_have_reported(query.began) for each in runs):
            _add_gap("a query of a thread that belongs to none of several active runs")
        return True
    spark = run.spark if is_in_session(run) else session_of_java(run.spark, session)
    reported = [each.calls.reported for each in runs]
    run.calls.in_session(spark).query(query, reported)
    return True


def _begun_before(query: ExecutedQuery, runs: list[ActiveRun]) -> list[ActiveRun]:
    """Return the runs that had begun when a command was executed; for another query, all of them.

    Spark delivers queries late if it is busy. A command is analyzed when it is executed, but the query of a
    DataFrame may be analyzed long before.
    """
    begun = [run for run in runs if not 0 < query.began < run.began]
    return begun if len(begun) == len(runs) or is_command(runs[-1].spark, query.plan) else runs


def _forget_before(queries: list[ExecutedQuery]) -> None:
    """Forget the calls that only queries before these may belong to."""
    with suppress(Exception):  # Without a JVM, no further query will be reported.
        runs = _active.all()
        moment = min(query.began for query in queries) if runs else 0
        for run in runs:
            run.calls.reported.forget_before(moment)


def _add_gap(what: str) -> None:
    for run in _active.all():
        run.calls.gaps.add(what)


_lifecycle = threading.Lock()
_active = ActiveRuns()
_methods = WrappedMethods(_capture_of_call, _listen, _add_gap)
_worker = QueryWorker(_process, _forget_before)
_listener = QueryListener(_worker.put, _add_gap)
