"""Data quality of a run's inputs: observe it, and report it when it is complete.

Spark's `observe` computes the metrics while the job reads the rows. It cannot compute exact distinct counts:
`distinctCount` is an estimate with an error of about 5 %, capped at the number of values.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import uuid4

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import AtomicType, NumericType

from openlineage_facets.facets import DataQualityMetricsInputDatasetFacet, data_quality_metrics_input_dataset
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.datasets.client_sources import may_stop_early
from openlineage_facets.spark.metrics.sql_executions import MAX_EXECUTIONS, SqlExecution, SqlExecutions
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ACCURACY = 1000
"""The rank of a quantile is off by at most 1/1000 of the rows."""

_ROWS = "rows"


@dataclass(frozen=True)
class QualityObservation:
    """An observation of a DataFrame's data quality.

    Args:
        identity: The dataset that it reads.
        newest: Id of the newest execution before it was observed.
        columns: The measured columns, in order.
        observation: Spark's observation.
        name: The name of the observation in the plan.
    """

    identity: Identity
    newest: int
    columns: tuple[str, ...]
    observation: Observation
    name: str

    def metrics(self) -> DataQualityMetricsInputDatasetFacet | None:
        """Return the metrics of a complete observation; None if the action needed no rows."""
        values = self.observation.get
        return _facet(self.columns, values) if values else None

    def is_complete(self, timeout: float = 0.0) -> bool:
        """Return whether an action has completed the observation.

        Args:
            timeout: Seconds to wait for the result of an action that has ended.
        """
        deadline = time.monotonic() + timeout
        while not self._is_complete_now():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        return True

    def _is_complete_now(self) -> bool:
        promise: Any = getattr(self.observation, "_jo", None)
        if promise is None:  # Spark Connect, where an action returns the values.
            return bool(self.observation.get)
        return bool(promise.future().isCompleted())


def observe_quality(
    df: DataFrame, columns: bool | Iterable[str], identity: Identity, newest: int
) -> tuple[DataFrame, QualityObservation]:
    """Return a DataFrame with the same rows that measures them, and its observation.

    Args:
        df: A batch DataFrame.
        columns: The columns to measure; True for all.
        identity: The dataset that it reads.
        newest: Id of the newest execution.

    Raises:
        ValueError: A column is missing or ambiguous.
    """
    names = _column_names(df, columns)
    types = {field.name: field.dataType for field in df.schema}
    measures = [f.count(f.lit(1)).alias(_ROWS)]
    for position, name in enumerate(names):
        measures += _measures(df, name, types[name], position)
    name = f"openlineage-facets-{uuid4()}"
    observation = Observation(name)
    observed = QualityObservation(identity, newest, tuple(names), observation, name)
    return df.observe(observation, *measures), observed


def _column_names(df: DataFrame, columns: bool | Iterable[str]) -> list[str]:
    is_case_sensitive = df.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    key: Callable[[str], str] = str if is_case_sensitive else str.lower
    columns_of_name = Counter(map(key, df.columns))
    unique = [name for name in df.columns if columns_of_name[key(name)] == 1]
    if columns is True:
        return unique
    names = [columns] if isinstance(columns, str) else list(columns or ())
    found = {key(name): name for name in unique}
    unknown = [name for name in names if key(name) not in found]
    if unknown:
        raise ValueError(f"quality: expected columns of the DataFrame, found {', '.join(map(repr, unknown))}")
    return list(dict.fromkeys(found[key(name)] for name in names))


def _measures(df: DataFrame, name: str, data_type: Any, position: int) -> list[Column]:
    """Return the expressions that measure a column. Their names end with the position of the column."""
    column = df["`" + name.replace("`", "``") + "`"]
    measures = {"values": f.count(column)}
    if isinstance(data_type, AtomicType) and data_type.typeName() != "variant":
        measures["distinct"] = f.approx_count_distinct(column)
    if isinstance(data_type, NumericType):
        # Integers and decimals are summed as doubles: an overflow would fail the job in ANSI mode.
        measures["sum"] = f.sum(column.cast("double"))
        measures["min"], measures["max"] = f.min(column), f.max(column)
        measures["quantiles"] = f.percentile_approx(column.cast("double"), list(_QUANTILES), _ACCURACY)
    return [expression.alias(f"{key}_{position}") for key, expression in measures.items()]


def _facet(columns: tuple[str, ...], values: Mapping[str, Any]) -> DataQualityMetricsInputDatasetFacet:
    rows = values[_ROWS]
    return DataQualityMetricsInputDatasetFacet(
        row_count=rows,
        column_metrics={
            name: _column_metrics(rows, position, values) for position, name in enumerate(columns)
        },
    )


def _column_metrics(rows: int, position: int, values: Mapping[str, Any]) -> Any:
    count = values[f"values_{position}"]
    distinct = values.get(f"distinct_{position}")
    quantiles = _list(values.get(f"quantiles_{position}"))
    metrics: dict[str, Any] = {
        "null_count": rows - count,
        "count": count,
        "distinct_count": None if distinct is None else min(distinct, count),
        "quantiles": {
            str(fraction): value
            for fraction, value in zip(_QUANTILES, map(_json_number, quantiles), strict=False)
            if value is not None
        }
        or None,
        **{key: _json_number(values.get(f"{key}_{position}")) for key in ("sum", "min", "max")},
    }
    return data_quality_metrics_input_dataset.ColumnMetrics(
        **{key: value for key, value in metrics.items() if value is not None}
    )


def _list(values: Any) -> list[Any]:
    """Return an array as a list. PySpark 3.5 returns the JVM's sequence."""
    if values is None or isinstance(values, (list, tuple)):
        return list(values or ())
    with suppress(Exception):
        return [values.apply(index) for index in range(values.size())]
    return []


def _json_number(value: Any) -> int | float | None:
    """Return a value as a JSON number; None if it is not a finite number."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None


class QualityObservations:
    """Report the data quality of inputs whose rows were each observed exactly once.

    Spark's executed plans show that for every successful action. Without a JVM there are no such plans, and
    only the run's own writes are known.

    Args:
        session: The session that reads.
        recorder: Records the metrics.
        guard: Runs the lineage code.
    """

    def __init__(self, session: CapturedSession, recorder: Recorder, guard: Guard) -> None:
        self._session = session
        self._recorder = recorder
        self._guard = guard
        self._pending: dict[str, QualityObservation] = {}
        """By name. Threads of the run report at the same time."""
        self._complete: set[str] = set()

    def observe(self, df: DataFrame, wanted: bool | Iterable[str], datasets: list[SparkDataset]) -> DataFrame:
        """Return a DataFrame whose first action measures the quality of the data that it reads.

        Args:
            df: The DataFrame.
            wanted: The columns to measure; True for all.
            datasets: The datasets that it reads; anything but one dataset is not measured.
        """
        tracker = self._session.tracker
        measurable = tracker is not None or not self._session.has_jvm
        if len(datasets) != 1 or not measurable or df.isStreaming:
            reason = "it requires one dataset, a batch read, and PYSPARK_PIN_THREAD=true"
            self._guard.warn_once("measure data quality", f"data quality of {df} is not captured: {reason}")
            return df
        newest = tracker.executions.newest_id() if tracker is not None else -1
        observed_df, observation = observe_quality(df, wanted, datasets[0].identity, newest)
        self._pending[observation.name] = observation
        return observed_df

    def report(self, measured: ActionMetrics | None = None, timeout: float = 0.0) -> None:
        """Record the metrics of all observations that actions have completed.

        Args:
            measured: The run's latest action, whose observations arrive within a second.
            timeout: Seconds to wait for all others together.
        """
        deadline = time.monotonic() + timeout
        for pending in list(self._pending.values()):
            was_executed = measured is not None and pending.name in measured.plans
            with self._guard.step("report the data quality of an input"):
                self._report_one(pending, max(deadline - time.monotonic(), 1.0 if was_executed else 0.0))

    def finish(self) -> None:
        """Record the remaining metrics, and log a warning for inputs that no action has measured."""
        self.report(timeout=0.5)
        names = ", ".join(dict.fromkeys(pending.identity[1] for pending in self._pending.values()))
        if names:
            self._guard.warn_once(
                "report all data quality",
                f"data quality of {names} is not captured: no action has measured it",
            )

    def unmeasured(self) -> list[QualityObservation]:
        """Return the observations that the next write may complete; only used without a JVM."""
        if self._session.has_jvm:
            return []
        return [pending for pending in list(self._pending.values()) if not pending.is_complete()]

    def note_write(self, before: Iterable[QualityObservation], df: DataFrame) -> None:
        """Note the observations that a write has completed.

        Args:
            before: What `unmeasured` returned before the write.
            df: The DataFrame that was written.
        """
        measured = {pending.name for pending in before if pending.is_complete()}
        if measured and not may_stop_early(df):
            self._complete |= measured

    def _report_one(self, pending: QualityObservation, timeout: float) -> None:
        if not pending.is_complete(timeout):
            return
        problem = self._problem(pending, timeout)
        if problem is None or self._pending.pop(pending.name, None) is None:
            return
        metrics = None if problem else pending.metrics()
        if metrics is not None:
            self._recorder.inputs.add_facet(pending.identity, metrics)
            return
        namespace, name = pending.identity
        reason = problem or "an action on it did not need its rows"
        self._guard.warn_once(
            f"report the data quality of {namespace} {name}",
            f"data quality of {name} is not captured: {reason}",
        )

    def _problem(self, pending: QualityObservation, timeout: float) -> str | None:
        """Return why the metrics may be wrong: "" if they are exact, None if that is not known yet."""
        name, tracker = pending.name, self._session.tracker
        if tracker is not None:
            problem = observation_problem(tracker.executions, name, pending.newest, timeout)
            return problem and f"an action on it {problem}"
        if name in self._complete:
            return ""
        return (
            "the first action on it, such as show(), was not a write of the run, "
            "or may have stopped before the last row"
        )


_PARTIAL_ACTION = re.compile(r"[\w.]*\.Dataset\.(isEmpty|tail|to\w*Iterator)\w*\(", re.ASCII)
"""The top of the stack of actions that read only some rows, which their plan does not show."""


def observation_problem(
    executions: SqlExecutions, observation: str, after: int, timeout: float
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
