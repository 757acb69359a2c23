"""What Spark itself counted while it wrote: rows, bytes and files, out and in.

Nothing is counted twice, no file is read again and no plan changes. Spark keeps the metrics of each SQL
execution for its web page, whether the page is served or not. A job tag of its own, which Spark gives to
the jobs of the one thread that set it, tells a write from those of other threads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from openlineage_facets.spark.jvm import option
from openlineage_facets.spark.plan_graph import Operator, PlanGraph
from openlineage_facets.spark.session import members

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Counts", "Mark", "Measured", "Meter", "Scan"]

_PATIENCE = 2.0
"""How many seconds the metrics of a finished write are waited for."""

_PAGE = 16
_NEWEST = 256
"""How many executions are looked through for those of one write."""

_WRITTEN = {
    "rows": "number of output rows",
    "bytes": "written output",
    "files": "number of written files",
}
_READ = {"rows": "number of output rows", "bytes": "size of files read", "files": "number of files read"}
_SENT = {"rows": "shuffle records written"}
_NO_DATASET = ("Scan ExistingRDD", "Scan OneRowRelation")
_OF_A_LOG = "Location: DeltaLogFileIndex"
"""How Delta shows that it reads its own log, and no rows of a table."""

_LOCATION = re.compile(r"Location: \w+(?: ?\((\d+) paths\))?\[(.*?)(?:\]|(?<=\.\.\.))")
_OF_A_PART = re.compile(r"[\w.]*\.Dataset\.(isEmpty|tail|to\w*Iterator)\w*\(", re.ASCII)
"""How the stack of an action begins whose plan does not show that it takes a part of the rows."""

_EXACT = re.compile(r"(\d[\d,]*)(?:\.0 B)?")
"""A number with all its digits; one such as 198.9 KiB has lost some."""


@dataclass(frozen=True)
class Counts:
    """How much was read or written; None for what is not known."""

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            _sum(self.rows, other.rows), _sum(self.bytes, other.bytes), _sum(self.files, other.files)
        )

    def __bool__(self) -> bool:
        return (self.rows, self.bytes, self.files) != (None, None, None)


@dataclass(frozen=True)
class Scan:
    """One scan of a plan, and what it read.

    Args:
        name: How Spark calls it, such as `Scan parquet`.
        locations: The paths it reads, as far as Spark tells them; none for what lies in no files.
        counts: What it read.
        repeated_by: The operator for which rows may have been read again, so that they are not counted.
    """

    name: str
    locations: tuple[str, ...]
    counts: Counts
    repeated_by: str | None = None


@dataclass(frozen=True)
class Measured:
    """What Spark counted in one action."""

    written: Counts = Counts()
    scans: tuple[Scan, ...] = ()
    plans: str = ""
    """The physical plans that ran, as text."""
    began: int | None = None
    """When it began, in milliseconds since 1970; None where that was not noted."""


@dataclass(frozen=True)
class Mark:
    """Where an action began: the tag of its jobs, the newest execution before it, milliseconds since 1970."""

    tag: str
    newest: int
    began: int


class Meter:
    """Measures actions of a Spark session that has a JVM.

    Args:
        spark: The session.
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        context: Any = spark.sparkContext
        session: Any = spark._jsparkSession
        self._executions = session.sharedState().statusStore()
        self._jobs = context._jsc.sc().statusStore()
        jvm: Any = context._jvm
        self._accumulators = jvm.org.apache.spark.util.AccumulatorContext

    def begin(self) -> Mark:
        """Tag what this thread runs from now on."""
        mark = Mark(f"openlineage-facets-{uuid4()}", self.newest(), int(time.time() * 1000))
        self._spark.sparkContext.addJobTag(mark.tag)
        return mark

    def end(self, mark: Mark) -> None:
        """Take the tag off this thread again."""
        self._spark.sparkContext.removeJobTag(mark.tag)

    def measured(self, mark: Mark, patience: float = _PATIENCE) -> Measured:
        """Return what was counted between `begin` and `end`.

        Args:
            mark: What `begin` returned.
            patience: How many seconds to wait, at most, for Spark to add it up.
        """
        deadline = time.monotonic() + patience
        count, settled = -1, False
        while True:
            found = self._tagged(mark)
            done = bool(found) and all(map(_is_complete, found))
            if (done and settled and len(found) == count) or time.monotonic() > deadline:
                break
            count, settled = len(found), done
            time.sleep(0.02)
        return replace(self._read(found), began=mark.began)

    def newest(self) -> int:
        """Return the id of the newest execution that Spark has told of, -1 before the first."""
        return max((one.executionId() for one in self._page(self._executions.executionsCount())), default=-1)

    def doubt(self, observation: str, since: int, patience: float = _PATIENCE) -> str | None:
        """Return why an observation may not have seen each row once; "" where it has, None if not known yet.

        Spark does not say which action an observation is of, so all that it stands in are looked at.

        Args:
            observation: Its name.
            since: The newest execution before it.
            patience: How many seconds to wait, at most, for Spark to tell of them as complete.
        """
        deadline = time.monotonic() + patience
        while True:
            after = list(self._after(since))
            found = [one for one in after if observation in one.physicalPlanDescription()]
            if found and all(map(_is_complete, found)):
                break
            if time.monotonic() > deadline:
                return None
            time.sleep(0.02)
        if len(after) == _NEWEST or after[-1].executionId() > since + 1 > 0:
            return "was so long ago that Spark does not know of it any more"
        doubts = [self._doubt_of(execution, observation) for execution in reversed(found)]
        known = [doubt for doubt in doubts if doubt is not None]
        return next(filter(None, known), "") if known else None

    def _doubt_of(self, execution: Any, observation: str) -> str | None:
        graph = PlanGraph(self._executions.planGraph(execution.executionId()))
        observing = [one for one in graph.operators if observation in one.description]
        if not observing:
            return None  # It is a command around the execution that observes, or one that runs none.
        error = option(execution.errorMessage())
        if error:
            return "failed"
        if error is None or execution.jobs().isEmpty():
            return "took rows when Spark had told of its end"  # Spark forgets what it said of the end.
        part = _OF_A_PART.match(execution.details())
        samples = not self._samples_apart()
        skipping = [part[1]] if part else [graph.skipping(one, samples) for one in observing]
        operator = next(filter(None, skipping), None)
        if operator is None:
            return ""
        return f"may have stopped before the last row, or have taken rows twice ({operator})"

    def _samples_apart(self) -> bool:
        """Tell whether an observation leaves out what is read for a sample, as it does since Spark 4.3."""
        with suppress(Exception):
            return self._spark.conf.get("spark.sql.legacy.observeMetricsAggregateAllAttempts") == "false"
        return False

    def _page(self, end: int) -> list[Any]:
        start = max(0, end - _PAGE)
        return list(members(self._executions.executionsList(start, end - start))) if end else []

    def _after(self, newest: int) -> Iterator[Any]:
        """Yield the executions after one, newest first."""
        end = self._executions.executionsCount()
        for stop in range(end, max(0, end - _NEWEST), -_PAGE):
            page = sorted(self._page(stop), key=lambda one: int(one.executionId()), reverse=True)
            for execution in page:
                if execution.executionId() <= newest:
                    return
                yield execution

    def _tagged(self, mark: Mark) -> list[Any]:
        """Return the executions of a write, in order: those with tagged jobs, and those they are part of."""
        after = list(self._after(mark.newest))
        roots = {one.rootExecutionId() for one in after if self._has_tag(one, mark.tag)}
        return [one for one in reversed(after) if one.rootExecutionId() in roots]

    def _has_tag(self, execution: Any, tag: str) -> bool:
        for job in members(execution.jobs().keys()):
            with suppress(Exception):  # A job that Spark has not told of yet, or no longer knows.
                return tag in members(self._jobs.job(job).jobTags())
        return False

    def _read(self, executions: list[Any]) -> Measured:
        written, scans, plans = [], [], []
        for execution in executions:
            metrics = self._executions.executionMetrics(execution.executionId())
            graph = PlanGraph(self._executions.planGraph(execution.executionId()))
            for operator in graph.operators:
                name = operator.name
                if name.startswith(("Scan ", "BatchScan ")) and not name.startswith(_NO_DATASET):
                    if _OF_A_LOG in operator.description:
                        continue
                    scan = self._scan(graph, operator, metrics)
                    if scan.counts or scan.repeated_by:
                        scans.append(scan)
                elif name.startswith("Execute "):
                    counts = self._counts(operator, metrics, _WRITTEN)
                    if counts.files is not None:
                        written.append(counts)
            plans.append(execution.physicalPlanDescription())
        total = sum(written, Counts(0, 0, 0)) if written else self._records(executions)
        return Measured(total, tuple(scans), "\n".join(plans))

    def _scan(self, graph: PlanGraph, operator: Operator, metrics: Any) -> Scan:
        name, locations = operator.name, _locations(operator.description)
        counts = self._counts(operator, metrics, _READ)
        if counts.files is None and (not counts.rows or (name.startswith("Scan ") and locations)):
            return Scan(name, locations, Counts())  # It was read before, for a cache; now from there.
        repeated_by = graph.repeating(operator)
        if repeated_by is None:
            return Scan(name, locations, counts)
        sender = graph.sender(operator)
        sent = None if sender is None else self._counts(sender, metrics, _SENT).rows
        return Scan(name, locations, replace(counts, rows=sent), repeated_by if sent is None else None)

    def _counts(self, operator: Operator, metrics: Any, names: dict[str, str]) -> Counts:
        by_name = operator.metrics()
        return Counts(
            **{what: self._value(by_name[name], metrics) for what, name in names.items() if name in by_name}
        )

    def _value(self, accumulator: int, metrics: Any) -> int | None:
        text = option(metrics.get(accumulator))
        if text is None:
            return None
        exact = _EXACT.fullmatch(text.strip())
        if exact:
            return int(exact[1].replace(",", ""))
        # Sizes are shown rounded; the number itself is there as long as the plan is.
        with suppress(Exception):
            held: Any = option(self._accumulators.get(accumulator))
            return int(held.value())
        return None

    def _records(self, executions: list[Any]) -> Counts:
        """Return how many rows tasks say they wrote, for sinks other than files."""
        stages = {stage for one in executions for stage in members(one.stages())}
        rows = 0
        for stage in stages:
            attempt = self._jobs.lastStageAttempt(stage)
            if attempt.numFailedTasks() or attempt.attemptId():
                return Counts()  # What was tried again may be counted twice.
            rows += attempt.outputRecords()
        return Counts(rows=rows) if rows else Counts()


def _locations(described: str) -> tuple[str, ...]:
    """Return the paths of a scan; the last is "..." where others are not shown, or can't be told apart."""
    found = _LOCATION.search(described)
    if found is None:
        return ()
    number = int(found[1] or 1)
    shown = [found[2]] if number == 1 else found[2].split(", ")
    return tuple(shown) if len(shown) == number else (*shown, "...")


def _is_complete(execution: Any) -> bool:
    return execution.completionTime().isDefined() and execution.metricValues() is not None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
