"""Datasets of paths and of tables in the catalogs of a Spark Connect server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet
from openlineage_facets.spark.facets.dataset_facets import (
    storage_facet,
    storage_facet_of_format,
    table_type_facet,
)
from openlineage_facets.spark.naming.catalogs import catalog_named
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset_at_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def server_path(spark: SparkSession, path: str) -> str:
    """Return a path with its file system.

    A path without a scheme is in the server's default file system: `spark.hadoop.fs.defaultFS`, or the local
    one if the warehouse is local.

    Raises:
        LookupError: The file system or the folder of a relative path is unknown to the client.
    """
    if _SCHEME.match(path):
        return path
    if path.startswith("/"):
        default = spark.conf.get("spark.hadoop.fs.defaultFS", None)
        if default:
            return default.rstrip("/") + path
        if (spark.conf.get("spark.sql.warehouse.dir", None) or "").startswith("file:"):
            return f"file:{path}"
    raise LookupError(
        f"cannot find the file system of {path!r}: Spark Connect does not report it; use a path such as "
        "file:/lake/orders, or name the dataset with dataset=(namespace, name)"
    )


_DETAILS_HEADER = "# Detailed Table Information"


def server_table(spark: SparkSession, name: str, schema: StructType | None = None) -> SparkDataset | None:
    """Return the dataset of an existing table, named by the location of its files.

    Args:
        spark: The session.
        name: The table name, optionally qualified.
        schema: Its columns.

    Returns:
        The dataset; None for a view, and for a table whose catalog does not report the location.
    """
    if not spark.catalog.tableExists(name):
        return None  # A path instead of a name, as in parquet.`/lake/orders`.
    table = spark.catalog.getTable(name)
    if table.isTemporary or table.catalog is None:
        return None
    details = _details(spark, name)
    location, provider = details.get("Location"), details.get("Provider", "").lower()
    if not location or details.get("Type") == "VIEW":
        return None
    facets: list[DatasetFacet] = []
    if provider:
        facets.append(
            storage_facet("hive", None) if provider == "hive" else storage_facet_of_format(provider)
        )
    if details.get("Type") in ("MANAGED", "EXTERNAL"):
        facets.append(table_type_facet(details["Type"] == "MANAGED"))
    facets += _catalog_facets(spark, table.catalog, [*(table.namespace or ()), table.name], provider)
    return dataset_at_path(location, schema, facets)


def _details(spark: SparkSession, name: str) -> dict[str, str]:
    rows = [
        (row["col_name"], row["data_type"]) for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    ]
    titles = [title for title, _ in rows]
    # The rows before the header are columns, which may have any name.
    return dict(rows[titles.index(_DETAILS_HEADER) + 1 :]) if _DETAILS_HEADER in titles else {}


def _catalog_facets(
    spark: SparkSession, catalog: str, parts: list[str], framework: str
) -> list[DatasetFacet]:
    if catalog == "spark_catalog" and spark.conf.get("spark.sql.catalogImplementation", None) == "hive":
        return []  # The metastore is in Hadoop's configuration, which only the server has.
    return catalog_named(spark, catalog, framework).facets(parts)
