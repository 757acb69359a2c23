"""With Spark Connect, writes and actions of unchanged code are captured as far as its client knows them."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob, Events, mostly_thorough

pytestmark = pytest.mark.check


def test_writes_of_unchanged_code_are_captured(etl: EtlJob) -> None:
    with etl.run("remote"):
        etl.orders.write.parquet(str(etl.tmp_path / "parquet"))
        etl.orders.write.format("json").mode("overwrite").partitionBy("day").save(str(etl.tmp_path / "json"))
        etl.orders.write.mode("overwrite").saveAsTable("remote_orders")
        etl.orders.write.insertInto("remote_orders")
    assert etl.events.inputs == [etl.orders_path]
    files = [str(etl.tmp_path / "parquet"), str(etl.tmp_path / "json")]
    assert etl.events.outputs[:2] == files
    assert len(etl.events.outputs) == 3
    assert etl.events.change(files[0]) == "CREATE"
    assert etl.events.output(files[1])["storage"].file_format == "json"


@pytest.mark.parametrize(
    "action", mostly_thorough(["collect", "toPandas", "count", "show", "first"], "count")
)
def test_an_action_has_inputs(etl: EtlJob, action: str) -> None:
    with etl.run("remote"):
        getattr(etl.orders, action)()
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [])


@pytest.mark.thorough
def test_methods_are_restored(spark: SparkSession, events: Events) -> None:
    from pyspark.sql.connect.readwriter import DataFrameWriter

    before = vars(DataFrameWriter)["save"]
    with SparkRun(spark, "etl", "remote", emit=events):
        assert vars(DataFrameWriter)["save"] is not before
    assert vars(DataFrameWriter)["save"] is before
