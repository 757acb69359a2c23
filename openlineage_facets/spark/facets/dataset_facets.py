"""The facets storage, dataSource, datasetType, schema and lifecycleStateChange of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from openlineage_facets.facets import (
    DatasetTypeDatasetFacet,
    DatasourceDatasetFacet,
    SchemaDatasetFacet,
    StorageDatasetFacet,
)
from openlineage_facets.naming.systems import system_of_scheme
from openlineage_facets.naming.uris import as_uri
from openlineage_facets.spark.jvm.objects import hadoop_path, session_state
from openlineage_facets.spark.jvm.session import has_jvm
from openlineage_facets.spark.naming import is_resolvable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


_CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"
"""Metadata key of the declared type of a char or varchar column."""


def schema_facet(struct: StructType) -> SchemaDatasetFacet:
    """Return the schema facet of a DataFrame, including nested columns.

    Types are Spark's: `long`, `decimal(10,2)`, `struct`, `array`, `map`. The element of an array is the
    column `_element`; those of a map are `key` and `value`. A column's comment becomes its description.

    Args:
        struct: The schema, such as `df.schema`.
    """
    return SchemaDatasetFacet(fields=_columns(struct.jsonValue()["fields"]))


def partitions_last(struct: StructType, partitions: Sequence[str]) -> StructType:
    """Return a schema with the partition columns at the end, in the order of the partitions.

    Args:
        struct: The schema.
        partitions: The names of the partition columns, in any case.
    """
    order = [name.lower() for name in partitions]
    moved = sorted(
        (field for field in struct.fields if field.name.lower() in order),
        key=lambda field: order.index(field.name.lower()),
    )
    return type(struct)([field for field in struct.fields if field.name.lower() not in order] + moved)


def _columns(fields: list[dict[str, Any]]) -> list[Any]:
    return [
        _column(field["name"], field["type"], position, field.get("metadata") or {})
        for position, field in enumerate(fields, start=1)
    ]


def _column(
    name: str, data_type: Any, position: int, metadata: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a column from its type in Spark's JSON form: a name, or an object for a nested type."""
    metadata = metadata or {}
    column: dict[str, Any] = {"name": name, "ordinal_position": position}
    if isinstance(data_type, str):
        column["type"] = metadata.get(_CHAR_OR_VARCHAR, data_type)
    else:
        if data_type["type"] == "udt":
            data_type = data_type["sqlType"]
        if isinstance(data_type, str):
            column["type"] = data_type
        else:
            column["type"] = data_type["type"]
            column["fields"] = _members(data_type)
    if comment := metadata.get("comment"):
        column["description"] = comment
    return column


def _members(data_type: dict[str, Any]) -> list[Any]:
    if data_type["type"] == "struct":
        return _columns(data_type["fields"])
    if data_type["type"] == "array":
        return [_column("_element", data_type["elementType"], 1)]
    return [_column("key", data_type["keyType"], 1), _column("value", data_type["valueType"], 2)]


Change: TypeAlias = Literal["ALTER", "CREATE", "DROP", "OVERWRITE", "RENAME", "TRUNCATE"]


def change_made(existed: bool | None, overwrote: bool) -> Change | None:
    """Return the lifecycle change by a successful write; None for an append, or if it is unknown.

    Args:
        existed: The dataset existed before; None if unknown.
        overwrote: All previous content was replaced.
    """
    if existed is False:
        return "CREATE"
    return "OVERWRITE" if overwrote and existed else None


def path_exists(spark: SparkSession, path: str) -> bool:
    """Return True if a file or folder exists, with one request to its file system."""
    location = hadoop_path(spark, path)
    system = location.getFileSystem(session_state(spark).newHadoopConf())
    return bool(system.exists(location))


def table_exists(spark: SparkSession, name: str) -> bool:
    """Return True if a table, or a branch of one, exists in a catalog."""
    if spark.catalog.tableExists(name):
        return True
    return has_jvm(spark) and is_resolvable(spark, name)


def overwrites_only_written_partitions(
    setting: Callable[[str, str], str], option: str | None, partitioned: bool
) -> bool:
    """Return True if an overwrite keeps the partitions to which it writes no rows.

    Args:
        setting: Returns a setting of the session, or a default.
        option: The write's option `partitionOverwriteMode`.
        partitioned: The dataset is partitioned.
    """
    if not partitioned:
        return False
    mode = option or setting("spark.sql.sources.partitionOverwriteMode", "static")
    return mode.lower() == "dynamic"


def storage_facet(layer: str, file_format: str | None) -> StorageDatasetFacet:
    """Return the storage facet.

    Args:
        layer: The table format, such as `delta`; `file` for plain files.
        file_format: The file format, such as `parquet`; None if it is unknown.
    """
    if file_format:
        return StorageDatasetFacet(storage_layer=layer, file_format=file_format)
    return StorageDatasetFacet(storage_layer=layer)


def storage_facet_of_format(name: str) -> StorageDatasetFacet:
    """Return the storage facet of data in a Spark format, such as `parquet`, `delta` or `iceberg`."""
    name = name.lower()
    if name in ("delta", "iceberg"):
        return storage_facet(name, "parquet")
    return storage_facet("hudi", None) if name == "hudi" else storage_facet("file", name)


def default_format(spark: SparkSession) -> str:
    """Return the format that a session writes if none is specified."""
    return spark.conf.get("spark.sql.sources.default", "parquet") or "parquet"


def data_source_facet(namespace: str) -> DatasourceDatasetFacet:
    """Return the facet of a data source, with a URI if the namespace can be written as a valid one."""
    system = system_of_scheme(namespace)
    has_no_authority = system is not None and system.scheme == namespace  # `file`, or `hdfs` without a host.
    uri = f"{namespace}:///" if has_no_authority else as_uri(namespace)
    if uri is None:
        return DatasourceDatasetFacet(name=namespace)
    return DatasourceDatasetFacet(name=namespace, uri=uri)


def table_type_facet(managed: bool) -> DatasetTypeDatasetFacet:
    """Return the type of a table: `MANAGED` if the catalog owns its files, otherwise `EXTERNAL`."""
    return DatasetTypeDatasetFacet(dataset_type="TABLE", sub_type="MANAGED" if managed else "EXTERNAL")


def view_type_facet() -> DatasetTypeDatasetFacet:
    """Return the type of a permanent view."""
    return DatasetTypeDatasetFacet(dataset_type="VIEW")
