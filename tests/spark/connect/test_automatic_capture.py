"""With Spark Connect, writes and actions of unchanged code are captured as far as its client knows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.run.conftest import Events

pytestmark = pytest.mark.check


def test_writes_of_unchanged_code_are_captured(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, tmp_path: Path
) -> None:
    with SparkRun(spark, "etl", "remote", emit=events, on_error="raise"):
        orders.write.parquet(str(tmp_path / "parquet"))
        orders.write.format("json").mode("overwrite").partitionBy("day").save(str(tmp_path / "json"))
        orders.write.mode("overwrite").saveAsTable("remote_orders")
        orders.write.insertInto("remote_orders")
    assert events.inputs == [orders_path]
    files = [str(tmp_path / "parquet"), str(tmp_path / "json")]
    assert events.outputs[:2] == files
    assert len(events.outputs) == 3
    assert events.output(files[0])["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
    assert events.output(files[1])["storage"].file_format == "json"


@pytest.mark.parametrize("action", ["collect", "toPandas", "count", "show", "first"])
def test_an_action_has_inputs(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, action: str
) -> None:
    with SparkRun(spark, "etl", "remote", emit=events, on_error="raise"):
        getattr(orders, action)()
    assert (events.inputs, events.outputs) == ([orders_path], [])


def test_methods_are_restored(spark: SparkSession, events: Events) -> None:
    from pyspark.sql.connect.readwriter import DataFrameWriter

    before = vars(DataFrameWriter)["save"]
    with SparkRun(spark, "etl", "remote", emit=events):
        assert vars(DataFrameWriter)["save"] is not before
    assert vars(DataFrameWriter)["save"] is before
