"""Datasets of tables: those of the session catalog, and of the second data source API, such as Iceberg.

Also the relation of a table in Spark's plans, and the generated columns of Delta tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet, StorageDatasetFacet
from openlineage_facets.spark.analyzed_plan import analyzed_plan, leaves_of
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.datasets.sources import qualified_path
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    entry,
    hadoop_path,
    has_method,
    java_class,
    option,
    options_of,
    session_state,
    struct,
    table_identifier,
)
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.naming import (
    SESSION_CATALOG,
    Catalog,
    catalog_named,
    is_kafka,
    kafka_topics,
    quoted_sql_name,
    session_catalog,
)
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset_at_path,
    new_dataset,
    storage_facet,
    storage_facet_of_format,
    table_type_facet,
)

_EXPRESSION = "delta.generationExpression"
"""Key in the metadata of a column of a Delta table that is computed from other columns."""


@dataclass(frozen=True)
class GeneratedColumns:
    """The columns that a table computes itself from other columns.

    Args:
        expressions: The SQL expression of each generated column, by name.
        types: The SQL type of each column of the table, by name.
    """

    expressions: Mapping[str, str]
    types: Mapping[str, str]


def generated_columns(spark: SparkSession, dataset: SparkDataset) -> GeneratedColumns | None:
    """Return the generated columns of a table; None if it has none, or if they cannot be read.

    Args:
        spark: A session with a JVM.
        dataset: An existing table.
    """
    if dataset.storage_layer != "delta":
        return None
    try:
        columns = struct(delta_snapshot(leaf_of_table(spark, dataset)).schema()).fields
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot find the generated columns of a Delta table: reading its schema failed", error)
        return None
    expressions = {
        column.name: str(column.metadata[_EXPRESSION]) for column in columns if _EXPRESSION in column.metadata
    }
    types = {column.name: column.dataType.simpleString() for column in columns}
    return GeneratedColumns(expressions, types) if expressions else None


def leaf_of_table(spark: SparkSession, dataset: SparkDataset) -> JavaObject:
    """Return the relation of an existing table in a plan."""
    if dataset.table is not None:
        frame = spark.table(dataset.table)
    else:
        frame = spark.read.format(str(dataset.storage_layer)).load(dataset.location)
    [leaf] = leaves_of(analyzed_plan(frame))
    return leaf


def delta_snapshot(leaf: JavaObject) -> JavaObject:
    """Return the version of a Delta table that a relation reads."""
    if class_of(leaf) == "LogicalRelation":
        return leaf.relation().location().getSnapshot()
    return leaf.table().initialSnapshot()


_FILE_FORMATS = {"avro", "csv", "delta", "iceberg", "json", "orc", "parquet", "text", "xml"}
"""Common formats, for which nothing is looked up."""


def is_python_source(spark: SparkSession, format: str) -> bool:
    """Return whether a format is a data source written in Python. Spark looks it up in the same way."""
    if format.lower() in _FILE_FORMATS:
        return False
    source = java_class(spark, "org.apache.spark.sql.execution.datasources.DataSource")
    try:
        provider = source.lookupDataSource(format, session_state(spark).conf())
    except Exception:  # There is no such format; the job's own write raises the error.
        return False
    return str(provider.getName()).endswith(".PythonDataSourceV2")


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


def v2_datasets(
    spark: SparkSession, relation: JavaObject, table: JavaObject, schema: StructType
) -> tuple[list[SparkDataset], bool]:
    """Return the dataset of a DataSourceV2Relation, and whether its columns are those of the relation.

    The list is empty for sinks that store nothing, and for unknown tables, which are logged once.
    """
    table_class = str(table.getClass().getName())
    if table_class.endswith(".NoopTable$") or ".streaming.sources.Rate" in table_class:
        return [], False  # A rate is a stream of generated rows.
    if is_kafka(table_class):
        topics = kafka_topics(partial(entry, _options(relation)))
        return [new_dataset(*topic, schema) for topic in topics], True
    if table_class.endswith(".PythonTable"):
        return [_python_table(spark, relation, table, schema)], True
    framework = next((name for name in ("iceberg", "delta") if f".{name}." in table_class), None)
    location: str | None
    facets: list[DatasetFacet]
    if framework == "iceberg" and _is_iceberg_metadata(table):
        return [_table_of_iceberg_metadata(spark, relation, table)], False
    if framework == "iceberg":
        location, facets = _iceberg(table)
    elif framework == "delta":
        location, facets = _delta(table)
    else:
        location, facets = entry(table.properties(), "location"), []
    catalog, parts = _catalog_and_name(spark, relation, framework or "spark")
    if framework == "iceberg" and catalog is not None:
        parts = _without_branch(parts, str(table.table().name()))
    if location:
        dataset = dataset_at_path(location, schema, [*facets, *(catalog.facets(parts) if catalog else [])])
        name = quoted_sql_name([catalog.name, *parts]) if catalog else None
        return [replace(dataset, table=name) if name else dataset], True
    if catalog is not None:
        return [new_dataset(*catalog.table(parts), schema, catalog.facets(parts, symlink=False))], True
    log_once(
        f"cannot find the dataset of a {table_class.rpartition('.')[2]}: unknown kind of table; name it with "
        "run.read(df, dataset=(namespace, name))"
    )
    return [], True


def _python_table(
    spark: SparkSession, relation: JavaObject, table: JavaObject, schema: StructType
) -> SparkDataset:
    """Return the dataset of a relation of a data source written in Python, or of a table that uses one."""
    catalog, parts = _catalog_and_name(spark, relation, "spark")
    if catalog is not None and catalog.name == SESSION_CATALOG:
        return catalog_table(spark, table_of_session_catalog(spark, parts), schema)
    return python_source(spark, str(table.name()), entry(_options(relation), "path"), schema)


def _options(relation: JavaObject) -> JavaObject:
    """Return the options of a reader or writer; that of a stream has them under another name."""
    return relation.options() if has_method(relation, "options") else relation.extraOptions()


def _catalog_and_name(
    spark: SparkSession, relation: JavaObject, framework: str
) -> tuple[Catalog | None, list[str]]:
    """Return the catalog of a relation and the parts of its name there; no catalog for a path."""
    plugin, identifier = option(relation.catalog()), option(relation.identifier())
    if plugin is None or identifier is None:
        return None, []
    parts = [*(str(part) for part in identifier.namespace()), str(identifier.name())]
    if "/" in parts[-1] or class_of(identifier) == "PathIdentifier":
        return None, []
    return catalog_named(spark, str(plugin.name()), framework), parts


def _iceberg(table: JavaObject) -> tuple[str, list[DatasetFacet]]:
    inner = table.table()
    file_format = entry(inner.properties(), "write.format.default") or "parquet"
    facets: list[DatasetFacet] = [storage_facet("iceberg", file_format)]
    snapshot = _first_result(lambda: table.snapshotId(), lambda: newest_snapshot(table).snapshotId())
    if snapshot is not None:
        facets.append(DatasetVersionDatasetFacet(dataset_version=str(snapshot)))
    return str(inner.location()), facets


def newest_snapshot(table: JavaObject) -> JavaObject:
    """Return the newest snapshot of the branch of an Iceberg table in a plan; None if it has none."""
    inner = table.table()
    branch = _first_result(lambda: table.branch())
    return inner.currentSnapshot() if branch is None else inner.snapshot(branch)


def _without_branch(parts: list[str], full_name: str) -> list[str]:
    """Return the name of an Iceberg table without a branch or tag, as in `db.orders.branch_main`."""
    *table, last = parts
    return table if not f".{full_name}".endswith(f".{last}") and table else parts


def _is_iceberg_metadata(table: JavaObject) -> bool:
    """Return whether a table contains metadata of another one, such as its snapshots or changes."""
    if not has_method(table, "table"):
        return class_of(table) == "SparkChangelogTable"
    kind = table.table().getClass()
    while kind is not None and str(kind.getSimpleName()) != "BaseMetadataTable":
        kind = kind.getSuperclass()
    return kind is not None


def _table_of_iceberg_metadata(spark: SparkSession, relation: JavaObject, table: JavaObject) -> SparkDataset:
    """Return the table that metadata is about, without columns: it does not have those of the metadata."""
    catalog, parts = _catalog_and_name(spark, relation, "iceberg")
    named = catalog.facets(parts[:-1]) if catalog else []
    about = (table if has_method(table, "table") else _table_with_changes(spark, relation)).table()
    return dataset_at_path(str(about.location()), None, [storage_facet("iceberg", None), *named])


def _table_with_changes(spark: SparkSession, relation: JavaObject) -> JavaObject:
    """Return the table of `db.orders.changes`, which does not refer to it."""
    *outer, name = relation.identifier().get().namespace()
    context: Any = spark.sparkContext
    namespace = context._gateway.new_array(context._jvm.java.lang.String, len(outer))
    for index, part in enumerate(outer):
        namespace[index] = part
    identifier = context._jvm.org.apache.spark.sql.connector.catalog.Identifier.of(namespace, name)
    return relation.catalog().get().loadTable(identifier)


def _delta(table: JavaObject) -> tuple[str, list[DatasetFacet]]:
    version = DatasetVersionDatasetFacet(dataset_version=str(table.initialSnapshot().version()))
    return str(table.path().toString()), [storage_facet("delta", "parquet"), version]


def _first_result(*calls: Callable[[], JavaObject]) -> JavaObject | None:
    """Return the first result that is not None. Versions of a connector have different methods."""
    for call in calls:
        try:
            result = call()
        except Exception:  # py4j raises if the method does not exist, and for a call on null.
            continue
        if result is not None:
            return result
    return None


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
    of_database = database_table(table, schema)
    if of_database is not None:
        return of_database
    identifier = table.identifier()
    parts = [part for part in (option(identifier.database()), str(identifier.table())) if part]
    location = str(hadoop_path(spark, table.location()).toString())
    provider = option(table.provider())
    if facets is None or provider == "hive":
        facets = [_storage(provider, option(table.storage().serde()) or "")]
    managed = str(table.tableType().name()) == "MANAGED"
    catalog_facets = session_catalog(spark).facets(parts)
    return dataset_at_path(location, schema, [*facets, table_type_facet(managed), *catalog_facets])


def table_of_session_catalog(spark: SparkSession, parts: list[str]) -> JavaObject:
    """Return the JVM's CatalogTable of a table, from its database and name.

    Raises:
        AnalysisException: It does not exist.
    """
    return session_state(spark).catalog().getTableMetadata(table_identifier(spark, parts))


def database_table(table: JavaObject, schema: StructType | None = None) -> SparkDataset | None:
    """Return the table of a database that a table of the session catalog refers to, None for others.

    Args:
        table: The JVM's CatalogTable.
        schema: Its columns.
    """
    if str(option(table.provider())).lower() != "jdbc":
        return None
    options = options_of(table.storage().properties())
    if not {"url", "dbtable"} <= options.keys():
        return None
    return jdbc_table(options["url"], options["dbtable"], options, schema)


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
