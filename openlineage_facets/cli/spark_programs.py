"""What commands that run Spark have in common."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def spark_session(
    name: str, *, master: str | None = None, conf: Mapping[str, str] | None = None, verbose: bool = False
) -> Iterator[SparkSession]:
    """Yield the active session, or a new one that is stopped afterwards.

    Args:
        name: The name of the application.
        master: The Spark master. Default: from the environment.
        conf: Spark configuration.
        verbose: Whether a new session has its usual log output.
    """
    from pyspark.sql import SparkSession

    from openlineage_facets.spark.jvm import has_jvm

    running = SparkSession.getActiveSession()
    builder: Any = SparkSession.builder.appName(name)
    if master:
        builder = builder.master(master)
    for key, value in (conf or {}).items():
        builder = builder.config(key, value)
    if "PYSPARK_GATEWAY_PORT" not in os.environ and (master is None or master.startswith("local")):
        # The package may be missing for the default `python3` of local workers.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    if running is None and not verbose and has_jvm(spark):
        spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        if running is None:
            spark.stop()


def reason_of(error: BaseException) -> str:
    """Return the line of an error that contains its cause. Spark adds many lines around it."""
    from openlineage_facets.spark.run.worker_python import explain_worker_error

    explanation = explain_worker_error(error)
    if explanation is not None:
        return explanation
    lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        causes = [match[1] for line in lines if (match := pattern.search(line))]
        if causes:
            return causes[-1]
    return (lines or [type(error).__name__])[0]


_CAUSES = (
    re.compile(r"OSError: (.*: cannot be decompressed: .*)"),
    re.compile(r"(Encountered error while reading file \S+)"),
    re.compile(r"^((?:\w+\.)*\w+(?:Error|Exception): .*)"),
    re.compile(r"^Caused by: (.*)"),
    re.compile(r"^: ((?:\w+\.)*\w+(?:Error|Exception): .*)"),
)
"""Patterns of the cause, most specific first: our errors, Spark's, Python's, causes and errors of Java."""
