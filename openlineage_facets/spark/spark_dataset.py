"""A dataset as Spark knows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, DatasourceDatasetFacet, StorageDatasetFacet
from openlineage_facets.spark.path_names import dataset_of_path, is_partition, without_partitions
from openlineage_facets.spark.schema import schema_facet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["SparkDataset"]


@dataclass(frozen=True)
class SparkDataset:
    """A dataset as Spark knows it: its identity, what is known of it, and where its files lie.

    Args:
        namespace: The data source, such as `s3://lake`.
        name: The name in that namespace.
        facets: What Spark knows of it: schema, data source, storage, symlinks, version.
        location: The path, as Spark spells it, that its files lie below; None where it has none.
        table: How SQL names it, where it was found by that name.
        is_part: Whether it was found by the path of one of its partitions.
    """

    namespace: str
    name: str
    facets: tuple[DatasetFacet, ...] = ()
    location: str | None = None
    table: str | None = field(default=None, compare=False, repr=False)
    is_part: bool = field(default=False, compare=False, repr=False)


def dataset(
    namespace: str,
    name: str,
    schema: StructType | None = None,
    facets: Iterable[DatasetFacet] = (),
    location: str | None = None,
) -> SparkDataset:
    """Make a dataset with the facets that every source has: schema and data source."""
    known: list[DatasetFacet] = [] if schema is None else [schema_facet(schema)]
    uri = "file:///" if namespace == "file" else namespace
    known.append(DatasourceDatasetFacet(name=namespace, uri=uri))
    return SparkDataset(namespace, name, (*known, *facets), location)


def dataset_at(
    path: str, schema: StructType | None = None, facets: Iterable[DatasetFacet] = ()
) -> SparkDataset:
    """Make the dataset of the files below a path."""
    return dataset(*dataset_of_path(path), schema, facets, path)


def datasets_at(
    paths: Iterable[str], schema: StructType | None = None, facets: Iterable[DatasetFacet] = ()
) -> list[SparkDataset]:
    """Make the datasets of the files below some paths, each once; a partition stands for its table."""
    are_parts: dict[str, bool] = {}
    for path in paths:
        folder = without_partitions(path)
        are_parts[folder] = are_parts.get(folder, False) or is_partition(path)
    facets = tuple(facets)
    return [
        replace(dataset_at(folder, schema, facets), is_part=is_part) for folder, is_part in are_parts.items()
    ]


def storage_facet(layer: str, file_format: str | None) -> StorageDatasetFacet:
    """Say how a dataset is stored: by which table format, `file` for none, and in which file format."""
    if file_format:
        return StorageDatasetFacet(storage_layer=layer, file_format=file_format)
    return StorageDatasetFacet(storage_layer=layer)


def storage_of_format(name: str) -> StorageDatasetFacet:
    """Say how a dataset is stored, by the format that Spark reads or writes it in."""
    name = name.lower()
    if name in ("delta", "iceberg"):
        return storage_facet(name, "parquet")
    return storage_facet("hudi", None) if name == "hudi" else storage_facet("file", name)


def default_format(spark: SparkSession) -> str:
    """Return the format that a session writes in where none is said."""
    return spark.conf.get("spark.sql.sources.default", "parquet") or "parquet"
