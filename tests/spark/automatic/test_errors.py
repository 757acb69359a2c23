"""Errors of calls are those of Spark, and Spark logs each once."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import Events


def stream(spark: SparkSession) -> object:
    return spark.readStream.format("rate").load().writeStream.start("folder", format=5)  # type: ignore[arg-type]


def save(spark: SparkSession) -> object:
    return spark.range(3).write.save("folder", format=5)  # type: ignore[arg-type]


def save_rdd(spark: SparkSession) -> object:
    return spark.sparkContext.parallelize([(1, 2)]).saveAsHadoopDataset(5)  # type: ignore[arg-type]


def read(spark: SparkSession) -> object:
    return spark.sql("SELECT * FROM missing")


def insert(spark: SparkSession) -> object:
    return spark.sql("INSERT OVERWRITE DIRECTORY 'folder' USING parquet SELECT * FROM missing")


def error_of(call: Callable[[SparkSession], object], spark: SparkSession) -> str:
    with pytest.raises((AttributeError, Py4JError, PySparkException)) as raised:
        call(spark)
    return (
        f"{raised.type.__name__}: {re.sub(r'o[0-9]+[.]', '', str(raised.value))[:80]}"  # Without ids of Py4J.
    )


def test_the_errors_of_calls_are_those_without_a_run(spark: SparkSession, events: Events) -> None:
    calls = stream, save, save_rdd, read, insert
    expected = [error_of(call, spark) for call in calls]
    with SparkRun(spark, "etl", "failing", emit=events):
        found = [error_of(call, spark) for call in calls]
    assert found == expected


def test_spark_logs_the_error_of_a_statement_once(spark: SparkSession, events: Events) -> None:
    def logged() -> int:
        """Return how many errors PySpark 4 logs for two statements."""
        records: list[logging.LogRecord] = []
        handler = logging.Handler()
        handler.emit = records.append  # type: ignore[method-assign]
        logger = logging.getLogger("SQLQueryContextLogger")
        logger.addHandler(handler)
        try:
            for call in (read, insert):
                error_of(call, spark)
        finally:
            logger.removeHandler(handler)
        return len(records)

    error_of(read, spark)  # PySpark creates the logger.
    expected = logged()
    with SparkRun(spark, "etl", "failing", emit=events):
        assert logged() == expected
