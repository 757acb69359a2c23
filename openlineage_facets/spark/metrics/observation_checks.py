"""Check whether an observation has seen every row exactly once."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from openlineage_facets.spark.metrics.sql_executions import MAX_EXECUTIONS, SqlExecution, SqlExecutions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTIAL_ACTION = re.compile(r"[\w.]*\.Dataset\.(isEmpty|tail|to\w*Iterator)\w*\(", re.ASCII)
"""The top of the stack of actions that read only some rows, which their plan does not show."""


def observation_problem(
    executions: SqlExecutions, observation: str, after: int, timeout: float = 2.0
) -> str | None:
    """Return why an observation may not have seen each row once; "" if it has, None if still unknown.

    Spark does not report which action completed an observation, so all executions with it are checked.

    Args:
        executions: The session's SQL executions.
        observation: The name of the observation.
        after: The id of the newest execution before it.
        timeout: The maximum number of seconds to wait for Spark to report the executions as complete.
    """
    deadline = time.monotonic() + timeout
    while True:
        newer = list(executions.after(after))
        observing = [execution for execution in newer if observation in execution.plan]
        if observing and all(execution.is_complete for execution in observing):
            break
        if time.monotonic() > deadline:
            return None
        time.sleep(0.02)
    if len(newer) == MAX_EXECUTIONS or newer[-1].id > after + 1 > 0:
        return "was so long ago that Spark has dropped its status"
    samples_count = _counts_samples(executions.spark)
    problems = [
        _execution_problem(executions, execution, observation, samples_count)
        for execution in reversed(observing)
    ]
    known = [problem for problem in problems if problem is not None]
    return next(filter(None, known), "") if known else None


def _execution_problem(
    executions: SqlExecutions, execution: SqlExecution, observation: str, samples_count: bool
) -> str | None:
    """Return the problem of an execution; "" if there is none, None if it does not run the observation."""
    graph = executions.plan_graph(execution)
    observers = [operator for operator in graph.operators if observation in operator.description]
    if not observers:
        return None  # A command around the observing execution, or one that runs none.
    if execution.error:
        return "failed"
    if execution.error is None or not execution.jobs:
        return "read rows after Spark had reported its end"  # Spark then drops the error and the jobs.
    partial = _PARTIAL_ACTION.match(execution.details)
    if partial:
        cause: str | None = partial[1]
    else:
        consumers = (graph.inexact_consumer(observer, samples_count) for observer in observers)
        cause = next(filter(None, consumers), None)
    if cause is None:
        return ""
    return f"may have stopped before the last row, or have read rows twice ({cause})"


def _counts_samples(spark: SparkSession) -> bool:
    """Return whether observations include rows read for a sample, as before Spark 4.3."""
    with suppress(Exception):
        return spark.conf.get("spark.sql.legacy.observeMetricsAggregateAllAttempts") != "false"
    return True
