"""The facets storage, dataSource and datasetType of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetTypeDatasetFacet, DatasourceDatasetFacet, StorageDatasetFacet
from openlineage_facets.naming.systems import system_of_scheme
from openlineage_facets.naming.uris import as_uri

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
