"""A table that is read in several versions has the columns of all of them."""

from __future__ import annotations

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet, SchemaDatasetFacet
from openlineage_facets.spark.datasets.plan_sources import datasets_of
from openlineage_facets.spark.datasets.read_versions import facets_of_versions
from openlineage_facets.spark.datasets.sources import Source
from openlineage_facets.spark.spark_dataset import SparkDataset, storage_facet


def facets(version: str | None, *columns: str, layer: str = "delta") -> tuple[DatasetFacet, ...]:
    fields = [{"name": name, "ordinal_position": position} for position, name in enumerate(columns, start=1)]
    versions = [] if version is None else [DatasetVersionDatasetFacet(dataset_version=version)]
    return (SchemaDatasetFacet(fields=fields), storage_facet(layer, "parquet"), *versions)


def version_and_columns(found: tuple[DatasetFacet, ...]) -> tuple[str, list[tuple[str, int | None]]]:
    by_key = {facet.__facet_key__: facet for facet in found}
    assert len(by_key) == len(found) == 3
    version, schema = by_key["version"], by_key["schema"]
    assert isinstance(version, DatasetVersionDatasetFacet)
    assert isinstance(schema, SchemaDatasetFacet)
    columns = [(field.name, field.ordinal_position) for field in schema.fields or ()]
    return version.dataset_version, columns


def test_the_newest_version_of_a_query_has_the_columns_of_all() -> None:
    reads = [facets("9", "id", "old"), facets("10", "id", "new"), facets("2", "id", "first")]
    [found] = datasets_of(Source((SparkDataset("file", "t", read),)) for read in reads)
    assert version_and_columns(found.facets) == ("10", [("id", 1), ("old", 2), ("new", 3), ("first", 4)])


def test_of_versions_without_an_order_the_later_read_is_reported() -> None:
    joined = facets_of_versions(
        facets("2000000000000000000", "id", layer="iceberg"),
        facets("1000000000000000000", "id", layer="iceberg"),
    )
    assert joined is not None
    assert version_and_columns(joined) == ("1000000000000000000", [("id", 1)])


def test_facets_of_one_version_are_not_joined() -> None:
    assert facets_of_versions(facets("1", "id"), facets("1", "name")) is None
    assert facets_of_versions(facets(None, "id"), facets("1", "name")) is None
