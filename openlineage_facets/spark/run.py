"""A PySpark job that tells its lineage."""

from __future__ import annotations

import atexit
import inspect
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast
from uuid import UUID

from typing_extensions import Self

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.builders.failure import failure_facet
from openlineage_facets.spark.actions import Actions
from openlineage_facets.spark.calls import SparkCalls
from openlineage_facets.spark.guard import Guard, OnError, producer_in_force
from openlineage_facets.spark.opening import Opening
from openlineage_facets.spark.parent import RunIdentity
from openlineage_facets.spark.record import Record
from openlineage_facets.spark.sending import Sender
from openlineage_facets.spark.session import is_stopped, tells_of_lost_session
from openlineage_facets.tags import Spelling, Tag

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SparkRun"]

F = TypeVar("F", bound=Callable[..., Any])

_ELSEWHERE = "was started in another process"


class SparkRun(SparkCalls):
    """One run of a PySpark job: START, what it reads and writes, and COMPLETE, FAIL or ABORT.

    It is a context manager, a decorator (each call is a run of its own; a parameter called `run` gets
    it), and goes step by step in notebooks: `start()`, then `complete()`, `fail(error)` or `abort()`.

    The job is never changed: results and errors are those of the plain calls, and so are the plans, save
    for the observation that `read(quality=...)` asks for. What goes wrong in here is logged, once for
    each step, by the logger `openlineage_facets.spark`, and left out.

    Args:
        spark: The session; the active one if None.
        namespace: Namespace of the job.
        name: Name of the job.
        emit: What takes the events: an emitter or a callable; if not given, what the environment says.
        run_id: UUID of the run; a new one if not given.
        producer: Absolute URI of the code that composes the events; the one in force if not given.
        parent: The run that started this one, `"namespace/name/run_id"` or the three;
            `OPENLINEAGE_PARENT_ID` if not given.
        root: The run at the top of the chain; `OPENLINEAGE_ROOT_PARENT_ID` if not given.
        nominal_start_time: When the run was scheduled for.
        nominal_end_time: The end of the period that it stands for.
        tags: Tags of the job and the run; the user's own, from the environment, come on top.
        environment: Names of the environment variables that may be told.
        source_code: Whether to tell where the code is kept, as git says; or the path of the code.
        processing_type: Whether the job ends by itself; reading a stream makes it STREAMING.
        spelling: How tags are spelled on the wire, as released or as proposed.
        on_error: Whether failures of the lineage are logged or raised.
        running_every: The least number of seconds between two RUNNING events.

    Raises:
        EventError: Namespace or name is empty, the run id no UUID, the producer not absolute, a nominal time
            no date-time with an offset, or a tag none.
        TypeError: `emit` takes no events.
        ValueError: Another argument is wrong.

    Example:
        with SparkRun(spark, "etl", "orders.daily", emit=FileEmitter("lineage.ndjson")) as run:
            orders = run.read(spark.read.parquet("s3a://lake/raw/orders"))
            daily = orders.groupBy("day").sum("amount")
            run.write(daily, "s3a://lake/curated/daily", format="parquet", mode="overwrite")
    """

    def __init__(
        self,
        spark: SparkSession | None,
        namespace: str,
        name: str,
        *,
        emit: Any = None,
        run_id: UUID | str | None = None,
        producer: str | None = None,
        parent: RunIdentity | None = None,
        root: RunIdentity | None = None,
        nominal_start_time: datetime | str | None = None,
        nominal_end_time: datetime | str | None = None,
        tags: Iterable[Tag] = (),
        environment: Sequence[str] = (),
        source_code: bool | str | os.PathLike[str] = False,
        processing_type: Literal["BATCH", "STREAMING"] = "BATCH",
        spelling: Spelling = "released",
        on_error: OnError = "log",
        running_every: float = 60.0,
    ) -> None:
        tags = tuple(tags)
        given = {key: value for key, value in locals().items() if key not in ("self", "run_id")}
        self._again: Callable[[], SparkRun] = lambda: type(self)(**given)
        self._spark = spark
        self._opening = Opening(
            processing_type=processing_type,
            parent=parent,
            root=root,
            nominal_start_time=nominal_start_time,
            nominal_end_time=nominal_end_time,
            tags=tags,
            environment=environment,
            source_code=source_code,
        )
        said_by = producer or producer_in_force()
        self._guard = Guard(f"{namespace}/{name}", said_by, on_error)
        self._sender = Sender(emit, self._guard)
        if not isinstance(running_every, (int, float)) or not running_every >= 0:
            raise ValueError(f"running_every: expected a number of seconds, found {running_every!r}")
        self._running_every = running_every
        self._told_running = float("-inf")
        self._lock = threading.RLock()
        self._actions: Actions | None = None
        self._ended = False
        self._process = os.getpid()
        self._job = (namespace, name)
        self._not_started = "was not started"
        self.build = RunEventBuilder(namespace, name, run_id=run_id, producer=said_by, spelling=spelling)
        """The builder of the run's events, for facets of your own."""
        self._record = Record(self.build, self._lock)

    @classmethod
    def of(cls, namespace: str, name: str, **settings: Any) -> Self:
        """Return a run in the session that will be active, as for a decorator above a function.

        Args:
            namespace: Namespace of the job.
            name: Name of the job.
            settings: As for the class.

        Example:
            @SparkRun.of("etl", "orders.daily")
            def daily(spark, run):
                run.write(run.read(spark.table("orders")), "s3a://lake/curated/daily")
        """
        return cls(None, namespace, name, **settings)

    @property
    def run_id(self) -> str:
        """UUID of the run."""
        return self.build.run_id

    @property
    def spark(self) -> SparkSession:
        """The session of the run."""
        if self._spark is None:
            from pyspark.sql import SparkSession

            self._spark = SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()
        return self._spark

    def start(self) -> Self:
        """Send START: the run begins."""
        spark = self.spark
        with self._lock:
            if self._ended:
                self._active("START")  # Says so.
                return self
            if self._actions is not None:
                self._guard.say("start", "it was started already")
                return self
            self._process = os.getpid()
            self._actions = Actions(spark, self._record, self._guard)
            self._guard.call(
                "tell how the run begins",
                self._opening.put_on,
                self.build,
                spark,
                self._guard,
                default=None,
            )
            self._send("START", self.build.start)
            atexit.register(self._left_open)
        return self

    def complete(self) -> None:
        """Send COMPLETE: the run has ended well."""
        self._end("COMPLETE", self.build.complete)

    def fail(self, error: BaseException | str | None = None) -> None:
        """Send FAIL: the run has ended with an error, which becomes its errorMessage facet.

        Args:
            error: What went wrong.
        """
        self._end("FAIL", lambda: self.build.fail(error))

    def abort(self, error: BaseException | str | None = None) -> None:
        """Send ABORT: the run was stopped before its end.

        Args:
            error: What the stop has led to, if anything.
        """

        def aborted() -> Any:
            if error is not None:
                self.build.run.facet(failure_facet(error))
            return self.build.abort()

        self._end("ABORT", aborted)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or (isinstance(error, SystemExit) and error.code in (None, 0)):
            self.complete()
        elif isinstance(error, SystemExit):
            self.fail(error)
        elif not isinstance(error, Exception):
            self.abort()
        elif self._guard.call("ask whether Spark was stopped", self._was_stopped, error, default=False):
            self.abort(error)
        else:
            self.fail(error)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process, where Spark Connect calls `foreachBatch`; the run tells nothing there."""
        return _of_another_process, (type(self), *self._job, self.run_id)

    def __call__(self, function: F) -> F:
        """Make each call of a function a run of its own; a parameter called `run` gets the run.

        Args:
            function: A function, a coroutine function, or a generator function, whose run goes on until its
                last item is taken.

        Raises:
            TypeError: It is an asynchronous generator function.
        """
        takes_run = "run" in inspect.signature(function).parameters

        def with_run(run: SparkRun, given: dict[str, Any]) -> dict[str, Any]:
            return {"run": run, **given} if takes_run else given

        if inspect.isasyncgenfunction(function):
            raise TypeError(
                f"expected a function, a coroutine function or a generator function, found {function!r}, an "
                "asynchronous generator function; begin the run inside it, by `with`"
            )

        if inspect.isgeneratorfunction(function):

            @wraps(function)
            def generated(*args: Any, **kwargs: Any) -> Any:
                with self._again() as run:
                    return (yield from function(*args, **with_run(run, kwargs)))

            return cast("F", generated)

        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def called_async(*args: Any, **kwargs: Any) -> Any:
                with self._again() as run:
                    return await function(*args, **with_run(run, kwargs))

            return cast("F", called_async)

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            with self._again() as run:
                return function(*args, **with_run(run, kwargs))

        return cast("F", called)

    def _was_stopped(self, error: BaseException) -> bool:
        return is_stopped(self._spark) or tells_of_lost_session(error)

    def _active(self, what: str) -> Actions | None:
        state = self._not_started
        if self._ended:
            state = "has ended, and the next one is a new SparkRun"
        elif self._actions is not None:
            if self._process == os.getpid():
                return self._actions
            state = _ELSEWHERE  # This one was forked off it.
        self._guard.say(f"{what} outside the run", f"the run {state}: what it does now is not told")
        return None

    def _send(self, kind: str, compose: Callable[[], Any]) -> None:
        event = self._guard.call(f"compose the {kind} event", compose, default=None)
        if event is not None:
            self._sender.send(kind, event)

    def _tell_running(self) -> None:
        """Send RUNNING where there is something new to tell, and the last one is long enough ago."""
        with self._lock:
            now = time.monotonic()
            if self._ended or now - self._told_running < self._running_every:
                return
            if self._guard.call("ask for news", self._record.take_news, default=False):
                self._told_running = now
                self._send("RUNNING", self.build.running)

    def _end(self, kind: str, compose: Callable[[], Any]) -> None:
        actions = self._active(kind)
        if actions is None:
            return
        with self._lock:
            if self._ended:  # Another thread was faster.
                return
            self._ended = True
            atexit.unregister(self._left_open)
            self._guard.call("tell quality", actions.qualities.end, default=None)
            self._send(kind, compose)
            self._sender.close()

    def _left_open(self) -> None:
        """Say of a run that nobody ended that Python's end has stopped it."""
        if self._process == os.getpid():
            self.abort()


def _of_another_process(kind: type[SparkRun], namespace: str, name: str, run_id: str) -> SparkRun:
    run = kind(None, namespace, name, run_id=run_id)
    run._not_started = _ELSEWHERE
    return run
