"""The columnLineage facet of a DataFrame."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet


def test_columns_of_one_name_have_the_sources_of_all_of_them(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql("SELECT 1 AS a, 2 AS b").write.parquet(f"{tmp_path}/numbers")
    facet = column_lineage_facet(spark.read.parquet(f"{tmp_path}/numbers").selectExpr("a", "b AS a"))
    assert facet is not None
    assert [source.field for source in facet.fields["a"].input_fields] == ["a", "b"]
