"""What Spark's own methods write inside a run is captured as if the run's methods had been called."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import DataFrame

from openlineage_facets.spark import SparkRun
from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob, Events, per_day

FILES: dict[str, tuple[Callable[[DataFrame, str], None], str]] = {
    "save with arguments": (lambda df, path: df.write.save(path, "orc", "overwrite", "day"), "orc"),
    "option path": (lambda df, path: df.write.format("json").option("path", path).save(), "json"),
    "parquet with arguments": (
        lambda df, path: df.write.parquet(path, partitionBy="day", mode="append"),
        "parquet",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_write_of_files_is_captured(etl: EtlJob, case: str) -> None:
    write, file_format = FILES[case]
    with etl.run("orders.daily"):
        write(etl.orders, etl.target)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    assert etl.events.rows(etl.target) == ORDERS
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == ORDERS
    assert etl.events.change(etl.target) == "CREATE"
    assert "day" in etl.events.output(etl.target)["columnLineage"].fields
    assert etl.events.output(etl.target)["storage"].file_format == file_format


OVERWRITES: dict[str, Callable[[DataFrame], None]] = {
    "insertInto": lambda df: df.write.mode("overwrite").insertInto("daily"),
    "saveAsTable": lambda df: df.write.mode("overwrite").saveAsTable("daily"),
}


@pytest.mark.parametrize("case", OVERWRITES)
def test_the_mode_of_the_writer_decides_whether_a_table_was_overwritten(etl: EtlJob, case: str) -> None:
    per_day(etl.orders).write.mode("overwrite").saveAsTable("daily")
    with etl.run("orders.daily"):
        OVERWRITES[case](per_day(etl.orders))
    (name,) = etl.events.outputs
    assert (etl.events.rows(name), etl.events.change(name)) == (7, "OVERWRITE")


def test_the_mode_of_the_writer_decides_whether_a_folder_was_overwritten(etl: EtlJob) -> None:
    for mode, change in (("append", None), ("overwrite", "OVERWRITE")):
        path, events = f"{etl.target}-{mode}", Events()
        etl.orders.write.parquet(path)
        with SparkRun(etl.spark, "etl", "orders.daily", emit=events, on_error="raise"):
            etl.orders.write.mode(mode).parquet(path)
        assert events.change(path) == change


def test_nothing_is_reported_twice(etl: EtlJob) -> None:
    with etl.run("orders.daily") as run:
        run.write(run.read(etl.orders), etl.target)
        etl.orders.write.mode("append").parquet(etl.target)
    assert etl.events.rows(etl.target) == 2 * ORDERS


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
