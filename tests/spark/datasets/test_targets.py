"""The dataset that a write makes is named before the write as it is found after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.datasets import (
    SparkDataset,
    inputs_of,
    jdbc_target,
    path_target,
    schema_facet,
    table_target,
)


@pytest.fixture(autouse=True)
def _no_table_is_left(spark: SparkSession) -> Iterator[None]:
    yield
    spark.sql("DROP TABLE IF EXISTS made")
    spark.sql("DROP DATABASE IF EXISTS other CASCADE")


def facets_of(dataset: SparkDataset) -> dict[str, object]:
    return {str(facet.__facet_key__): facet for facet in dataset.facets}


def test_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.range(3)
    path = f"{tmp_path}/new folder"
    before = path_target(spark, path, df.schema, "parquet")
    df.write.parquet(path)
    assert before == inputs_of(spark.read.parquet(path))[0]
    assert before.location == f"file:{path}"


def test_a_relative_path_and_one_of_a_partition(spark: SparkSession) -> None:
    assert path_target(spark, "out/day=1").name == f"{os.getcwd()}/out"


def test_the_format_of_a_path_is_the_sessions_default_where_none_is_said(spark: SparkSession) -> None:
    assert facets_of(path_target(spark, "/out"))["storage"].file_format == "parquet"  # type: ignore[attr-defined]


def test_a_store_without_its_jar_is_named_all_the_same(spark: SparkSession) -> None:
    found = path_target(spark, "oss://lake/out", format="delta")
    assert (found.namespace, found.name) == ("oss://lake", "/out")
    assert facets_of(found)["storage"].storage_layer == "delta"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["made", "default.made", "spark_catalog.default.made", "`made`"])
def test_a_table_that_does_not_exist_yet(spark: SparkSession, name: str) -> None:
    df = spark.range(3)
    before = table_target(spark, name, df.schema)
    df.write.saveAsTable(name)
    assert before == inputs_of(spark.table(name))[0]
    assert before == table_target(spark, name)


def test_a_table_that_does_not_exist_yet_with_a_path_and_a_format(
    spark: SparkSession, tmp_path: Path
) -> None:
    df = spark.range(3)
    before = table_target(spark, "made", df.schema, "json", str(tmp_path / "made"))
    df.write.saveAsTable("made", format="json", path=str(tmp_path / "made"))
    assert before == inputs_of(spark.table("made"))[0]


def test_a_table_of_another_database(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql(f"CREATE DATABASE other LOCATION '{tmp_path}/other'")
    found = table_target(spark, "other.made")
    assert found.name == f"{tmp_path}/other/made"
    assert facets_of(found)["symlinks"].identifiers[0].name == "other.made"  # type: ignore[attr-defined]


def test_the_schema_written_is_that_of_the_frame(spark: SparkSession) -> None:
    spark.range(3).write.saveAsTable("made")
    written = spark.range(3).selectExpr("id", "'a' AS more").schema
    assert facets_of(table_target(spark, "made", written))["schema"] == schema_facet(written)


def test_a_table_over_jdbc() -> None:
    found = jdbc_target("jdbc:postgresql://ana:hush@db/shop", "orders")
    assert (found.namespace, found.name) == ("postgres://db:5432", "shop.public.orders")
    assert "hush" not in repr(found)
