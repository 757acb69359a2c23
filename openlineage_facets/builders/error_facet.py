"""Create the errorMessage facet of a failed run, and extract the message from the text of an error.

With Py4J and PySpark, `str(error)` also includes JVM stack traces, Python worker tracebacks, the SQL text or
the unresolved plan.
"""

from __future__ import annotations

import os
import re
from traceback import format_exception

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet

_CALLED = re.compile(r"An error occurred while calling [^\n]*(?:\n: | Trace:\n)")
"""The prefix of Py4J errors. The text of the Java exception follows."""

_WORKER = "An exception was thrown from the Python worker. Please see the stack trace below."

_FRAMES = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+")
"""The frames of a Python traceback. The exception follows."""

_PLAN = r"\n'?[A-Z]\w*\b[^\n]*\n[ :]*[+:]- "
"""The beginning of a plan of more than one operator. Messages of data checks may look like one."""

_DETAILS = re.compile(
    r"\n(?:"
    r"[ \t]+at [\w.$/@<>-]+\("  # a frame of Java, such as `at org.example.Disk.write(Disk.java:7)`
    r"|\n{0,2}(?:JVM|Driver) stacktrace:"
    r"|Caused by: "
    r"|\n{0,2}== (?:SQL|DataFrame)\b"
    r")"
    rf"|(?<=;){_PLAN}"
    r"|(?<=;)\n(?:'[A-Z]\w* |[A-Z]\w*\b[^\n]*#\d)"  # a plan of one operator
)
"""The first line after the message."""

_DETAILS_OF_SPARK = re.compile(f"{_DETAILS.pattern}|{_PLAN}")
"""The first line after the message of Spark, which also shows plans that follow no semicolon."""

_TRACES = ("getStackTrace", "_stackTrace", "stackTrace", "_stacktrace")
"""Attributes of PySpark exceptions with the JVM stack trace, by version and class."""


def message_without_traces(text: str, *, is_of_spark: bool = True) -> str:
    """Return the text of an error without stack traces, SQL and plans.

    Args:
        text: The text.
        is_of_spark: False if the error may be another one than Spark's: then only what follows a semicolon,
            as in Spark's messages, is a plan.

    Example:
        >>> message_without_traces("java.io.IOException: full\\n\\tat org.example.Disk.write(Disk.java:7)")
        'java.io.IOException: full'
    """
    called = _CALLED.match(text)
    message = text if called is None else text[called.end() :]
    message = _FRAMES.sub("", message.replace(_WORKER, "", 1))
    details = (_DETAILS_OF_SPARK if is_of_spark or called else _DETAILS).search(message)
    if details is not None and message[: details.start()].strip():
        message = message[: details.start()]
    if message == text:
        return text  # Keep line breaks.
    return message.strip().removesuffix(";")


def trace_of_other_process(error: BaseException) -> str:
    """Return the JVM stack trace of a PySpark exception, or an empty string."""
    for name in _TRACES:
        try:
            trace = getattr(error, name, None)
            trace = trace() if callable(trace) else trace
        except Exception:  # Reporting an error must not fail.
            continue
        if isinstance(trace, str) and trace:
            return trace
    return ""


def failure_facet(error: BaseException | str, producer: str | None = None) -> ErrorMessageRunFacet:
    """Return the errorMessage facet of an exception, with its stack trace, or of a text.

    Stack traces are removed from the message: Py4J and PySpark include them in `str(error)`. Secrets in the
    message and the stack trace are redacted.

    Never fails for an exception: errors in its `__str__` are ignored, and characters that UTF-8 cannot encode
    are escaped.

    Args:
        error: The exception or its message.
        producer: The producer of the facet. Default: the current producer.
    """
    if isinstance(error, str):
        text = _printable(error)
        message = message_without_traces(text, is_of_spark=False)
        trace = {} if message == text else {"stack_trace": text}
        return ErrorMessageRunFacet(
            message=message, programming_language="python", producer=producer, **trace
        )
    if not isinstance(error, BaseException):
        return ErrorMessageRunFacet(message=error, programming_language="python", producer=producer)
    text = _printable(_text_of(error))
    return ErrorMessageRunFacet(
        message=message_without_traces(text, is_of_spark=_is_of_spark(error)) or type(error).__name__,
        programming_language="python",
        stack_trace=_printable(_trace(error)),
        producer=producer,
    )


def _is_of_spark(error: BaseException) -> bool:
    """Return whether the class of an error, or one of its bases, is PySpark's or Py4J's."""
    return any(str(cls.__module__).partition(".")[0] in ("pyspark", "py4j") for cls in type(error).__mro__)


def _trace(error: BaseException) -> str:
    trace, remote_trace = "".join(format_exception(error)), trace_of_other_process(error)
    if not remote_trace or remote_trace in trace:
        return trace
    return f"{trace}\nJVM stacktrace:\n{remote_trace}"


def _text_of(error: BaseException) -> str:
    if isinstance(error, SystemExit) and isinstance(error.code, int):
        return _exit_code(error.code)
    try:
        return str(error)
    except Exception:
        return ""  # The stack trace has the error in `__str__`.


def _exit_code(code: int) -> str:
    """Return the exit code of `sys.exit(code)`, of which POSIX keeps eight bits."""
    status = code & 0xFF if os.name == "posix" else code
    return f"exit code {status}" if status == code else f"exit code {status}, from sys.exit({code})"


def _printable(text: str) -> str:
    return redact(text.encode("utf-8", "backslashreplace").decode())
