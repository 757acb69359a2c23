"""Dataset of a Spark job with its identity, facets and location."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.facets import DatasetFacet
from openlineage_facets.naming.storage import dataset_of_path, is_partition_path, table_folder
from openlineage_facets.spark.facets.dataset_facets import data_source_facet, schema_facet

if TYPE_CHECKING:
    from pyspark.sql.types import StructType


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
    paths: Iterable[str], schema: StructType | None = None, facets: Iterable[DatasetFacet] = ()
) -> list[SparkDataset]:
    """Create the distinct datasets of files below paths. A partition belongs to its table."""
    is_part_by_folder: dict[str, bool] = {}
    for path in paths:
        folder = table_folder(path)
        is_part_by_folder[folder] = is_part_by_folder.get(folder, False) or is_partition_path(path)
    facets = tuple(facets)
    return [
        replace(dataset_at_path(folder, schema, facets), is_part=is_part)
        for folder, is_part in is_part_by_folder.items()
    ]
