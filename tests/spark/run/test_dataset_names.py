"""A dataset has one name in a run: that passed by the user, or that found in the plan."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture.dataset_names import checked_identity
from tests.cases import each
from tests.spark.etl_job import ORDERS, EtlJob

pytestmark = pytest.mark.check


def test_a_passed_name_is_used_everywhere(etl: EtlJob, run: SparkRun) -> None:
    read = run.read(etl.orders, dataset=("kafka://broker:9092", "orders"))
    run.write(read.groupBy("day").count(), etl.target, dataset=("warehouse", "daily"))
    run.complete()
    assert (etl.events.inputs, etl.events.outputs) == (["orders"], ["daily"])
    assert etl.events[-1].inputs[0].namespace == "kafka://broker:9092"
    sources = etl.events.output("daily")["columnLineage"].fields["day"].input_fields
    assert [(source.namespace, source.name) for source in sources] == [("kafka://broker:9092", "orders")]
    assert etl.events.input("orders")["inputStatistics"].row_count == ORDERS
    assert etl.events.rows("daily") == 7


def test_rows_created_in_python_are_an_input_under_a_passed_name(etl: EtlJob, run: SparkRun) -> None:
    run.read(etl.spark.createDataFrame([(1, "a")], "id int, name string"))
    run.read(etl.spark.createDataFrame([(1,)], "id int"), dataset=("memory", "ids"))
    run.complete()
    assert etl.events.inputs == ["ids"]
    assert [field.name for field in etl.events.input("ids")["schema"].fields] == ["id"]


@pytest.mark.thorough
def test_a_sink_without_a_path_is_an_output_under_a_passed_name(etl: EtlJob, run: SparkRun) -> None:
    run.write(etl.orders, format="noop", mode="overwrite", dataset=("https://api.example.com", "orders"))
    run.complete()
    assert etl.events.outputs == ["orders"]
    assert len(etl.events.output("orders")["schema"].fields) == 4


def test_the_name_of_an_output_is_used_when_it_is_read(etl: EtlJob, run: SparkRun) -> None:
    run.write(etl.orders, etl.target, dataset=("lake", "orders"))
    run.write(etl.spark.read.parquet(etl.target), f"{etl.target}-again")
    run.complete()
    assert etl.events.inputs[-1] == "orders"
    assert etl.events.input("orders")["inputStatistics"].row_count == ORDERS
    sources = etl.events.output(f"{etl.target}-again")["columnLineage"].fields["amount"].input_fields
    assert [(source.namespace, source.name) for source in sources] == [("lake", "orders")]


@pytest.mark.thorough
def test_the_name_of_an_input_is_used_when_it_is_written(etl: EtlJob, run: SparkRun) -> None:
    etl.orders.write.parquet(etl.target)
    run.read(etl.spark.read.parquet(etl.target), dataset=("lake", "orders"))
    run.write(etl.orders, etl.target, mode="append")
    run.sql(f"INSERT OVERWRITE DIRECTORY '{etl.target}' USING parquet SELECT * FROM values (1) AS one(n)")
    run.complete()
    assert etl.events.outputs == ["orders"]


@pytest.mark.thorough
def test_a_dataset_appended_to_itself_has_the_same_name_as_input_and_output(
    etl: EtlJob, run: SparkRun
) -> None:
    etl.orders.write.parquet(etl.target)
    run.write(etl.spark.read.parquet(etl.target), etl.target, mode="append", dataset=("lake", "orders"))
    run.complete()
    assert (etl.events.inputs, etl.events.outputs) == (["orders"], ["orders"])


@pytest.mark.thorough
def test_the_name_of_several_datasets_is_not_used_for_one_of_them(etl: EtlJob, run: SparkRun) -> None:
    etl.orders.write.parquet(etl.target)
    both = etl.orders.join(etl.spark.read.parquet(etl.target), "order")
    run.read(both, dataset=("lake", "joined"))
    run.write(etl.orders, etl.target, mode="append")
    run.complete()
    assert (etl.events.inputs, etl.events.outputs) == (["joined"], [etl.target])


@pytest.mark.thorough
def test_names_of_partitions_are_not_used_for_their_table(etl: EtlJob, run: SparkRun) -> None:
    run.write(etl.orders.drop("day"), f"{etl.target}/day=1", dataset=("lake", "monday"))
    run.write(etl.orders.drop("day"), f"{etl.target}/day=2", dataset=("lake", "tuesday"))
    run.read(etl.spark.read.parquet(etl.target))
    run.read(etl.spark.read.parquet(f"{etl.target}/day=1"), dataset=("lake", "monday"))
    run.write(etl.orders.drop("day"), etl.target, mode="append")
    run.complete()
    assert etl.events.inputs[1:] == [etl.target, "monday"]
    assert etl.events.outputs == ["monday", "tuesday", etl.target]


def test_two_names_for_one_dataset_are_logged(etl: EtlJob, run: SparkRun) -> None:
    run.read(etl.orders, dataset=("lake", "a"))
    run.read(etl.orders, dataset=("lake", "a"))
    assert not etl.caplog.records
    run.read(etl.orders, dataset=("lake", "b"))
    (record,) = etl.caplog.records
    assert f"file {etl.orders_path} was named lake a and is now named lake b" in record.getMessage()


def test_an_invalid_name_is_ignored_and_logged_once(etl: EtlJob) -> None:
    wrong: Any = "orders"
    with etl.run("orders.daily", on_error="log") as run:
        run.write(run.read(etl.orders, dataset=wrong), etl.target, dataset=wrong)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    (message,) = etl.messages
    assert "dataset: expected (namespace, name), two non-empty strings, found 'orders'" in message


@each("wrong", ["orders", ("", ""), ("lake", ""), ("lake", "a", "b"), ("lake", 1), 17])
def test_a_name_is_a_pair_of_texts(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"^dataset: expected \(namespace, name\)"):
        checked_identity(wrong)


def test_read_returns_anything_but_a_dataframe_unchanged_and_logs_it(etl: EtlJob) -> None:
    with etl.run("orders.daily", on_error="log") as run:
        assert run.read("orders", quality=True) == "orders"  # type: ignore[arg-type, comparison-overlap]
    (message,) = etl.messages
    assert "run.read: expected a DataFrame, as in run.read(spark.read.parquet(path)), found str" in message
