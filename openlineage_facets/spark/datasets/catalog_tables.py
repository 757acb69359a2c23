"""Datasets of tables in the session catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, StorageDatasetFacet
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.facets.dataset_facets import (
    storage_facet,
    storage_facet_of_format,
    table_type_facet,
)
from openlineage_facets.spark.jvm.objects import JavaObject, hadoop_path, option
from openlineage_facets.spark.jvm.session import members
from openlineage_facets.spark.naming.catalogs import session_catalog
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset_at_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


def catalog_table(
    spark: SparkSession, table: JavaObject, schema: StructType, facets: list[DatasetFacet] | None = None
) -> SparkDataset:
    """Return the dataset of a table in the session catalog, named by the location of its files.

    A table `USING jdbc` has none: it is the table of the database.

    The name in the catalog is a symlink: tables of the same name in two catalogs may be different data, and
    other tools write to the folder by its path.

    Args:
        spark: The session.
        table: The JVM's CatalogTable.
        schema: Its columns.
        facets: Storage facets if they are already known.
    """
    database_table = _database_table(table)
    if database_table is not None:
        return jdbc_table(*database_table, schema)
    identifier = table.identifier()
    parts = [part for part in (option(identifier.database()), str(identifier.table())) if part]
    location = str(hadoop_path(spark, table.location()).toString())
    provider = option(table.provider())
    if facets is None or provider == "hive":
        facets = [_storage(provider, option(table.storage().serde()) or "")]
    managed = str(table.tableType().name()) == "MANAGED"
    catalog_facets = session_catalog(spark).facets(parts)
    return dataset_at_path(location, schema, [*facets, table_type_facet(managed), *catalog_facets])


def is_name_of_database_table(table: JavaObject) -> bool:
    """Return True for a table of the session catalog that only refers to one of a database.

    Args:
        table: The JVM's CatalogTable.
    """
    return _database_table(table) is not None


def _database_table(table: JavaObject) -> tuple[str, str] | None:
    """Return the JDBC URL and the name of the database's table that a table refers to, None for others."""
    if str(option(table.provider())).lower() != "jdbc":
        return None
    options = {str(entry._1()).lower(): str(entry._2()) for entry in members(table.storage().properties())}
    return (options["url"], options["dbtable"]) if {"url", "dbtable"} <= options.keys() else None


def _storage(provider: str | None, serde: str) -> StorageDatasetFacet:
    """Return the storage facet of a table. The file format of a Hive table is derived from its SerDe."""
    if provider is not None and provider != "hive":
        return storage_facet_of_format(provider)
    return storage_facet("hive", format_of_serde(serde))


def format_of_serde(serde: str) -> str | None:
    """Return the file format that a SerDe of Hive reads and writes; None without a SerDe."""
    serde_class = serde.rpartition(".")[2].lower()
    formats = ("parquet", "orc", "avro", "json", "csv")
    return next((name for name in formats if name in serde_class), "text") if serde_class else None
