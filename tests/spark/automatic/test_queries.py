"""What Spark executes without a call of PySpark's writers is captured as well: Spark reports it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame

from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob, mostly_thorough, per_day

WITHOUT_GAPS = pytest.mark.usefixtures("without_gaps")


@WITHOUT_GAPS
def test_a_dataframe_that_is_not_used_is_not_read(etl: EtlJob) -> None:
    with etl.run("report"):
        etl.orders.where("day = 1")
    assert etl.events.inputs == []


def test_queries_before_and_after_the_run_are_not_captured(etl: EtlJob) -> None:
    etl.orders.count()
    with etl.run("report"):
        pass
    etl.orders.count()
    assert etl.events.inputs == []


def write_in_the_jvm(df: DataFrame, path: str, mode: str = "errorifexists") -> None:
    """Write as a library does that is written in Scala."""
    df._jdf.write().mode(mode).parquet(path)


@WITHOUT_GAPS
def test_a_write_by_a_library_is_captured(etl: EtlJob) -> None:
    with etl.run("library"):
        write_in_the_jvm(etl.orders, etl.target)
        write_in_the_jvm(etl.orders, etl.target, "append")
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    output = etl.events.output(etl.target)
    assert output["outputStatistics"].row_count == 2 * ORDERS
    assert list(output["columnLineage"].fields) == ["order", "day", "amount"]
    assert etl.events.input(etl.orders_path)["inputStatistics"].row_count == 2 * ORDERS


@WITHOUT_GAPS
@pytest.mark.parametrize("is_new", [True, False])
def test_an_overwrite_by_a_library_may_create_the_folder(etl: EtlJob, is_new: bool) -> None:
    if not is_new:
        etl.orders.limit(1).write.parquet(etl.target)
    with etl.run("library"):
        write_in_the_jvm(etl.orders, etl.target, "overwrite")
    assert etl.events.rows(etl.target) == ORDERS
    assert "lifecycleStateChange" not in etl.events.output(etl.target)


@WITHOUT_GAPS
def test_a_table_created_by_a_library_is_captured_once(etl: EtlJob) -> None:
    etl.spark.sql("DROP TABLE IF EXISTS by_library")
    with etl.run("library"):
        per_day(etl.orders)._jdf.write().saveAsTable("by_library")
    (name,) = etl.events.outputs
    assert etl.events.change(name) == "CREATE"
    assert etl.events.rows(name) == 7


@WITHOUT_GAPS
def test_an_empty_table_created_by_the_catalog_is_captured(etl: EtlJob) -> None:
    etl.spark.sql("DROP TABLE IF EXISTS by_catalog")
    with etl.run("library"):
        etl.spark.catalog.createTable("by_catalog", schema=etl.orders.schema, source="parquet")
    (name,) = etl.events.outputs
    assert etl.events.change(name) == "CREATE"
    assert etl.events.columns(name) == ["order", "day", "amount"]


def test_a_failed_write_by_a_library_is_a_planned_output(etl: EtlJob) -> None:
    etl.orders.write.parquet(etl.target)
    with pytest.raises(Exception, match="PATH_ALREADY_EXISTS"), etl.run("f", on_error="log"):
        write_in_the_jvm(etl.orders, etl.target)
    assert etl.events.types[-1] == "FAIL"
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    assert "outputStatistics" not in etl.events.output(etl.target)


@pytest.mark.check
@WITHOUT_GAPS
def test_the_writes_of_calls_are_not_reported_again(etl: EtlJob) -> None:
    etl.spark.sql("DROP TABLE IF EXISTS once")
    with etl.run("once") as run:
        etl.orders.write.parquet(etl.target)
        run.write(etl.orders, etl.target, mode="append")
        per_day(etl.orders).write.saveAsTable("once")
        etl.spark.sql("INSERT INTO once SELECT * FROM once WHERE day < 3")
        etl.spark.sql("CREATE TABLE twice USING parquet AS SELECT * FROM once")
        etl.spark.sql("SHOW TABLES").collect()
        etl.spark.sql("DROP TABLE twice")
        etl.orders.createOrReplaceTempView("view_of_orders")
    assert etl.events.rows(etl.target) == 2 * ORDERS
    once, twice = (name for name in etl.events.outputs if name != etl.target)
    assert etl.events.rows(once) == 7 + 3
    assert (etl.events.change(once), etl.events.change(twice)) == ("CREATE", "DROP")
    assert etl.events.change(etl.target) == "CREATE"


@pytest.mark.check
@WITHOUT_GAPS
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("TRUNCATE TABLE by_library", "TRUNCATE"),
        ("ALTER TABLE by_library ADD COLUMNS (added INT)", "ALTER"),
        pytest.param("ALTER TABLE by_library ADD PARTITION (day = 9)", "ALTER", marks=pytest.mark.thorough),
    ],
)
def test_a_table_changed_by_a_library_is_captured(etl: EtlJob, statement: str, expected: str) -> None:
    etl.spark.sql("DROP TABLE IF EXISTS by_library")
    etl.spark.sql("CREATE TABLE by_library (amount INT, day INT) USING parquet PARTITIONED BY (day)")
    with etl.run("library"):
        etl.spark._jsparkSession.sql(statement)
    (name,) = etl.events.outputs
    assert etl.events.change(name) == expected
    names = etl.events.columns(name)
    assert ("added" in names) == ("added" in statement)


def test_an_unknown_command_is_named_at_the_end(etl: EtlJob) -> None:
    etl.spark.sql("CREATE TABLE IF NOT EXISTS to_drop (n INT) USING parquet")
    with etl.run("library"):
        etl.spark._jsparkSession.sql("DROP TABLE to_drop")
    (message,) = etl.messages
    assert message == (
        "lineage of etl/library: not captured: the command DropTable, which spark.sql did not execute alone"
    )


@pytest.mark.parametrize("infers_after_the_read", mostly_thorough([True, False], False))
def test_inferring_columns_is_no_read_of_text(etl: EtlJob, infers_after_the_read: bool) -> None:
    """Spark reads the first line of a CSV file as text, before or after the file is known to be CSV."""
    path = str(etl.tmp_path / "products.csv")
    Path(path).write_text("sku,title\n1,Tea\n")
    with etl.run("products", on_error="log") as run:
        if infers_after_the_read:
            run.read(etl.spark.read.schema("sku string, title string").option("header", True).csv(path))
        etl.spark.read.option("header", True).csv(path).collect()
    assert [field.name for field in etl.events.input(path)["schema"].fields] == ["sku", "title"]


@pytest.mark.check
@WITHOUT_GAPS
@pytest.mark.parametrize("options", [{}, {"header": "true", "inferSchema": "true", "comment": "#"}])
def test_reading_csv_without_a_schema_reads_the_folder_and_not_its_first_file(
    etl: EtlJob, options: dict[str, str]
) -> None:
    path = str(etl.tmp_path / "orders")
    etl.orders.coalesce(1).write.option("header", "true").csv(path)
    with etl.run("report"):
        read = etl.spark.read.options(**options).csv(path)
        not_read = etl.spark.read.options(**options).csv(path)
        read.count()
        assert not_read.columns == read.columns
    assert etl.events.inputs == [path]
    assert "subset" not in etl.events.input(path)


@WITHOUT_GAPS
def test_the_first_line_of_text_is_read_by_the_job(etl: EtlJob) -> None:
    path = str(etl.tmp_path / "orders")
    etl.orders.coalesce(1).write.csv(path)
    with etl.run("report"):
        etl.spark.read.text(path).where("length(trim(value)) > 0").first()
    assert etl.events.inputs == [path]


@pytest.mark.skipif(not hasattr(DataFrame, "transpose"), reason="since Spark 4")
def test_a_transposed_dataframe_has_the_inputs_of_the_original(etl: EtlJob) -> None:
    with etl.run("transposed"):
        for _ in range(2):
            etl.orders.select("day", "amount").limit(3).transpose().write.mode("overwrite").parquet(
                etl.target
            )
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [etl.target])
    assert etl.messages == [
        "lineage of etl/transposed: cannot capture the sources and column lineage of rows of "
        "createDataFrame(), transpose() or an unknown source: they may be copies of what the job has read; "
        f"written to {etl.target}; add them in a SparkRun with run.build.job.lineage"
    ]


def test_missing_column_lineage_is_reported_once(etl: EtlJob) -> None:
    with etl.run("copies"):
        etl.spark.createDataFrame([(1,)], ["constant"]).write.parquet(f"{etl.target}/constants")
        for _ in range(2):
            days = etl.orders.rdd.map(lambda row: (row.day,)).toDF(["day"])
            days.write.mode("overwrite").parquet(f"{etl.target}/days")
    with etl.run("copies"):
        for number in range(2):
            etl.spark.createDataFrame(etl.orders.collect()).write.parquet(f"{etl.target}/{number}")
    assert etl.messages == [
        "lineage of etl/copies: cannot capture the column lineage of rows that are read without the columns "
        "of their dataset, such as those of df.rdd.map(...).toDF(); the dataset is reported",
        "lineage of etl/copies: cannot capture the sources and column lineage of rows of "
        "createDataFrame(), transpose() or an unknown source: they may be copies of what the job has read; "
        f"written to {etl.target}/0, {etl.target}/1; add them in a SparkRun with run.build.job.lineage",
    ]


@pytest.mark.thorough
@pytest.mark.check
def test_a_cross_table_has_column_lineage(etl: EtlJob) -> None:
    with etl.run("counts"):
        etl.orders.crosstab("day", "amount").write.parquet(etl.target)
    fields = etl.events.output(etl.target)["columnLineage"].to_dict()["fields"]
    assert {one["field"] for one in fields["day_amount"]["inputFields"]} == {"day"}
    assert etl.caplog.records == []
