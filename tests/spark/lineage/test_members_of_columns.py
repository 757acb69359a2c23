"""Column lineage of the fields of a struct, and of columns that describe rows."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

Sources = dict[str, set[tuple[str, str]]]


@pytest.fixture(scope="module")
def path(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder of people, whose address is a struct with a struct in it."""
    path = str(tmp_path_factory.mktemp("members") / "people")
    place = "named_struct('x', 1, 'y', 2)"
    address = f"named_struct('street', 'a', 'zip', '1', 'place', {place})"
    spark.sql(f"SELECT 1 AS id, 'b' AS note, {address} AS address").write.parquet(path)
    return path


def sources(df: DataFrame) -> Sources:
    facet = column_lineage_facet(df)
    assert facet is not None
    return {
        name: {
            (source.field, how.subtype)
            for source in column.input_fields
            for how in source.transformations or ()
        }
        for name, column in facet.fields.items()
    }


def test_a_replaced_field_of_a_struct_has_only_its_own_sources(spark: SparkSession, path: str) -> None:
    changed = col("address").withField("street", col("note")).withField("place.x", col("id"))
    people = spark.read.parquet(path).select(changed.dropFields("place.y").alias("address"))
    assert sources(people.select("address.street", "address.zip", "address.place.x", "address.place")) == {
        "street": {("note", "IDENTITY")},
        "zip": {("address", "TRANSFORMATION")},
        "x": {("id", "IDENTITY")},
        "place": {("id", "TRANSFORMATION")},
    }
    assert sources(people) == {
        "address": {("address", "TRANSFORMATION"), ("note", "TRANSFORMATION"), ("id", "TRANSFORMATION")}
    }


def test_a_struct_whose_fields_are_all_replaced_has_no_source_of_its_own(
    spark: SparkSession, path: str
) -> None:
    changed = col("address").withField("street", col("note")).dropFields("zip", "place")
    people = spark.read.parquet(path).select(changed.alias("address"))
    assert sources(people) == {"address": {("note", "TRANSFORMATION")}}


def test_columns_that_describe_rows_are_no_columns_of_the_dataset(spark: SparkSession, path: str) -> None:
    for reader in (spark.read, spark.readStream):
        people = reader.schema("id int, note string").format("parquet").load(path)
        described = people.select("id", "_metadata.file_name").where("_metadata.file_size > 0")
        assert sources(described) == {"id": {("id", "IDENTITY")}}
        facet = column_lineage_facet(described)
        assert facet is not None
        assert not facet.dataset
        [dataset] = inputs_of(described)
        [schema] = (one for one in dataset.facets if isinstance(one, SchemaDatasetFacet))
        assert [field.name for field in schema.fields or ()] == ["id", "note"]


def test_a_column_of_the_dataset_may_have_the_name_of_one_that_describes_rows(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = str(tmp_path_factory.mktemp("members") / "described")
    spark.sql("SELECT 1 AS id, 'a' AS _metadata").write.parquet(path)
    assert sources(spark.read.parquet(path).select("_metadata")) == {"_metadata": {("_metadata", "IDENTITY")}}
