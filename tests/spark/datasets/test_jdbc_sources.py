"""Tables of JDBC queries."""

from __future__ import annotations

import logging

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark import log_once as notices
from openlineage_facets.spark.datasets.inputs import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

DERBY = "jdbc:derby:memory:queries;create=true"
DERBY_DRIVER = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}


@pytest.fixture(autouse=True)
def _no_message_was_logged_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_logged_in_process", set())


def queried(spark: SparkSession, query: str) -> DataFrame:
    rows = spark.createDataFrame([(1, 10)], "ID long, AMOUNT long")
    rows.write.jdbc(DERBY, "APP.ORDERS", mode="overwrite", properties=DERBY_DRIVER)
    return spark.read.format("jdbc").options(url=DERBY, query=query, **DERBY_DRIVER).load()


def columns(df: DataFrame) -> list[str] | None:
    [table] = inputs_of(df)
    assert (table.namespace, table.name) == ("derby:memory:queries", "APP.ORDERS")
    found = [facet for facet in table.facets if isinstance(facet, SchemaDatasetFacet)]
    return [one.name for one in found[0].fields] if found else None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('SELECT * FROM APP.ORDERS WHERE "ID" > 0', ["ID", "AMOUNT"]),
        ('SELECT o."AMOUNT" FROM APP.ORDERS o', ["AMOUNT"]),
        ('SELECT "AMOUNT" AS "ID" FROM APP.ORDERS', None),
        ('SELECT "AMOUNT" + 1 AS "X" FROM APP.ORDERS', None),
    ],
)
def test_query_of_plain_columns_has_schema_and_lineage(
    spark: SparkSession, query: str, expected: list[str] | None
) -> None:
    df = queried(spark, query)
    assert columns(df) == expected
    lineage = column_lineage_facet(df)
    assert (lineage is not None) == (expected is not None)


@pytest.mark.parametrize("query", ["VALUES 1", "SELECT * FROM APP.ORDERS FETCH FIRST 1 ROWS ONLY"])
def test_query_with_unknown_tables_is_logged_once_with_its_data_source(
    spark: SparkSession, query: str, caplog: pytest.LogCaptureFixture
) -> None:
    df = queried(spark, query)
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        assert inputs_of(df) == inputs_of(df) == []
    [message] = caplog.messages
    assert 'dataset=("derby:memory:queries", name)' in message
