"""Change settings of a session for some time, and drop its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pyspark.sql import SparkSession


@contextmanager
def changed_settings(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Change settings, and restore those of before in the end."""
    before = {name: str(spark.conf.get(name)) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def drop_tables(spark: SparkSession) -> None:
    """Drop the tables and views of the current database, and the temporary views.

    `spark.catalog.listTables` fails once it was called while Spark interprets queries.
    """
    views = {row.viewName for row in spark.sql("SHOW VIEWS").collect()}
    for view in views:
        spark.sql(f"DROP VIEW `{view}`")
    for row in spark.sql("SHOW TABLES").collect():
        spark.sql(f"DROP TABLE `{row.tableName}`")
