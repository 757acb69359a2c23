"""Data quality, measured in the pass that the job makes anyway, is what a second pass would find."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.facets import DataQualityMetricsInputDatasetFacet
from openlineage_facets.spark import SparkRun, quality
from tests.spark.run.conftest import ORDERS, Events


def quality_of(events: Events, name: str) -> DataQualityMetricsInputDatasetFacet:
    quality: DataQualityMetricsInputDatasetFacet = events.input(name)["dataQualityMetrics"]
    return quality


def test_quality_is_what_a_second_pass_finds(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    run.write(run.read(orders, quality=True).groupBy("day").count(), target)
    run.complete()
    told = quality_of(events, orders_path)
    assert told.row_count == ORDERS
    for column in orders.columns:
        values, different, least, most = orders.agg(
            f.count(column), f.countDistinct(column), f.min(column), f.max(column)
        ).first()
        metrics = told.column_metrics[column]
        assert (metrics.count, metrics.null_count) == (values, ORDERS - values)
        assert metrics.distinct_count == pytest.approx(different, rel=0.2)
        if column == "customer":
            assert (metrics.min, metrics.sum, metrics.quantiles) == (None, None, None)
        else:
            assert (metrics.min, metrics.max) == (least, most)
            assert metrics.sum == orders.agg(f.sum(column)).first()[0]
            median = orders.approxQuantile(column, [0.5], 0)[0]
            assert metrics.quantiles["0.5"] == pytest.approx(median, rel=0.01)


def test_only_the_columns_asked_for_are_measured(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    run.write(run.read(orders, quality=["day"]), target)
    run.complete()
    assert list(quality_of(events, orders_path).column_metrics) == ["day"]


def test_without_quality_the_very_same_dataframe_comes_back(run: SparkRun, orders: DataFrame) -> None:
    assert run.read(orders) is orders


def test_with_quality_the_plan_differs_by_the_observation_alone(run: SparkRun, orders: DataFrame) -> None:
    measured = run.read(orders, quality=True)
    lines = measured._jdf.queryExecution().analyzed().toString().splitlines()
    assert lines[0].startswith("CollectMetrics")
    assert [line.removeprefix("+- ") for line in lines[1:]] == (
        orders._jdf.queryExecution().analyzed().toString().splitlines()
    )
    assert sorted(measured.collect()) == sorted(orders.collect())


def test_any_action_measures_quality(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str
) -> None:
    assert run.read(orders, quality=True).count() == ORDERS
    run.complete()
    assert quality_of(events, orders_path).row_count == ORDERS


def test_an_action_that_stops_early_measures_nothing(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    orders_path: str,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with SparkRun(spark, "etl", "peek", emit=events) as run:
        measured = run.read(orders, quality=True)
        measured.take(3)
        run.write(measured, target)
    assert "dataQualityMetrics" not in events.input(orders_path)
    assert "stopped before the last row" in caplog.text


class Clock:
    """A clock that only sleeping moves on, whatever else keeps the machine busy."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_where_no_action_runs_nothing_is_told_and_the_end_waits_for_moments(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(quality, "time", clock)
    run.read(orders, quality=True)
    run.complete()
    assert 0 < clock.now < 1
    assert "dataQualityMetrics" not in events.input(orders_path)


def test_numbers_that_json_lacks_and_sums_too_large_are_no_trouble(
    spark: SparkSession, run: SparkRun, events: Events
) -> None:
    most = 2**63 - 1
    rows = [(float("nan"), most, Decimal("1.5")), (1.0, most, Decimal(2))]
    frame = spark.createDataFrame(rows, "ratio double, large long, price decimal(38,18)")
    assert run.read(frame, dataset=("memory", "odd"), quality=True).count() == 2
    run.complete()
    metrics = quality_of(events, "odd").column_metrics
    assert (metrics["ratio"].min, metrics["ratio"].max, metrics["ratio"].sum) == (1.0, None, None)
    assert metrics["large"].sum == float(2 * most)
    assert metrics["large"].max == most
    assert (metrics["price"].min, metrics["price"].max) == (1.5, 2)


def test_columns_of_every_type_and_name_can_be_measured(
    spark: SparkSession, run: SparkRun, events: Events
) -> None:
    frame = spark.sql(
        "SELECT 1 AS `a.b`, 2 AS `c``d`, true AS e, date'2026-03-01' AS f, array(1) AS g, map(1, 2) AS h,"
        " struct(1) AS i, binary('x') AS j, null AS k, 1 AS twice, 2 AS twice, 'x' AS rows"
    )
    assert run.read(frame, dataset=("memory", "all"), quality=True).count() == 1
    run.complete()
    metrics = quality_of(events, "all").column_metrics
    assert list(metrics) == ["a.b", "c`d", *"efghijk", "rows"]
    assert metrics["a.b"].max == 1
    assert metrics["k"].null_count == 1
    assert metrics["g"].distinct_count is None


def test_a_column_that_is_not_there_costs_the_quality_alone(
    spark: SparkSession, events: Events, orders: DataFrame, caplog: pytest.LogCaptureFixture
) -> None:
    with SparkRun(spark, "etl", "typo", emit=events) as run:
        assert run.read(orders, quality=["dya"]) is orders
    assert "'dya'" in caplog.text
    assert events.types == ["START", "COMPLETE"]


def test_a_dataframe_of_two_datasets_is_not_measured(
    spark: SparkSession, events: Events, orders: DataFrame, tmp_path, caplog: pytest.LogCaptureFixture
) -> None:
    other = str(tmp_path / "other")
    orders.limit(1).write.parquet(other)
    both = orders.union(spark.read.parquet(other))
    with SparkRun(spark, "etl", "two", emit=events) as run:
        assert run.read(both, quality=True) is both
    assert "one dataset" in caplog.text
