"""SQL executions in Spark's status store, which also feeds the web UI and exists without it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    has_method,
    java_class,
    json_value,
    members,
    option,
)
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.plan_graph import Operator, PlanGraph

MAX_EXECUTIONS = 256
"""How many of the newest executions are searched if their time is not known."""

_FIRST_PAGE = 2
_PAGE = 32
"""How many executions are read at first and at most at once: their plans may be long."""

_ANALYZED_AFTER = 1000
"""Milliseconds after its start in which the execution of a command is analyzed."""

_CREATES_TABLE = re.compile(r"Execute (?:Optimized)?(?:Create\w+AsSelect|SaveAsV1Table)Command")
_EXACT_NUMBER = re.compile(r"(\d[\d,]*)(?:\.0 B)?")
"""A number with all digits, unlike `198.9 KiB`."""
_ACCUMULATED = re.compile(r"value: (-?\d+)\)+$")
"""The value at the end of the text of an accumulator."""


@dataclass(frozen=True)
class SqlExecution:
    """A SQL execution as it was when it was read from the status store.

    Args:
        id: The number of the execution.
        root: The number of the execution that has started it, or its own.
        plan: The physical plan as text.
        details: The stack of the JVM that started it.
        submitted: When it was started, in milliseconds since 1970.
        ended: When it ended, in milliseconds since 1970; None before.
        error: Its error; "" for none, None if that is unknown.
        jobs: The ids of its jobs.
        stages: The ids of its stages.
        query: The id of its QueryExecution, since Spark 4.2.
        is_complete: It has ended and its metrics are aggregated.
        metrics: The metrics of its operators, in their JSON form.
    """

    id: int
    root: int
    plan: str
    details: str
    submitted: int
    ended: int | None
    error: str | None
    jobs: list[int]
    stages: list[int]
    query: str | None
    is_complete: bool
    metrics: Sequence[Mapping[str, Any]]

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> SqlExecution:
        """Return an execution from the JSON form that the status store writes."""
        return cls(
            id=int(fields["executionId"]),
            root=int(fields["rootExecutionId"]),
            plan=str(fields["physicalPlanDescription"]),
            details=str(fields["details"]),
            submitted=int(fields["submissionTime"]),
            ended=fields.get("completionTime"),
            error=fields.get("errorMessage"),
            jobs=[int(job) for job in fields["jobs"]],
            stages=[int(stage) for stage in fields["stages"]],
            query=fields.get("queryId"),
            is_complete=fields.get("completionTime") is not None and fields.get("metricValues") is not None,
            metrics=fields["metrics"],
        )

    @property
    def accumulators(self) -> set[int]:
        """The ids of the accumulators of its metrics."""
        return {int(metric["accumulatorId"]) for metric in self.metrics}


class SqlExecutions:
    """The SQL executions of a Spark session that has a JVM.

    Args:
        spark: The session.
    """

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        """The session."""
        context: Any = spark.sparkContext
        session: Any = spark._jsparkSession
        self._executions = session.sharedState().statusStore()
        self._jobs = context._jsc.sc().statusStore()

    def newest_id(self) -> int:
        """Return the id of the newest execution; -1 before the first."""
        # The page is empty if Spark has removed old executions since it counted them.
        newest = self._page(self._count(), 1) or self.newest_first()
        return max((execution.id for execution in newest), default=-1)

    def newest_first(self, *, unlimited: bool = False) -> Iterator[SqlExecution]:
        """Yield each of the newest executions once.

        Args:
            unlimited: Yield all that Spark has, not only `MAX_EXECUTIONS`.
        """
        stop, size, last = self._count(), _FIRST_PAGE, math.inf
        oldest = 0 if unlimited else max(0, stop - MAX_EXECUTIONS)
        while stop > oldest:
            size = min(size, stop - oldest)
            for execution in sorted(self._page(stop, size), key=lambda execution: execution.id, reverse=True):
                # When Spark removes old executions between two pages, the next page repeats newer ones.
                if execution.id < last:
                    last = execution.id
                    yield execution
            stop, size = stop - size, min(size * 4, _PAGE)

    def after(self, execution_id: int) -> Iterator[SqlExecution]:
        """Yield the executions after one, newest first and at most `MAX_EXECUTIONS`."""
        for execution in self.newest_first():
            if execution.id <= execution_id:
                return
            yield execution

    def since(self, moment: int) -> list[SqlExecution]:
        """Return the executions since a moment in milliseconds since 1970, oldest first."""
        executions = []
        for execution in self.newest_first(unlimited=True):
            if execution.submitted < moment:
                break
            executions.append(execution)
        return executions[::-1]

    def has_removed_since(self, moment: int) -> bool:
        """Return True if Spark may have removed executions since a moment in milliseconds since 1970."""
        return any(oldest.id > 0 and oldest.submitted >= moment for oldest in self._page(1, 1))

    def of_query(self, query: JavaObject) -> SqlExecution | None:
        """Return the execution of a QueryExecution among the newest executions; None if it is not found."""
        if has_method(query, "queryId"):  # Since Spark 4.2.
            identity = str(query.queryId().toString())
            return next((execution for execution in self.after(-1) if execution.query == identity), None)
        accumulators = _accumulators(query.executedPlan())
        for execution in self.after(-1) if accumulators else ():
            if accumulators & execution.accumulators:
                return execution
        return None if accumulators else self._of_command_without_metrics(query)

    def _of_command_without_metrics(self, query: JavaObject) -> SqlExecution | None:
        """Return the execution of a command of the same kind that was started when a query was analyzed.

        A command is analyzed when it is executed. Spark 4.1 plans it, and may analyze it, only when its
        execution has begun.
        """
        analysis: Any = option(query.tracker().phases().get("analysis"))
        if analysis is None:
            return None
        analyzed = int(analysis.startTimeMs())
        operator = f"Execute {class_of(query.analyzed())}"
        candidates = [
            execution
            for execution in self.since(analyzed - _ANALYZED_AFTER)
            if operator in execution.plan and (execution.ended is None or execution.ended >= analyzed)
        ]
        return min(candidates, key=lambda execution: abs(execution.submitted - analyzed), default=None)

    def is_part_of_create(self, execution: SqlExecution) -> bool:
        """Return True if an execution is the insert of a CREATE TABLE AS SELECT."""
        if execution.root == execution.id or "Execute Insert" not in execution.plan:
            return False
        root = option(self._executions.execution(execution.root))
        return root is not None and bool(_CREATES_TABLE.search(root.physicalPlanDescription()))

    def with_parts(self, execution: SqlExecution) -> list[SqlExecution]:
        """Return an execution and those that it has started itself, oldest first."""
        ended = execution.ended
        parts = [
            part
            for part in self.after(execution.id)
            if part.root == execution.root and (ended is None or part.submitted <= ended)
        ]
        return [execution, *reversed(parts)]

    def job_tags(self, execution: SqlExecution) -> set[str]:
        """Return the tags of the jobs of an execution."""
        return {tag for job in execution.jobs for tag in self.tags_of_job(job)}

    def tags_of_job(self, job: int) -> list[str]:
        """Return the tags of a job; empty if the status store does not have it yet, or no longer has it."""
        with suppress(Exception):
            return str(self._jobs.job(job).jobTags().mkString("\n")).split("\n")
        return []

    def plan_graph(self, execution: SqlExecution) -> PlanGraph:
        """Return the final plan of an execution."""
        return PlanGraph(json_value(self.spark, self._executions.planGraph(execution.id)))

    def metric_values(self, execution: SqlExecution) -> MetricValues:
        """Return the metric values of an execution."""
        values = json_value(self.spark, self._executions.executionMetrics(execution.id))
        return MetricValues(values, self._accumulator)

    def rows_written(self, executions: Sequence[SqlExecution]) -> int | None:
        """Return how many rows the tasks of executions wrote; None if a retry may have counted rows twice."""
        rows = 0
        for stage in {stage for execution in executions for stage in execution.stages}:
            attempt = self._jobs.lastStageAttempt(stage)
            if attempt.numFailedTasks() or attempt.attemptId():
                return None
            rows += attempt.outputRecords()
        return rows

    @cached_property
    def _accumulator(self) -> JavaObject:
        """The method that returns an accumulator by its id."""
        return java_class(self.spark, "org.apache.spark.util.AccumulatorContext").get

    def _count(self) -> int:
        return int(self._executions.executionsCount())

    def _page(self, stop: int, size: int) -> list[SqlExecution]:
        """Return the executions before a position in the store."""
        if stop <= 0:
            return []
        page = self._executions.executionsList(max(0, stop - size), min(size, stop))
        return [SqlExecution.from_json(fields) for fields in json_value(self.spark, page)]


class MetricValues:
    """The metric values of an execution.

    Args:
        values: Formatted values by accumulator id.
        accumulator: Returns the JVM's accumulator with an id.
    """

    def __init__(self, values: Mapping[str, str], accumulator: JavaObject) -> None:
        self._values = values
        self._accumulator = accumulator

    def counts(self, operator: Operator, metric_names: Mapping[str, str]) -> Counts:
        """Return counts of an operator.

        Args:
            operator: The operator.
            metric_names: Names of Spark's metrics by `rows`, `bytes` and `files`.
        """
        return Counts(**self.numbers(operator, metric_names))

    def numbers(self, operator: Operator, metric_names: Mapping[str, str]) -> dict[str, int | None]:
        """Return metrics of an operator, None for unknown numbers.

        Args:
            operator: The operator.
            metric_names: Names of Spark's metrics by the names in the result.
        """
        accumulators = operator.metrics
        return {
            field: self._value(accumulators[name])
            for field, name in metric_names.items()
            if name in accumulators
        }

    def _value(self, accumulator: int) -> int | None:
        text = self._values.get(str(accumulator))
        if text is None:
            return None
        exact = _EXACT_NUMBER.fullmatch(text.strip())
        if exact:
            return int(exact[1].replace(",", ""))
        return self._accumulated(accumulator)  # Sizes are formatted and rounded.

    def accumulated(self, operator: Operator, metric_names: Mapping[str, str]) -> Counts:
        """Return counts of an operator that an earlier execution may have executed, as below a cache.

        Args:
            operator: The operator.
            metric_names: Names of Spark's metrics by `rows`, `bytes` and `files`.
        """
        accumulators = operator.metrics
        present = {field: name for field, name in metric_names.items() if name in accumulators}
        return Counts(**{field: self._accumulated(accumulators[name]) for field, name in present.items()})

    def _accumulated(self, accumulator: int) -> int | None:
        """Return the value of an accumulator, which exists as long as the plan."""
        with suppress(Exception):
            match = _ACCUMULATED.search(str(self._accumulator(accumulator).toString()))
            return None if match is None else int(match[1])
        return None


def _accumulators(plan: JavaObject) -> set[int]:
    """Return the ids of the accumulators of the first operators of an executed plan that have metrics.

    An adaptive plan has none itself. That which it has executed has, except for operators such as `Coalesce`,
    and for the stage of its result, which contains it since Spark 4.1.
    """
    accumulators = {int(metric.id()) for metric in members(plan.metrics().values())}
    if accumulators:
        return accumulators
    for inner in ("executedPlan", "plan"):
        if has_method(plan, inner):
            return _accumulators(getattr(plan, inner)())
    return {accumulator for child in members(plan.children()) for accumulator in _accumulators(child)}
