"""The datasets of tables, by what the catalogs behind a Spark Connect server say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset_at, storage_facet, storage_of_format
from openlineage_facets.spark.table_names import catalog_of_config, session_catalog, table_type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["table_called"]

_DETAILS = "# Detailed Table Information"


def table_called(spark: SparkSession, name: str, schema: StructType | None = None) -> SparkDataset | None:
    """Return the dataset of a table that exists, named by where its files lie.

    Args:
        spark: The session.
        name: The table, qualified or not.
        schema: Its columns.

    Returns:
        The dataset; None for a view, and for a table whose catalog does not say where it lies.
    """
    if not spark.catalog.tableExists(name):
        return None  # A path in the place of a name, as in parquet.`/lake/orders`.
    table = spark.catalog.getTable(name)
    if table.isTemporary or table.catalog is None:
        return None
    details = _details(spark, name)
    location, provider = details.get("Location"), details.get("Provider", "").lower()
    if not location or details.get("Type") == "VIEW":
        return None
    facets: list[DatasetFacet] = []
    if provider:
        facets.append(storage_facet("hive", None) if provider == "hive" else storage_of_format(provider))
    if details.get("Type") in ("MANAGED", "EXTERNAL"):
        facets.append(table_type(details["Type"] == "MANAGED"))
    facets += _in_catalog(spark, table.catalog, [*(table.namespace or ()), table.name], provider)
    return dataset_at(location, schema, facets)


def _details(spark: SparkSession, name: str) -> dict[str, str]:
    rows = [
        (row["col_name"], row["data_type"]) for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    ]
    titles = [title for title, _ in rows]
    # What comes before are the columns, which may be called anything.
    return dict(rows[titles.index(_DETAILS) + 1 :]) if _DETAILS in titles else {}


def _in_catalog(spark: SparkSession, catalog: str, parts: list[str], framework: str) -> list[DatasetFacet]:
    if catalog != "spark_catalog":
        prefix = f"spark.sql.catalog.{catalog}."
        return catalog_of_config(catalog, lambda key: spark.conf.get(prefix + key, None), framework).facets(
            parts
        )
    if spark.conf.get("spark.sql.catalogImplementation", None) == "hive":
        return []  # Which metastore it is stands in Hadoop's configuration, which is the server's.
    return session_catalog(spark).facets(parts)
