"""Datasets of data sources written in Python, registered with `spark.dataSource.register` (Spark 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.spark.datasets.file_sources import qualified_path
from openlineage_facets.spark.facets.dataset_facets import storage_facet_of_format
from openlineage_facets.spark.jvm.objects import java_class, session_state
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset_at_path, new_dataset

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

_FILE_FORMATS = {"avro", "csv", "delta", "iceberg", "json", "orc", "parquet", "text", "xml"}
"""Common formats, for which nothing is looked up."""


def is_python_source(spark: SparkSession, format: str) -> bool:
    """Return whether a format is a data source written in Python. Spark looks it up in the same way."""
    if format.lower() in _FILE_FORMATS:
        return False
    source = java_class(spark, "org.apache.spark.sql.execution.datasources.DataSource")
    try:
        found = source.lookupDataSource(format, session_state(spark).conf())
    except Exception:  # There is no such format; the job's own write raises the error.
        return False
    return str(found.getName()).endswith(".PythonDataSourceV2")


def python_source(
    spark: SparkSession, name: str, path: str | None, schema: StructType | None = None
) -> SparkDataset:
    """Return the dataset of a data source written in Python.

    With a path it is the dataset at the path, as for files. Otherwise only its name is known: what its other
    options mean is up to its code, and they may be secrets.

    Args:
        spark: The session.
        name: Its name, which is the format that readers and writers pass.
        path: The option `path`; None if it is not set.
        schema: Its columns.
    """
    if path:
        return dataset_at_path(qualified_path(spark, path), schema, [storage_facet_of_format(name)])
    return new_dataset(f"python://{name}", name, schema)
