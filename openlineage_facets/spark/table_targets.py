"""The dataset that a write to a table of a catalog makes, whether the table exists or not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet, SchemaDatasetFacet
from openlineage_facets.spark.catalog_tables import catalog_table
from openlineage_facets.spark.connect.tables import table_called
from openlineage_facets.spark.file_sources import qualified
from openlineage_facets.spark.jdbc_names import dataset_of_jdbc, quoted
from openlineage_facets.spark.jvm import each, hadoop_path, option, session_state, struct, table_identifier
from openlineage_facets.spark.plan import analyzed_plan
from openlineage_facets.spark.relations import sources_of
from openlineage_facets.spark.schema import schema_facet
from openlineage_facets.spark.session import has_jvm
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset,
    dataset_at,
    default_format,
    storage_facet,
    storage_of_format,
)
from openlineage_facets.spark.table_names import session_catalog, table_type
from openlineage_facets.spark.v2_tables import catalog_named, sql_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["may_be_partitioned", "table_target", "to_be_written"]

_KNOW_THEMSELVES = {"delta", "iceberg"}
"""Tables whose columns stand in their own log, and not in the catalog."""


def table_target(
    spark: SparkSession,
    table_name: str,
    schema: StructType | None = None,
    format: str | None = None,
    path: str | None = None,
) -> SparkDataset:
    """Return the dataset that a write to a table of a catalog makes, whether the table exists yet or not.

    Args:
        spark: The session.
        table_name: The table, qualified or not, as given to the writer.
        schema: What is written; the table's own schema if None and it exists.
        format: The format of a table that does not exist yet; the session's default if None.
        path: Where the files of such a table shall lie; in the warehouse if None.

    Raises:
        LookupError: The session is one of Spark Connect, and no catalog says where the table lies.
    """
    if not has_jvm(spark):
        known = table_called(spark, table_name, schema)
        if known is None:
            raise LookupError(
                f"Spark Connect does not say where the table {table_name} lies; name the dataset yourself "
                "with dataset=(namespace, name)"
            )
        return known
    catalog, parts = _resolved(spark, table_name)
    full_name = sql_name([catalog, *parts])
    found = _existing(spark, catalog, parts, full_name)
    if found is not None:
        found = to_be_written(found, schema)
    else:
        found = _new(spark, catalog, parts, schema, format, path)
    return replace(found, table=full_name)


def may_be_partitioned(spark: SparkSession, table_name: str) -> bool:
    """Tell whether a table that exists has partitions; yes where no catalog that is known of denies it."""
    if not has_jvm(spark):
        return True
    catalog, parts = _resolved(spark, table_name)
    if catalog != "spark_catalog":
        return True
    table = session_state(spark).catalog().getTableMetadata(table_identifier(spark, parts))
    return option(table.provider()) in _KNOW_THEMSELVES or not table.partitionColumnNames().isEmpty()


def _new(
    spark: SparkSession,
    catalog: str,
    parts: list[str],
    schema: StructType | None,
    format: str | None,
    path: str | None,
) -> SparkDataset:
    """Return the dataset of a table that does not exist yet."""
    url = spark.conf.get(f"spark.sql.catalog.{catalog}.url", None)
    if url is not None and url.startswith("jdbc:"):
        return dataset(*dataset_of_jdbc(url, quoted(parts)), schema)
    if catalog != "spark_catalog":
        named = catalog_named(spark, catalog, (format or "spark").lower())
        if named.type == "hadoop" and named.warehouse_uri:  # such a catalog is its folders
            stored_in = [storage_of_format(format or "iceberg"), *named.facets(parts)]
            return dataset_at("/".join([named.warehouse_uri, *parts]), schema, stored_in)
        return dataset(*named.table(parts), schema, named.facets(parts, symlink=False))
    location = qualified(spark, path) if path else _default_location(spark, parts)
    stored = (format or default_format(spark)).lower()
    facets_of_new: list[DatasetFacet] = [
        storage_facet("hive", None) if stored == "hive" else storage_of_format(stored),
        table_type(managed=path is None),
        *session_catalog(spark).facets(parts),
    ]
    return dataset_at(location, schema, facets_of_new)


def _resolved(spark: SparkSession, table_name: str) -> tuple[str, list[str]]:
    """Return the catalog and the rest of a table's full name, as Spark resolves it."""
    parser = session_state(spark).sqlParser()
    parts = [str(part) for part in each(parser.parseMultipartIdentifier(table_name))]
    current = str(spark.catalog.currentCatalog())
    configured = spark.conf.get(f"spark.sql.catalog.{parts[0]}", None) is not None
    if len(parts) > 1 and (configured or parts[0] == "spark_catalog"):
        current, parts = parts[0], parts[1:]
    if len(parts) == 1:
        parts.insert(0, str(spark.catalog.currentDatabase()))
    return current, parts


def _existing(spark: SparkSession, catalog: str, parts: list[str], full_name: str) -> SparkDataset | None:
    """Return the dataset of a table if it exists, by what the catalog says of it: no file is listed."""
    if not spark.catalog.tableExists(full_name):
        return None
    if catalog == "spark_catalog":
        table = session_state(spark).catalog().getTableMetadata(table_identifier(spark, parts))
        if option(table.provider()) not in _KNOW_THEMSELVES:
            return catalog_table(spark, table, struct(table.schema()))
    sources = sources_of(spark, analyzed_plan(spark.table(full_name)))
    return sources[0].datasets[0] if sources else None


def to_be_written(existing: SparkDataset, schema: StructType | None = None) -> SparkDataset:
    """Return a table as it will be after a write, which makes a new version of it."""
    gone = (
        (DatasetVersionDatasetFacet,) if schema is None else (DatasetVersionDatasetFacet, SchemaDatasetFacet)
    )
    facets = [facet for facet in existing.facets if not isinstance(facet, gone)]
    if schema is not None:
        facets.insert(0, schema_facet(schema))
    return replace(existing, facets=tuple(facets))


def _default_location(spark: SparkSession, parts: list[str]) -> str:
    """Return where the session catalog puts the files of a new table."""
    path = session_state(spark).catalog().defaultTablePath(table_identifier(spark, parts))
    return str(hadoop_path(spark, path).toString())
