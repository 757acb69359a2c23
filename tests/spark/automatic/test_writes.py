"""What Spark's own methods write inside a run is captured as if the run's methods had been called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun
from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob, Events, per_day

DAYS = 7


def change(events: Events, name: str) -> str | None:
    facet = events.output(name).get("lifecycleStateChange")
    return None if facet is None else str(facet.lifecycle_state_change.value)


FILES: dict[str, tuple[Callable[[DataFrame, str], None], str]] = {
    "save": (lambda df, path: df.write.save(path), "parquet"),
    "save with arguments": (lambda df, path: df.write.save(path, "orc", "overwrite", "day"), "orc"),
    "option path": (lambda df, path: df.write.format("json").option("path", path).save(), "json"),
    "parquet": (lambda df, path: df.write.partitionBy("day").parquet(path), "parquet"),
    "parquet with arguments": (
        lambda df, path: df.write.parquet(path, partitionBy="day", mode="append"),
        "parquet",
    ),
    "orc": (lambda df, path: df.write.orc(path), "orc"),
    "json": (lambda df, path: df.write.json(path), "json"),
    "csv": (lambda df, path: df.write.option("header", True).csv(path), "csv"),
    "text": (lambda df, path: df.select(f.col("day").cast("string")).write.text(path), "text"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_write_of_files_is_captured(etl: EtlJob, case: str) -> None:
    write, file_format = FILES[case]
    with etl.run("orders.daily"):
        write(etl.orders, etl.target)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    assert etl.events.output(etl.target)["outputStatistics"].row_count == ORDERS
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == ORDERS
    assert change(etl.events, etl.target) == "CREATE"
    assert "day" in etl.events.output(etl.target)["columnLineage"].fields
    assert etl.events.output(etl.target)["storage"].file_format == file_format


MODES = {"overwrite": "OVERWRITE", "append": None}


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_of_the_writer_decides_whether_a_dataset_was_overwritten(etl: EtlJob, mode: str) -> None:
    etl.orders.write.parquet(etl.target)
    with etl.run("orders.daily"):
        etl.orders.write.mode(mode).parquet(etl.target)
    assert change(etl.events, etl.target) == MODES[mode]


def test_a_write_that_ignores_an_existing_dataset_has_no_output(etl: EtlJob) -> None:
    etl.orders.write.parquet(etl.target)
    with etl.run("orders.daily"):
        etl.orders.write.mode("ignore").parquet(etl.target)
    assert etl.events.outputs == []


def test_an_overwrite_of_written_partitions_keeps_the_dataset(etl: EtlJob) -> None:
    etl.orders.write.partitionBy("day").parquet(etl.target)
    with etl.run("orders.daily"):
        writer = etl.orders.where("day = 1").write.mode("overwrite").partitionBy("day")
        writer.option("partitionOverwriteMode", "dynamic").parquet(etl.target)
    assert change(etl.events, etl.target) is None


TABLES: dict[str, tuple[Callable[[DataFrame], None], str | None]] = {
    "saveAsTable": (lambda df: df.write.mode("overwrite").saveAsTable("daily"), "OVERWRITE"),
    "saveAsTable append": (lambda df: df.write.saveAsTable("daily", mode="append"), None),
    "bucketBy": (
        lambda df: df.write.bucketBy(2, "day").sortBy("day").mode("overwrite").saveAsTable("daily"),
        "OVERWRITE",
    ),
    "insertInto": (lambda df: df.write.insertInto("daily"), None),
    "insertInto overwrite": (lambda df: df.write.insertInto("daily", overwrite=True), "OVERWRITE"),
    "insertInto with mode": (lambda df: df.write.mode("overwrite").insertInto("daily"), "OVERWRITE"),
}


@pytest.fixture
def daily(spark: SparkSession, orders: DataFrame) -> Path:
    """Return the folder of an existing table."""
    per_day(orders).write.mode("overwrite").saveAsTable("daily")
    return Path(str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:")) / "daily"


@pytest.mark.check
@pytest.mark.parametrize("case", TABLES)
def test_a_write_to_a_table_is_captured(etl: EtlJob, daily: Path, case: str) -> None:
    write, expected = TABLES[case]
    with etl.run("orders.daily"):
        write(per_day(etl.orders))
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [str(daily)])
    assert etl.events.output(str(daily))["outputStatistics"].row_count == DAYS
    assert change(etl.events, str(daily)) == expected
    assert list(etl.events.output(str(daily))["columnLineage"].fields) == ["day", "amount"]


def test_a_new_table_is_captured(spark: SparkSession, events: Events, orders: DataFrame, daily: Path) -> None:
    spark.sql("DROP TABLE daily")
    with SparkRun(spark, "etl", "orders.daily", emit=events, on_error="raise"):
        per_day(orders).writeTo("daily").using("parquet").create()
    assert events.outputs == [str(daily)]
    assert change(events, str(daily)) == "CREATE"


def test_sql_statements_are_captured(etl: EtlJob, daily: Path) -> None:
    with etl.run("orders.daily"):
        query = "INSERT INTO daily SELECT day, amount FROM {orders} WHERE day = :day"
        etl.spark.sql(query, {"day": 1}, orders=etl.orders)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [str(daily)])
    assert etl.events.facets["job"]["sql"].query == query


def test_nothing_is_reported_twice(etl: EtlJob) -> None:
    with etl.run("orders.daily") as run:
        run.write(run.read(etl.orders), etl.target)
        etl.orders.write.mode("append").parquet(etl.target)
    assert etl.events.output(etl.target)["outputStatistics"].row_count == 2 * ORDERS


def test_without_capture_only_the_methods_of_the_run_report(etl: EtlJob) -> None:
    with etl.run("orders.daily", capture=False) as run:
        etl.orders.write.parquet(etl.target)
        assert etl.events.types == ["START"]
        run.write(etl.orders, f"{etl.target}-2")
    assert etl.events.outputs == [f"{etl.target}-2"]


@pytest.mark.usefixtures("without_gaps")
def test_a_write_that_stores_nothing_has_inputs_only(etl: EtlJob) -> None:
    with etl.run("orders.daily"):
        etl.orders.write.format("noop").mode("overwrite").save()
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [])
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == ORDERS


def test_a_sink_without_a_name_is_logged_once_with_its_format(etl: EtlJob) -> None:
    sink = "org.apache.spark.sql.execution.datasources.noop.NoopDataSource"
    with etl.run("orders.daily", on_error="log"):
        etl.orders.write.format(sink).mode("append").save()
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [])
    assert etl.messages == [
        "lineage of etl/orders.daily: could not find the write target: ValueError: the target has no path; "
        f"name it with run.write(df, format='{sink}', dataset=(namespace, name))"
    ]
