"""Inputs of DataFrames that are created from RDDs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.datasets.plan_sources import inputs_of

pytestmark = [
    pytest.mark.check,
    pytest.mark.usefixtures("nothing_was_logged_before", "without_code_generation"),
]

DERBY = "jdbc:derby:memory:rdds;create=true"
DERBY_DRIVER = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}
SCHEMA = "customer long, amount long"


@pytest.fixture(scope="module")
def lake(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of files in several formats."""
    folder = tmp_path_factory.mktemp("rdds")
    orders = spark.sql("SELECT * FROM VALUES (1L, 10L), (2L, 20L) AS orders (customer, amount)").coalesce(1)
    orders.write.parquet(str(folder / "my orders"))
    orders.write.partitionBy("customer").json(str(folder / "by customer"))
    orders.write.csv(str(folder / "text"))
    return folder


def mapped(df: DataFrame) -> DataFrame:
    return df.sparkSession.createDataFrame(df.rdd.map(lambda row: (row[0], row[1])), SCHEMA)


def of_files(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    return mapped(spark.read.parquet(str(lake / "my orders"))), {f"{lake}/my orders"}


def of_a_partitioned_table(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    read = spark.read.schema(SCHEMA).json(str(lake / "by customer"))
    return mapped(read), {f"{lake}/by customer"}


def of_a_shuffle_and_a_union(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    one = spark.read.parquet(str(lake / "my orders")).groupBy("customer").sum("amount")
    other = spark.read.schema(SCHEMA).csv(str(lake / "text"))
    both = spark.createDataFrame(one.rdd.union(other.rdd).map(tuple), SCHEMA)
    return both, {f"{lake}/my orders", f"{lake}/text"}


def of_text_files(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    lines = spark.sparkContext.textFile(str(lake / "text"))
    rows = lines.map(lambda line: Row(line=line))
    return spark.createDataFrame(rows, "line string"), {f"{lake}/text"}


def of_whole_files(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    files = spark.sparkContext.wholeTextFiles(str(lake / "text"))
    return spark.createDataFrame(files, "path string, text string"), {f"{lake}/text"}


def of_v2_files(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    spark.conf.set("spark.sql.sources.useV1SourceList", "")
    try:
        return mapped(spark.read.parquet(str(lake / "my orders"))), {f"{lake}/my orders"}
    finally:
        spark.conf.unset("spark.sql.sources.useV1SourceList")


def of_a_database(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    rows = spark.sql("SELECT 1L AS customer, 10L AS amount")
    rows.write.jdbc(DERBY, "APP.ORDERS", mode="overwrite", properties=DERBY_DRIVER)
    return mapped(spark.read.jdbc(DERBY, "APP.ORDERS", properties=DERBY_DRIVER)), {"APP.ORDERS"}


def of_values(spark: SparkSession, lake: Path) -> tuple[DataFrame, set[str]]:
    return spark.createDataFrame(spark.sparkContext.parallelize([(1, 2)]), SCHEMA), set()


CASES = [
    of_files,
    of_a_partitioned_table,
    of_a_shuffle_and_a_union,
    of_text_files,
    of_whole_files,
    of_v2_files,
    of_a_database,
    of_values,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_inputs_of_an_rdd(
    spark: SparkSession,
    lake: Path,
    case: Callable[[SparkSession, Path], tuple[DataFrame, set[str]]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        df, expected = case(spark, lake)
        assert {one.name for one in inputs_of(df)} == expected
    assert caplog.messages == []


def test_unknown_rdd_is_logged_once_per_run(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stream = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    seen: list[DataFrame] = []

    def keep(batch: DataFrame, number: int) -> None:
        for name in ("one", "two"):
            with SparkRun(spark, "etl", name, emit=print, on_error="raise") as run:
                run.read(batch)
                run.read(batch)
        seen.append(batch)

    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        query = stream.writeStream.foreachBatch(keep).option("checkpointLocation", str(tmp_path))
        started = query.trigger(processingTime="100 milliseconds").start()
        while not seen:
            started.awaitTermination(0.1)
        started.stop()
    first_two = [message for message in caplog.messages if "RDD" in message][:2]
    assert len(first_two) == 2
    assert all("dataset=(namespace, name)" in message for message in first_two)


def test_inputs_of_a_batch_are_the_files_of_the_stream(
    spark: SparkSession, lake: Path, tmp_path: Path
) -> None:
    found: list[str] = []
    stream = spark.readStream.schema(SCHEMA).parquet(str(lake / "my orders"))
    writer = stream.writeStream.foreachBatch(lambda df, _: found.extend(one.name for one in inputs_of(df)))
    query = writer.option("checkpointLocation", str(tmp_path)).trigger(availableNow=True).start()
    assert query.awaitTermination(60)
    assert found == [f"{lake}/my orders"]
