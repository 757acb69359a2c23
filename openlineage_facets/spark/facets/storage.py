"""The storage facet of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import StorageDatasetFacet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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
