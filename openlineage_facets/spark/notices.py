"""What lineage could not know, said in the log, each thing once in a process."""

from __future__ import annotations

import logging

__all__ = ["notice"]

_log = logging.getLogger("openlineage_facets.spark")
_said: set[str] = set()


def notice(message: str, error: BaseException | None = None) -> None:
    """Log a message unless it was logged before.

    Args:
        message: What is left out, and what to do about it.
        error: What went wrong, logged in one line.
    """
    if message not in _said:
        _said.add(message)
        first_line = str(error).strip().partition("\n")[0] if error else ""
        _log.warning("%s%s", message, f" ({type(error).__name__}: {first_line[:200]})" if error else "")
