"""Receive what Spark executes while a run is active: queries, and streams that code in the JVM starts.

Py4J's callback server calls the listener, in a thread of Spark's listener bus. It only passes the queries on
to another thread, so that neither the job nor the listener bus waits for what is done with them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pyspark.sql import SparkSession

from openlineage_facets.spark.automatic.callbacks import callable_object, note_calling_thread
from openlineage_facets.spark.capture.guard import expected_errors
from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.jvm import JavaObject, java_class


@dataclass(frozen=True)
class _Stream:
    """A stream that Spark has started.

    Args:
        run_id: Spark's id for this start of the stream.
        name: Its name, or its id if it has none.
        began: When it was started, in milliseconds since 1970.
    """

    run_id: str
    name: str
    began: int


_PRUNED_FROM = 16
"""The number of registrations from which those of sessions that are gone are looked for."""


class _Registration:
    """A listener that is registered with a part of a session, which it does not keep in memory.

    Args:
        spark: The session.
        owner: The JVM's object with which the listener is registered.
        unregister: Called with this object at the end.
    """

    def __init__(
        self, spark: SparkSession, owner: JavaObject, unregister: Callable[[JavaObject], object]
    ) -> None:
        # A reference of Python, also that of a look into a WeakReference, keeps the session for a while.
        self._owner: JavaObject = java_class(spark, "java.util.WeakHashMap")()
        self._owner.put(owner, True)
        self._unregister = unregister

    @property
    def is_needed(self) -> bool:
        """False if the session is gone."""
        with suppress(Exception):  # The JVM has exited.
            return not self._owner.isEmpty()
        return False

    def end(self) -> None:
        """Listen no more."""
        with suppress(Exception):  # The JVM has exited.
            for owner in list(self._owner.keySet()):
                self._unregister(owner)


class _Listener:
    """The base of listeners for one or more sessions of a Spark application."""

    def __init__(self) -> None:
        self._registered: dict[str, _Registration] = {}
        self._pruned_from = _PRUNED_FROM

    def register(self, spark: SparkSession) -> None:
        """Listen to a session, and to those that Spark copies from it for streams.

        Raises:
            ConnectionError: The JVM cannot call Python.
        """
        session: JavaObject = spark._jsparkSession
        identity = str(session.sessionUUID())
        if identity not in self._registered:
            registration = self._listen(spark, session)
            if registration is not None:
                self._registered[identity] = registration
                self._prune()

    def unregister(self) -> None:
        """Listen no more."""
        registered, self._registered = self._registered, {}
        self._pruned_from = _PRUNED_FROM
        for registration in registered.values():
            registration.end()

    def _prune(self) -> None:
        """Forget the sessions that are gone, when there are twice as many as were left before."""
        if len(self._registered) >= self._pruned_from:
            for identity, registration in list(self._registered.items()):
                if not registration.is_needed:
                    self._registered.pop(identity, None)
            self._pruned_from = max(_PRUNED_FROM, 2 * len(self._registered))

    def _listen(self, spark: SparkSession, session: JavaObject) -> _Registration | None:
        """Listen to a session; return None if it is listened to already."""
        raise NotImplementedError


class StartedStreams(_Listener):
    """A listener for streams, called by the JVM before a stream begins."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[_Stream] = []
        self._captured: set[str] = set()
        self._lock = threading.Lock()

    def _listen(self, spark: SparkSession, session: JavaObject) -> _Registration:
        wrapper = java_class(spark, "org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper")
        manager, listener = session.streams(), wrapper(self)
        manager.addListener(listener)
        return _Registration(spark, manager, lambda streams: streams.removeListener(listener))

    def unregister(self) -> None:
        """Listen no more, and forget the streams."""
        super().unregister()
        with self._lock:
            self._started.clear()
            self._captured.clear()

    def add_captured(self, query: Any) -> None:
        """Note a stream that a call of the job has started and that is captured."""
        with self._lock:
            self._captured.add(str(query.runId))

    def uncaptured(self, since: int) -> list[str]:
        """Return the names of the streams that are not captured, of those started since a time."""
        with self._lock:
            return [
                stream.name
                for stream in self._started
                if stream.began >= since and stream.run_id not in self._captured
            ]

    # The methods of Java's interface.

    def onQueryStarted(self, event: JavaObject) -> None:  # noqa: N802
        """Note a stream that has started."""
        note_calling_thread()
        name = event.name()
        stream = _Stream(
            str(event.runId().toString()), str(name or event.id().toString()), int(time.time() * 1000)
        )
        with self._lock:
            self._started.append(stream)

    def onQueryProgress(self, event: JavaObject) -> None:  # noqa: N802
        """Ignore a batch."""

    def onQueryIdle(self, event: JavaObject) -> None:  # noqa: N802
        """Ignore that a stream waits for data."""

    def onQueryTerminated(self, event: JavaObject) -> None:  # noqa: N802
        """Ignore the end of a stream."""

    class Java:
        """The interface of Spark that the class implements."""

        implements: ClassVar[list[str]] = ["org.apache.spark.sql.streaming.PythonStreamingQueryListener"]


started_streams = StartedStreams()
"""The streams of this process."""


Q = TypeVar("Q")


class QueryWorker(Generic[Q]):
    """A thread that processes queries in the order of their arrival.

    A query that is postponed is processed again when `retry` or `finish` is called. Queries that arrive while
    the thread does not run are discarded: a stream that outlives all runs still reports them.

    Args:
        process: Processes a query; returns False to postpone it.
        after_each_pass: Called with the postponed queries; if there are none, with the last of the others.
    """

    def __init__(self, process: Callable[[Q], bool], after_each_pass: Callable[[Sequence[Q]], None]) -> None:
        self._process = process
        self._after_each_pass = after_each_pass
        self._changed = threading.Condition()
        self._waiting: list[Q] = []
        self._postponed: list[Q] = []
        self._may_retry = False
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

    def put(self, query: Q) -> None:
        """Process a query later, if the thread runs."""
        with self._changed:
            if self._thread is not None:
                self._waiting.append(query)
                self._changed.notify_all()

    def retry(self) -> None:
        """Process the postponed queries again, also those that the thread is about to postpone."""
        with self._changed:
            self._may_retry = True
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
                self._changed.wait_for(self._has_work)
                if not self._is_current():
                    return
                request = self._requested
                queries, self._waiting = self._waiting, []
                if self._may_retry or request > self._completed:
                    queries, self._postponed = [*self._postponed, *queries], []
                    self._may_retry = False
            with expected_errors():
                postponed = [query for query in queries if not self._process(query)]
            with self._changed:
                if not self._is_current():
                    return
                self._postponed += postponed
                remaining = self._postponed[:] or queries[-1:]
            with expected_errors():
                if remaining:
                    self._after_each_pass(remaining)
            with self._changed:
                self._completed = max(self._completed, request)
                self._changed.notify_all()

    def _is_current(self) -> bool:
        return self._thread is threading.current_thread()

    def _has_work(self) -> bool:
        return (
            not self._is_current()
            or bool(self._waiting)
            or (self._may_retry and bool(self._postponed))
            or self._requested > self._completed
        )


_NAME = "openlineage_facets.spark.automatic.query_listener.QueryListener"


class QueryListener(_Listener):
    """A listener for queries.

    Args:
        receive: Receives each query that was executed, and the latest moment, in milliseconds since 1970, at
            which it can have been started.
        lose: Receives the reason why a query could not be received.
    """

    def __init__(self, receive: Callable[[ExecutedQuery, int], None], lose: Callable[[str], None]) -> None:
        super().__init__()
        self._receive = receive
        self._lose = lose

    def _listen(self, spark: SparkSession, session: JavaObject) -> _Registration | None:
        manager = session.listenerManager()
        if any(_is_ours(listener) for listener in manager.listListeners()):
            return None
        listener = callable_object(spark, self)
        manager.register(listener)
        return _Registration(spark, manager, lambda queries: queries.unregister(listener))

    # The methods of Java's interface, and those of Object.

    def onSuccess(self, name: str, execution: JavaObject, duration: int) -> None:  # noqa: N802
        """Receive a query that was executed in a number of nanoseconds."""
        self._pass_on(ExecutedQuery(execution, action=name), duration / 1e9)

    def onFailure(self, name: str, execution: JavaObject, error: JavaObject) -> None:  # noqa: N802
        """Receive a query that has failed."""
        self._pass_on(ExecutedQuery(execution, failed=True, action=name))

    def _pass_on(self, query: ExecutedQuery, seconds: float = 0) -> None:
        started_by = int((time.time() - seconds) * 1000)
        note_calling_thread()
        try:
            self._receive(query, started_by)
        except Exception as error:  # Spark would log the stack traces of the JVM and of Python.
            self._lose(f"a query: {type(error).__name__}: {error}")

    def toString(self) -> str:  # noqa: N802
        """Return the name of the class."""
        return _NAME

    def hashCode(self) -> int:  # noqa: N802
        """Return a number that fits into Java's int."""
        return id(self) % 2**31

    def equals(self, other: Any) -> bool:
        """Return True if another object is this one."""
        return other is self

    class Java:
        """The interface of Spark that the class implements."""

        implements: ClassVar[list[str]] = ["org.apache.spark.sql.util.QueryExecutionListener"]


def _is_ours(listener: JavaObject) -> bool:
    try:
        return bool(listener.toString() == _NAME)
    except Exception:  # A listener of someone else, without this method.
        return False
