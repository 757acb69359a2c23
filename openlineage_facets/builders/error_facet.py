"""Create the errorMessage facet of a failed run."""

from __future__ import annotations

import os
from traceback import format_exception

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.builders.error_message import message_without_traces, trace_of_other_process
from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet


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
        message = message_without_traces(text)
        trace = {} if message == text else {"stack_trace": text}
        return ErrorMessageRunFacet(
            message=message, programming_language="python", producer=producer, **trace
        )
    if not isinstance(error, BaseException):
        return ErrorMessageRunFacet(message=error, programming_language="python", producer=producer)
    return ErrorMessageRunFacet(
        message=message_without_traces(_printable(_text_of(error))) or type(error).__name__,
        programming_language="python",
        stack_trace=_printable(_trace(error)),
        producer=producer,
    )


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
    kept = code & 0xFF if os.name == "posix" else code
    return f"exit code {kept}" if kept == code else f"exit code {kept}, from sys.exit({code})"


def _printable(text: str) -> str:
    return redact(text.encode("utf-8", "backslashreplace").decode())
