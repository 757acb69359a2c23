"""Data quality measured in the same pass equals that of a second pass over the data."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from unittest.mock import Mock

import pytest
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from openlineage_facets.facets import DataQualityMetricsInputDatasetFacet
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture import quality_observations as quality
from openlineage_facets.spark.capture.guard import Guard
from tests.spark.etl_job import ORDERS, EtlJob, Events, mostly_thorough

pytestmark = pytest.mark.check


def quality_of(events: Events, name: str) -> DataQualityMetricsInputDatasetFacet:
    quality: DataQualityMetricsInputDatasetFacet = events.input(name)["dataQualityMetrics"]
    return quality


def test_quality_equals_that_of_a_second_pass(etl: EtlJob, run: SparkRun) -> None:
    run.write(run.read(etl.orders, quality=True).groupBy("day").count(), etl.target)
    run.complete()
    metrics_of_all = quality_of(etl.events, etl.orders_path)
    assert metrics_of_all.row_count == ORDERS
    for column in etl.orders.columns:
        values, different, least, most = etl.orders.agg(
            f.count(column), f.countDistinct(column), f.min(column), f.max(column)
        ).first()
        metrics = metrics_of_all.column_metrics[column]
        assert (metrics.count, metrics.null_count) == (values, ORDERS - values)
        assert metrics.distinct_count == pytest.approx(different, rel=0.2)
        if column == "customer":
            assert (metrics.min, metrics.sum, metrics.quantiles) == (None, None, None)
        else:
            assert (metrics.min, metrics.max) == (least, most)
            assert metrics.sum == etl.orders.agg(f.sum(column)).first()[0]
            median = etl.orders.approxQuantile(column, [0.5], 0)[0]
            assert metrics.quantiles["0.5"] == pytest.approx(median, rel=0.01)


@pytest.mark.thorough
def test_only_the_requested_columns_are_measured(etl: EtlJob, run: SparkRun) -> None:
    run.write(run.read(etl.orders, quality=["DAY", "day"]), etl.target)
    run.complete()
    assert list(quality_of(etl.events, etl.orders_path).column_metrics) == ["day"]


def test_without_quality_read_returns_the_same_dataframe(run: SparkRun, orders: DataFrame) -> None:
    assert run.read(orders) is orders


@pytest.mark.thorough
def test_with_quality_the_plan_only_has_an_additional_observation(run: SparkRun, orders: DataFrame) -> None:
    measured = run.read(orders, quality=True)
    lines = measured._jdf.queryExecution().analyzed().toString().splitlines()
    assert lines[0].startswith("CollectMetrics")
    assert [line.removeprefix("+- ") for line in lines[1:]] == (
        orders._jdf.queryExecution().analyzed().toString().splitlines()
    )
    assert sorted(measured.collect()) == sorted(orders.collect())


def raised(value: object) -> Column:
    """Return an expression that fails for the rows of one day."""
    return f.when(f.col("day") == value, f.raise_error(f.lit("no such day")).cast("int"))


def failing(orders: DataFrame) -> None:
    with pytest.raises(Exception, match="no such day"):
        orders.withColumn("wrong", raised(3)).collect()


def in_pairs(orders: DataFrame) -> DataFrame:
    """Join each row with three others in a way that makes Spark compute both sides several times."""
    three = orders.sparkSession.range(3).repartition(3).withColumnRenamed("id", "other")
    return three.hint("shuffle_replicate_nl").crossJoin(orders)


def compared(orders: DataFrame) -> DataFrame:
    """Join rows in a way that takes Spark two passes over them."""
    two = orders.sparkSession.range(2).withColumnRenamed("id", "other")
    return orders.join(f.broadcast(two), f.col("other") < f.col("day"), "full")


NOT_ONCE: dict[str, Callable[[DataFrame], object]] = {
    "take": lambda orders: orders.take(3),
    "limit": lambda orders: orders.limit(3).collect(),
    "tail": lambda orders: orders.tail(3),
    "iterator": lambda orders: list(orders.toLocalIterator()),
    "checkpoint to come": lambda orders: orders.localCheckpoint(eager=False),
    "checkpoint that came late": lambda orders: orders.localCheckpoint(eager=False).count(),
    "failure": failing,
    "cartesian product": lambda orders: in_pairs(orders).collect(),
    "join in two passes": lambda orders: compared(orders).collect(),
    "join with nothing": lambda orders: orders.join(
        orders.sparkSession.range(9).where("id < 0"), f.col("order") == f.col("id")
    ).collect(),
    "function over batches": lambda orders: orders.mapInPandas(
        lambda batches: batches, orders.schema
    ).count(),
}


@pytest.mark.parametrize("first", mostly_thorough(NOT_ONCE, "take", "join in two passes"))
def test_an_action_that_may_not_see_each_row_once_is_not_reported(etl: EtlJob, first: str) -> None:
    with etl.run("part", on_error="log") as run:
        measured = run.read(etl.orders, quality=True)
        NOT_ONCE[first](measured)
        run.write(measured, etl.target)
    assert "dataQualityMetrics" not in etl.events.input(etl.orders_path)
    [message] = [record.getMessage() for record in etl.caplog.records if "quality" in record.getMessage()]
    assert f"data quality of {etl.orders_path} is not captured: an action on it" in message


ONCE: dict[str, Callable[[DataFrame], object]] = {
    "pandas": lambda orders: orders.toPandas(),
    "limit of its own": lambda orders: orders.collect(),
    "limit of others": lambda orders: (
        orders.crossJoin(orders.sparkSession.range(9).limit(2)).groupBy("day").count().collect()
    ),
    "limit after an exchange": lambda orders: orders.groupBy("order").count().limit(3).collect(),
    "product after an exchange": lambda orders: in_pairs(orders.repartition(2)).collect(),
    "broadcast join": lambda orders: orders.join(
        f.broadcast(orders.sparkSession.range(9)), orders.day == f.col("id")
    ).count(),
    "sort-merge join": lambda orders: orders.join(
        orders.sparkSession.range(9).hint("merge"), orders.day == f.col("id")
    ).count(),
    "first of each group": lambda orders: orders.dropDuplicates(["day"]).collect(),
    "union with itself": lambda orders: orders.union(orders).collect(),
    "cache": lambda orders: orders.cache().count(),
    "checkpoint": lambda orders: orders.localCheckpoint(),
    "Python function": lambda orders: orders.select(f.udf(lambda day: day)("day")).collect(),
}


@pytest.mark.parametrize(
    "first",
    mostly_thorough(ONCE, "limit of its own", "cache"),
)
def test_an_action_that_sees_each_row_once_is_reported(
    run: SparkRun, events: Events, orders: DataFrame, orders_path: str, first: str
) -> None:
    rows = ORDERS
    if first == "limit of its own":
        orders, rows = orders.limit(100), 100
    measured = run.read(orders, quality=["order"])
    ONCE[first](measured)
    measured.unpersist()
    run.complete()
    metrics_of_all = quality_of(events, orders_path)
    assert (metrics_of_all.row_count, metrics_of_all.column_metrics["order"].count) == (rows, rows)


@pytest.mark.thorough
def test_rows_that_are_sampled_for_sorting_are_not_counted_twice(etl: EtlJob) -> None:
    with etl.run("sorted", on_error="log") as run:
        run.write(run.read(etl.orders, quality=["day"]).orderBy("amount"), etl.target)
    facets = etl.events.input(etl.orders_path)
    if tuple(map(int, etl.spark.version.split(".")[:2])) < (4, 3):
        assert "dataQualityMetrics" not in facets
    else:
        assert facets["dataQualityMetrics"].row_count == ORDERS


@pytest.mark.thorough
def test_quality_measured_before_a_failed_write_is_reported(etl: EtlJob) -> None:
    with etl.run("measured", on_error="log") as run:
        measured = run.read(etl.orders, quality=True)
        measured.count()
        etl.spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        with pytest.raises(Exception, match="no such day"):
            run.write(measured.withColumn("wrong", raised(3)), etl.target)
    assert quality_of(etl.events, etl.orders_path).row_count == ORDERS


@pytest.mark.thorough
def test_quality_measured_by_a_failed_write_is_not_reported(etl: EtlJob) -> None:
    with pytest.raises(Exception, match="no such day"), etl.run("x", on_error="log") as run:
        run.write(run.read(etl.orders, quality=True).withColumn("wrong", raised(3)), etl.target)
    assert etl.events.types[-1] == "FAIL"
    assert "dataQualityMetrics" not in etl.events.input(etl.orders_path)


@pytest.mark.parametrize(
    "action", mostly_thorough(["none", "rows of Python", "rows of Spark's own"], "rows of Python")
)
def test_quality_that_no_action_measured_is_logged_once(etl: EtlJob, action: str) -> None:
    with etl.run("unread", on_error="log") as run:
        measured = run.read(etl.orders, quality=True)
        if action == "rows of Python":
            measured.foreachPartition(list)
        if action == "rows of Spark's own":
            measured.rdd.count()
    assert "dataQualityMetrics" not in etl.events.input(etl.orders_path)
    [message] = [record.getMessage() for record in etl.caplog.records if "quality" in record.getMessage()]
    assert f"data quality of {etl.orders_path} is not captured: no action has measured it" in message


class Clock:
    """A clock that only advances by sleeping, independent of the load of the machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_without_an_action_a_run_ends_within_a_second_whatever_it_has_read(
    etl: EtlJob, run: SparkRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(quality, "time", clock)
    for _ in range(3):
        run.read(etl.orders, quality=True)
    run.complete()
    assert 0 < clock.now < 1
    assert "dataQualityMetrics" not in etl.events.input(etl.orders_path)


def test_an_observation_that_two_threads_find_complete_is_reported_once() -> None:
    class FoundByTwoThreads(quality.QualityObservation):
        def is_complete(self, timeout: float = 0.0) -> bool:
            finders.append(self)
            if len(finders) == 1:
                observations.report()  # As another thread does at the same time.
            return True

        def metrics(self) -> None:
            reported.append(self)

    finders: list[quality.QualityObservation] = []
    reported: list[quality.QualityObservation] = []
    session, guard = Mock(tracker=None, has_jvm=False), Guard("etl/daily", "https://example.com", "raise")
    observations = quality.QualityObservations(session, Mock(), guard)
    observations._pending["a"] = FoundByTwoThreads(("db", "orders"), 0, (), Mock(), "a")
    observations._complete.add("a")
    observations.report()
    assert (len(finders), len(reported)) == (2, 1)


@pytest.mark.thorough
def test_nan_infinity_and_overflowing_sums_are_supported(etl: EtlJob, run: SparkRun) -> None:
    most = 2**63 - 1
    rows = [(float("nan"), most, Decimal("1.5")), (1.0, most, Decimal(2))]
    frame = etl.spark.createDataFrame(rows, "ratio double, large long, price decimal(38,18)")
    assert run.read(frame, dataset=("memory", "odd"), quality=True).count() == 2
    run.complete()
    metrics = quality_of(etl.events, "odd").column_metrics
    assert (metrics["ratio"].min, metrics["ratio"].max, metrics["ratio"].sum) == (1.0, None, None)
    assert metrics["large"].sum == float(2 * most)
    assert metrics["large"].max == most
    assert (metrics["price"].min, metrics["price"].max) == (1.5, 2)


@pytest.mark.thorough
def test_columns_of_every_type_and_name_can_be_measured(etl: EtlJob, run: SparkRun) -> None:
    frame = etl.spark.sql(
        "SELECT 1 AS `a.b`, 2 AS `c``d`, true AS e, date'2026-03-01' AS f, array(1) AS g, map(1, 2) AS h,"
        " struct(1) AS i, binary('x') AS j, null AS k, 1 AS twice, 2 AS Twice, 'x' AS rows"
    )
    assert run.read(frame, dataset=("memory", "all"), quality=True).count() == 1
    run.complete()
    metrics = quality_of(etl.events, "all").column_metrics
    assert list(metrics) == ["a.b", "c`d", *"efghijk", "rows"]
    assert metrics["a.b"].max == 1
    assert metrics["k"].null_count == 1
    assert metrics["g"].distinct_count is None


def test_an_unknown_column_only_loses_the_quality(etl: EtlJob) -> None:
    with etl.run("typo", on_error="log") as run:
        assert run.read(etl.orders, quality=["dya"]) is etl.orders
    assert "'dya'" in etl.caplog.text
    assert etl.events.types == ["START", "COMPLETE"]
