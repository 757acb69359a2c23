"""Notice the streams that are started while a run is active: those of code in the JVM are not captured."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from openlineage_facets.spark.jvm.callback_connections import note_calling_thread
from openlineage_facets.spark.jvm.objects import JavaObject, java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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


class StartedStreams:
    """A listener for the streams of one or more sessions, called by the JVM before a stream begins."""

    def __init__(self) -> None:
        self._registered: dict[str, tuple[JavaObject, JavaObject]] = {}
        self._started: list[_Stream] = []
        self._captured: set[str] = set()
        self._lock = threading.Lock()

    def register(self, spark: SparkSession) -> None:
        """Notice the streams of a session. The JVM must be able to call Python."""
        session: JavaObject = spark._jsparkSession
        identity = str(session.sessionUUID())
        if identity in self._registered:
            return
        listener = java_class(spark, "org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper")(
            self
        )
        manager = session.streams()
        manager.addListener(listener)
        self._registered[identity] = manager, listener

    def unregister(self) -> None:
        """Notice no more streams."""
        registered, self._registered = self._registered, {}
        for manager, listener in registered.values():
            with suppress(Exception):  # The JVM has exited.
                manager.removeListener(listener)
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
