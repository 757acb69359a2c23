"""The error that made a run fail, as a facet of the run."""

from __future__ import annotations

from traceback import format_exception

from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet

__all__ = ["failure_facet"]


def failure_facet(error: BaseException | str, producer: str | None = None) -> ErrorMessageRunFacet:
    """Return the errorMessage facet of an exception, with its stack trace, or of a mere text.

    It is made whatever the exception's own `__str__` does, and characters that UTF-8 can't carry, as in
    the names of some files, are escaped: the report of an error is the last thing that may fail.

    Args:
        error: What went wrong.
        producer: Who says so; the producer in force if not given.
    """
    if not isinstance(error, BaseException):
        message = _printable(error) if isinstance(error, str) else error
        return ErrorMessageRunFacet(message=message, programming_language="python", producer=producer)
    return ErrorMessageRunFacet(
        message=_printable(_said(error)) or type(error).__name__,
        programming_language="python",
        stack_trace=_printable("".join(format_exception(error))),
        producer=producer,
    )


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""  # The stack trace says so.


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
