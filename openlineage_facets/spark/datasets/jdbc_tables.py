"""Datasets of tables that Spark reads or writes over JDBC, and the columns of existing ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.naming.jdbc import dataset_of_jdbc
from openlineage_facets.spark.jvm.objects import JavaObject, option, struct
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


def jdbc_table(
    url: str, name: str, schema: StructType | None = None, properties: Mapping[str, str] | None = None
) -> SparkDataset:
    """Return the dataset of a table in a database.

    Args:
        url: The JDBC URL. User and password in it are dropped.
        name: The table name, optionally qualified.
        schema: The columns that are read or written.
        properties: Connection properties of the driver.
    """
    return new_dataset(*dataset_of_jdbc(url, name, properties), schema)


def existing_jdbc_table(
    spark: SparkSession, url: str, table: str, options: Mapping[str, Any]
) -> tuple[bool, StructType | None]:
    """Return whether a table exists, and its columns.

    Spark makes the same query before it writes, with the same driver, options and dialect.

    Args:
        spark: The session.
        url: The JDBC URL.
        table: The table name.
        options: The options of the write or read, such as user and password.
    """
    jvm: JavaObject = spark.sparkContext._jvm
    jdbc = jvm.org.apache.spark.sql.execution.datasources.jdbc
    java_options = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in options.items()
        if value is not None
    }
    settings = jdbc.JdbcOptionsInWrite(url, table, jvm.PythonUtils.toScalaMap(java_options))
    connection = (
        jvm.org.apache.spark.sql.jdbc.JdbcDialects.get(url).createConnectionFactory(settings).apply(-1)
    )
    try:
        if not jdbc.JdbcUtils.tableExists(connection, settings):
            return False, None
        schema = option(jdbc.JdbcUtils.getSchemaOption(connection, settings))
        return True, None if schema is None else struct(schema)
    finally:
        connection.close()
