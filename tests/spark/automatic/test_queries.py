"""What Spark executes without a call of PySpark's writers is captured as well: Spark reports it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.automatic.conftest import ORDERS
from tests.spark.automatic.test_writes import change, per_day
from tests.spark.run.conftest import Events

WITHOUT_GAPS = pytest.mark.usefixtures("without_gaps")

ACTIONS: dict[str, Callable[[DataFrame], Any]] = {
    "collect": lambda df: df.collect(),
    "toPandas": lambda df: df.toPandas(),
    "count": lambda df: df.count(),
    "show": lambda df: df.show(),
    "first": lambda df: df.first(),
    "toLocalIterator": lambda df: list(df.toLocalIterator()),
    "foreachPartition": lambda df: df.foreachPartition(list),
}


@WITHOUT_GAPS
@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_has_inputs_and_no_outputs(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, action: str
) -> None:
    with SparkRun(spark, "etl", "report", emit=events, on_error="raise"):
        ACTIONS[action](orders.where("day = 1"))
    assert (events.inputs, events.outputs) == ([orders_path], [])


@WITHOUT_GAPS
def test_a_dataframe_that_is_not_used_is_not_read(
    spark: SparkSession, events: Events, orders: DataFrame
) -> None:
    with SparkRun(spark, "etl", "report", emit=events, on_error="raise"):
        orders.where("day = 1")
    assert events.inputs == []


def test_queries_before_and_after_the_run_are_not_captured(
    spark: SparkSession, events: Events, orders: DataFrame
) -> None:
    orders.count()
    with SparkRun(spark, "etl", "report", emit=events, on_error="raise"):
        pass
    orders.count()
    assert events.inputs == []


def write_in_the_jvm(df: DataFrame, path: str, mode: str = "errorifexists") -> None:
    """Write as a library does that is written in Scala."""
    df._jdf.write().mode(mode).parquet(path)


@WITHOUT_GAPS
def test_a_write_by_a_library_is_captured(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        write_in_the_jvm(orders, target)
        write_in_the_jvm(orders, target, "append")
    assert (events.inputs, events.outputs) == ([orders_path], [target])
    output = events.output(target)
    assert output["outputStatistics"].row_count == 2 * ORDERS
    assert list(output["columnLineage"].fields) == ["order", "day", "amount"]
    assert events.input(orders_path)["inputStatistics"].row_count == 2 * ORDERS


@WITHOUT_GAPS
@pytest.mark.parametrize("is_new", [True, False])
def test_an_overwrite_by_a_library_may_create_the_folder(
    spark: SparkSession, events: Events, orders: DataFrame, target: str, is_new: bool
) -> None:
    if not is_new:
        orders.limit(1).write.parquet(target)
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        write_in_the_jvm(orders, target, "overwrite")
    assert events.output(target)["outputStatistics"].row_count == ORDERS
    assert "lifecycleStateChange" not in events.output(target)


@WITHOUT_GAPS
def test_a_table_created_by_a_library_is_captured_once(
    spark: SparkSession, events: Events, orders: DataFrame, tmp_path: Path
) -> None:
    spark.sql("DROP TABLE IF EXISTS by_library")
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        per_day(orders)._jdf.write().saveAsTable("by_library")
    (name,) = events.outputs
    assert change(events, name) == "CREATE"
    assert events.output(name)["outputStatistics"].row_count == 7


@WITHOUT_GAPS
def test_an_empty_table_created_by_the_catalog_is_captured(
    spark: SparkSession, events: Events, orders: DataFrame
) -> None:
    spark.sql("DROP TABLE IF EXISTS by_catalog")
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        spark.catalog.createTable("by_catalog", schema=orders.schema, source="parquet")
    (name,) = events.outputs
    assert change(events, name) == "CREATE"
    assert [field.name for field in events.output(name)["schema"].fields] == ["order", "day", "amount"]


def test_a_failed_write_by_a_library_is_a_planned_output(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, target: str
) -> None:
    orders.write.parquet(target)
    with pytest.raises(Exception, match="PATH_ALREADY_EXISTS"), SparkRun(spark, "etl", "f", emit=events):
        write_in_the_jvm(orders, target)
    assert events.types[-1] == "FAIL"
    assert (events.inputs, events.outputs) == ([orders_path], [target])
    assert "outputStatistics" not in events.output(target)


@pytest.mark.check
@WITHOUT_GAPS
def test_the_writes_of_calls_are_not_reported_again(
    spark: SparkSession, events: Events, orders: DataFrame, target: str
) -> None:
    spark.sql("DROP TABLE IF EXISTS once")
    with SparkRun(spark, "etl", "once", emit=events, on_error="raise") as run:
        orders.write.parquet(target)
        run.write(orders, target, mode="append")
        per_day(orders).write.saveAsTable("once")
        spark.sql("INSERT INTO once SELECT * FROM once WHERE day < 3")
        spark.sql("CREATE TABLE twice USING parquet AS SELECT * FROM once")
        spark.sql("SHOW TABLES").collect()
        spark.sql("DROP TABLE twice")
        orders.createOrReplaceTempView("view_of_orders")
    assert events.output(target)["outputStatistics"].row_count == 2 * ORDERS
    once, twice = (name for name in events.outputs if name != target)
    assert events.output(once)["outputStatistics"].row_count == 7 + 3
    assert (change(events, once), change(events, twice)) == ("CREATE", "DROP")
    assert change(events, target) == "CREATE"


@pytest.mark.check
@WITHOUT_GAPS
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("TRUNCATE TABLE by_library", "TRUNCATE"),
        ("ALTER TABLE by_library ADD COLUMNS (added INT)", "ALTER"),
        ("ALTER TABLE by_library SET TBLPROPERTIES ('tier' = 'gold')", "ALTER"),
        ("ALTER TABLE by_library ADD PARTITION (day = 9)", "ALTER"),
    ],
)
def test_a_table_changed_by_a_library_is_captured(
    spark: SparkSession, events: Events, statement: str, expected: str
) -> None:
    spark.sql("DROP TABLE IF EXISTS by_library")
    spark.sql("CREATE TABLE by_library (amount INT, day INT) USING parquet PARTITIONED BY (day)")
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        spark._jsparkSession.sql(statement)
    (name,) = events.outputs
    assert change(events, name) == expected
    names = [field.name for field in events.output(name)["schema"].fields]
    assert ("added" in names) == ("added" in statement)


def test_an_unknown_command_is_named_at_the_end(
    spark: SparkSession, events: Events, orders: DataFrame, caplog: pytest.LogCaptureFixture
) -> None:
    spark.sql("CREATE TABLE IF NOT EXISTS to_drop (n INT) USING parquet")
    with SparkRun(spark, "etl", "library", emit=events, on_error="raise"):
        spark._jsparkSession.sql("DROP TABLE to_drop")
    (message,) = [record.getMessage() for record in caplog.records]
    assert message == (
        "lineage of etl/library: not captured: the command DropTable, which spark.sql did not execute alone"
    )


@pytest.mark.parametrize("infers_after_the_read", [True, False])
def test_inferring_columns_is_no_read_of_text(
    spark: SparkSession, tmp_path: Path, events: Events, infers_after_the_read: bool
) -> None:
    """Spark reads the first line of a CSV file as text, before or after the file is known to be CSV."""
    path = str(tmp_path / "products.csv")
    Path(path).write_text("sku,title\n1,Tea\n")
    with SparkRun(spark, "etl", "products", emit=events) as run:
        if infers_after_the_read:
            run.read(spark.read.schema("sku string, title string").option("header", True).csv(path))
        spark.read.option("header", True).csv(path).collect()
    schema = events.input(path)["schema"]
    assert [field.name for field in schema.fields] == ["sku", "title"]


@pytest.mark.check
@WITHOUT_GAPS
@pytest.mark.parametrize("options", [{}, {"header": "true", "inferSchema": "true", "comment": "#"}])
def test_reading_csv_without_a_schema_reads_the_folder_and_not_its_first_file(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    tmp_path: Path,
    options: dict[str, str],
) -> None:
    path = str(tmp_path / "orders")
    orders.coalesce(1).write.option("header", "true").csv(path)
    with SparkRun(spark, "etl", "report", emit=events, on_error="raise"):
        read = spark.read.options(**options).csv(path)
        not_read = spark.read.options(**options).csv(path)
        read.count()
        assert not_read.columns == read.columns
    assert events.inputs == [path]
    assert "subset" not in events.input(path)


@WITHOUT_GAPS
def test_the_first_line_of_text_is_read_by_the_job(
    spark: SparkSession, events: Events, orders: DataFrame, tmp_path: Path
) -> None:
    path = str(tmp_path / "orders")
    orders.coalesce(1).write.csv(path)
    with SparkRun(spark, "etl", "report", emit=events, on_error="raise"):
        spark.read.text(path).where("value <> ''").first()
    assert events.inputs == [path]


@pytest.mark.skipif(not hasattr(DataFrame, "transpose"), reason="since Spark 4")
def test_a_transposed_dataframe_has_the_inputs_of_the_original(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    orders_path: str,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with SparkRun(spark, "etl", "transposed", emit=events, on_error="raise"):
        for _ in range(2):
            orders.select("day", "amount").limit(3).transpose().write.mode("overwrite").parquet(target)
    assert (events.inputs, events.outputs) == ([orders_path], [target])
    assert [record.getMessage() for record in caplog.records] == [
        "lineage of etl/transposed: cannot capture the sources and column lineage of rows of "
        "createDataFrame() or transpose(): they may be copies of what the job has read; "
        f"written to {target}; add them with run.build.job.lineage"
    ]


def test_missing_column_lineage_is_reported_once(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    orders_path: str,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with SparkRun(spark, "etl", "copies", emit=events, on_error="raise"):
        spark.createDataFrame([(1,)], ["constant"]).write.parquet(f"{target}/constants")
        for _ in range(2):
            days = orders.rdd.map(lambda row: (row.day,)).toDF(["day"])
            days.write.mode("overwrite").parquet(f"{target}/days")
    with SparkRun(spark, "etl", "copies", emit=events, on_error="raise"):
        for number in range(2):
            spark.createDataFrame(orders.collect()).write.parquet(f"{target}/{number}")
    assert [record.getMessage() for record in caplog.records] == [
        "lineage of etl/copies: cannot capture the column lineage of rows that are read without the columns "
        "of their dataset, such as those of df.rdd.map(...).toDF(); the dataset is reported",
        "lineage of etl/copies: cannot capture the sources and column lineage of rows of createDataFrame() "
        "or transpose(): they may be copies of what the job has read; "
        f"written to {target}/0, {target}/1; add them with run.build.job.lineage",
    ]


@pytest.mark.check
def test_a_cross_table_has_column_lineage(
    spark: SparkSession, events: Events, orders: DataFrame, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    with SparkRun(spark, "etl", "counts", emit=events, on_error="raise"):
        orders.crosstab("day", "amount").write.parquet(target)
    fields = events.output(target)["columnLineage"].to_dict()["fields"]
    assert {one["field"] for one in fields["day_amount"]["inputFields"]} == {"day"}
    assert caplog.records == []
