"""Column lineage of the example job."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

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


@pytest.fixture(scope="module")
def tables(spark: SparkSession, sample: Path) -> dict[str, DataFrame]:
    return {
        table: spark.read.csv(
            str(sample / f"{table}.csv"), header=True, inferSchema=True, nullValue="NA"
        ).cache()
        for table in TABLES
    }


def test_column_lineage_of_the_example_query(spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    for table, frame in tables.items():
        frame.createOrReplaceTempView(table)
    lineage = column_lineage_facet(spark.sql(QUERY))
    assert lineage is not None
    assert {
        column: {f"{Path(source.name).stem}.{source.field}" for source in field.input_fields}
        for column, field in lineage.fields.items()
    } == SOURCES
