"""Rows, bytes and files that an action read and wrote, as counted by Spark.

No file is read again and no plan changes. A job tag, which Spark adds to the jobs of the thread that set it,
separates an action from those of other threads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from pyspark.sql import SparkSession

from openlineage_facets.spark.jvm import JavaObject, deliver_pending
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.scans import Scan, is_same_path, scans_of
from openlineage_facets.spark.metrics.sql_executions import SqlExecution, SqlExecutions

_TIMEOUT = 2.0
"""Seconds to wait for the metrics of a finished action."""

_INTERVAL = 0.01
"""Seconds between two looks at the status store."""

_SETTLED_AFTER = 0.005
"""Seconds after which a second look must show the same executions."""

_WRITTEN = {
    "rows": "number of output rows",
    "bytes": "written output",
    "files": "number of written files",
}

_FOLDER = re.compile(r"Execute InsertIntoHadoopFsRelationCommand (.+?), (?:true|false), ")


@dataclass(frozen=True)
class ActionMetrics:
    """What an action read and wrote.

    Args:
        written: What it wrote.
        folders: The folders that Spark names, each with what one command wrote to it.
        scans: What its scans read.
        plans: The executed physical plans as text.
        began: When it began, in milliseconds since 1970; None if unknown.
    """

    written: Counts = field(default_factory=Counts)
    folders: tuple[tuple[str, Counts], ...] = ()
    scans: tuple[Scan, ...] = ()
    plans: str = ""
    began: int | None = None

    def written_to(self, location: str | None, commands: int = 1) -> list[Counts]:
        """Return what each of some commands wrote to a location; empty counts unless as many name it."""
        written = [counts for path, counts in self.folders if is_same_path(path, location)]
        return written if len(written) == commands else [Counts()] * commands


@dataclass(frozen=True)
class ActionStart:
    """The start of an action.

    Args:
        tag: The tag of its jobs.
        began: Milliseconds since 1970.
    """

    tag: str
    began: int


class ActionTracker:
    """Tracks actions of a Spark session that has a JVM.

    Args:
        spark: The session.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self.executions = SqlExecutions(spark)
        """The SQL executions of the session."""

    def begin(self) -> ActionStart:
        """Tag the jobs that this thread starts from now on."""
        start = ActionStart(f"openlineage-facets-{uuid4()}", int(time.time() * 1000))
        self._spark.sparkContext.addJobTag(start.tag)
        return start

    def end(self, start: ActionStart) -> None:
        """Remove the tag from this thread."""
        self._spark.sparkContext.removeJobTag(start.tag)

    def metrics(self, start: ActionStart, timeout: float = _TIMEOUT) -> ActionMetrics:
        """Return what was counted between `begin` and `end`.

        Args:
            start: What `begin` returned.
            timeout: The maximum number of seconds to wait for Spark to aggregate metrics.
        """
        deadline = time.monotonic() + timeout
        tags: dict[int, list[str]] = {}
        count, was_complete, is_delivered = -1, False, False
        while True:
            executions = self._tagged(start, tags)
            complete = bool(executions) and all(execution.is_complete for execution in executions)
            is_settled = complete and was_complete and len(executions) == count
            if is_settled or time.monotonic() > deadline or (is_delivered and not executions):
                break
            count, was_complete = len(executions), complete
            if not executions:
                # A statement may start no job, such as the deletion of whole partitions.
                is_delivered = deliver_pending(self._spark, deadline - time.monotonic())
            time.sleep(_SETTLED_AFTER if complete else _INTERVAL)
        return replace(self._collect(executions), began=start.began)

    def _tagged(self, start: ActionStart, tags: dict[int, list[str]]) -> list[SqlExecution]:
        """Return executions with tagged jobs and those with the same root execution, oldest first.

        Args:
            start: What `begin` returned.
            tags: The tags of the jobs that are already known.
        """
        candidates = self.executions.since(start.began)
        roots = set()
        for execution in candidates:
            for job in execution.jobs[:1]:
                if not tags.get(job):
                    tags[job] = self.executions.tags_of_job(job)
                if start.tag in tags[job]:
                    roots.add(execution.root)
        return [execution for execution in candidates if execution.root in roots]

    def metrics_of_query(self, query: JavaObject, began: int) -> ActionMetrics | None:
        """Return what was counted in an executed command; None if it is a part of CREATE TABLE AS SELECT.

        Args:
            query: The JVM's QueryExecution.
            began: When it began, in milliseconds since 1970.
        """
        execution = self._ended_execution(query)
        if execution is None:
            return ActionMetrics(began=began)
        if self.executions.is_part_of_create(execution):
            return None
        return replace(self._collect(self.executions.with_parts(execution)), began=began)

    def job_tags(self, query: JavaObject) -> set[str]:
        """Return the tags of the jobs of a QueryExecution that has ended."""
        execution = self._ended_execution(query)
        return set() if execution is None else self.executions.job_tags(execution)

    def _ended_execution(self, query: JavaObject) -> SqlExecution | None:
        """Return the execution of a QueryExecution when its metrics are complete; None after a timeout."""
        deadline = time.monotonic() + _TIMEOUT
        while True:
            execution = self.executions.of_query(query)
            if execution is not None and execution.is_complete:
                return execution
            if time.monotonic() > deadline:
                return None
            time.sleep(_INTERVAL)

    def _collect(self, executions: Sequence[SqlExecution]) -> ActionMetrics:
        written: list[Counts] = []
        folders: list[tuple[str, Counts]] = []
        scans: list[Scan] = []
        plans: list[str] = []
        for execution in executions:
            values = self.executions.metric_values(execution)
            graph = self.executions.plan_graph(execution)
            scans += scans_of(graph, values)
            for operator in graph.operators:
                if operator.name.startswith("Execute "):
                    counts = values.counts(operator, _WRITTEN)
                    if counts.files is not None:
                        written.append(counts)
                        folder = _FOLDER.match(operator.description)
                        folders += [] if folder is None else [(folder[1], counts)]
            plans.append(execution.plan)
        total = sum(written, Counts(0, 0, 0)) if written else self._rows_written(executions)
        return ActionMetrics(total, tuple(folders), tuple(scans), "\n".join(plans))

    def _rows_written(self, executions: Sequence[SqlExecution]) -> Counts:
        """Return the rows written to sinks other than files."""
        return Counts(rows=self.executions.rows_written(executions) or None)
