"""The error that made a task fail, as the facet of its run."""

from __future__ import annotations

from traceback import format_exception

from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet

__all__ = ["error_facet"]


def error_facet(error: BaseException | str) -> ErrorMessageRunFacet:
    """Return the errorMessage facet of an exception, with its stack trace, or of a mere text.

    It is made whatever the exception's own `__str__` does, and characters that UTF-8 can't carry are
    replaced: the report of an error is the last thing that may fail.
    """
    if not isinstance(error, BaseException):
        return ErrorMessageRunFacet(message=_utf8(str(error)), programming_language="python")
    return ErrorMessageRunFacet(
        message=_utf8(_text(error) or type(error).__name__),
        programming_language="python",
        stack_trace=_utf8("".join(format_exception(type(error), error, error.__traceback__))),
    )


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""  # The stack trace says so.


def _utf8(text: str) -> str:
    return text.encode(errors="replace").decode()
