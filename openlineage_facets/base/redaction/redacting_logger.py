"""Loggers that redact secrets in messages and stack traces."""

from __future__ import annotations

import logging
from traceback import format_exception

from typing_extensions import override


class _Redacting(logging.Filter):
    """Redacts each record. Records without secrets are unchanged."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        from openlineage_facets.base.redaction.redact import redact  # Imported with the first message.

        try:
            message = record.getMessage()
        except Exception:  # Formatting errors are reported by logging.
            return True
        redacted = redact(message)
        if redacted != message:
            record.msg, record.args = redacted, ()
        if record.exc_info and record.exc_info[1] is not None and not record.exc_text:
            # Handlers print this instead of the exception.
            record.exc_text = redact("".join(format_exception(record.exc_info[1])).rstrip("\n"))
        return True


_FILTER = _Redacting()


def redacting_logger(name: str) -> logging.Logger:
    """Return a logger that redacts secrets in its messages and stack traces.

    Args:
        name: The logger name, such as `openlineage_facets.spark`.
    """
    logger = logging.getLogger(name)
    logger.addFilter(_FILTER)  # Adding it again has no effect.
    return logger
