"""A dataset has one name in a run: that passed by the user, or that found in the plan."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.run.conftest import ORDERS, Events

pytestmark = pytest.mark.check


def test_a_passed_name_is_used_everywhere(
    run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    read = run.read(orders, dataset=("kafka://broker:9092", "orders"))
    run.write(read.groupBy("day").count(), target, dataset=("warehouse", "daily"))
    run.complete()
    assert (events.inputs, events.outputs) == (["orders"], ["daily"])
    assert events[-1].inputs[0].namespace == "kafka://broker:9092"
    sources = events.output("daily")["columnLineage"].fields["day"].input_fields
    assert [(source.namespace, source.name) for source in sources] == [("kafka://broker:9092", "orders")]
    assert events.input("orders")["inputStatistics"].row_count == ORDERS
    assert events.output("daily")["outputStatistics"].row_count == 7


def test_rows_created_in_python_are_an_input_under_a_passed_name(
    spark: SparkSession, run: SparkRun, events: Events
) -> None:
    run.read(spark.createDataFrame([(1, "a")], "id int, name string"))
    run.read(spark.createDataFrame([(1,)], "id int"), dataset=("memory", "ids"))
    run.complete()
    assert events.inputs == ["ids"]
    assert [field.name for field in events.input("ids")["schema"].fields] == ["id"]


def test_a_sink_without_a_path_is_an_output_under_a_passed_name(
    run: SparkRun, events: Events, orders: DataFrame
) -> None:
    run.write(orders, format="noop", mode="overwrite", dataset=("https://api.example.com", "orders"))
    run.complete()
    assert events.outputs == ["orders"]
    assert len(events.output("orders")["schema"].fields) == 4


def test_the_name_of_an_output_is_used_when_it_is_read(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    run.write(orders, target, dataset=("lake", "orders"))
    run.write(spark.read.parquet(target), f"{target}-again")
    run.complete()
    assert events.inputs[-1] == "orders"
    assert events.input("orders")["inputStatistics"].row_count == ORDERS
    sources = events.output(f"{target}-again")["columnLineage"].fields["amount"].input_fields
    assert [(source.namespace, source.name) for source in sources] == [("lake", "orders")]


def test_the_name_of_an_input_is_used_when_it_is_written(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    orders.write.parquet(target)
    run.read(spark.read.parquet(target), dataset=("lake", "orders"))
    run.write(orders, target, mode="append")
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}' USING parquet SELECT * FROM values (1) AS one(n)")
    run.complete()
    assert events.outputs == ["orders"]


def test_a_dataset_appended_to_itself_has_the_same_name_as_input_and_output(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    orders.write.parquet(target)
    run.write(spark.read.parquet(target), target, mode="append", dataset=("lake", "orders"))
    run.complete()
    assert (events.inputs, events.outputs) == (["orders"], ["orders"])


def test_the_name_of_several_datasets_is_not_used_for_one_of_them(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    orders.write.parquet(target)
    both = orders.join(spark.read.parquet(target), "order")
    run.read(both, dataset=("lake", "joined"))
    run.write(orders, target, mode="append")
    run.complete()
    assert (events.inputs, events.outputs) == (["joined"], [target])


def test_names_of_partitions_are_not_used_for_their_table(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    run.write(orders.drop("day"), f"{target}/day=1", dataset=("lake", "monday"))
    run.write(orders.drop("day"), f"{target}/day=2", dataset=("lake", "tuesday"))
    run.read(spark.read.parquet(target))
    run.read(spark.read.parquet(f"{target}/day=1"), dataset=("lake", "monday"))
    run.write(orders.drop("day"), target, mode="append")
    run.complete()
    assert events.inputs[1:] == [target, "monday"]
    assert events.outputs == ["monday", "tuesday", target]


def test_two_names_for_one_dataset_are_logged(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, caplog: pytest.LogCaptureFixture
) -> None:
    run.read(orders, dataset=("lake", "a"))
    run.read(orders, dataset=("lake", "a"))
    assert not caplog.records
    run.read(orders, dataset=("lake", "b"))
    (record,) = caplog.records
    assert f"file {orders_path} was named lake a and is now named lake b" in record.getMessage()


@pytest.mark.parametrize("wrong", ["orders", ("", ""), ("lake", ""), ("lake", "a", "b"), ("lake", 1), 17])
def test_an_invalid_name_is_ignored_and_logged_once(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    orders_path: str,
    target: str,
    caplog: pytest.LogCaptureFixture,
    wrong: Any,
) -> None:
    with SparkRun(spark, "etl", "orders.daily", emit=events) as run:
        run.write(run.read(orders, dataset=wrong), target, dataset=wrong)
    assert (events.inputs, events.outputs) == ([orders_path], [target])
    (record,) = caplog.records
    assert f"dataset: expected (namespace, name), two non-empty strings, found {wrong!r}" in (
        record.getMessage()
    )


@pytest.mark.parametrize("wrong", ["orders", None, 17])
def test_read_returns_anything_but_a_dataframe_unchanged_and_logs_it(
    spark: SparkSession, events: Events, caplog: pytest.LogCaptureFixture, wrong: Any
) -> None:
    with SparkRun(spark, "etl", "orders.daily", emit=events) as run:
        assert run.read(wrong, quality=True) is wrong
    (record,) = caplog.records
    assert "run.read: expected a DataFrame, as in run.read(spark.read.parquet(path)), found " in (
        record.getMessage()
    )
