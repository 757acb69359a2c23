"""Datasets of a Spark job with their identity, facets and location, and the facets themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.facets import (
    DatasetFacet,
    DatasetTypeDatasetFacet,
    DatasourceDatasetFacet,
    SchemaDatasetFacet,
    StorageDatasetFacet,
)
from openlineage_facets.naming.storage import dataset_of_path, is_partition_path, table_folder
from openlineage_facets.naming.systems import system_of_scheme
from openlineage_facets.naming.uris import as_uri

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


Identity: TypeAlias = tuple[str, str]
"""Namespace and name of a dataset."""


@dataclass(frozen=True)
class SparkDataset:
    """A dataset that a Spark job reads or writes.

    Args:
        namespace: The data source, such as `s3://lake`.
        name: The name in that namespace.
        facets: The captured facets: schema, data source, storage, symlinks, version.
        location: The path of its files as Spark writes it; None if it has no files.
        table: The quoted SQL name if it was found by a table name.
        is_part: Whether it was found by the path of one of its partitions.
    """

    namespace: str
    name: str
    facets: tuple[DatasetFacet, ...] = ()
    location: str | None = None
    table: str | None = field(default=None, compare=False, repr=False)
    is_part: bool = field(default=False, compare=False, repr=False)

    @property
    def identity(self) -> Identity:
        """Namespace and name."""
        return self.namespace, self.name

    @property
    def storage_layer(self) -> str | None:
        """The table format, such as `delta`; None if it is unknown."""
        storage = (facet for facet in self.facets if isinstance(facet, StorageDatasetFacet))
        return next((facet.storage_layer for facet in storage), None)


def new_dataset(
    namespace: str,
    name: str,
    schema: StructType | None = None,
    facets: Iterable[DatasetFacet] = (),
    location: str | None = None,
) -> SparkDataset:
    """Create a dataset with schema and data source facets. Secrets in the namespace are redacted."""
    namespace = redact(namespace)
    common: list[DatasetFacet] = [] if schema is None else [schema_facet(schema)]
    common.append(data_source_facet(namespace))
    return SparkDataset(namespace, name, (*common, *facets), location)


def dataset_at_path(path: str, schema: StructType | None, facets: Iterable[DatasetFacet]) -> SparkDataset:
    """Create the dataset of the files below a path."""
    return new_dataset(*dataset_of_path(path), schema, facets, path)


def datasets_at_paths(
    paths: Iterable[str],
    schema: StructType | None = None,
    facets: Iterable[DatasetFacet] = (),
    is_file: Callable[[str], bool] = lambda path: False,
) -> list[SparkDataset]:
    """Create the distinct datasets of files below paths. A partition belongs to its table.

    Args:
        paths: The paths.
        schema: The columns of each dataset.
        facets: Further facets of each.
        is_file: Returns whether a path that looks like a partition is a file, such as `/data/day=1.csv`.
    """
    is_part_by_folder: dict[str, bool] = {}
    for path in paths:
        is_part = is_partition_path(path) and not is_file(path)
        folder = table_folder(path) if is_part else path.rstrip("/") or path
        is_part_by_folder[folder] = is_part_by_folder.get(folder, False) or is_part
    facets = tuple(facets)
    return [
        replace(dataset_at_path(folder, schema, facets), is_part=is_part)
        for folder, is_part in is_part_by_folder.items()
    ]
