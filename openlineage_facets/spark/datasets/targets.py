"""Datasets that a write to a path, a table or a database creates or changes."""

from __future__ import annotations

from dataclasses import replace

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.facets import (
    DatasetFacet,
    DatasetVersionDatasetFacet,
    SchemaDatasetFacet,
)
from openlineage_facets.naming.jdbc import quoted_table_name
from openlineage_facets.naming.storage import is_partition_path
from openlineage_facets.spark.analyzed_plan import analyzed_plan, leaves_of
from openlineage_facets.spark.datasets.client_sources import server_path, server_table
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.sources import qualified_path
from openlineage_facets.spark.datasets.tables import (
    catalog_table,
    database_table,
    table_of_session_catalog,
)
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    hadoop_path,
    has_jvm,
    has_method,
    option,
    session_setting,
    session_state,
    struct,
    table_identifier,
)
from openlineage_facets.spark.naming import (
    SESSION_CATALOG,
    catalog_named,
    is_case_sensitive,
    is_resolvable,
    quoted_sql_name,
    resolve_table_name,
    session_catalog,
)
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset_at_path,
    datasets_at_paths,
    default_format,
    new_dataset,
    schema_facet,
    storage_facet,
    storage_facet_of_format,
    table_type_facet,
    view_type_facet,
)

FORMATS_WITH_OWN_SCHEMA = {"delta", "iceberg"}
"""Table formats that store their columns in their own log instead of the catalog."""


def path_target(
    spark: SparkSession, path: str, schema: StructType | None = None, format: str | None = None
) -> SparkDataset:
    """Return the dataset of a write to a path. A partition's path belongs to the dataset of its table.

    Args:
        spark: The session.
        path: The path passed to the writer.
        schema: The written schema. Ignored for a partition, which lacks the columns in its path.
        format: The format, such as `parquet`; the session's default if None.

    Raises:
        LookupError: Spark Connect does not report the file system of the path.
    """
    location = qualified_path(spark, path) if has_jvm(spark) else server_path(spark, path)
    storage = storage_facet_of_format(format or default_format(spark))
    (dataset,) = datasets_at_paths([location], None if is_partition_path(location) else schema, [storage])
    return dataset


def table_target(
    spark: SparkSession,
    table_name: str,
    schema: StructType | None = None,
    format: str | None = None,
    path: str | None = None,
) -> SparkDataset:
    """Return the dataset of a write to a table, which may not exist yet.

    Args:
        spark: The session.
        table_name: The name passed to the writer, optionally qualified.
        schema: The written schema; the schema of the existing table if None.
        format: The format of a new table; the session's default if None.
        path: The location of a new table; in the warehouse if None.

    Raises:
        LookupError: Spark Connect does not report the location of the table.
    """
    if not has_jvm(spark):
        dataset = server_table(spark, table_name, schema)
        if dataset is None:
            raise LookupError(
                f"cannot find the location of the table {table_name}: Spark Connect does not report it; name "
                "the dataset with dataset=(namespace, name)"
            )
        return dataset
    catalog, parts = resolve_table_name(spark, table_name)
    full_name = quoted_sql_name([catalog, *parts])
    dataset = _existing_table(spark, catalog, parts, full_name)
    if dataset is not None:
        dataset = with_written_schema(dataset, schema)
    else:
        dataset = _new_table(spark, catalog, parts, schema, format, path)
    return replace(dataset, table=full_name)


def table_at_path(spark: SparkSession, name: str) -> SparkDataset | None:
    """Return an existing table that SQL refers to by its path; None if there is none.

    Args:
        spark: The session.
        name: The name, such as delta.`/lake/orders`.
    """
    try:
        found = inputs_of(spark.table(name))
    except AnalysisException:
        return None
    return with_written_schema(found[0]) if found else None


def table_of_plan_target(spark: SparkSession, table: JavaObject) -> SparkDataset:
    """Return the dataset of a write to a table of the session catalog, as the plan of the write describes it.

    Unlike `table_target` it does not ask the catalog, from which the table may have been dropped since.

    Args:
        spark: The session.
        table: The JVM's CatalogTable.
    """
    catalog, parts = resolve_table_name(spark, table.identifier().quotedString())
    dataset = catalog_table(spark, table, struct(table.schema()))
    return replace(dataset, table=quoted_sql_name([catalog, *parts]))


def is_only_defined(spark: SparkSession, table_name: str) -> bool:
    """Return True for a table that only refers to one of a database: its definition changes no data.

    Args:
        spark: The session.
        table_name: The name of an existing table.
    """
    catalog, parts = resolve_table_name(spark, table_name)
    if catalog != SESSION_CATALOG:
        return False
    return database_table(table_of_session_catalog(spark, parts)) is not None


def view_target(spark: SparkSession, view_name: str, schema: StructType) -> SparkDataset:
    """Return the dataset of a permanent view, named by its name in the catalog."""
    catalog_name, parts = resolve_table_name(spark, view_name)
    parts = _stored_name(spark, catalog_name, parts)
    catalog = catalog_named(spark, catalog_name, "spark")
    facets = [view_type_facet(), *catalog.facets(parts, symlink=False)]
    return new_dataset(*catalog.table(parts), schema, facets)


def can_have_partitions(table: DataFrame) -> bool:
    """Return whether an existing table is partitioned; True if that is unknown.

    Args:
        table: A DataFrame that reads all of the table.
    """
    plan = analyzed_plan(table) if has_jvm(table.sparkSession) else None
    if plan is None:
        return True
    leaves = list(leaves_of(plan))
    return len(leaves) != 1 or has_partitions(leaves[0])


def has_partitions(relation: JavaObject) -> bool:
    """Return whether the table of a relation in a plan is partitioned; True if that is unknown."""
    kind = class_of(relation)
    if kind == "LogicalRelation":
        source = relation.relation()
        return has_method(source, "partitionSchema") and not source.partitionSchema().isEmpty()
    if kind == "DataSourceV2Relation":
        return len(relation.table().partitioning()) > 0
    return kind != "HiveTableRelation" or bool(relation.isPartitioned())


def with_written_schema(existing: SparkDataset, schema: StructType | None = None) -> SparkDataset:
    """Return an existing table as it is after a write: with a new schema and without the old version."""
    outdated = (
        (DatasetVersionDatasetFacet,) if schema is None else (DatasetVersionDatasetFacet, SchemaDatasetFacet)
    )
    facets = [facet for facet in existing.facets if not isinstance(facet, outdated)]
    if schema is not None:
        facets.insert(0, schema_facet(schema))
    return replace(existing, facets=tuple(facets))


def _new_table(
    spark: SparkSession,
    catalog_name: str,
    parts: list[str],
    schema: StructType | None,
    format: str | None,
    path: str | None,
) -> SparkDataset:
    """Return the dataset of a table that does not exist yet."""
    parts = _stored_name(spark, catalog_name, parts)
    url = spark.conf.get(f"spark.sql.catalog.{catalog_name}.url", None)
    if url is not None and url.startswith("jdbc:"):
        return jdbc_table(url, quoted_table_name(parts), {}, schema)
    if catalog_name != SESSION_CATALOG:
        catalog = catalog_named(spark, catalog_name, (format or "spark").lower())
        if catalog.type == "hadoop" and catalog.warehouse:  # Its tables are folders in the warehouse.
            facets = [storage_facet_of_format(format or "iceberg"), *catalog.facets(parts)]
            return dataset_at_path("/".join([catalog.warehouse.rstrip("/"), *parts]), schema, facets)
        return new_dataset(*catalog.table(parts), schema, catalog.facets(parts, symlink=False))
    location = qualified_path(spark, path) if path else _default_location(spark, parts)
    stored = (format or default_format(spark)).lower()
    facets_of_new: list[DatasetFacet] = [
        storage_facet("hive", None) if stored == "hive" else storage_facet_of_format(stored),
        table_type_facet(managed=path is None),
        *session_catalog(spark).facets(parts),
    ]
    return dataset_at_path(location, schema, facets_of_new)


def _stored_name(spark: SparkSession, catalog_name: str, parts: list[str]) -> list[str]:
    """Return the name of a table as its catalog stores it: the session catalog knows no upper case."""
    is_exact = catalog_name != SESSION_CATALOG or is_case_sensitive(spark)
    return parts if is_exact else [part.lower() for part in parts]


def _existing_table(
    spark: SparkSession, catalog_name: str, parts: list[str], full_name: str
) -> SparkDataset | None:
    """Return the dataset of a table from its catalog, without listing files; None if it does not exist."""
    if catalog_name == SESSION_CATALOG and spark.catalog.tableExists(full_name):
        try:
            table = table_of_session_catalog(spark, parts)
        except AnalysisException:  # Dropped by another thread in the meantime.
            return None
        if option(table.provider()) not in FORMATS_WITH_OWN_SCHEMA:
            return catalog_table(spark, table, struct(table.schema()))
    if not is_resolvable(spark, full_name):
        return None
    try:
        found = spark.table(full_name)
    except AnalysisException:  # Dropped by another thread in the meantime.
        return None
    return next(iter(inputs_of(found)), None)


def _default_location(spark: SparkSession, parts: list[str]) -> str:
    """Return where the session catalog stores the files of a new table."""
    path = session_state(spark).catalog().defaultTablePath(table_identifier(spark, parts))
    return str(hadoop_path(spark, path).toString())


def overwrites_only_written_partitions(spark: SparkSession, option: str | None, partitioned: bool) -> bool:
    """Return True if an overwrite keeps the partitions to which it writes no rows.

    Args:
        spark: The session.
        option: The write's option `partitionOverwriteMode`.
        partitioned: The dataset is partitioned.
    """
    if not partitioned:
        return False
    mode = option or session_setting(spark, "spark.sql.sources.partitionOverwriteMode") or "static"
    return mode.lower() == "dynamic"
