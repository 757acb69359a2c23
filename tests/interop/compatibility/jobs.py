"""The Spark jobs of the scenarios: each reads orders from its kind of storage, and writes their totals.

    python -m tests.interop.compatibility.jobs FOLDER

Writes the events of each job to FOLDER/events/SCENARIO/NUMBER.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.emitters import FileEmitter, with_empty_fields
from openlineage_facets.spark import SparkRun
from tests.spark.lake.session import lake_session
from tools.java_home import java_of_machine
from tools.lake_jars import jars

NAMESPACE = "compatibility"
DATABASE = "jdbc:derby:memory:shop;create=true"


def main(folder: Path) -> None:
    """Run the jobs."""
    spark = lake_session(str(folder), [str(jar) for jar in jars()], str(java_of_machine()))
    spark.sparkContext.setLogLevel("ERROR")
    rows = [(1, "LH", 7.5), (2, "AF", 0.5)]
    orders = spark.createDataFrame(rows, "id int, customer string, amount double")
    for name, job in JOBS.items():
        lines = folder / f"{name}.ndjson"
        emitter = FileEmitter(lines)
        # The validator of the tests reads absent fields as errors.
        emitter.prepare_lines(with_empty_fields)
        job(spark, orders, SparkRun(spark, NAMESPACE, name, emit=emitter))
        emitter.close()
        events = folder / "events" / name
        events.mkdir(parents=True)
        for number, line in enumerate(lines.read_text(encoding="utf-8").splitlines(), 1):
            (events / f"{number}.json").write_text(json.dumps(json.loads(line), indent=2) + "\n")
    spark.stop()


def parquet(spark: SparkSession, orders: DataFrame, run: SparkRun) -> None:
    """Read and write folders of Parquet files."""
    orders.write.parquet("parquet/orders")
    with run:
        totals(spark.read.parquet("parquet/orders")).write.parquet("parquet/totals")


def delta(spark: SparkSession, orders: DataFrame, run: SparkRun) -> None:
    """Read and write Delta tables of the catalog."""
    orders.write.format("delta").saveAsTable("delta_orders")
    with run:
        totals(spark.table("delta_orders")).write.format("delta").saveAsTable("delta_totals")


def iceberg(spark: SparkSession, orders: DataFrame, run: SparkRun) -> None:
    """Read and write Iceberg tables of a catalog."""
    orders.writeTo("ice.shop.orders").create()
    with run:
        totals(spark.table("ice.shop.orders")).writeTo("ice.shop.totals").create()


def jdbc(spark: SparkSession, orders: DataFrame, run: SparkRun) -> None:
    """Read and write tables of a database."""
    orders.write.jdbc(DATABASE, "ORDERS")
    with run:
        totals(spark.read.jdbc(DATABASE, "ORDERS")).write.jdbc(DATABASE, "TOTALS")


def totals(orders: DataFrame) -> DataFrame:
    """Return the total amount of each customer."""
    return orders.groupBy("customer").agg(f.sum("amount").alias("total"))


JOBS: dict[str, Callable[[SparkSession, DataFrame, SparkRun], None]] = {
    job.__name__: job for job in (parquet, delta, iceberg, jdbc)
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
