"""Log what is missing in the lineage once per run, or once per process outside of runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from openlineage_facets.base.redaction.redact import redact_start
from openlineage_facets.base.redaction.redacting_logger import redacting_logger

_log = redacting_logger("openlineage_facets.spark")
_logged_in_process: set[str] = set()
_run: ContextVar[tuple[str, set[str]] | None] = ContextVar("run", default=None)


@contextmanager
def logging_once_for(run: str, logged: set[str]) -> Iterator[None]:
    """Log each message once for one run, independent of other runs in the process.

    Args:
        run: Name of the run, which begins each message.
        logged: The messages that the run has logged so far; extended in place.
    """
    token = _run.set((run, logged))
    try:
        yield
    finally:
        _run.reset(token)


def log_once(message: str, error: BaseException | None = None) -> None:
    """Log a message unless the current run, or outside of runs the process, has already logged it.

    Args:
        message: What is missing, and how to fix it.
        error: The cause; its first line is appended.
    """
    run, logged = _run.get() or ("", _logged_in_process)
    if message not in logged:
        logged.add(message)
        first_line = str(error).strip().partition("\n")[0] if error else ""
        cause = f" ({type(error).__name__}: {redact_start(first_line, 200)})" if error else ""
        _log.warning("%s%s%s", f"lineage of {run}: " if run else "", message, cause)
