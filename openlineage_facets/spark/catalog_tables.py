"""The datasets of tables of the session catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, StorageDatasetFacet
from openlineage_facets.spark.jvm import JavaObject, hadoop_path, option
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset_at, storage_facet, storage_of_format
from openlineage_facets.spark.table_names import session_catalog, table_type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["catalog_table"]


def catalog_table(
    spark: SparkSession, table: JavaObject, schema: StructType, facets: list[DatasetFacet] | None = None
) -> SparkDataset:
    """Return the dataset of a table of the session catalog: it is named by where its files lie.

    The name in the catalog is a symlink, since tables of one name in two catalogs may be different data, and
    other tools write to the same folder by its path.

    Args:
        spark: The session.
        table: Its CatalogTable.
        schema: Its columns.
        facets: How it is stored, where that is known already.
    """
    identifier = table.identifier()
    parts = [part for part in (option(identifier.database()), str(identifier.table())) if part]
    location = str(hadoop_path(spark, table.location()).toString())
    provider = option(table.provider())
    if facets is None or provider == "hive":
        facets = [_storage(provider, option(table.storage().serde()) or "")]
    managed = str(table.tableType().name()) == "MANAGED"
    named = session_catalog(spark).facets(parts)
    return dataset_at(location, schema, [*facets, table_type(managed), *named])


def _storage(provider: str | None, serde: str) -> StorageDatasetFacet:
    """Say how a table is stored, by its provider, or for a Hive table by what its serde is for."""
    if provider is not None and provider != "hive":
        return storage_of_format(provider)
    last = serde.rpartition(".")[2].lower()
    known = next((name for name in ("parquet", "orc", "avro", "json", "csv") if name in last), None)
    return storage_facet("hive", known or ("text" if last else None))
