"""Column lineage of queries in the SQL of databases that are not asked."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import LongType, StructField, StructType

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery, jdbc_datasets
from openlineage_facets.spark.lineage.database_queries import lineage_of_database_query
from openlineage_facets.spark.lineage.value_lineage import Lineage
from openlineage_facets.spark.spark_dataset import SparkDataset

MYSQL, ORACLE, POSTGRES = (
    f"jdbc:{system}" for system in ("mysql://db/a", "oracle:thin:@db/a", "postgresql://db/a")
)


AS_NAMES = "Mr. TRANSFORMATION, name TRANSFORMATION"


def read(spark: SparkSession, url: str, query: str, columns: list[str]) -> tuple[SparkDataset, DatabaseQuery]:
    jvm: Any = spark.sparkContext._jvm
    options = jvm.PythonUtils.toScalaMap(
        {"url": url, "query": query, "driver": "org.apache.derby.jdbc.EmbeddedDriver"}
    )
    jdbc_options = jvm.org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions(options)
    schema = StructType([StructField(name, LongType()) for name in columns])
    [dataset, *_], database_query = jdbc_datasets(spark, jdbc_options, schema)
    assert isinstance(database_query, DatabaseQuery)
    return dataset, database_query


def text(lineage: Lineage) -> str:
    return ", ".join(
        sorted(f"{name} {effect.subtype}" for (_, name), effects in lineage.items() for effect in effects)
    )


def lineage(spark: SparkSession, url: str, query: str, columns: list[str]) -> tuple[list[str], str] | None:
    _, database_query = read(spark, url, query, columns)
    numbers = {table: number for number, table in enumerate(database_query.tables)}
    result = lineage_of_database_query(database_query, numbers)
    return None if result is None else ([text(column) for column in result.columns], text(result.rows))


@pytest.mark.parametrize(
    ("query", "columns", "rows"),
    [
        ("SELECT a FROM t ORDER BY b LIMIT 10", {"a": "a IDENTITY"}, "b SORT"),
        ("SELECT a + 1 AS n FROM t ORDER BY n DESC, b + n", {"n": "a TRANSFORMATION"}, "a SORT, b SORT"),
        (
            "SELECT DISTINCT a, b FROM t ORDER BY 2",
            {"a": "a IDENTITY", "b": "b IDENTITY"},
            "a GROUP_BY, b GROUP_BY, b SORT",
        ),
        (
            "SELECT a, b FROM t GROUP BY 2, a",
            {"a": "a IDENTITY", "b": "b IDENTITY"},
            "a GROUP_BY, b GROUP_BY",
        ),
        (
            "SELECT max(a) AS m FROM t GROUP BY b HAVING max(c) > 1 ORDER BY m, b",
            {"m": "a AGGREGATION"},
            "a SORT, b GROUP_BY, b SORT, c FILTER",
        ),
        (
            "SELECT a AS n FROM t UNION ALL SELECT b AS n FROM t ORDER BY n",
            {"n": "a IDENTITY, b IDENTITY"},
            "a SORT, b SORT",
        ),
        (
            "SELECT sum(x) OVER W AS s FROM t WINDOW w AS (PARTITION BY p ORDER BY o) ORDER BY s",
            {"s": "o WINDOW, p WINDOW, x AGGREGATION"},
            "o SORT, p SORT, x SORT",
        ),
        ("WITH v AS (SELECT a FROM t WHERE b > 1) SELECT c FROM t", {"c": "c IDENTITY"}, ""),
        (
            "WITH v AS (SELECT a FROM t WHERE b > 1), w AS (SELECT a FROM v) SELECT o.a FROM w o",
            {"a": "a IDENTITY"},
            "b FILTER",
        ),
        ("SELECT current_date AS today, t.user AS b FROM t", {"today": "", "b": "user IDENTITY"}, ""),
        ("SELECT o.current_date AS d FROM (SELECT a AS current_date FROM t) o", {"d": "a IDENTITY"}, ""),
        ("SELECT current_date AS d FROM (SELECT a AS current_date FROM t) o", {"d": "a IDENTITY"}, ""),
    ],
)
def test_lineage_of_a_query(spark: SparkSession, query: str, columns: dict[str, str], rows: str) -> None:
    assert lineage(spark, POSTGRES, query, list(columns)) == (list(columns.values()), rows)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT TOP (10) a, b FROM t",
        "SELECT DISTINCT ON (a) a, b FROM t",
        "SELECT sum(a) OVER unknown AS a, b FROM t WINDOW w AS (ORDER BY b)",
    ],
)
def test_a_query_that_is_parsed_as_something_else_has_none(spark: SparkSession, query: str) -> None:
    assert lineage(spark, POSTGRES, query, ["a", "b"]) is None


@pytest.mark.parametrize(
    ("url", "query", "lineages"),
    [
        (ORACLE, "SELECT a, sysdate AS now FROM t WHERE rownum < 5", (["a IDENTITY", ""], "")),
        (POSTGRES, 'SELECT user AS a, "user" AS b FROM t', (["", "user IDENTITY"], "")),
        (MYSQL, "SELECT user AS a, sysdate AS b FROM t", (["user IDENTITY", "sysdate IDENTITY"], "")),
    ],
)
def test_names_without_a_column_depend_on_the_database(
    spark: SparkSession, url: str, query: str, lineages: tuple[list[str], str]
) -> None:
    assert lineage(spark, url, query, ["a", "b"]) == lineages


def test_a_value_of_the_session_is_no_column_of_the_table(spark: SparkSession) -> None:
    dataset, _ = read(spark, POSTGRES, "SELECT a, current_date FROM t", ["a", "current_date"])
    assert not any(isinstance(facet, SchemaDatasetFacet) for facet in dataset.facets)


@pytest.mark.parametrize(
    ("url", "n", "rows"),
    [
        (
            MYSQL,
            "name TRANSFORMATION",
            "city FILTER",
        ),
        (f"{MYSQL}?sessionVariables=sql_mode=ANSI_QUOTES", AS_NAMES, "Rome FILTER, city FILTER"),
        (POSTGRES, AS_NAMES, "Rome FILTER, city FILTER"),
    ],
)
def test_double_quotes_are_those_of_texts_in_mysql(spark: SparkSession, url: str, n: str, rows: str) -> None:
    query = 'SELECT concat("Mr.", name) AS n FROM t WHERE city = "Rome"'
    assert lineage(spark, url, query, ["n"]) == ([n], rows)
