"""Inputs and targets on Spark Connect."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.targets import path_target, table_target
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.cases import each
from tests.spark.etl_job import Events

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("nothing_was_logged_before")]


@pytest.fixture
def lake(tmp_path: Path) -> str:
    """Return a folder with two tables, each as Parquet and as CSV."""
    for table in ("orders", "customers"):
        for customer in (1, 2):
            partition = tmp_path / table / f"customer={customer}"
            partition.mkdir(parents=True)
            parquet.write_table(pa.table({"amount": [customer * 10]}), partition / "part-0.parquet")
        (tmp_path / f"{table}.csv").write_text("customer,amount\n1,10\n2,20\n")
    return str(tmp_path)


READ: dict[str, tuple[Callable[[SparkSession, str], DataFrame], list[str]]] = {
    "folder": (lambda spark, lake: spark.read.parquet(f"{lake}/orders"), ["orders"]),
    "uri": (lambda spark, lake: spark.read.parquet(f"file://{lake}/orders"), ["orders"]),
    "load": (lambda spark, lake: spark.read.load(f"{lake}/orders"), ["orders"]),
    "path option": (lambda spark, lake: spark.read.option("path", f"{lake}/orders").load(), ["orders"]),
    "pattern": (lambda spark, lake: spark.read.parquet(f"{lake}/orders/*/part-*"), ["orders"]),
    "partition": (lambda spark, lake: spark.read.parquet(f"{lake}/orders/customer=1"), ["orders"]),
    "base path": (
        lambda spark, lake: spark.read.option("basePath", f"{lake}/orders").parquet(
            f"{lake}/orders/customer=1"
        ),
        ["orders"],
    ),
    "several folders": (
        lambda spark, lake: spark.read.csv([f"{lake}/orders.csv", f"{lake}/customers.csv"]),
        ["orders.csv", "customers.csv"],
    ),
    "join and filter": (
        lambda spark, lake: (
            spark.read.parquet(f"{lake}/orders")
            .where("amount > 1")
            .join(spark.read.csv(f"{lake}/customers.csv", header=True), "customer")
        ),
        ["orders", "customers.csv"],
    ),
    "union of one with itself": (
        lambda spark, lake: spark.read.parquet(f"{lake}/orders").union(spark.read.parquet(f"{lake}/orders")),
        ["orders"],
    ),
    "data frames in SQL": (
        lambda spark, lake: spark.sql("SELECT * FROM {orders}", orders=spark.read.parquet(f"{lake}/orders")),
        ["orders"],
    ),
    "stream": (
        lambda spark, lake: spark.readStream.schema("amount long").parquet(f"{lake}/orders"),
        ["orders"],
    ),
    "values": (lambda spark, lake: spark.createDataFrame([(1,)], "id long").join(spark.range(3), "id"), []),
}


@each("case", READ)
def test_inputs_are_the_paths_in_the_plan(spark: SparkSession, lake: str, case: str) -> None:
    read, names = READ[case]
    df = read(spark, lake)
    _ = df.schema  # Analysis succeeds.
    found = inputs_of(df)
    assert [(it.namespace, it.name) for it in found] == [("file", f"{lake}/{name}") for name in names]
    assert column_lineage_facet(df) is None


@pytest.mark.thorough
def test_inputs_of_subqueries_are_found(spark: SparkSession, lake: str) -> None:
    orders, customers = (spark.read.parquet(f"{lake}/{name}") for name in ("orders", "customers"))
    known = orders.where(orders["customer"].isin(customers.select("customer")))
    assert known.count() == 2
    assert [it.name for it in inputs_of(known)] == [f"{lake}/orders", f"{lake}/customers"]


@pytest.mark.thorough
def test_inputs_of_a_long_plan_are_found_quickly(spark: SparkSession, lake: str) -> None:
    df = spark.read.schema("amount long").parquet(f"{lake}/orders")
    for _ in range(150):
        df = df.where("amount > 0")
    assert [it.name for it in inputs_of(df)] == [f"{lake}/orders"]


@pytest.mark.thorough
def test_topics_are_those_of_the_options(spark: SparkSession) -> None:
    reader = spark.read.format("kafka").option("kafka.bootstrap.servers", "broker:9092")
    found = inputs_of(reader.option("subscribe", "orders,returns").load().select("value"))
    assert [(one.namespace, one.name) for one in found] == [
        ("kafka://broker:9092", "orders"),
        ("kafka://broker:9092", "returns"),
    ]


@pytest.mark.thorough
def test_path_without_scheme_is_in_the_default_file_system(spark: SparkSession) -> None:
    assert path_target(spark, "/lake/out").namespace == "file"
    spark.conf.set("spark.hadoop.fs.defaultFS", "hdfs://name:8020")
    found = path_target(spark, "/lake/out")
    assert (found.namespace, found.name) == ("hdfs://name:8020", "/lake/out")


def test_relative_path_is_rejected(spark: SparkSession) -> None:
    with pytest.raises(LookupError, match=r"dataset=\(namespace, name\)"):
        path_target(spark, "out")


def test_hidden_inputs_are_logged_once(
    caplog: pytest.LogCaptureFixture, spark: SparkSession, lake: str
) -> None:
    spark.read.parquet(f"{lake}/orders").createOrReplaceTempView("seen")
    hidden = [
        spark.table("seen"),
        spark.sql("SELECT * FROM seen"),
        spark.readStream.format("rate").load(),
        spark.read.parquet(os.path.relpath(f"{lake}/orders")),
    ]
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        assert [inputs_of(df) for df in hidden] == [[], [], [], []]
    [record] = caplog.records
    assert "dataset=(namespace, name)" in record.message


def folder_of(spark: SparkSession, table: str) -> str:
    """Return the folder of a table's files."""
    [(file,)] = spark.table(table).limit(1).selectExpr("_metadata.file_path").collect()
    return str(Path(file.removeprefix("file:").replace("//", "")).parent)


@pytest.mark.thorough
def test_tables_are_named_by_their_location(spark: SparkSession, events: Events, lake: str) -> None:
    orders = spark.range(3)
    with SparkRun(spark, "etl", "tables", emit=events, on_error="raise") as run:
        run.save_as_table(orders, "kept")
        run.save_as_table(orders, "elsewhere", format="json", path=f"{lake}/elsewhere")
        run.insert_into(orders, "kept")
        run.save_as_table(run.read(spark.table("kept")), "copy", mode="overwrite")
        run.save_as_table(orders, "copy", mode="overwrite")
        run.save_as_table(orders, "skipped", mode="ignore")
        run.save_as_table(spark.range(9), "skipped", mode="ignore")
    assert [spark.table(it).count() for it in ("kept", "elsewhere", "copy", "skipped")] == [6, 3, 3, 3]
    kept = folder_of(spark, "kept")
    assert events.inputs == [kept]
    assert events.outputs == [
        kept,
        f"{lake}/elsewhere",
        folder_of(spark, "copy"),
        folder_of(spark, "skipped"),
    ]
    captured = events.output(kept)
    assert set(captured) == {
        *("schema", "dataSource", "storage", "datasetType", "symlinks", "catalog", "lifecycleStateChange")
    }
    assert captured["symlinks"].identifiers[0].name == "default.kept"
    assert (captured["datasetType"].sub_type, captured["storage"].file_format) == ("MANAGED", "parquet")
    assert captured["lifecycleStateChange"].lifecycle_state_change == "CREATE"
    assert events.output(f"{lake}/elsewhere")["datasetType"].sub_type == "EXTERNAL"
    assert events.change(folder_of(spark, "copy")) == "CREATE"
    assert [it.name for it in events.input(kept)["schema"].fields] == ["id"]
    for table in ("kept", "elsewhere", "copy", "skipped"):
        spark.sql(f"DROP TABLE {table}")


@pytest.mark.thorough
def test_inputs_of_a_view_are_unknown(spark: SparkSession, lake: str) -> None:
    spark.sql(f"CREATE VIEW lasting AS SELECT * FROM parquet.`{lake}/orders`")
    try:
        assert spark.table("lasting").count() == 2
        assert inputs_of(spark.table("lasting")) == []
        assert inputs_of(spark.table(f"parquet.`{lake}/orders`")) == []
        with pytest.raises(LookupError, match=r"dataset=\(namespace, name\)"):
            table_target(spark, "lasting")
    finally:
        spark.sql("DROP VIEW lasting")


@pytest.mark.thorough
def test_jdbc_table(spark: SparkSession, events: Events) -> None:
    url, driver = "jdbc:derby:memory:shop;create=true", {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}
    with SparkRun(spark, "etl", "jdbc", emit=events, on_error="raise") as run:
        run.write_jdbc(spark.range(3), url, "ORDERS", properties=driver)
        run.write(
            run.read(spark.read.jdbc(url, "ORDERS", properties=driver)),
            format="noop",
            mode="overwrite",
            dataset=("nowhere", "noop"),
        )
    [written, nowhere] = events[-1].outputs or ()
    assert (written.namespace, written.name) == ("derby:memory:shop", "ORDERS")
    assert events.inputs == ["ORDERS"]
    assert [it.name for it in events.input("ORDERS")["schema"].fields] == ["id"]
    assert nowhere.name == "noop"
    assert inputs_of(spark.read.jdbc(url, "(SELECT * FROM ORDERS) x", properties=driver)) == []


def test_explicit_names_take_precedence(spark: SparkSession, events: Events, lake: str) -> None:
    with SparkRun(spark, "etl", "named", emit=events, on_error="raise") as run:
        orders = run.read(spark.read.parquet(f"{lake}/orders"), dataset=("lake", "orders"))
        spark.read.parquet(f"{lake}/customers").createOrReplaceTempView("customers")
        customers = run.read(spark.sql("SELECT * FROM customers"), dataset=("lake", "customers"))
        run.write(
            orders.join(customers.select("customer"), "customer"), f"{lake}/out", dataset=("lake", "joined")
        )
        run.save_as_table(orders, "named", dataset=("lake", "named"))
        run.write(orders, os.path.relpath(f"{lake}/relative"), dataset=("lake", "relative"))
    assert events.inputs == ["orders", "customers"]
    assert events.outputs == ["joined", "named", "relative"]
    for name in ("orders", "customers"):
        assert {it.name for it in events.input(name)["schema"].fields} == {"customer", "amount"}
    for name in events.outputs:
        assert {it.name for it in events.output(name)["schema"].fields} == {"customer", "amount"}
    assert spark.table("named").count() == 2
    spark.sql("DROP TABLE named")
