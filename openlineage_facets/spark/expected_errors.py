"""Keep errors that lineage code expects and handles out of the log of PySpark.

PySpark 4 logs each error of the analysis when it is created. To find what a failed statement would have read
and written, it is analyzed again, which would log the error of the job several times.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

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
