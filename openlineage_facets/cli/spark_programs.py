"""What commands that run Spark have in common."""

from __future__ import annotations

import os
import re
import sys


def use_this_python_for_workers(master: str | None) -> None:
    """Run local workers with this interpreter, since the package may be missing for the default `python3`."""
    is_submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not is_submitted and (master is None or master.startswith("local")):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


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
