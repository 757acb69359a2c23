"""A dataset has one name in a run: the one that was found, or the one that the user gives it."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.run.conftest import ORDERS, Events


def test_a_dataset_given_by_name_wins_everywhere(
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


def test_rows_made_in_python_are_a_dataset_where_they_are_given_a_name(
    spark: SparkSession, run: SparkRun, events: Events
) -> None:
    run.read(spark.createDataFrame([(1, "a")], "id int, name string"))
    run.read(spark.createDataFrame([(1,)], "id int"), dataset=("memory", "ids"))
    run.complete()
    assert events.inputs == ["ids"]
    assert [field.name for field in events.input("ids")["schema"].fields] == ["id"]


def test_a_sink_without_a_path_is_told_where_it_is_given_a_name(
    run: SparkRun, events: Events, orders: DataFrame
) -> None:
    run.write(orders, format="noop", mode="overwrite", dataset=("https://api.example.com", "orders"))
    run.complete()
    assert events.outputs == ["orders"]
    assert len(events.output("orders")["schema"].fields) == 4


def test_what_was_written_under_a_name_is_read_under_it(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    run.write(orders, target, dataset=("lake", "orders"))
    run.write(spark.read.parquet(target), f"{target}-again")
    run.complete()
    assert events.inputs[-1] == "orders"
    assert events.input("orders")["inputStatistics"].row_count == ORDERS
    sources = events.output(f"{target}-again")["columnLineage"].fields["amount"].input_fields
    assert [(source.namespace, source.name) for source in sources] == [("lake", "orders")]


def test_what_was_read_under_a_name_is_written_under_it(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    orders.write.parquet(target)
    run.read(spark.read.parquet(target), dataset=("lake", "orders"))
    run.write(orders, target, mode="append")
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}' USING parquet SELECT * FROM values (1) AS one(n)")
    run.complete()
    assert events.outputs == ["orders"]


def test_a_dataset_that_is_added_to_itself_has_its_name_on_both_sides(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    orders.write.parquet(target)
    run.write(spark.read.parquet(target), target, mode="append", dataset=("lake", "orders"))
    run.complete()
    assert (events.inputs, events.outputs) == (["orders"], ["orders"])


def test_the_name_of_several_datasets_together_is_none_of_them(
    spark: SparkSession, run: SparkRun, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    orders.write.parquet(target)
    both = orders.join(spark.read.parquet(target), "order")
    run.read(both, dataset=("lake", "joined"))
    run.write(orders, target, mode="append")
    run.complete()
    assert (events.inputs, events.outputs) == (["joined"], [target])


def test_partitions_that_have_names_leave_their_table_its_own(
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


def test_two_names_for_one_dataset_are_said_in_the_log(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, caplog: pytest.LogCaptureFixture
) -> None:
    run.read(orders, dataset=("lake", "a"))
    run.read(orders, dataset=("lake", "a"))
    assert not caplog.records
    run.read(orders, dataset=("lake", "b"))
    (record,) = caplog.records
    assert f"file {orders_path} was called lake a and is called lake b now" in record.getMessage()


@pytest.mark.parametrize("wrong", ["orders", ("", ""), ("lake", ""), ("lake", "a", "b"), ("lake", 1), 17])
def test_a_name_that_is_none_is_left_out_with_a_line_in_the_log(
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
    assert f"dataset: expected (namespace, name), two texts that are not empty, found {wrong!r}" in (
        record.getMessage()
    )


@pytest.mark.parametrize("wrong", ["orders", None, 17])
def test_what_is_no_data_frame_is_given_back_with_a_line_in_the_log(
    spark: SparkSession, events: Events, caplog: pytest.LogCaptureFixture, wrong: Any
) -> None:
    with SparkRun(spark, "etl", "orders.daily", emit=events) as run:
        assert run.read(wrong, quality=True) is wrong
    (record,) = caplog.records
    assert "run.read: expected a DataFrame, as in run.read(spark.read.parquet(path)), found " in (
        record.getMessage()
    )
