"""SQL executions in Spark's status store, which also feeds the web UI and exists without it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, has_method, option
from openlineage_facets.spark.jvm.session import members
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.plans.physical_plan import Operator, PlanGraph

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["MAX_EXECUTIONS", "MetricValues", "SqlExecutions", "is_complete"]

MAX_EXECUTIONS = 256
"""How many of the newest executions are searched."""

_PAGE = 16
_METRIC_ID = re.compile(r",(\d+),\w+\)")
"""The accumulator in the text of a metric."""
_CREATES_TABLE = re.compile(r"Execute (?:Optimized)?(?:Create\w+AsSelect|SaveAsV1Table)Command")
_EXACT_NUMBER = re.compile(r"(\d[\d,]*)(?:\.0 B)?")
"""A number with all digits, unlike `198.9 KiB`."""


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
        self._accumulators = context._jvm.org.apache.spark.util.AccumulatorContext

    def newest_id(self) -> int:
        """Return the id of the newest execution; -1 before the first."""
        newest_page = self._page(self._executions.executionsCount())
        return max((execution.executionId() for execution in newest_page), default=-1)

    def after(self, execution_id: int) -> Iterator[JavaObject]:
        """Yield the executions after one, newest first and at most `MAX_EXECUTIONS`."""
        end = self._executions.executionsCount()
        for stop in range(end, max(0, end - MAX_EXECUTIONS), -_PAGE):
            page = sorted(self._page(stop), key=lambda execution: int(execution.executionId()), reverse=True)
            for execution in page:
                if execution.executionId() <= execution_id:
                    return
                yield execution

    def tagged(self, tag: str, after: int) -> list[JavaObject]:
        """Return executions with tagged jobs and those with the same root execution, oldest first.

        Args:
            tag: The job tag.
            after: The id of the newest execution before them.
        """
        candidates = list(self.after(after))
        roots = {execution.rootExecutionId() for execution in candidates if self._has_tag(execution, tag)}
        return [execution for execution in reversed(candidates) if execution.rootExecutionId() in roots]

    def of_query(self, query: JavaObject) -> JavaObject | None:
        """Return the execution of a QueryExecution among the newest executions; None if it is not found."""
        if has_method(query, "queryId"):  # Since Spark 4.1.
            identity = query.queryId()
            return next((one for one in self.after(-1) if identity.equals(one.queryId())), None)
        accumulators = {str(metric.id()) for metric in members(query.executedPlan().metrics().values())}
        for execution in self.after(-1) if accumulators else ():
            if accumulators & set(_METRIC_ID.findall(execution.metrics().toString())):
                return execution
        return None if accumulators else self._of_command_without_metrics(query)

    def _of_command_without_metrics(self, query: JavaObject) -> JavaObject | None:
        """Return the first execution of a command of the same kind after a query was planned."""
        planning: Any = option(query.tracker().phases().get("planning"))
        if planning is None:
            return None
        operator = f"Execute {class_of(query.analyzed())}"
        found: JavaObject | None = None
        for execution in self.after(-1):
            if execution.submissionTime() < planning.startTimeMs():
                break
            if operator in execution.physicalPlanDescription():
                found = execution
        return found

    def is_part_of_create(self, execution: JavaObject) -> bool:
        """Return True if an execution is the insert of a CREATE TABLE AS SELECT."""
        root = execution.rootExecutionId()
        if root == execution.executionId() or "Execute Insert" not in execution.physicalPlanDescription():
            return False
        found = option(self._executions.execution(root))
        return found is not None and bool(_CREATES_TABLE.search(found.physicalPlanDescription()))

    def with_parts(self, execution: JavaObject) -> list[JavaObject]:
        """Return an execution and those that it has started itself, oldest first."""
        root, ended = execution.rootExecutionId(), option(execution.completionTime())
        parts = [
            one
            for one in self.after(execution.executionId())
            if one.rootExecutionId() == root and (ended is None or one.submissionTime() <= ended.getTime())
        ]
        return [execution, *reversed(parts)]

    def job_tags(self, execution: JavaObject) -> set[str]:
        """Return the tags of the jobs of an execution."""
        tags: set[str] = set()
        for job in members(execution.jobs().keys()):
            with suppress(Exception):  # A job that the status store no longer has.
                tags |= {str(tag) for tag in members(self._jobs.job(job).jobTags())}
        return tags

    def plan_graph(self, execution: JavaObject) -> PlanGraph:
        """Return the final plan of an execution."""
        return PlanGraph(self._executions.planGraph(execution.executionId()))

    def metric_values(self, execution: JavaObject) -> MetricValues:
        """Return the metric values of an execution."""
        values = self._executions.executionMetrics(execution.executionId())
        return MetricValues(values, self._accumulators)

    def rows_written(self, executions: Sequence[JavaObject]) -> int | None:
        """Return how many rows the tasks of executions wrote; None if a retry may have counted rows twice."""
        stages = {stage for execution in executions for stage in members(execution.stages())}
        rows = 0
        for stage in stages:
            attempt = self._jobs.lastStageAttempt(stage)
            if attempt.numFailedTasks() or attempt.attemptId():
                return None
            rows += attempt.outputRecords()
        return rows

    def _page(self, end: int) -> list[JavaObject]:
        start = max(0, end - _PAGE)
        return list(members(self._executions.executionsList(start, end - start))) if end else []

    def _has_tag(self, execution: JavaObject, tag: str) -> bool:
        for job in members(execution.jobs().keys()):
            with suppress(Exception):  # A job that the status store does not have yet, or no longer has.
                return tag in members(self._jobs.job(job).jobTags())
        return False


class MetricValues:
    """The metric values of an execution.

    Args:
        values: Formatted values by accumulator id, as a Scala map.
        accumulators: The JVM's AccumulatorContext.
    """

    def __init__(self, values: JavaObject, accumulators: JavaObject) -> None:
        self._values = values
        self._accumulators = accumulators

    def counts(self, operator: Operator, metric_names: Mapping[str, str]) -> Counts:
        """Return counts of an operator.

        Args:
            operator: The operator.
            metric_names: Names of Spark's metrics by `rows`, `bytes` and `files`.
        """
        accumulators = operator.metrics()
        return Counts(
            **{
                field: self._value(accumulators[name])
                for field, name in metric_names.items()
                if name in accumulators
            }
        )

    def _value(self, accumulator: int) -> int | None:
        text = option(self._values.get(accumulator))
        if text is None:
            return None
        exact = _EXACT_NUMBER.fullmatch(text.strip())
        if exact:
            return int(exact[1].replace(",", ""))
        # Sizes are formatted and rounded. The accumulator itself exists as long as the plan.
        with suppress(Exception):
            exact_value: Any = option(self._accumulators.get(accumulator))
            return int(exact_value.value())
        return None


def is_complete(execution: JavaObject) -> bool:
    """Return whether an execution has ended and its metrics are aggregated."""
    return execution.completionTime().isDefined() and execution.metricValues() is not None
