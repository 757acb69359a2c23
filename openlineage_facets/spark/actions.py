"""The writes of a run, and what is found out about each before and after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.connect.plans import read_by
from openlineage_facets.spark.datasets import (
    SparkDataset,
    column_lineage_facet,
    inputs_of,
    jdbc_target,
    path_target,
    schema_facet,
    table_target,
)
from openlineage_facets.spark.guard import Guard
from openlineage_facets.spark.lake_commits import Commit, commit_since
from openlineage_facets.spark.lifecycle import (
    change_made,
    overwrites_partitions_alone,
    path_exists,
    table_exists,
)
from openlineage_facets.spark.measuring import Mark, Measured, Meter
from openlineage_facets.spark.qualities import Pending, Qualities
from openlineage_facets.spark.record import Identity, Record, Written
from openlineage_facets.spark.session import has_jvm, threads_are_pinned
from openlineage_facets.spark.statements import Effect, effects, is_command
from openlineage_facets.spark.table_targets import may_be_partitioned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Actions", "Target"]

T = TypeVar("T")


@dataclass(frozen=True)
class Target:
    """What a write is going to do to a dataset.

    Args:
        dataset: The dataset; None where it gets its name by being written.
        existed: Whether it is there already; None where that is not known.
        overwrites: Whether everything it holds will be replaced.
        may_skip: Whether nothing is written where it is there already.
        find_later: What finds the dataset after the write, where it could not be found before.
    """

    dataset: SparkDataset | None
    existed: bool | None = None
    overwrites: bool = False
    may_skip: bool = False
    find_later: Callable[[], SparkDataset] | None = None

    @property
    def is_new(self) -> bool:
        """Whether the write itself has made the dataset."""
        return self.find_later is not None


@dataclass(frozen=True)
class _Known:
    """What was found out about a write before it began."""

    inputs: list[SparkDataset] = field(default_factory=list)
    target: Target | None = None


class Actions:
    """Reads and writes of one run: the job's own calls, and the lineage around them.

    Args:
        spark: The session.
        record: What takes the lineage.
        guard: What keeps its failures from the job.
    """

    def __init__(self, spark: SparkSession, record: Record, guard: Guard) -> None:
        self._spark = spark
        self._record = record
        self._guard = guard
        self._has_jvm = guard.call("ask for the JVM", has_jvm, spark, default=False)
        self._meter = guard.call("reach Spark's metrics", self._new_meter, default=None)
        self.qualities = Qualities(self._meter, self._has_jvm, record, guard)

    def read(self, df: DataFrame, given: Identity | None) -> list[SparkDataset]:
        """Add what a DataFrame reads."""
        found = self._inputs(df)
        if given is not None:
            self._record.rename(found, given)
            # What several datasets make together has the columns of the DataFrame, and no place.
            known = found[0] if len(found) == 1 else SparkDataset("", "", (schema_facet(df.schema),))
            if not any(isinstance(facet, SchemaDatasetFacet) for facet in known.facets):
                known = replace(known, facets=(schema_facet(df.schema), *known.facets))
            found = [replace(known, namespace=given[0], name=given[1])]
        return self._record.read(found)

    def perform(
        self,
        action: Callable[[], T],
        df: DataFrame,
        find_target: Callable[[], Target],
        given: Identity | None,
        before: Callable[[], None],
    ) -> T:
        """Write, and add what was read and written.

        Args:
            action: The job's own call.
            df: What it writes.
            find_target: What tells where to.
            given: The name that the user gives to that.
            before: What to do when it is known what will be read and written.
        """
        known = self._guard.call(
            "find out what a write does", self._foresee, df, find_target, given, before, default=_Known()
        )
        # What was measured before stays true, whatever becomes of this write.
        self._guard.call("tell quality", self.qualities.tell, default=None)
        unmeasured: list[Pending] = []
        unmeasured = self._guard.call("ask for quality", self.qualities.unmeasured, default=unmeasured)
        result, mark = self._tagged(action)
        self._guard.call("ask for quality", self.qualities.written, unmeasured, df, default=None)
        self._guard.call("tell what a write did", self._tell, df, known, mark, default=None)
        return result

    def sql(self, statement: Callable[[], DataFrame]) -> DataFrame:
        """Run a SQL statement, and add what it reads and writes."""
        df, mark = self._tagged(statement)
        self._guard.call(
            "find what a SQL statement reads and writes", self._statement, df, mark, default=None
        )
        return df

    def path_target(
        self,
        df: DataFrame,
        path: str | None,
        format: str | None,
        mode: str | None,
        partitioned: bool,
        options: dict[str, Any],
    ) -> Target:
        """Return what a write to a path, or over JDBC, is going to do."""
        overwrites = _mode(mode) == "overwrite"
        lowered = {key.lower(): value for key, value in options.items()}
        if format is not None and format.lower() == "jdbc":
            dataset = jdbc_target(str(lowered["url"]), str(lowered["dbtable"]), df.schema)
            return Target(dataset, None, overwrites, _mode(mode) == "ignore")
        if path is None:
            raise ValueError("the target has no path; give dataset=(namespace, name)")
        if (format or "").lower() == "iceberg" and "/" not in path:  # Iceberg takes the name of a table, too.
            if not self._setting(f"spark.sql.catalog.{path.partition('.')[0]}", ""):
                raise ValueError(f"{path} has no catalog that is known; give dataset=(namespace, name)")
            return self.table_target(df, path, format, mode, partitioned, options)
        written_as = format or self._setting("spark.sql.sources.default", "parquet")
        dataset = path_target(self._spark, path, df.schema, written_as)
        existed: bool | None
        if self._has_jvm:
            existed = path_exists(self._spark, path)
            if dataset.is_part and not existed and path_exists(self._spark, dataset.location or path):
                existed = None  # The table is there, and the partition new to it.
        else:  # A write that fails where something is there, and has not failed, has found nothing.
            existed = False if _mode(mode) in ("error", "errorifexists") and not dataset.is_part else None
        partial = (
            dataset.is_part
            or "replacewhere" in lowered
            or overwrites_partitions_alone(self._setting, lowered.get("partitionoverwritemode"), partitioned)
        )
        return Target(dataset, existed, overwrites and not partial, _mode(mode) == "ignore")

    def table_target(
        self,
        df: DataFrame,
        name: str,
        format: str | None,
        mode: str | None,
        partitioned: bool,
        options: dict[str, Any],
    ) -> Target:
        """Return what `saveAsTable` is going to do."""
        existed = table_exists(self._spark, name)
        overwrites = _mode(mode) == "overwrite"
        # The session's own catalog makes the table anew; others may replace partitions alone.
        partial = "replacewhere" in {key.lower() for key in options} or overwrites_partitions_alone(
            self._setting, None, partitioned
        )

        def find() -> SparkDataset:
            return table_target(self._spark, name, df.schema, format, options.get("path"))

        target = Target(None, existed, overwrites and not partial, _mode(mode) == "ignore")
        dataset = find() if existed or self._has_jvm else None
        if not existed and (dataset is None or dataset.location is None):
            return replace(target, find_later=find)  # Where it lies is told by the table alone.
        return replace(target, dataset=dataset)

    def insert_target(self, df: DataFrame, name: str, overwrite: bool | None) -> Target:
        """Return what `insertInto` is going to do."""
        dataset = table_target(self._spark, name, self._spark.table(name).schema)
        partial = (
            bool(overwrite)
            and overwrites_partitions_alone(self._setting, None, True)
            and may_be_partitioned(self._spark, name)
        )
        return Target(dataset, True, bool(overwrite) and not partial)

    def jdbc_target(self, df: DataFrame, url: str, table: str, mode: str | None) -> Target:
        """Return what a write over JDBC is going to do."""
        dataset = jdbc_target(url, table, df.schema)
        return Target(dataset, None, _mode(mode) == "overwrite", _mode(mode) == "ignore")

    def _new_meter(self) -> Meter | None:
        if not self._has_jvm:
            self._guard.say(
                "measure",
                "Spark Connect has no JVM to ask: statistics and column lineage are left out, and datasets "
                "that its server alone knows, such as those behind views and SQL text and those that "
                "foreachBatch writes; name them yourself with dataset=(namespace, name), or by run.build",
            )
            return None
        if not threads_are_pinned(self._spark):
            self._guard.say("measure", "statistics and quality are left out without PYSPARK_PIN_THREAD=true")
            return None
        return Meter(self._spark)

    def _setting(self, name: str, default: str) -> str:
        return self._spark.conf.get(name, default) or default

    def _target(self, df: DataFrame, find_target: Callable[[], Target], given: Identity | None) -> Target:
        if given is None:
            target = find_target()
            known = target.dataset
            return replace(target, dataset=self._record.named(known, True)) if known else target
        try:
            target = find_target()
        except Exception:  # The user said what it is; what else can be known is not known here.
            target = Target(None)
        if target.dataset is not None and not target.dataset.is_part:
            self._record.rename([target.dataset], given)
        known = target.dataset or SparkDataset("", "", (schema_facet(df.schema),))
        return replace(target, dataset=replace(known, namespace=given[0], name=given[1]))

    def _foresee(
        self,
        df: DataFrame,
        find_target: Callable[[], Target],
        given: Identity | None,
        before: Callable[[], None],
    ) -> _Known:
        """Find out what a write is going to read and write, as far as it can be."""
        target: Target | None = None
        target = self._guard.call(
            "find what a write writes to", self._target, df, find_target, given, default=target
        )
        inputs: list[SparkDataset] = []  # They may lie where it writes to, and have its name.
        inputs = self._guard.call("find what a write reads", self._inputs, df, default=inputs)
        self._guard.call("add what a write reads", self._record.read, inputs, default=inputs)
        if target is None or (target.may_skip and target.existed):
            return _Known(inputs)
        if target.dataset is not None:
            self._guard.call("name what is written", self._record.writes, target.dataset, default=None)
        before()
        return _Known(inputs, target)

    def _tell(self, df: DataFrame, known: _Known, mark: Mark | None) -> None:
        """Add what a write has done."""
        target = known.target
        if target is None:
            return
        if target.dataset is None and target.find_later is not None:
            target = replace(target, dataset=self._record.named(target.find_later(), True))
        measured = self._guard.call(
            "measure a write", self._measured, mark, target.may_skip, default=Measured()
        )
        lineage = None
        if self._has_jvm:
            lineage = self._guard.call("follow the columns", column_lineage_facet, df, default=lineage)
        commit = self._commit(target.dataset, measured)
        self._guard.call("add what was written", self._wrote, target, commit, measured, lineage, default=None)
        self._guard.call("add what was read", self._scanned, known.inputs, measured, default=None)
        self.qualities.tell(measured)

    def _tagged(self, action: Callable[[], T]) -> tuple[T, Mark | None]:
        """Do what the job asks for, in such a way that its executions are found again."""
        meter = self._meter
        mark: Mark | None = None
        if meter is not None:
            mark = self._guard.call("tag a write", meter.begin, default=mark)
        try:
            return action(), mark
        finally:
            if meter is not None and mark is not None:
                self._guard.call("take the tag off a write", meter.end, mark, default=None)

    def _measured(self, mark: Mark | None, may_skip: bool) -> Measured:
        if self._meter is None or mark is None:
            return Measured()
        # Where nothing may have been written there may be nothing to wait for.
        return self._meter.measured(mark, 0.25) if may_skip else self._meter.measured(mark)

    def _wrote(
        self,
        target: Target,
        commit: Commit | None,
        measured: Measured,
        lineage: Any,
    ) -> None:
        if target.dataset is None or (target.may_skip and not measured.written and not target.is_new):
            return  # It may have been there, and nothing shows that it was written.
        existed, written, dataset = target.existed, measured.written, target.dataset
        if commit is not None:
            if existed is None and commit.is_first is not None:
                existed = not commit.is_first
            written, dataset = commit.counts or written, commit.after(dataset)
        change = change_made(existed, target.overwrites)
        self._record.wrote(Written(dataset, written, change, target.overwrites, lineage))

    def _scanned(self, inputs: list[SparkDataset], measured: Measured) -> None:
        """Add what was read in one action."""
        for scan in measured.scans:
            if scan.repeated_by is not None:
                self._guard.say(
                    "count rows that were read again",
                    f"how many rows {scan.name} {', '.join(scan.locations)} has read is left out: "
                    f"they may have been read more than once ({scan.repeated_by})",
                )
        self._record.scanned(inputs, measured.scans)

    def _commit(self, dataset: SparkDataset | None, measured: Measured) -> Commit | None:
        """Return the commit that a write has made, where it was to a table that has commits."""
        if dataset is None or measured.began is None:
            return None
        none: Commit | None = None
        step = "read the log of a table"
        return self._guard.call(step, commit_since, self._spark, dataset, measured.began, default=none)

    def _statement(self, df: DataFrame, mark: Mark | None) -> None:
        if not self._has_jvm:
            self._record.read(self._inputs(df))
            return
        frame: Any = df._jdf
        plan = frame.queryExecution().analyzed()
        if not is_command(self._spark, plan):
            self.read(df, None)
            return
        found = effects(self._spark, plan)
        if not found:
            return
        may_skip = all(effect.may_skip for effect in found)
        measured = self._guard.call("measure a write", self._measured, mark, may_skip, default=Measured())
        if len(found) > 1:
            measured = replace(measured, written=Measured().written)  # Nobody knows whose is what.
        read = [one for effect in found for one in self._effect(effect, measured)]
        if not any(effect.rereads for effect in found):
            self._scanned(list({(one.namespace, one.name): one for one in read}.values()), measured)
        self.qualities.tell(measured)

    def _effect(self, effect: Effect, measured: Measured) -> list[SparkDataset]:
        """Add what a statement does to one dataset, and return what it reads for that."""
        dataset = self._record.named(effect.dataset, True)
        target = Target(dataset, effect.existed, effect.overwrites, effect.may_skip)
        commit = self._commit(effect.dataset, measured)
        # By now a table that was read to write it anew is the new one.
        written = effect.dataset.namespace, effect.dataset.name
        inputs = [
            commit.ahead(one) if commit is not None and (one.namespace, one.name) == written else one
            for one in effect.inputs
        ]
        self._record.read(inputs)
        self._wrote(target, commit, measured, effect.lineage)
        return inputs

    def _inputs(self, df: DataFrame) -> list[SparkDataset]:
        """Return what a DataFrame reads; what Spark Connect hides of it was said when the run began."""
        return inputs_of(df) if self._has_jvm else read_by(df).datasets


def _mode(mode: str | None) -> str:
    return (mode or "errorifexists").lower()
