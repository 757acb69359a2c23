"""Extract the message from the text of an error.

With Py4J and PySpark, `str(error)` also includes JVM stack traces, Python worker tracebacks, the SQL text or
the unresolved plan.
"""

from __future__ import annotations

import re

_CALLED = re.compile(r"An error occurred while calling [^\n]*(?:\n: | Trace:\n)")
"""The prefix of Py4J errors. The text of the Java exception follows."""

_WORKER = "An exception was thrown from the Python worker. Please see the stack trace below."

_FRAMES = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+")
"""The frames of a Python traceback. The exception follows."""

_DETAILS = re.compile(
    r"\n(?:"
    r"[ \t]+at [\w.$/@<>-]+\("  # a frame of Java, such as `at org.example.Disk.write(Disk.java:7)`
    r"|\n{0,2}(?:JVM|Driver) stacktrace:"
    r"|Caused by: "
    r"|\n{0,2}== (?:SQL|DataFrame)\b"
    r"|'?[A-Z]\w*\b[^\n]*\n[ :]*[+:]- "  # a plan of more than one operator
    r")"
    r"|(?<=;)\n(?:'[A-Z]\w* |[A-Z]\w*\b[^\n]*#\d)"  # a plan of one operator
)
"""The first line after the message."""

_TRACES = ("getStackTrace", "_stackTrace", "stackTrace", "_stacktrace")
"""Attributes of PySpark exceptions with the JVM stack trace, by version and class."""


def message_without_traces(text: str) -> str:
    """Return the text of an error without stack traces, SQL and plans.

    Example:
        >>> message_without_traces("java.io.IOException: full\\n\\tat org.example.Disk.write(Disk.java:7)")
        'java.io.IOException: full'
    """
    message = _CALLED.sub("", text, count=1) if text.startswith("An error occurred") else text
    message = _FRAMES.sub("", message.replace(_WORKER, "", 1))
    details = _DETAILS.search(message)
    if details is not None and message[: details.start()].strip():
        message = message[: details.start()]
    if message == text:
        return text  # Keep line breaks.
    return message.strip().removesuffix(";")


def trace_of_other_process(error: BaseException) -> str:
    """Return the JVM stack trace of a PySpark exception, or an empty string."""
    for name in _TRACES:
        try:
            found = getattr(error, name, None)
            found = found() if callable(found) else found
        except Exception:  # Reporting an error must not fail.
            continue
        if isinstance(found, str) and found:
            return found
    return ""
