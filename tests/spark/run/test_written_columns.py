"""Output columns are those of the table, matched by position or by name like in Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture.write_targets import written_by_name, written_by_position
from tests.cases import each
from tests.spark.etl_job import EtlJob, mostly_thorough

Write = Callable[[SparkRun, DataFrame], object]

SWAPPED = ["x AS b", "y AS a"]
"""Expressions written to a table with the columns a and b."""

BY_POSITION = {"a": {"x"}, "b": {"y"}}
BY_NAME = {"a": {"y"}, "b": {"x"}}

WRITES: dict[str, tuple[str, Write, dict[str, set[str]]]] = {
    "insert_into": ("", lambda run, df: run.insert_into(df, "t"), BY_POSITION),
    "insert_into over": ("", lambda run, df: run.insert_into(df, "t", overwrite=True), BY_POSITION),
    "insert_into partitioned by a": (
        "PARTITIONED BY (a)",
        lambda run, df: run.insert_into(df, "t"),
        {"b": {"x"}, "a": {"y"}},
    ),
    "insert_into partitioned by b": (
        "PARTITIONED BY (b)",
        lambda run, df: run.insert_into(df, "t", overwrite=True),
        BY_POSITION,
    ),
    "save_as_table": ("", lambda run, df: run.save_as_table(df, "t", mode="append"), BY_NAME),
    "save_as_table partitioned": (
        "PARTITIONED BY (a)",
        lambda run, df: run.save_as_table(df, "t", mode="append", partitionBy="a"),
        BY_NAME,
    ),
    "save_as_table in other case": (
        "",
        lambda run, df: run.save_as_table(df.toDF("B", "A"), "t", mode="append"),
        BY_NAME,
    ),
    "INSERT": ("", lambda run, df: run.sql("INSERT INTO t SELECT * FROM {df}", df=df), BY_POSITION),
    "INSERT BY NAME": (
        "",
        lambda run, df: run.sql("INSERT INTO t BY NAME SELECT * FROM {df}", df=df),
        BY_NAME,
    ),
    "INSERT with columns": (
        "",
        lambda run, df: run.sql("INSERT INTO t (b, a) SELECT * FROM {df}", df=df),
        BY_NAME,
    ),
    "INSERT without a column": (
        "",
        lambda run, df: run.sql("INSERT INTO t (b) SELECT b FROM {df}", df=df),
        {"b": {"x"}},
    ),
    "INSERT partitioned": (
        "PARTITIONED BY (a)",
        lambda run, df: run.sql("INSERT OVERWRITE t PARTITION (a) SELECT * FROM {df}", df=df),
        {"b": {"x"}, "a": {"y"}},
    ),
    "INSERT into a partition": (
        "PARTITIONED BY (a)",
        lambda run, df: run.sql("INSERT INTO t PARTITION (a = 7) SELECT b FROM {df}", df=df),
        {"b": {"x"}},
    ),
}


@pytest.fixture
def swapped(spark: SparkSession, tmp_path: object) -> DataFrame:
    path = f"{tmp_path}/source"
    spark.sql("SELECT 1 AS x, 10 AS y").write.parquet(path)
    return spark.read.parquet(path).selectExpr(*SWAPPED)


@pytest.fixture(
    params=mostly_thorough(
        WRITES,
        "insert_into partitioned by a",
        "save_as_table in other case",
        "INSERT without a column",
        "INSERT into a partition",
    )
)
def case(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[tuple[Write, dict[str, set[str]]]]:
    partitioning, write, expected = WRITES[request.param]
    spark.sql("DROP TABLE IF EXISTS t")
    spark.sql(f"CREATE TABLE t (a int, b int) USING parquet {partitioning}")
    yield write, expected
    spark.sql("DROP TABLE IF EXISTS t")


@pytest.mark.check
def test_column_lineage_names_the_columns_of_the_table(
    etl: EtlJob, run: SparkRun, swapped: DataFrame, case: tuple[Write, dict[str, set[str]]]
) -> None:
    write, expected = case
    write(run, swapped)
    run.complete()
    (row,) = etl.spark.table("t").collect()
    values = {"x": 1, "y": 10}
    assert {column: row[column] for column in expected} == {
        column: values[next(iter(sources))] for column, sources in expected.items()
    }
    (output,) = etl.events.outputs
    assert etl.events.lineage(output) == expected
    assert etl.events.columns(output) == etl.spark.table("t").columns


def test_a_jdbc_append_matches_columns_by_name(etl: EtlJob, run: SparkRun, swapped: DataFrame) -> None:
    url = "jdbc:derby:memory:columns;create=true"
    etl.spark.sql("SELECT 0 AS A, 0 AS B, CAST(NULL AS INT) AS C").write.jdbc(url, "PAIRS", "overwrite")
    run.write_jdbc(swapped, url, "PAIRS", "append")
    run.complete()
    assert [tuple(row) for row in etl.spark.read.jdbc(url, "PAIRS").where("a = 10").collect()] == [
        (10, 1, None)
    ]
    (output,) = etl.events.outputs
    assert etl.events.lineage(output) == {"A": {"y"}, "B": {"x"}}
    assert etl.events.columns(output) == ["A", "B", "C"]


@each(
    "columns, table, written",
    [
        (["b", "a"], ["a", "b"], ["a", "b"]),
        (["x"], ["a", "b"], ["a"]),
        (["x", "y"], ["a"], ["a", "y"]),
    ],
)
def test_columns_matched_by_position(columns: list[str], table: list[str], written: list[str]) -> None:
    assert written_by_position(columns, table) == written


@each(
    "columns, case_sensitive, written",
    [
        (["B", "A", "more"], False, ["b", "a", "more"]),
        (["B", "a"], True, ["B", "a"]),
    ],
)
def test_columns_matched_by_name(columns: list[str], case_sensitive: bool, written: list[str]) -> None:
    assert written_by_name(columns, ["a", "b"], case_sensitive) == written
