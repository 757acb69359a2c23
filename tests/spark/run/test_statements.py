"""Inputs and outputs of SQL statements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import ORDERS, EtlJob, Events, files_below
from tests.spark.session_state import drop_tables


@pytest.fixture
def tables(spark: SparkSession, orders: DataFrame) -> Iterator[None]:
    """Create the tables `orders` and `big`; drop all tables afterwards."""
    orders.write.saveAsTable("orders")
    orders.limit(0).write.saveAsTable("big")
    yield
    drop_tables(spark)


def base_names(names: list[str]) -> list[str]:
    return [Path(name).name for name in names]


@pytest.mark.usefixtures("tables")
def test_inputs_and_outputs_of_a_statement(run: SparkRun, events: Events) -> None:
    statement = "WITH a AS (SELECT * FROM orders) INSERT INTO big SELECT * FROM a"
    run.sql(statement)
    run.complete()
    assert (base_names(events.inputs), base_names(events.outputs)) == (["orders"], ["big"])
    (name,) = events.outputs
    assert (events.rows(name), events.change(name)) == (ORDERS, None)
    assert events.lineage(name)["amount"] == {"amount"}
    assert events.facets["job"]["sql"].query == statement


@pytest.mark.check
@pytest.mark.skipif(pyspark.__version__ < "4", reason="new in Spark 4")
@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("INSERT INTO big SELECT * FROM orders", ["big"]),
        ("SELECT * FROM orders", []),
    ],
)
def test_a_statement_in_a_string(run: SparkRun, events: Events, statement: str, written: list[str]) -> None:
    run.sql(f"EXECUTE IMMEDIATE '{statement}'")
    run.complete()
    assert (base_names(events.inputs), base_names(events.outputs)) == (["orders"], written)
    for name in events.outputs:
        assert (events.lineage(name)["amount"], events.rows(name)) == ({"amount"}, ORDERS)


@pytest.mark.check
@pytest.mark.parametrize(
    ("query", "exists", "change"),
    [
        ("{df}", True, "OVERWRITE"),
        ("(SELECT {df.day} FROM {df})", False, "CREATE"),
    ],
    ids=["frame", "column of a frame"],
)
def test_lifecycle_change_of_a_folder(
    etl: EtlJob, run: SparkRun, query: str, exists: bool, change: str
) -> None:
    if exists:
        etl.spark.range(3).write.parquet(etl.target)
    run.sql(f"INSERT OVERWRITE DIRECTORY '{etl.target}' USING parquet SELECT * FROM {query}", df=etl.orders)
    run.complete()
    assert etl.events.change(etl.target) == change
    assert etl.spark.read.parquet(etl.target).count() == ORDERS


@pytest.mark.usefixtures("tables")
def test_the_name_of_a_folder_is_not_percent_encoded(run: SparkRun, events: Events, tmp_path: Path) -> None:
    target = f"{tmp_path}/my daily 100%"
    Path(target).mkdir()
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}' USING parquet SELECT * FROM orders")
    run.complete()
    assert events.outputs == [target]
    assert events.change(target) == "OVERWRITE"


@pytest.mark.check
@pytest.mark.usefixtures("tables")
def test_insert_into_a_jdbc_table(etl: EtlJob, run: SparkRun) -> None:
    url = "jdbc:derby:memory:inserted;create=true"
    etl.spark.sql("SELECT 1L AS big, 'a' AS name").write.jdbc(url, "NAMES", "overwrite")
    etl.spark.sql(f"CREATE TEMPORARY VIEW names USING jdbc OPTIONS (url '{url}', dbtable 'NAMES')")
    try:
        run.sql("INSERT OVERWRITE names SELECT order, customer FROM orders WHERE day = 1")
        run.complete()
        assert base_names(etl.events.inputs) == ["orders"]
        (name,) = etl.events.outputs
        assert name.endswith("NAMES")
        assert etl.events.change(name) == "OVERWRITE"
        assert etl.events.lineage(name) == {"big": {"order"}, "name": {"customer"}}
        assert etl.spark.table("names").count() == 143
    finally:
        etl.spark.catalog.dropTempView("names")


@pytest.mark.usefixtures("tables")
def test_overwriting_the_folder_of_a_partition_does_not_overwrite_its_table(
    etl: EtlJob, run: SparkRun
) -> None:
    run.write(etl.orders, etl.target, partitionBy=["day"])
    run.sql(f"INSERT OVERWRITE DIRECTORY '{etl.target}/day=1' USING parquet SELECT * FROM orders LIMIT 10")
    run.complete()
    assert etl.events.rows(etl.target) == ORDERS + 10


@pytest.mark.usefixtures("tables")
def test_an_insert_into_two_tables_counts_the_rows_of_each(etl: EtlJob, run: SparkRun) -> None:
    run.sql("CREATE TABLE small LIKE big USING parquet")
    run.sql("FROM orders INSERT INTO big SELECT * INSERT INTO small SELECT * WHERE day = 1")
    run.complete()
    assert sorted(base_names(etl.events.outputs)) == ["big", "small"]
    small = etl.events.output(etl.events.output_named("small"))["outputStatistics"]
    assert etl.events.rows(etl.events.output_named("big")) == ORDERS
    assert 0 < small.row_count == etl.orders.where("day = 1").count() < ORDERS
    assert small.size > 0 < small.file_count


@pytest.mark.usefixtures("tables")
def test_rows_of_two_inserts_into_one_table_in_a_statement_add_up(etl: EtlJob, run: SparkRun) -> None:
    run.sql("FROM orders INSERT INTO big SELECT * INSERT INTO big SELECT * WHERE day = 1")
    run.complete()
    (name,) = etl.events.outputs
    assert etl.events.rows(name) == etl.spark.table("big").count() > ORDERS


@pytest.mark.usefixtures("tables")
def test_the_input_of_an_insert_into_two_tables_is_counted_once_per_scan(etl: EtlJob, run: SparkRun) -> None:
    run.sql("CREATE TABLE small USING parquet AS SELECT * FROM big")
    run.sql(
        f"FROM parquet.`{etl.orders_path}` "
        "INSERT INTO big SELECT * INSERT INTO small SELECT * WHERE order >= 0"
    )
    run.complete()
    statistics, files = etl.events.input(etl.orders_path)["inputStatistics"], files_below(etl.orders_path)
    assert (statistics.row_count, statistics.file_count) == (2 * ORDERS, 2 * len(files)), (
        "there are two scans"
    )


@pytest.mark.usefixtures("tables")
def test_create_table_if_not_exists_has_no_output_if_the_table_exists(run: SparkRun, events: Events) -> None:
    run.sql("CREATE TABLE IF NOT EXISTS big USING parquet AS SELECT * FROM orders")
    run.complete()
    assert events.outputs == []


@pytest.mark.usefixtures("tables")
def test_an_insert_that_spark_refuses_to_analyze_is_an_output_of_a_failed_run(etl: EtlJob) -> None:
    with pytest.raises(AnalysisException), etl.run("orders"):
        etl.spark.sql("INSERT INTO big SELECT *, 1, 2 FROM orders")
    assert etl.events.types[-1] == "FAIL"
    assert (base_names(etl.events.inputs), base_names(etl.events.outputs)) == (["orders"], ["big"])


@pytest.mark.usefixtures("tables")
def test_a_refused_insert_whose_error_is_caught_is_no_output(etl: EtlJob) -> None:
    with etl.run("orders"):
        for statement in (
            "INSERT INTO big SELECT *, 1, 2 FROM orders",
            "INSERT INTO big SELECT * FROM missing",
            "INSERT INTO missing SELECT * FROM orders",
        ):
            with pytest.raises(AnalysisException):
                etl.spark.sql(statement)
    assert etl.events.outputs == []
