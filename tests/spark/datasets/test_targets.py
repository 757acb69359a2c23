"""The target of a write equals the dataset that is read afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.targets import path_target, table_target
from openlineage_facets.spark.naming import resolve_table_name
from openlineage_facets.spark.spark_dataset import SparkDataset, schema_facet


@pytest.fixture(autouse=True)
def _no_table_remains(spark: SparkSession) -> Iterator[None]:
    yield
    spark.sql("DROP TABLE IF EXISTS made")
    spark.sql("DROP DATABASE IF EXISTS other CASCADE")


def facets_of(dataset: SparkDataset) -> dict[str, object]:
    return {str(facet.__facet_key__): facet for facet in dataset.facets}


def test_folder(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.range(3)
    path = f"{tmp_path}/new folder"
    before = path_target(spark, path, df.schema, "parquet")
    df.write.parquet(path)
    assert before == inputs_of(spark.read.parquet(path))[0]
    assert before.location == f"file:{path}"


def test_relative_path_of_a_partition(spark: SparkSession) -> None:
    assert path_target(spark, "out/day=1").name == f"{os.getcwd()}/out"


def test_default_format_is_that_of_the_session(spark: SparkSession) -> None:
    assert facets_of(path_target(spark, "/out"))["storage"].file_format == "parquet"  # type: ignore[attr-defined]


def test_path_of_a_file_system_without_jar(spark: SparkSession) -> None:
    found = path_target(spark, "oss://lake/out", format="delta")
    assert (found.namespace, found.name) == ("oss://lake", "/out")
    assert facets_of(found)["storage"].storage_layer == "delta"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["made", "default.made", "spark_catalog.default.made", "`made`"])
def test_new_table(spark: SparkSession, name: str) -> None:
    df = spark.range(3)
    before = table_target(spark, name, df.schema)
    df.write.saveAsTable(name)
    assert before == inputs_of(spark.table(name))[0]
    assert before == table_target(spark, name)


def test_a_new_table_has_the_name_that_the_catalog_stores(spark: SparkSession) -> None:
    df = spark.range(3)
    before = table_target(spark, "Made", df.schema)
    df.write.saveAsTable("Made")
    assert before == inputs_of(spark.table("MADE"))[0]


def test_a_table_of_a_current_database_whose_name_needs_quotes(spark: SparkSession) -> None:
    spark.sql("CREATE DATABASE `2024`")
    spark.catalog.setCurrentDatabase("`2024`")
    try:
        assert resolve_table_name(spark, "made") == ("spark_catalog", ["2024", "made"])
        df = spark.range(3)
        before = table_target(spark, "made", df.schema)
        df.write.saveAsTable("made")
        assert before == inputs_of(spark.table("made"))[0] == table_target(spark, "made")
    finally:
        spark.catalog.setCurrentDatabase("default")
        spark.sql("DROP DATABASE `2024` CASCADE")


def test_new_table_with_path_and_format(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.range(3)
    before = table_target(spark, "made", df.schema, "json", str(tmp_path / "made"))
    df.write.saveAsTable("made", format="json", path=str(tmp_path / "made"))
    assert before == inputs_of(spark.table("made"))[0]


def test_table_of_another_database(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql(f"CREATE DATABASE other LOCATION '{tmp_path}/other'")
    found = table_target(spark, "other.made")
    assert found.name == f"{tmp_path}/other/made"
    assert facets_of(found)["symlinks"].identifiers[0].name == "other.made"  # type: ignore[attr-defined]


def test_written_schema_is_that_of_the_dataframe(spark: SparkSession) -> None:
    spark.range(3).write.saveAsTable("made")
    written = spark.range(3).selectExpr("id", "'a' AS more").schema
    assert facets_of(table_target(spark, "made", written))["schema"] == schema_facet(written)


def test_jdbc_table() -> None:
    found = jdbc_table("jdbc:postgresql://ana:hush@db/shop", "orders", {})
    assert (found.namespace, found.name) == ("postgres://db:5432", "shop.public.orders")
    assert "hush" not in repr(found)
