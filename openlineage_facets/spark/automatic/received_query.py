"""A query that Spark has executed and reported: the run that it belongs to, and when it is recorded.

The run is chosen once, at the first attempt to process the query. A run that ends waits until each query that
Spark has delivered was processed, so that each run to which the query may belong is still active.

Calls of PySpark's methods report their own writes, when they end. A command therefore waits while a call that
may have executed it has not ended, unless calls that have ended have reported all that it has written. It
does not wait when its own run ends: the calls of another run may take much longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from openlineage_facets.spark.automatic.active_runs import ActiveRun, ActiveRuns, UnknownRunError
from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.datasets.plan_sources import datasets_of, plan_sources
from openlineage_facets.spark.jvm import JavaObject, class_of, has_jvm, session_of_java, threads_are_pinned
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements.command_effects import effects_of, is_command
from openlineage_facets.spark.statements.ddl_statements import executed_definition, reads_and_writes_nothing


class ReceivedQuery:
    """A query that Spark has executed.

    Args:
        query: The query.
        started_by: The latest moment, in milliseconds since 1970, at which it can have been started.
        active: The active runs.
        add_gap: Receives what cannot be captured.
    """

    def __init__(
        self, query: ExecutedQuery, started_by: int, active: ActiveRuns, add_gap: Callable[[str], None]
    ) -> None:
        self._query = query
        self._started_by = started_by
        self._active = active
        self._add_gap = add_gap
        self._awaited: list[tuple[ActiveRun, CapturedCall]] | None = None
        self._is_compared = False

    @property
    def began(self) -> int:
        """When Spark analyzed it, in milliseconds since 1970: for a command, when it was executed."""
        return self._query.began

    def process(self) -> bool:
        """Record the query for its run; return False while it has to wait for calls of the job."""
        run = self._run
        if run is None or not run.is_active:
            return True
        if self._is_command and self._must_wait(run):
            return False
        self._record(run)
        return True

    @cached_property
    def _run(self) -> ActiveRun | None:
        """The run that the query belongs to; None if it belongs to none, or if that is unknown."""
        if not self._runs or not self._query.was_executed:
            return None
        candidates = [run for run in self._runs if not self._is_before(run)]
        in_session = [run for run in candidates if self._is_in_session(run)]
        try:
            return self._active.chosen(candidates, in_session, lambda: self._tags)
        except UnknownRunError:
            self._report_unknown(candidates[-1])
            return None

    @cached_property
    def _runs(self) -> list[ActiveRun]:
        """The active runs with a JVM."""
        return [run for run in self._active.all() if has_jvm(run.spark)]

    @cached_property
    def _all_runs(self) -> list[ActiveRun]:
        """The runs whose calls may have executed the query."""
        return self._active.with_ended()

    @cached_property
    def _is_command(self) -> bool:
        return is_command(self._runs[-1].spark, self._query.plan)

    @cached_property
    def _tags(self) -> set[str]:
        return self._runs[-1].calls.job_tags(self._query)

    @cached_property
    def _session(self) -> JavaObject:
        return self._query.execution.sparkSession()

    def _is_in_session(self, run: ActiveRun) -> bool:
        spark: JavaObject = run.spark
        return bool(spark._jsparkSession.equals(self._session))

    def _is_before(self, run: ActiveRun) -> bool:
        """Return True if the query was started before a run.

        A command is analyzed when it is executed, but the query of a DataFrame may be analyzed long before.
        Then the start of its execution decides, which is only looked up if Spark may deliver the query late.
        """
        if not 0 < self.began < run.began:
            return False
        if self._started_by < run.began or self._is_command:
            return True
        started = run.calls.started(self._query) if run.begins_late else None
        return started is not None and started < run.began

    def _must_wait(self, run: ActiveRun) -> bool:
        """Return True while a call that has not ended may turn out to have written the same dataset."""
        if run.is_ending:
            return False
        before = self._awaited
        self._awaited = unfinished = [
            (owner, call)
            for owner, call in (self._calls() if before is None else before)
            if call.ended is None and owner.is_active and not owner.is_ending
        ]
        if before is None or not unfinished:  # At first, its own call has hardly ever ended.
            return bool(unfinished)
        if self._is_compared and len(unfinished) == len(before):
            return True
        self._is_compared = True
        return not self._is_reported(run)

    def _calls(self) -> list[tuple[ActiveRun, CapturedCall]]:
        """Return the calls that may have executed the query and have not ended, with their runs."""
        return [
            (owner, call)
            for owner in self._all_runs
            for call in owner.calls.reported.unfinished()
            if call.began <= self.began
        ]

    def _is_reported(self, run: ActiveRun) -> bool:
        """Return True if calls that have ended have reported all that a command has written."""
        with run.calls.guard.step("find the outputs of a query"):
            reported = [each.calls.reported for each in self._all_runs]
            outputs = map(run.calls.named_output, self._outputs)
            return all(
                any(calls.has_reported(output, self.began) for calls in reported) for output in outputs
            )
        return False

    @cached_property
    def _outputs(self) -> list[SparkDataset]:
        """What the command has written or defined; empty if that is unknown."""
        spark, plan = self._runs[-1].spark, self._query.plan
        effects = effects_of(spark, plan)
        if effects:
            return [effect.dataset for effect in effects]
        defined = executed_definition(spark, plan)
        return [] if defined is None else [defined.dataset]

    def _record(self, run: ActiveRun) -> None:
        spark = run.spark if self._is_in_session(run) else session_of_java(run.spark, self._session)
        reported = [each.calls.reported for each in self._all_runs]
        run.calls.in_session(spark).query(self._query, reported)

    def _report_unknown(self, run: ActiveRun) -> None:
        """Name a query as not captured, unless a call has reported it or it has no datasets.

        Args:
            run: A run that was active.
        """
        if any(each.calls.reported.may_have_reported(self.began) for each in self._all_runs):
            return
        plan = self._query.plan
        if self._is_command:
            has_data = not reads_and_writes_nothing(class_of(plan))
        else:
            has_data = bool(datasets_of(plan_sources(run.spark, plan)))
        if not has_data:
            return
        if self._tags or not threads_are_pinned(run.spark):
            self._add_gap("a query of a thread that belongs to none of several active runs")
        else:
            self._add_gap("a query without jobs, of one of several active runs")
