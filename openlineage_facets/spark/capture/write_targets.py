"""Find out, before a write, which dataset and which of its columns it will write, and how.

The columns of a DataFrame are those of the table that they are written to:

    df.write.insertInto("t")                           by position, regardless of names
    df.write.mode("append").saveAsTable("t")           by name, for every kind of table
    df.write.mode("append").format("delta").save(p)    by name
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.datasets.jdbc_sources import existing_jdbc_table, jdbc_table
from openlineage_facets.spark.datasets.sources import path_exists
from openlineage_facets.spark.datasets.tables import is_python_source, python_source
from openlineage_facets.spark.datasets.targets import (
    FORMATS_WITH_OWN_SCHEMA,
    can_have_partitions,
    overwrites_only_written_partitions,
    path_target,
    table_target,
    with_written_schema,
)
from openlineage_facets.spark.jvm import session_setting
from openlineage_facets.spark.naming import (
    SERVERS,
    SESSION_CATALOG,
    is_case_sensitive,
    is_kafka,
    kafka_topic,
    parts_of_name,
    quoted_sql_name,
    resolve_table_name,
    table_exists,
)
from openlineage_facets.spark.spark_dataset import SparkDataset, default_format, new_dataset, partitions_last


def written_by_position(columns: Sequence[str], table: Sequence[str]) -> list[str]:
    """Return the table columns that columns are written to by position.

    Partition columns are the last columns of a table in the session catalog. Additional columns of the table
    get their default values.
    """
    return [*table[: len(columns)], *columns[len(table) :]]


def written_by_name(columns: Sequence[str], table: Sequence[str], case_sensitive: bool) -> list[str]:
    """Return the table columns that columns are written to by name. New columns keep their names."""
    if case_sensitive:
        return list(columns)
    known = {name.lower(): name for name in table}
    return [known.get(name.lower(), name) for name in columns]


@dataclass(frozen=True)
class WriteTarget:
    """The dataset that a write will write, and how.

    Args:
        dataset: The dataset; None if its name is only known after the write, or if the write stores nothing.
        existed: The dataset exists before the write; None if unknown.
        overwrites: The write replaces all existing content.
        may_skip: The write does nothing if the dataset exists (mode `ignore`).
        replaces_columns: The write replaces the columns of the dataset.
        refused: Spark will refuse the write, because the dataset exists, or does not exist.
        columns: The dataset's columns that the DataFrame's columns are written to, in the DataFrame's order;
            None if the names are the same.
        find_later: Returns the dataset after the write, if `dataset` is None.
        find_schema: Returns the dataset's schema after the write, if the write may change it.
    """

    dataset: SparkDataset | None
    existed: bool | None = None
    overwrites: bool = False
    may_skip: bool = False
    refused: bool = False
    replaces_columns: bool = False
    columns: list[str] | None = None
    find_later: Callable[[], SparkDataset] | None = None
    find_schema: Callable[[], StructType] | None = None

    @property
    def is_new(self) -> bool:
        """The write creates a table, whose location is only known afterwards."""
        return self.find_later is not None


class TargetFinder:
    """Find the targets of the writes of PySpark's DataFrameWriter.

    The arguments of the methods are those of the writer's methods.

    Args:
        session: The session that writes.
        guard: Runs the steps that may fail on their own.
    """

    def __init__(self, session: CapturedSession, guard: Guard) -> None:
        self._session = session
        self._guard = guard

    @property
    def _spark(self) -> SparkSession:
        return self._session.spark

    def save(
        self,
        df: DataFrame,
        path: str | None,
        format: str | None,
        mode: str | None,
        partitions: str | Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> WriteTarget:
        """Return the target of `df.write.save`.

        Raises:
            ValueError: The dataset cannot be named, for example without a path.
        """
        lowered = {key.lower(): value for key, value in options.items()}
        if format is not None and format.lower() == "jdbc":
            return self.jdbc(df, str(lowered["url"]), str(lowered["dbtable"]), mode, options)
        if format is not None and is_kafka(format) and "topic" in lowered:
            return WriteTarget(new_dataset(*kafka_topic(str(lowered[SERVERS]), str(lowered["topic"]))))
        if format is not None and format.lower() == "noop":  # It executes the query and stores nothing.
            return WriteTarget(None)
        if format is not None and self._session.has_jvm and is_python_source(self._spark, format):
            dataset = python_source(self._spark, format, path, df.schema)
            return WriteTarget(dataset, None, _normalized(mode) == "overwrite")
        written_as = format or default_format(self._spark)
        if path is None:
            name_it = f"run.write(df, format={written_as!r}, dataset=(namespace, name))"
            if df.isStreaming:
                name_it = "run.build.output(namespace, name)"
            raise ValueError(f"the target has no path; name it with {name_it}")
        if (format or "").lower() == "iceberg" and "/" not in path:  # Iceberg also accepts a table name.
            if not session_setting(self._spark, f"spark.sql.catalog.{path.partition('.')[0]}"):
                raise ValueError(f"the catalog of {path} is unknown; pass dataset=(namespace, name)")
            return self.save_as_table(df, path, format, mode, partitions, options)
        return self._folder(df, path, written_as, _normalized(mode), bool(partitions), lowered)

    def save_as_table(
        self,
        df: DataFrame,
        name: str,
        format: str | None,
        mode: str | None,
        partitions: str | Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> WriteTarget:
        """Return the target of `df.write.saveAsTable`."""
        name = self._without_temporary_views(name)
        existed = table_exists(self._spark, name)
        overwrites = _normalized(mode) == "overwrite"
        lowered = {key.lower(): value for key, value in options.items()}
        # The session catalog creates the table again; other catalogs may only replace partitions.
        only_a_part = "replacewhere" in lowered or (
            overwrites_only_written_partitions(
                self._spark, lowered.get("partitionoverwritemode"), bool(partitions)
            )
            and (not existed or can_have_partitions(self._spark.table(name)))
        )
        schema, columns = df.schema, None
        if existed and _normalized(mode) == "append":
            schema = self._spark.table(name).schema
            columns = self._by_name(df, schema)
        elif partitions and self._moves_partitions(name, format):
            schema = partitions_last(schema, [partitions] if isinstance(partitions, str) else partitions)

        def find() -> SparkDataset:
            if not existed and (format or "").lower() == "jdbc" and {"url", "dbtable"} <= lowered.keys():
                return jdbc_table(lowered["url"], lowered["dbtable"], lowered, schema)
            return table_target(self._spark, name, schema, format, options.get("path"))

        target = WriteTarget(
            None,
            existed,
            overwrites and not only_a_part,
            *_skips_or_fails(mode, existed),
            replaces_columns=_replaces_columns(lowered),
            columns=columns,
            find_schema=(lambda: self._spark.table(name).schema) if existed else None,
        )
        dataset = find() if existed or self._session.has_jvm else None
        if not existed and (dataset is None or dataset.location is None):
            return replace(target, find_later=find)  # Only the new table has the location.
        return replace(target, dataset=dataset)

    def create_table(
        self, df: DataFrame, name: str, format: str | None, partitions: Sequence[str], replaces: bool
    ) -> WriteTarget:
        """Return the target of `df.writeTo(name).create()`, `replace()` or `createOrReplace()`."""
        target = self.save_as_table(df, name, format, "overwrite" if replaces else None, partitions, {})
        return replace(target, overwrites=replaces, replaces_columns=replaces)

    def append_to_table(
        self, df: DataFrame, name: str, overwrites: bool = False, overwrites_partitions: bool = False
    ) -> WriteTarget:
        """Return the target of `df.writeTo(name).append()`, `overwrite()` or `overwritePartitions()`."""
        target = self.save_as_table(df, name, None, "append", None, {})
        if overwrites_partitions and target.existed:
            table = self._spark.table(self._without_temporary_views(name))
            overwrites = not can_have_partitions(table)
        return replace(target, overwrites=overwrites, refused=target.existed is False)

    def insert_into(self, df: DataFrame, name: str, overwrite: bool | None) -> WriteTarget:
        """Return the target of `df.write.insertInto`.

        Raises:
            LookupError: The table does not exist.
        """
        if not table_exists(self._spark, name):
            raise LookupError(f"the table {name} does not exist")
        schema = self._spark.table(name).schema
        dataset = table_target(self._spark, name, schema)
        only_a_part = (
            bool(overwrite)
            and overwrites_only_written_partitions(self._spark, None, True)
            and can_have_partitions(self._spark.table(name))
        )
        return WriteTarget(
            dataset,
            True,
            bool(overwrite) and not only_a_part,
            columns=written_by_position(df.columns, schema.names),
        )

    def jdbc(
        self, df: DataFrame, url: str, table: str, mode: str | None, options: Mapping[str, Any]
    ) -> WriteTarget:
        """Return the target of `df.write.jdbc`; whether it exists takes one query to the database."""
        before: tuple[bool | None, StructType | None] = (None, None)
        if self._session.has_jvm:
            with self._guard.step("check whether the JDBC table exists"):
                before = existing_jdbc_table(self._spark, url, table, options)
        existed, existing = before
        schema, columns = df.schema, None
        if existing is not None and _normalized(mode) == "append":
            schema, columns = existing, self._by_name(df, existing)
        dataset = jdbc_table(url, table, options, schema)
        overwrites = _normalized(mode) == "overwrite"
        return WriteTarget(dataset, existed, overwrites, *_skips_or_fails(mode, existed), columns=columns)

    def _folder(
        self, df: DataFrame, path: str, format: str, mode: str, partitioned: bool, options: Mapping[str, Any]
    ) -> WriteTarget:
        dataset = path_target(self._spark, path, df.schema, format)
        existed: bool | None
        columns: list[str] | None = None
        find_schema: Callable[[], StructType] | None = None
        if self._session.has_jvm:
            existed = path_exists(self._spark, path)
            if dataset.is_part and not existed and path_exists(self._spark, dataset.location or path):
                existed = None  # A new partition of an existing table.
        else:  # If a write in mode `error` succeeds, nothing existed before.
            existed = False if mode in ("error", "errorifexists") and not dataset.is_part else None
        only_a_part = (
            dataset.is_part
            or "replacewhere" in options
            or (
                overwrites_only_written_partitions(self._spark, options.get("partitionoverwritemode"), True)
                and (partitioned or self._is_partitioned_delta(path, format, existed))
            )
        )
        if self._session.has_jvm and existed and format.lower() in FORMATS_WITH_OWN_SCHEMA:
            find_schema = partial(self._schema_at, path, format)
            if mode == "append":
                schema = find_schema()
                dataset, columns = with_written_schema(dataset, schema), self._by_name(df, schema)
        whole = mode == "overwrite" and not only_a_part
        return WriteTarget(
            dataset,
            existed,
            whole,
            *_skips_or_fails(mode, existed),
            replaces_columns=_replaces_columns(options),
            columns=columns,
            find_schema=find_schema,
        )

    def _is_partitioned_delta(self, path: str, format: str, existed: bool | None) -> bool:
        """Return True if a Delta table may have partitions, which it keeps if the writer sets none."""
        if format.lower() != "delta" or not existed:
            return False
        try:
            return can_have_partitions(self._spark.read.format(format).load(path))
        except AnalysisException:  # The folder contains no table.
            return False

    def _without_temporary_views(self, name: str) -> str:
        """Return a name by which Spark finds a table, as the method that writes it, but no temporary view."""
        if not self._session.has_jvm or len(parts_of_name(self._spark, name)) > 1:
            return name
        catalog, parts = resolve_table_name(self._spark, name)
        return quoted_sql_name([catalog, *parts])

    def _moves_partitions(self, name: str, format: str | None) -> bool:
        """Return True if a new table has its partition columns at the end, as in the session catalog."""
        written_as = (format or default_format(self._spark)).lower()
        if written_as in FORMATS_WITH_OWN_SCHEMA or not self._session.has_jvm:
            return False
        return resolve_table_name(self._spark, name)[0] == SESSION_CATALOG

    def _by_name(self, df: DataFrame, table: StructType) -> list[str]:
        return written_by_name(df.columns, table.names, is_case_sensitive(self._spark))

    def _schema_at(self, path: str, format: str) -> StructType:
        return self._spark.read.format(format).load(path).schema


FindTarget = Callable[[TargetFinder], WriteTarget]
"""Finds the target of one write, as in `lambda targets: targets.insert_into(df, "orders", None)`."""


def _skips_or_fails(mode: str | None, existed: bool | None) -> tuple[bool, bool]:
    """Return whether a write may skip an existing dataset, and whether Spark will refuse it."""
    fails_if_exists = _normalized(mode) in ("error", "errorifexists", "default")
    return _normalized(mode) == "ignore", fails_if_exists and bool(existed)


def _replaces_columns(options: Mapping[str, Any]) -> bool:
    """Return whether a write to a Delta table replaces its columns."""
    return str(options.get("overwriteschema")).lower() == "true"


def _normalized(mode: str | None) -> str:
    return (mode or "errorifexists").lower()
