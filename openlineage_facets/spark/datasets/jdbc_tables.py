"""Datasets of tables that Spark reads or writes over JDBC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from openlineage_facets.naming.jdbc import dataset_of_jdbc
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset

if TYPE_CHECKING:
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
