"""Column lineage of the example job, verified by blanking columns of its inputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import lit

from examples.daily_delays import QUERY
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

TABLES = ("flights", "airlines", "planes", "weather")
SOURCES = {
    "date": {"flights.year", "flights.month", "flights.day"},
    "origin": {"flights.origin"},
    "airline": {"airlines.name"},
    "cancelled": {"flights.dep_time"},
    "departure_delay": {"flights.dep_delay"},
    "arrival_delay": {"flights.arr_delay"},
    "plane_age": {"flights.year", "planes.year"},
    "weather": {"weather.wind_speed", "weather.visib"},
}
"""The input columns of each result column. `count(*)` has none."""

NAMED = sorted(set().union(*SOURCES.values()))
KEYS = re.findall(r"\w+", " ".join(re.findall(r"USING \((.*?)\)", QUERY)))
"""The join keys of the query, which determine rows but no values."""


@pytest.fixture(scope="module")
def tables(spark: SparkSession, sample: Path) -> dict[str, DataFrame]:
    return {
        table: spark.read.csv(
            str(sample / f"{table}.csv"), header=True, inferSchema=True, nullValue="NA"
        ).cache()
        for table in TABLES
    }


@pytest.fixture(scope="module")
def unblanked(spark: SparkSession, tables: dict[str, DataFrame]) -> dict[str, list[str]]:
    return result_without(spark, tables, [])


def result_without(
    spark: SparkSession, tables: dict[str, DataFrame], blanked: list[str]
) -> dict[str, list[str]]:
    """Return the values of each result column after some input columns are set to null."""
    for table, frame in tables.items():
        nulls = {
            column: lit(None).cast(of_type)
            for column, of_type in frame.dtypes
            if f"{table}.{column}" in blanked
        }
        frame.withColumns(nulls).createOrReplaceTempView(table)
    rows = spark.sql(QUERY).collect()
    return {column: sorted(str(row[column]) for row in rows) for column in rows[0].asDict()}


def test_column_lineage_of_the_example_query(spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    for table, frame in tables.items():
        frame.createOrReplaceTempView(table)
    lineage = column_lineage_facet(spark.sql(QUERY))
    assert lineage is not None
    assert {
        column: {f"{Path(source.name).stem}.{source.field}" for source in field.input_fields}
        for column, field in lineage.fields.items()
    } == SOURCES


@pytest.mark.check
@pytest.mark.parametrize("source", NAMED)
def test_blanking_an_input_column_changes_the_columns_that_list_it(
    spark: SparkSession, tables: dict[str, DataFrame], unblanked: dict[str, list[str]], source: str
) -> None:
    blanked = result_without(spark, tables, [source])
    naming = {column for column, sources in SOURCES.items() if source in sources}
    assert naming <= {column for column in unblanked if unblanked[column] != blanked[column]}


@pytest.mark.check
def test_blanking_unlisted_columns_changes_nothing(
    spark: SparkSession, tables: dict[str, DataFrame], unblanked: dict[str, list[str]]
) -> None:
    others = [
        f"{table}.{column}"
        for table, frame in tables.items()
        for column in frame.columns
        if column not in KEYS and f"{table}.{column}" not in NAMED
    ]
    assert len(others) > len(NAMED)
    assert result_without(spark, tables, others) == unblanked
