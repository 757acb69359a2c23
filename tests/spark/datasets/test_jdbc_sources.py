"""Tables of JDBC queries."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StructField, StructType

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery, jdbc_datasets
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

pytestmark = [
    pytest.mark.check,
    pytest.mark.usefixtures("nothing_was_logged_before", "without_code_generation"),
]

DERBY = "jdbc:derby:memory:queries;create=true"
DERBY_DRIVER = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}


@pytest.fixture(scope="module", autouse=True)
def _tables(spark: SparkSession) -> None:
    for table, columns in (("ORDERS", "1L ID, 10L AMOUNT"), ("PEOPLE", "1L ID, 40L AGE, 2L plan")):
        rows = spark.sql(f"SELECT {columns}")
        rows.write.jdbc(DERBY, f"APP.{table}", mode="overwrite", properties=DERBY_DRIVER)


def queried(spark: SparkSession, query: str) -> DataFrame:
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
def test_only_a_query_of_plain_columns_has_the_schema_of_its_table(
    spark: SparkSession, query: str, expected: list[str] | None
) -> None:
    df = queried(spark, query)
    assert columns(df) == expected
    assert column_lineage_facet(df) is not None


@pytest.mark.parametrize(
    ("query", "fields", "rows"),
    [
        ("SELECT amount AS id FROM app.orders", {"ID": "ORDERS.amount IDENTITY"}, ""),
        ("SELECT id FROM app.orders WHERE amount > 5", {"ID": "ORDERS.ID IDENTITY"}, "ORDERS.amount FILTER"),
        ("SELECT DISTINCT id FROM app.orders", {"ID": "ORDERS.ID IDENTITY"}, "ORDERS.ID GROUP_BY"),
        (
            "SELECT * FROM app.orders WHERE amount > 5",
            {"ID": "ORDERS.ID IDENTITY", "AMOUNT": "ORDERS.AMOUNT IDENTITY"},
            "ORDERS.AMOUNT FILTER",
        ),
        (
            "SELECT id FROM app.orders o WHERE o.id IN (SELECT p.id FROM app.people p WHERE p.age > 1)",
            {"ID": "ORDERS.id IDENTITY"},
            "ORDERS.id FILTER, PEOPLE.age FILTER, PEOPLE.id FILTER",
        ),
        (
            "SELECT amount FROM app.orders WHERE id IN (SELECT id FROM app.people WHERE age > 1)",
            {"AMOUNT": "ORDERS.AMOUNT IDENTITY"},
            "ORDERS.ID FILTER, PEOPLE.AGE FILTER, PEOPLE.ID FILTER",
        ),
        (
            "SELECT amount FROM app.orders WHERE EXISTS (SELECT 1 FROM app.people WHERE age > amount)",
            {"AMOUNT": "ORDERS.AMOUNT IDENTITY"},
            "ORDERS.AMOUNT FILTER, PEOPLE.AGE FILTER",
        ),
        (
            "SELECT o.id FROM app.orders o WHERE EXISTS (SELECT 1 FROM app.people p WHERE p.id = o.id)",
            {"ID": "ORDERS.id IDENTITY"},
            "ORDERS.id FILTER, PEOPLE.id FILTER",
        ),
        (
            "SELECT id AS n FROM app.orders EXCEPT SELECT age AS n FROM app.people",
            {"N": "ORDERS.id IDENTITY"},
            "ORDERS.id JOIN, PEOPLE.age JOIN",
        ),
        ("SELECT abs(amount) AS x FROM app.orders", {"X": "ORDERS.amount TRANSFORMATION"}, ""),
        (
            "SELECT o.*, amount * 2 AS twice FROM (SELECT id, amount FROM app.orders) o",
            {
                "ID": "ORDERS.id IDENTITY",
                "AMOUNT": "ORDERS.amount IDENTITY",
                "TWICE": "ORDERS.amount TRANSFORMATION",
            },
            "",
        ),
        (
            "SELECT o.*, p.id AS other FROM app.orders o JOIN app.people p ON o.id = p.id WHERE p.age > 1",
            {
                "ID": "ORDERS.ID IDENTITY",
                "AMOUNT": "ORDERS.AMOUNT IDENTITY",
                "OTHER": "PEOPLE.id IDENTITY",
            },
            "ORDERS.ID JOIN, PEOPLE.age FILTER, PEOPLE.id JOIN",
        ),
        (
            "SELECT id, COUNT(*) AS n, MAX(amount) AS m FROM app.orders GROUP BY id HAVING MAX(amount) > 5",
            {"ID": "ORDERS.id IDENTITY", "M": "ORDERS.amount AGGREGATION"},
            "ORDERS.amount FILTER, ORDERS.id GROUP_BY",
        ),
        (
            "SELECT d.id, MAX(a) AS a FROM (SELECT id, amount AS a FROM app.orders) d GROUP BY d.id "
            "HAVING MAX(a) > 5 AND id > 1",
            {"ID": "ORDERS.id IDENTITY", "A": "ORDERS.amount AGGREGATION"},
            "ORDERS.amount FILTER, ORDERS.id FILTER",
        ),
        (
            "SELECT id AS n FROM app.orders UNION ALL SELECT age AS n FROM app.people",
            {"N": "ORDERS.id IDENTITY, PEOPLE.age IDENTITY"},
            "",
        ),
        (
            "SELECT CASE WHEN id > 1 THEN amount END AS large FROM app.orders",
            {"LARGE": "ORDERS.amount TRANSFORMATION, ORDERS.id CONDITIONAL"},
            "",
        ),
        (
            "SELECT Id + 1 AS n FROM app.orders WHERE ID > 1",
            {"N": "ORDERS.Id TRANSFORMATION"},
            "ORDERS.Id FILTER",
        ),
        (
            'SELECT "plan" AS plan, SUM("plan") AS m FROM app.people WHERE "plan" > 1 GROUP BY "plan"',
            {"PLAN": "PEOPLE.plan IDENTITY", "M": "PEOPLE.plan AGGREGATION"},
            "PEOPLE.plan FILTER",
        ),
        (
            'SELECT o.id, p."plan" AS plan FROM app.orders o JOIN app.people p ON o.id = p.id',
            {"ID": "ORDERS.id IDENTITY", "PLAN": "PEOPLE.plan IDENTITY"},
            "ORDERS.id JOIN, PEOPLE.id JOIN",
        ),
    ],
)
def test_columns_of_a_query_that_computes_them(
    spark: SparkSession, query: str, fields: dict[str, str], rows: str
) -> None:
    facet = column_lineage_facet(queried(spark, query))
    assert facet is not None

    def text(sources: Any) -> str:
        return ", ".join(
            sorted(
                f"{one.name.rpartition('.')[2].upper()}.{one.field} {one.transformations[0].subtype}"
                for one in sources or ()
            )
        )

    assert {name: text(one.input_fields) for name, one in facet.fields.items()} == fields
    assert text(facet.dataset) == rows


@pytest.mark.parametrize(
    "query",
    [
        "SELECT age FROM app.orders o, app.people p",
        "SELECT (SELECT MAX(age) FROM app.people) AS oldest FROM app.orders",
        "SELECT id, age FROM app.orders JOIN app.people USING (id)",
    ],
)
def test_a_query_whose_columns_may_be_those_of_several_tables_has_none(
    spark: SparkSession, query: str
) -> None:
    assert column_lineage_facet(queried(spark, query)) is None


def test_conditions_on_unknown_columns_are_left_out_and_logged(
    spark: SparkSession, caplog: pytest.LogCaptureFixture
) -> None:
    condition = "amount > 5 AND id IN (SELECT age FROM app.people JOIN app.orders USING (id))"
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        facet = column_lineage_facet(queried(spark, f"SELECT id FROM app.orders WHERE {condition}"))
    assert facet is not None
    assert list(facet.fields) == ["ID"]
    assert [(one.name, one.field) for one in facet.dataset or ()] == [("app.orders", "amount")]
    [message] = caplog.messages
    assert "cannot find all columns that filter the rows of a JDBC query" in message


WITH_LARGE = {"prepareQuery": "WITH large AS (SELECT id FROM app.orders WHERE amount > 5)"}
SAME_NAME = (
    "WITH orders AS (SELECT id FROM orders) SELECT o.id, c.n FROM orders o JOIN app.c c ON o.id = c.id"
)


@pytest.mark.parametrize(
    ("source", "tables"),
    [
        ({**WITH_LARGE, "query": "SELECT * FROM large"}, ["app.orders"]),
        ({**WITH_LARGE, "dbtable": "large"}, ["app.orders"]),
        ({"query": SAME_NAME}, ["app.c", "orders"]),
    ],
)
def test_a_with_clause_names_no_tables_and_may_have_the_name_of_the_table_that_it_reads(
    spark: SparkSession, source: dict[str, str], tables: list[str]
) -> None:
    jvm: Any = spark.sparkContext._jvm
    options = jvm.PythonUtils.toScalaMap({"url": DERBY, **DERBY_DRIVER, **source})
    jdbc_options = jvm.org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions(options)
    datasets, query = jdbc_datasets(spark, jdbc_options, StructType([StructField("ID", LongType())]))
    assert sorted(one.name for one in datasets) == tables
    assert isinstance(query, DatabaseQuery)


@pytest.mark.parametrize("query", ["VALUES 1", "SELECT * FROM APP.ORDERS FETCH FIRST 1 ROWS ONLY"])
def test_query_with_unknown_tables_is_logged_once_with_its_data_source(
    spark: SparkSession, query: str, caplog: pytest.LogCaptureFixture
) -> None:
    df = queried(spark, query)
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        assert inputs_of(df) == inputs_of(df) == []
    [message] = caplog.messages
    assert 'dataset=("derby:memory:queries", name)' in message
