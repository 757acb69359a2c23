"""Transformation types and subtypes of column lineage."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

IDENTITY, TRANSFORMATION, AGGREGATION = (
    ("DIRECT", kind) for kind in ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
)


@pytest.fixture(scope="module", autouse=True)
def _orders(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    path = str(tmp_path_factory.mktemp("kinds") / "orders")
    spark.sql("SELECT 1L AS id, 'a' AS city, 2.5D AS amount").write.parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("orders")
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW by_sql AS SELECT id, city AS town, amount * 2 AS twice FROM orders"
    )
    yield
    for view in ("orders", "by_sql"):
        spark.catalog.dropTempView(view)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("SELECT id AS x FROM orders", {IDENTITY}),
        ("SELECT id AS x FROM by_sql", {IDENTITY}),
        ("SELECT town AS x FROM by_sql", {IDENTITY}),
        ("WITH v AS (SELECT town FROM by_sql) SELECT town AS x FROM v", {IDENTITY}),
        ("SELECT twice AS x FROM by_sql", {TRANSFORMATION}),
        ("SELECT CAST(id AS BIGINT) AS x FROM orders", {IDENTITY}),
        ("SELECT CAST(id AS STRING) AS x FROM orders", {TRANSFORMATION}),
        ("SELECT CAST(upper(city) AS STRING) AS x FROM orders", {TRANSFORMATION}),
        ("SELECT s.c AS x FROM (SELECT struct(id, city AS c) AS s FROM orders)", {IDENTITY}),
        ("SELECT struct(id, upper(city) AS c).c AS x FROM orders", {TRANSFORMATION}),
        ("SELECT sum(id) AS x FROM orders", {AGGREGATION}),
        ("SELECT sum(id) + 1 AS x FROM by_sql", {AGGREGATION}),
        ("SELECT id AS x FROM orders UNION SELECT id + 1 FROM orders", {IDENTITY, TRANSFORMATION}),
        ("SELECT if(id > 1, amount, 0D) AS x FROM orders", {("INDIRECT", "CONDITIONAL"), TRANSFORMATION}),
        ("SELECT lag(id) OVER (ORDER BY city) AS x FROM orders", {("INDIRECT", "WINDOW"), TRANSFORMATION}),
    ],
)
def test_transformation_types_of_a_column(
    spark: SparkSession, query: str, kinds: set[tuple[str, str]]
) -> None:
    facet = column_lineage_facet(spark.sql(query))
    assert facet is not None
    types = {
        (each.type, each.subtype)
        for source in facet.fields["x"].input_fields
        for each in source.transformations or ()
    }
    assert types == kinds
