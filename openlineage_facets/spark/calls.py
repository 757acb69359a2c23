"""The calls that a run makes in the place of Spark's own, so as to tell of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.actions import Actions, Target
from openlineage_facets.spark.datasets import SparkDataset
from openlineage_facets.spark.guard import Guard
from openlineage_facets.spark.opening import Opening
from openlineage_facets.spark.record import Identity, identity_given
from openlineage_facets.spark.session import has_jvm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SparkCalls"]


class SparkCalls:
    """Reads, writes and statements: each does what Spark's own does, and adds it to the lineage."""

    build: RunEventBuilder
    _guard: Guard
    _lock: threading.RLock
    _opening: Opening

    @property
    def spark(self) -> SparkSession:
        """The session of the run."""
        raise NotImplementedError

    def _active(self, what: str) -> Actions | None:
        """Return what takes the lineage, None where the run is not under way."""
        raise NotImplementedError

    def _tell_running(self) -> None:
        """Send RUNNING if it is time."""
        raise NotImplementedError

    def read(
        self, df: DataFrame, dataset: Identity | None = None, quality: bool | Iterable[str] = False
    ) -> DataFrame:
        """Say that the run reads a DataFrame, and return it.

        Args:
            df: The DataFrame.
            dataset: Namespace and name of what it reads; found from the DataFrame if not given.
            quality: Whether to measure the quality of what is read, and of which columns: row, null and
                distinct counts, sum, least and greatest value and quantiles. The first action on the
                DataFrame measures them as it goes along; this adds an observation to the plan, below
                which Spark pushes no filters.

        Returns:
            The same DataFrame; with `quality`, one that gives the same rows.
        """
        actions = self._active("read")
        if actions is None or not self._guard.call("read", _is_frame, df, default=False):
            return df
        dataset = self._given(dataset)
        with self._lock:
            found: list[SparkDataset] = []
            found = self._guard.call("find what is read", actions.read, df, dataset, default=found)
            if self._guard.call("ask for a stream", lambda: df.isStreaming, default=False):
                self._guard.call("tell that it is a stream", self._opening.stream, self.build, default=None)
        if not quality:
            return df
        return self._guard.call("measure quality", actions.qualities.observe, df, quality, found, default=df)

    def write(
        self,
        df: DataFrame,
        path: str | None = None,
        format: str | None = None,
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803  (as in PySpark)
        *,
        dataset: Identity | None = None,
        **options: Any,
    ) -> None:
        """Write a DataFrame as `df.write.save` does, and tell so.

        Args:
            df: The DataFrame.
            path: Where to.
            format: The format, as for `save`.
            mode: What becomes of what is there, as for `save`.
            partitionBy: The columns that make the folders, as for `save`.
            dataset: Namespace and name of what is written; found from the path if not given.
            options: The format's options, as for `save`.
        """
        self._write(
            lambda: df.write.save(path, format, mode, partitionBy, **options),
            df,
            lambda actions: actions.path_target(df, path, format, mode, bool(partitionBy), options),
            dataset,
        )

    def save_as_table(
        self,
        df: DataFrame,
        name: str,
        format: str | None = None,
        mode: str | None = None,
        partitionBy: str | list[str] | None = None,  # noqa: N803
        *,
        dataset: Identity | None = None,
        **options: Any,
    ) -> None:
        """Write a DataFrame as `df.write.saveAsTable` does, and tell so.

        Args:
            df: The DataFrame.
            name: The table.
            format: The format, as for `saveAsTable`.
            mode: What becomes of what is there, as for `saveAsTable`.
            partitionBy: The columns that make the folders, as for `saveAsTable`.
            dataset: Namespace and name of what is written; found from the catalog if not given.
            options: The format's options, as for `saveAsTable`.
        """
        self._write(
            lambda: df.write.saveAsTable(name, format, mode, partitionBy, **options),
            df,
            lambda actions: actions.table_target(df, name, format, mode, bool(partitionBy), options),
            dataset,
        )

    def insert_into(
        self, df: DataFrame, name: str, overwrite: bool | None = None, *, dataset: Identity | None = None
    ) -> None:
        """Write a DataFrame into a table as `df.write.insertInto` does, and tell so.

        Args:
            df: The DataFrame.
            name: The table.
            overwrite: Whether to replace what is there.
            dataset: Namespace and name of what is written; found from the catalog if not given.
        """
        self._write(
            lambda: df.write.insertInto(name, overwrite),
            df,
            lambda actions: actions.insert_target(df, name, overwrite),
            dataset,
        )

    def write_jdbc(
        self,
        df: DataFrame,
        url: str,
        table: str,
        mode: str | None = None,
        properties: dict[str, str] | None = None,
        *,
        dataset: Identity | None = None,
    ) -> None:
        """Write a DataFrame into a database as `df.write.jdbc` does, and tell so.

        Args:
            df: The DataFrame.
            url: The database.
            table: The table.
            mode: What becomes of what is there, as for `jdbc`.
            properties: Of the connection; they are not told.
            dataset: Namespace and name of what is written; found from the URL if not given.
        """
        self._write(
            lambda: df.write.jdbc(url, table, mode, properties),
            df,
            lambda actions: actions.jdbc_target(df, url, table, mode),
            dataset,
        )

    def sql(self, query: str, args: Any = None, **kwargs: Any) -> DataFrame:
        """Run a SQL statement as `spark.sql` does, and tell what it reads and writes.

        Args:
            query: The statement; it becomes the job's sql facet, after those before it.
            args: Its parameters, as for `spark.sql`.
            kwargs: DataFrames and values named in it, as for `spark.sql`.
        """

        def run() -> DataFrame:
            return (
                self.spark.sql(query, args, **kwargs) if args is not None else self.spark.sql(query, **kwargs)
            )

        actions = self._active("sql")
        if actions is None:
            return run()
        with self._lock:
            self._guard.call("tell the query", self._opening.add_query, self.build, query, default=None)
        df = actions.sql(run)
        self._tell_running()
        return df

    def foreach_batch(self, function: Callable[[DataFrame, int], Any]) -> Callable[[DataFrame, int], None]:
        """Return a function for `writeStream.foreachBatch` that does the same and tells what was written.

        Write in it by this run, `run.write(batch, ...)`; what the batches write adds up, and is told by
        RUNNING events, at most one in `running_every` seconds. Spark Connect calls the function in a
        process of its own, where the run tells nothing.

        Args:
            function: What is to be done with each batch.
        """
        with self._lock:
            self._guard.call("tell that it is a stream", self._opening.stream, self.build, default=None)
        if not self._guard.call("ask for the JVM", lambda: has_jvm(self.spark), default=True):
            return function

        @wraps(function)
        def batch(df: DataFrame, batch_id: int) -> None:
            function(df, batch_id)
            self._tell_running()

        return batch

    def _write(
        self,
        action: Callable[[], None],
        df: DataFrame,
        find_target: Callable[[Actions], Target],
        given: Identity | None,
    ) -> None:
        actions = self._active("write")
        if actions is None:
            action()
            return
        actions.perform(action, df, lambda: find_target(actions), self._given(given), self._tell_running)
        self._tell_running()

    def _given(self, dataset: Identity | None) -> Identity | None:
        """Return the name that the user gave to a dataset, None where it can be none."""
        return self._guard.call("take the name of a dataset", identity_given, dataset, default=None)


def _is_frame(df: Any) -> bool:
    if hasattr(df, "sparkSession"):
        return True
    example = "run.read(spark.read.parquet(path))"
    raise TypeError(f"run.read: expected a DataFrame, as in {example}, found {type(df).__name__}")
