"""The datasetType facet of tables and views."""

from __future__ import annotations

from openlineage_facets.facets import DatasetTypeDatasetFacet


def table_type_facet(managed: bool) -> DatasetTypeDatasetFacet:
    """Return the type of a table: `MANAGED` if the catalog owns its files, otherwise `EXTERNAL`."""
    return DatasetTypeDatasetFacet(dataset_type="TABLE", sub_type="MANAGED" if managed else "EXTERNAL")


def view_type_facet() -> DatasetTypeDatasetFacet:
    """Return the type of a permanent view."""
    return DatasetTypeDatasetFacet(dataset_type="VIEW")
