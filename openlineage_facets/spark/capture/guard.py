"""Guarded steps: errors and gaps of lineage are logged once and never break the job.

PySpark 4 logs each error of the analysis when it is created. To find what a failed statement would have read
and written, it is analyzed again, which would log the error of the job several times: `expected_errors` keeps
them out of the log.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from types import TracebackType
from typing import Any, Generic, TypeVar

from openlineage_facets.base.producer import (
    DEFAULT_PRODUCER,
    PRODUCER_VARIABLE,
    current_producer,
    is_absolute_uri,
    producer,
)
from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.builders.error_facet import message_without_traces
from openlineage_facets.emitters.errors import OnError, checked_on_error
from openlineage_facets.spark.log_once import logging_once_for


def is_interrupt(error: BaseException, handled: BaseException | None = None) -> bool:
    """Return True for KeyboardInterrupt, and for an error of PySpark that it has caused.

    Ctrl-C interrupts the main thread while it waits for the JVM. What PySpark then calls in its `finally`
    blocks fails: the job receives the error of this call instead.

    Args:
        error: The error.
        handled: The error that was being handled when the code began that has raised this one.
    """
    if isinstance(error, KeyboardInterrupt):
        return True
    if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
        return False
    seen: list[BaseException] = [] if handled is None else [handled]
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or current in seen:
            continue
        if isinstance(current, KeyboardInterrupt):
            return True
        seen.append(current)
        pending += [current.__cause__, current.__context__]
    return False


_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")

_inside: ContextVar[bool] = ContextVar("expected_errors", default=False)


@contextmanager
def expected_errors() -> Iterator[None]:
    """Let PySpark log no errors of the current thread, which handles them."""
    module = sys.modules.get("pyspark.logger")  # Since PySpark 4.
    if module is not None:
        _filter_loggers(module)
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


class _Unexpected(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        return not _inside.get()


_unexpected = _Unexpected()


@cache
def _filter_loggers(module: Any) -> None:
    for name in _LOGGERS:
        # A logger of another class would not accept what PySpark passes.
        module.PySparkLogger.getLogger(name).addFilter(_unexpected)


_MAX_KINDS = 20
"""How many different gaps are named."""

_MAX_GAP_LENGTH = 200
"""A gap may quote an error of Spark, which must not hide the other gaps."""


class Gaps:
    """Collect what a run could not capture."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._unnamed = 0
        self._lock = threading.Lock()

    def add(self, what: str) -> None:
        """Add something that was not captured.

        Args:
            what: What it is, why, and how to capture it.
        """
        what = _one_line(what, _MAX_GAP_LENGTH)
        with self._lock:
            if what in self._counts or len(self._counts) < _MAX_KINDS:
                self._counts[what] = self._counts.get(what, 0) + 1
            else:
                self._unnamed += 1

    def message(self) -> str:
        """Return one line that names the gaps and counts those that are too many; empty if there are none."""
        with self._lock:
            named = [
                what if count == 1 else f"{what} ({count} times)" for what, count in self._counts.items()
            ]
            if self._unnamed:
                named.append(f"and {self._unnamed} more")
        return f"not captured: {'; '.join(named)}" if named else ""


T = TypeVar("T")

_log = redacting_logger("openlineage_facets.spark")

_MAX_MESSAGE_LENGTH = 500
"""Spark's error messages can be pages long."""


def _one_line(text: str, length: int) -> str:
    """Return a text without line breaks and secrets, cut after a number of characters."""
    line = redact(" ".join(text.split()))  # Before truncation, which could cut a secret in half.
    return line if len(line) <= length else line[:length] + "..."


def valid_current_producer() -> str:
    """Return the current producer, or the default one if `OPENLINEAGE_PRODUCER` is invalid."""
    uri = current_producer()
    if is_absolute_uri(uri):
        return uri
    _log.warning(
        "%s: expected an absolute URI such as https://example.com/v7/etl, found %r; events name %s instead",
        PRODUCER_VARIABLE,
        uri,
        DEFAULT_PRODUCER,
    )
    return DEFAULT_PRODUCER


class Guard:
    """Run the lineage code of one run in guarded steps.

    Args:
        run: Name of the run in log messages.
        producer_uri: Producer of everything composed in a step.
        on_error: Log the first `Exception` of each step, or raise every one.

    Raises:
        ValueError: `on_error` is neither "log" nor "raise".

    Example:
        inputs = []
        with guard.step("find the inputs of a write"):
            inputs = inputs_of(df)
    """

    def __init__(self, run: str, producer_uri: str, on_error: OnError = "log") -> None:
        self.run = run
        self.producer = producer_uri
        self.on_error: OnError = checked_on_error(on_error)
        self.logged_messages: set[str] = set()
        self._warned_steps: set[str] = set()

    def step(self, name: str) -> Step:
        """Return a context manager that logs an exception instead of raising it.

        KeyboardInterrupt, SystemExit and the like always propagate.

        Args:
            name: What the code does, as in "could not ...".
        """
        return Step(self, name)

    def call(self, action: Callable[[], T], capture: Callable[[Callable[[], T]], T]) -> T:
        """Execute a call of the job together with the code that captures it.

        The call is executed exactly once. Its result or its error is passed on, whatever fails around it.

        Args:
            action: The job's own call.
            capture: Executes the call that it receives, in guarded steps.

        Returns:
            What `capture` returns.

        Example:
            guard.call(lambda: df.write.save(path), lambda save: capture_write(save, df))
        """
        call = _Call(action)
        try:
            return capture(call)
        except BaseException as error:
            if error is call.error:
                raise
            with self.step("capture a call of the job"):
                raise
        return call.outcome()

    def warn_once(
        self,
        step: str,
        message: str,
        error: BaseException | None = None,
        *,
        length: int = _MAX_MESSAGE_LENGTH,
    ) -> None:
        """Log one warning per step.

        Args:
            step: The step that the warning belongs to.
            message: What is missing in the lineage, and why.
            error: Its stack trace is logged at level DEBUG.
            length: How many characters of the message are logged.
        """
        if step in self._warned_steps:
            return
        self._warned_steps.add(step)
        _log.warning("lineage of %s: %s", self.run, _one_line(message, length))
        if error is not None:
            _log.debug("lineage of %s: could not %s", self.run, step, exc_info=error)


class Step:
    """One guarded step; see `Guard.step`."""

    def __init__(self, guard: Guard, name: str) -> None:
        self._guard = guard
        self._name = name
        self._scope = ExitStack()
        self._handled: BaseException | None = None

    def __enter__(self) -> None:
        self._handled = sys.exc_info()[1]
        guard, scope = self._guard, self._scope
        scope.enter_context(producer(guard.producer))
        scope.enter_context(expected_errors())
        scope.enter_context(logging_once_for(guard.run, guard.logged_messages))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._scope.close()
        if not isinstance(error, Exception) or self._guard.on_error == "raise":
            return False
        if is_interrupt(error, self._handled):
            raise KeyboardInterrupt from error
        message = f"could not {self._name}: {type(error).__name__}: {_message(error)}"
        self._guard.warn_once(self._name, message, error)
        return True


class _Call(Generic[T]):
    """A call of the job, and how it has ended."""

    def __init__(self, action: Callable[[], T]) -> None:
        self._action = action
        self._results: list[T] = []
        self.error: BaseException | None = None

    def __call__(self) -> T:
        try:
            self._results.append(self._action())
        except BaseException as error:
            self.error = error
            raise
        return self._results[0]

    def outcome(self) -> T:
        """Return its result or raise its error; execute it if this has not happened yet."""
        if self.error is not None:
            raise self.error
        return self._results[0] if self._results else self._action()


def _message(error: Exception) -> str:
    try:
        return message_without_traces(str(error))
    except Exception:  # str() of a Py4J error calls the JVM, which may be gone.
        return "its message is not available"
