"""Inputs and column lineage of a DataFrame, and logging of what is unknown."""

from __future__ import annotations

import logging
from pathlib import Path
from time import perf_counter

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import sum as total_of

from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

pytestmark = [
    pytest.mark.check,
    pytest.mark.usefixtures("nothing_was_logged_before", "without_code_generation"),
]


@pytest.fixture(scope="module")
def lake(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    spark.sql("SELECT 1L AS customer, 10L AS amount").write.parquet(str(folder / "orders"))
    spark.sql("SELECT 1L AS customer, 'ana' AS name").write.parquet(str(folder / "customers"))
    return folder


def test_inputs_and_columns_are_found_in_the_plan(spark: SparkSession, lake: Path) -> None:
    orders = spark.read.parquet(f"{lake}/orders")
    customers = spark.read.parquet(f"{lake}/customers")
    joined = orders.join(customers, "customer").where("amount > 10")
    totals = joined.groupBy("name").agg(total_of("amount").alias("total"))

    assert [dataset.name for dataset in inputs_of(totals)] == [f"{lake}/orders", f"{lake}/customers"]
    lineage = column_lineage_facet(totals)
    [source] = lineage.fields["total"].input_fields
    assert (source.name, source.field) == (f"{lake}/orders", "amount")
    assert source.transformations[0].subtype == "AGGREGATION"
    assert {(column.field, column.transformations[0].subtype) for column in lineage.dataset} == {
        ("customer", "JOIN"),
        ("amount", "FILTER"),
        ("name", "GROUP_BY"),
    }


def test_reading_a_plan_runs_no_spark_job(spark: SparkSession, lake: Path) -> None:
    df = spark.read.parquet(f"{lake}/orders").groupBy("customer").count()
    tracker = spark.sparkContext.statusTracker()
    spark.sparkContext.setJobGroup("lineage", "lineage")
    try:
        assert inputs_of(df)
        assert column_lineage_facet(df)
        assert list(tracker.getJobIdsForGroup("lineage")) == []
    finally:
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]


def test_unknown_source_is_logged_once(
    spark: SparkSession, lake: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = spark.readStream.format("socket").options(host="localhost", port=9).load()
    orders = spark.read.parquet(f"{lake}/orders")
    joined = lines.join(orders, lines["value"] == orders["customer"])
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        for _ in range(2):
            assert [dataset.name for dataset in inputs_of(joined)] == [f"{lake}/orders"]
    assert len(caplog.records) == 1


def test_unreadable_plan_is_logged(
    spark: SparkSession, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    df = spark.range(1)
    monkeypatch.setattr(df, "_jdf", object())
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        assert inputs_of(df) == []
        assert column_lineage_facet(df) is None
    assert [("cannot " in record.message) for record in caplog.records] == [True, True]


def test_checkpoint_without_inputs_is_logged(
    spark: SparkSession, lake: Path, caplog: pytest.LogCaptureFixture
) -> None:
    df = spark.read.parquet(f"{lake}/orders").localCheckpoint()
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        assert inputs_of(df) == []
    assert "before the checkpoint" in caplog.text


@pytest.mark.thorough
def test_lineage_of_two_thousand_columns_is_fast(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(1).toDF("c0").write.parquet(str(tmp_path / "wide"))
    wide = ", ".join(f"c{number} bigint" for number in range(2000))
    read = spark.read.schema(wide).parquet(str(tmp_path / "wide"))
    sums = read.where("c0 >= 0").groupBy("c0").agg(*(total_of(name).alias(name) for name in read.columns[1:]))
    begun = perf_counter()
    lineage = column_lineage_facet(sums)
    taken = perf_counter() - begun
    assert lineage is not None
    assert len(lineage.fields) == 2000
    assert taken < 20  # Generous for slow machines: one call per column would take minutes.


def test_a_file_whose_name_looks_like_a_partition_is_a_dataset(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "report_day=1.csv").write_text("1\n")
    spark.range(3).write.csv(f"{tmp_path}/orders/day=1")
    spark.range(3).coalesce(1).write.csv(f"{tmp_path}/orders/day=2")
    read = [
        spark.read.csv(f"{tmp_path}/{name}") for name in ("report_day=1.csv", "orders/day=1", "orders/day=2")
    ]
    datasets = [inputs_of(df)[0] for df in read]
    names = [f"{tmp_path}/{name}" for name in ("report_day=1.csv", "orders", "orders")]
    assert [dataset.name for dataset in datasets] == names
    assert [dataset.is_part for dataset in datasets] == [False, True, True]


def test_generated_rows_of_a_stream_are_no_dataset(
    spark: SparkSession, caplog: pytest.LogCaptureFixture
) -> None:
    for source in ("rate", "rate-micro-batch"):
        assert inputs_of(spark.readStream.format(source).option("rowsPerBatch", 1).load()) == []
    assert not caplog.messages
