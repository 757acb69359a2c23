"""The runs of a job that creates its Spark sessions itself, also if SIGTERM ends it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.emitters.background_worker import start_thread
from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.spark.automatic.imported_modules import (
    SESSION_MODULES,
    ImportedModules,
    announcing,
    loaded_classes,
)
from openlineage_facets.spark.capture.guard import Guard, valid_current_producer
from openlineage_facets.spark.jvm import has_jvm, indicates_lost_session, is_stopped, session_setting
from openlineage_facets.spark.launch.job_identity import Setting, configured_emitter, job_identity
from openlineage_facets.spark.launch.messages import log_message
from openlineage_facets.spark.run.parent import (
    CONTEXT_VARIABLE,
    PARENT_VARIABLE,
    ROOT_VARIABLE,
    context_of,
    parent_facet,
)
from openlineage_facets.spark.run.run_events import EventSender, is_cancelled, is_success

if TYPE_CHECKING:
    from openlineage_facets.spark.run.spark_run import SparkRun


def call_for_new_sessions(function: Callable[[Any], None]) -> None:
    """Call a function with each session when it has been created, with a JVM or through Spark Connect.

    PySpark is not imported before the job does so: the job may first add it to `sys.path`, or set variables
    that PySpark reads.

    Args:
        function: Accepts the session. It must not raise. PySpark also creates objects for existing sessions.
    """
    wrapped: set[Any] = set()

    def wrap() -> None:
        for session in loaded_classes("SparkSession", *SESSION_MODULES):
            if session not in wrapped:
                wrapped.add(session)
                session.__init__ = announcing(session.__init__, function)

    ImportedModules(wrap).register()
    wrap()


@dataclass(frozen=True)
class LaunchOptions:
    """How to report the runs of a job.

    Args:
        program: Name of the job if it has no other.
        namespace: Namespace of the job, instead of the configured one.
        name: Name of the job, instead of the configured one.
        emitter: Where to emit events, instead of where Spark's configuration or the environment says.
        configuration: Spark's configuration from the command line.
        runs: "per_write" to emit a child run for each write.
        backend: The backends that receive the events.
        naming: The path of a naming file.
    """

    program: str
    namespace: str | None = None
    name: str | None = None
    emitter: BaseEmitter | None = None
    configuration: Mapping[str, str] = field(default_factory=dict)
    runs: Literal["one", "per_write"] = "one"
    backend: str | None = None
    naming: str | None = None


class LaunchedRun:
    """Report a job as a run that starts when the job creates a session, and ends with the job.

    A job that stops its session and creates another one has one run per session, as it has one Spark
    application per session. A job that fails without a session is reported, too.

    Args:
        options: How to report the runs.
    """

    def __init__(self, options: LaunchOptions) -> None:
        self._options = options
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._spark: Any = None
        self._run: SparkRun | None = None
        self._variables = ExitStack()
        self._emitter = options.emitter
        self._has_ended = False

    def session_created(self, spark: Any) -> None:
        """Start the run, unless there is one for this session or another that was not stopped.

        Args:
            spark: A session that the job has created, or another object for an existing session.
        """
        if os.getpid() != self._process or self._is_current(spark):
            return
        with self._lock:
            if self._is_current(spark):
                return
            if self._has_ended:
                _log_later_call(spark)
                return
            if self._run is not None:
                self._run.complete()
                self._variables.close()
            self._spark = spark
            try:
                self._run = self._started_run(spark)
            except Exception as error:
                self._run = None
                log_message("the lineage of the job is not captured", error)

    def end(self, error: BaseException | None) -> None:
        """End the run.

        Args:
            error: The error that ended the job.
        """
        if os.getpid() != self._process:
            return
        with self._lock:
            if self._run is not None:
                self._end_run(self._run, error)
            elif self._spark is None:
                self._end_without_session(error)
            self._variables.close()
            if self._emitter is not None:
                self._emitter.close()
            if self._run is not None and not self._has_ended and not isinstance(error, Terminated):
                _notice_later_calls()
            self._has_ended = True

    def _is_current(self, spark: Any) -> bool:
        if self._spark is None:
            return False
        context = getattr(spark, "_sc", None)
        return (context is not None and context is getattr(self._spark, "_sc", None)) or not is_stopped(
            self._spark
        )

    def _started_run(self, spark: Any) -> SparkRun:
        from openlineage_facets.spark.run.spark_run import SparkRun

        options = self._options
        setting = session_settings(spark)
        identity = job_identity(options.namespace, options.name, options.program, setting)
        self._emitter = self._emitter or configured_emitter(setting)
        run = SparkRun(
            spark,
            identity.namespace,
            identity.name,
            emit=self._emitter,
            parent=identity.parent,
            root=identity.root,
            runs=options.runs,
            backend=options.backend,
            naming=options.naming,
        ).start()
        own = (identity.namespace, identity.name, run.run_id)
        root = identity.root or identity.parent or own
        self._set_variable(CONTEXT_VARIABLE, context_of(own, root))
        self._name_run(PARENT_VARIABLE, own)
        self._name_run(ROOT_VARIABLE, root)
        return run

    def _name_run(self, variable: str, run: tuple[str, str, str]) -> None:
        """Make a run the parent or root of the runs that the job starts itself, also in other processes."""
        if "/" in run[1]:
            log_message(f"{variable} is not set for the job: it cannot contain the slash in {run[1]!r}")
            return
        self._set_variable(variable, "/".join(run))

    def _set_variable(self, name: str, value: str) -> None:
        self._variables.callback(_restore, name, os.environ.get(name))
        os.environ[name] = value

    def _end_run(self, run: SparkRun, error: BaseException | None) -> None:
        if is_success(error):
            run.complete()
        elif isinstance(error, Terminated):
            run.abort(str(error))
        elif is_cancelled(error):
            run.abort()
        elif isinstance(error, Exception) and self._lost_session(error):
            run.abort(error)
        else:
            run.fail(error)

    def _lost_session(self, error: Exception) -> bool:
        """Return True if the session was stopped, but not by the job itself, as in its `finally`."""
        if not has_jvm(self._spark):
            return indicates_lost_session(error)
        return self._spark.sparkContext._jsc is not None and is_stopped(self._spark)

    def _end_without_session(self, error: BaseException | None) -> None:
        """Report a failure; a job that succeeds without Spark, such as `--help`, has no lineage."""
        options = self._options
        if is_success(error):
            log_message("no event was emitted: the job has not created a Spark session")
            return
        identity = job_identity(options.namespace, options.name, options.program, options.configuration.get)
        producer = valid_current_producer()
        guard = Guard(f"{identity.namespace}/{identity.name}", producer)
        with guard.step("report the failure of the job"):
            build = RunEventBuilder(identity.namespace, identity.name, producer=producer)
            if identity.parent is not None:
                build.run.facet(parent_facet(identity.parent, identity.root))
            self._emitter = self._emitter or configured_emitter(options.configuration.get)
            sender = EventSender(self._emitter, guard, options.backend)
            sender.send(build.start())
            sender.send(build.abort() if is_cancelled(error) else build.fail(error))
            sender.close()


def session_settings(spark: Any) -> Setting:
    """Return a function that reads the settings of a session; those it does not have are None."""

    def setting(name: str) -> str | None:
        try:
            return (session_setting(spark, name) or "").strip() or None
        except Exception:  # Spark Connect servers may refuse some settings.
            return None

    return setting


def _notice_later_calls() -> None:
    """Log the first call of Spark from now on: those of functions of `atexit` follow the last event."""
    from openlineage_facets.spark.automatic.wrapped_methods import WrappedMethods

    try:
        WrappedMethods(_log_later_call, lambda _: None, lambda _: None).install()
    except Exception as error:
        log_message("calls of Spark after the last event cannot be noticed", error)


def _log_later_call(_: Any) -> None:
    log_message(
        "the job has called Spark after its last event, as in a function of atexit: the lineage of this call "
        "is not captured; make it before the job ends"
    )


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


_MOST_SECONDS = 15
"""How long a job outlives SIGTERM at most."""

_SAME_SECONDS = 1
"""How long further signals are the same: `timeout` and supervisors signal the process and then its group.

A later one terminates the process at once.
"""


class Terminated(BaseException):
    """The process received SIGTERM."""

    def __init__(self) -> None:
        super().__init__("terminated by SIGTERM")


def end_on_termination(end: Callable[[Terminated], None]) -> None:
    """Call a function when the process receives SIGTERM, which then terminates it as usual.

    Nothing changes if SIGTERM is ignored or has a handler. A handler that the job installs replaces this one.

    Args:
        end: Called in another thread: the signal may interrupt a call to the JVM, whose connection is in use.
    """
    process = os.getpid()

    def terminate(number: int, _frame: FrameType | None) -> None:
        if os.getpid() == process:
            begun = time.monotonic()

            def again(number: int, _frame: FrameType | None) -> None:
                if os.getpid() != process or time.monotonic() - begun > _SAME_SECONDS:
                    signal.signal(number, signal.SIG_DFL)
                    os.kill(os.getpid(), number)

            signal.signal(number, again)
            ended = threading.Event()

            def work() -> None:
                try:
                    end(Terminated())
                finally:
                    ended.set()

            start_thread(work, "termination")
            ended.wait(_MOST_SECONDS)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):
        signal.signal(signal.SIGTERM, terminate)
