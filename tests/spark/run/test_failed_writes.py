"""A failed run reports its planned output and an error message without stack traces."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob, mostly_thorough

pytestmark = pytest.mark.check

FAILS_ON = "no such customer"


@pytest.fixture
def broken(orders: DataFrame) -> DataFrame:
    """Return a DataFrame that can be analyzed but not executed."""
    wrong = f.raise_error(f.concat(f.lit(f"{FAILS_ON}: "), "customer")).cast("int")
    return orders.select(wrong.alias("wrong"), f.col("amount").alias("price"))


@pytest.fixture(autouse=True)
def _tables(spark: SparkSession) -> Iterator[None]:
    spark.sql("CREATE TABLE filled (a int, b double) USING parquet")
    yield
    for table in ("filled", "made", "made_by_sql"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


WRITES: dict[str, tuple[Callable[[SparkRun, DataFrame, str], Any], list[str]]] = {
    "write": (lambda run, df, target: run.write(df, target), ["wrong", "price"]),
    "save_as_table": (lambda run, df, _: run.save_as_table(df, "made"), ["wrong", "price"]),
    "insert_into": (lambda run, df, _: run.insert_into(df, "filled"), ["a", "b"]),
    "write_jdbc": (
        lambda run, df, _: run.write_jdbc(df, "jdbc:derby:memory:failed;create=true", "FAILED", "overwrite"),
        ["wrong", "price"],
    ),
    "INSERT": (lambda run, df, _: run.sql("INSERT INTO filled SELECT * FROM broken"), ["a", "b"]),
    "CREATE TABLE": (
        lambda run, df, _: run.sql("CREATE TABLE made_by_sql USING orc AS SELECT * FROM broken"),
        ["wrong", "price"],
    ),
    "INSERT DIRECTORY": (
        lambda run, df, target: run.sql(
            f"INSERT OVERWRITE DIRECTORY '{target}' USING parquet SELECT * FROM broken"
        ),
        ["wrong", "price"],
    ),
}


def facets_of_output(event: RunEvent) -> dict[str, Any]:
    (output,) = event.outputs or ()
    return dict(output.facets or {})


@pytest.mark.parametrize("case", mostly_thorough(WRITES, "write", "CREATE TABLE"))
def test_a_failed_write_reports_its_planned_output(etl: EtlJob, broken: DataFrame, case: str) -> None:
    write, columns = WRITES[case]
    broken.createOrReplaceTempView("broken")
    with pytest.raises(Exception, match=FAILS_ON), etl.run("broken", on_error="log") as run:
        write(run, broken, etl.target)
    assert etl.events.types[-1] == "FAIL"
    assert etl.events.inputs == [etl.orders_path]
    assert etl.events.types[1:-1] == ([] if case.isupper() else ["RUNNING"])
    for event in etl.events[1:]:
        facets = (
            facets_of_output(event) if event is etl.events[1] else etl.events.output(etl.events.outputs[0])
        )
        assert [field.name for field in facets["schema"].fields] == columns
        made = facets["columnLineage"].fields
        assert {name: {one.field for one in made[name].input_fields} for name in made} == {
            columns[0]: {"customer"},
            columns[1]: {"amount"},
        }
        assert facets["dataSource"].name
        assert {"lifecycleStateChange", "outputStatistics"}.isdisjoint(facets)
    if case == "CREATE TABLE":
        assert etl.events.output(etl.events.outputs[0])["storage"].file_format == "orc"


def test_a_statement_that_cannot_be_analyzed_is_reported_without_datasets(etl: EtlJob) -> None:
    with pytest.raises(Exception, match="nowhere"), etl.run("typo", on_error="log") as run:
        run.sql("INSERT INTO filled SELECT * FROM nowhere")
    assert etl.events.types == ["START", "FAIL"]
    logged = [record for record in etl.caplog.records if record.name.startswith("openlineage_facets")]
    assert (etl.events.inputs, etl.events.outputs, logged) == ([], [], [])


@pytest.mark.parametrize("statement", ["DELETE FROM filled", "UPDATE filled AS x SET a = 1"])
def test_a_change_of_rows_that_spark_does_not_support_is_a_failure_of_the_job_only(
    etl: EtlJob, statement: str
) -> None:
    with pytest.raises(Exception, match=r"INTERNAL_ERROR|UNSUPPORTED|not supported"), etl.run("rows") as run:
        run.sql(statement)
    assert (etl.events.types[-1], etl.events.outputs, etl.messages) == ("FAIL", [], [])


def test_a_failed_append_keeps_the_lineage_of_the_write_before(etl: EtlJob) -> None:
    wrong = etl.orders.select(
        f.when(f.col("day") < 0, f.col("amount"))
        .otherwise(f.raise_error(f.lit(FAILS_ON)).cast("double"))
        .alias("price")
    )
    run = etl.run("twice", on_error="log").start()
    run.write(etl.orders.select(f.col("order").cast("double").alias("price")), etl.target)
    with pytest.raises(Exception, match=FAILS_ON):
        run.write(wrong, etl.target, mode="append")
    run.fail("no such customer")
    assert etl.events.lineage(etl.target)["price"] == {"order", "amount", "day"}


REFUSED: dict[str, Callable[[DataFrame, str], Any]] = {
    "path": lambda df, path: df.write.parquet(path),
    "save": lambda df, path: df.write.format("json").mode("errorifexists").save(path),
    "table": lambda df, _: df.write.saveAsTable("filled"),
    "create": lambda df, _: df.writeTo("filled").create(),
    "append": lambda df, _: df.writeTo("nowhere").append(),
    "insertInto": lambda df, _: df.write.insertInto("nowhere"),
    "JDBC": lambda df, _: df.write.jdbc("jdbc:derby:memory:refused;create=true", "FILLED"),
}


@pytest.mark.parametrize("case", mostly_thorough(REFUSED, "path", "append"))
def test_a_write_that_spark_will_refuse_is_no_output_of_a_running_event(etl: EtlJob, case: str) -> None:
    if case == "JDBC":
        etl.orders.write.jdbc("jdbc:derby:memory:refused;create=true", "FILLED", "overwrite")
    with etl.run("fallback", on_error="log", running_every=0):
        with pytest.raises(Exception, match=r"(?i)exists|cannot be found"):
            REFUSED[case](etl.orders, etl.orders_path)
        etl.orders.write.parquet(etl.target)
    assert etl.events.types[-1] == "COMPLETE"
    assert {dataset.name for event in etl.events for dataset in event.outputs or ()} == {etl.target}
    assert etl.events.inputs == [etl.orders_path]


IN_SALES = {"currentSchema": "sales"}
SHOP = "jdbc:postgresql://localhost:1/shop"
JDBC_WRITES: dict[str, Callable[[DataFrame], Any]] = {
    "jdbc": lambda df: df.write.jdbc(SHOP, "orders", properties=IN_SALES),
    "save": lambda df: df.write.format("jdbc").options(url=SHOP, dbtable="orders", **IN_SALES).save(),
    "saveAsTable": lambda df: df.write.options(url=SHOP, dbtable="orders", **IN_SALES).saveAsTable(
        "by_name", format="jdbc"
    ),
    "a library": lambda df: (
        df._jdf.write().format("jdbc").option("url", SHOP).option("dbtable", "orders")
        .option("currentSchema", "sales").save()
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", mostly_thorough(JDBC_WRITES, "save"))
def test_a_connection_option_selects_the_schema_of_a_written_table(etl: EtlJob, case: str) -> None:
    with pytest.raises(Exception, match="(?i)driver"), etl.run("export", on_error="log"):
        JDBC_WRITES[case](etl.orders)
    assert etl.events.outputs == ["shop.sales.orders"]


def test_a_rejected_write_keeps_the_facets_of_the_write_before(etl: EtlJob) -> None:
    run = etl.run("twice", on_error="log").start()
    run.write(etl.orders.select("amount"), etl.target)
    with pytest.raises(Exception, match="already exists"):
        run.write(etl.orders, etl.target)
    run.fail("the folder exists")
    assert etl.events.types[-1] == "FAIL"
    assert etl.events.columns(etl.target) == [*etl.events.lineage(etl.target)] == ["amount"]


@pytest.mark.thorough
def test_rows_that_a_failed_write_has_committed_remain_although_a_later_write_is_refused(
    etl: EtlJob,
) -> None:
    url = "jdbc:derby:memory:partly;create=true"
    etl.orders.select("order").limit(0).write.jdbc(url, "PARTLY", "overwrite")
    fails_once = f.when(f.col("order") == 18, f.raise_error(f.lit(FAILS_ON)).cast("int")).otherwise(
        f.col("order")
    )
    failing = etl.orders.repartition(4, "order").select(fails_once.alias("order"))
    with etl.run("export", on_error="log"):
        with pytest.raises(Exception, match=FAILS_ON):
            failing.write.jdbc(url, "PARTLY", "append")
        with pytest.raises(Exception, match="(?i)exists"):
            etl.spark.range(1).write.jdbc(url, "PARTLY", "error")
    assert (etl.events.types[-1], etl.events.outputs) == ("COMPLETE", ["PARTLY"])
    [entry] = etl.events.facets["job"]["lineage"].entries
    assert {source.name for source in entry.inputs} == {etl.orders_path}


def save_model(spark: SparkSession, path: str) -> None:
    from pyspark.ml.feature import SQLTransformer

    SQLTransformer(statement="SELECT * FROM __THIS__").save(path)


def copy_table(spark: SparkSession, path: str) -> None:
    spark.sql("CREATE TABLE filled USING parquet AS SELECT 1 AS a")


REFUSED_OTHERS: dict[str, Callable[[SparkSession, str], Any]] = {
    "RDD": lambda spark, path: spark.sparkContext.parallelize([1]).saveAsTextFile(path),
    "model": save_model,
    "stream": lambda spark, path: (
        spark.readStream.format("rate").load().writeStream.format("parquet").start(f"{path}-stream")
    ),
    "statement": copy_table,
}


@pytest.mark.parametrize("case", mostly_thorough(REFUSED_OTHERS, "statement"))
def test_whatever_spark_refuses_to_write_is_an_output_only_if_the_run_fails(etl: EtlJob, case: str) -> None:
    etl.spark.range(1).write.parquet(etl.target)
    with etl.run("caught", on_error="log"), pytest.raises(Exception, match=r"(?i)exists|checkpointLocation"):
        REFUSED_OTHERS[case](etl.spark, etl.target)
    assert (etl.events.types[-1], etl.events.outputs) == ("COMPLETE", [])
    with pytest.raises(Exception, match=r"(?i)exists|checkpointLocation"), etl.run("failed", on_error="log"):
        REFUSED_OTHERS[case](etl.spark, etl.target)
    assert (etl.events.types[-1], len(etl.events.outputs)) == ("FAIL", 1)


def fail_in_a_worker(amount):
    raise ValueError(f"{FAILS_ON}\nin two lines")


def fails_in_a_worker(column: str) -> Column:
    return f.udf(fail_in_a_worker, "int")(column)


ERRORS: dict[str, tuple[Callable[[SparkSession, DataFrame, str], Any], str]] = {
    "missing table": (
        lambda spark, *_: spark.table("nowhere"),
        "[TABLE_OR_VIEW_NOT_FOUND] The table or view",
    ),
    "missing column": (
        lambda _, df, __: df.select("nowhere"),
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column",
    ),
    "syntax": (
        lambda spark, *_: spark.sql("SELEKT 'S3CR3T'"),
        "[PARSE_SYNTAX_ERROR] Syntax error at or near",
    ),
    "raised in SQL": (
        lambda spark, *_: spark.sql("SELECT raise_error('no such customer')").collect(),
        FAILS_ON,
    ),
    "existing path": (
        lambda spark, df, target: (df.write.parquet(target), df.write.parquet(target)),
        "[PATH_ALREADY_EXISTS] Path file:/",
    ),
    "worker": (lambda _, df, __: df.select(fails_in_a_worker("amount")).collect(), FAILS_ON),
    "worker of an RDD": (
        lambda spark, *_: spark.sparkContext.parallelize([1]).map(lambda one: one / 0).collect(),
        "ZeroDivisionError: division by zero",
    ),
    "Py4J": (
        lambda spark, *_: spark._jvm.java.util.ArrayList().get(3),
        "java.lang.IndexOutOfBoundsException: ",
    ),
    "Python": (lambda *_: {}["nowhere"], "'nowhere'"),
}
CHECKED_ERRORS = {
    ("raised in SQL", "true"),
    ("existing path", "false"),
    ("worker", "true"),
    ("Py4J", "false"),
}


@pytest.mark.parametrize(
    ("case", "debug"),
    [
        pytest.param(case, debug, marks=() if (case, debug) in CHECKED_ERRORS else pytest.mark.thorough)
        for case in ERRORS
        for debug in ("false", "true")
    ],
)
def test_the_message_of_an_error_has_no_stack_trace(etl: EtlJob, case: str, debug: str) -> None:
    fail, message = ERRORS[case]
    etl.spark.conf.set("spark.sql.pyspark.jvmStacktrace.enabled", debug)
    try:
        with pytest.raises(Exception) as raised, etl.run("broken", on_error="log"):  # noqa: PT011
            fail(etl.spark, etl.orders, etl.target)
        text = str(raised.value)
    finally:
        etl.spark.conf.unset("spark.sql.pyspark.jvmStacktrace.enabled")
    facet = etl.events.facets["run"]["errorMessage"]
    assert message in facet.message
    assert facet.message.strip() == facet.message
    for unwanted in (
        "\tat ",
        "stacktrace:",
        "Traceback",
        "An error occurred while calling",
        "\n+-",
        "S3CR3T",
    ):
        assert unwanted not in facet.message
    assert type(raised.value).__name__ in facet.stack_trace
    assert text.strip() in facet.stack_trace
    if type(raised.value).__module__.startswith("pyspark"):
        assert "\tat " in facet.stack_trace, "the trace of the JVM is there"


def test_the_lineage_of_replaced_rows_is_taken_back(etl: EtlJob) -> None:
    with etl.run("replace"):
        etl.orders.select("amount").write.parquet(etl.target)
        etl.spark.createDataFrame([(1,)], "n int").write.mode("overwrite").parquet(etl.target)
    assert (etl.events.lineage(etl.target), etl.events.columns(etl.target)) == ({}, ["n"])


@pytest.mark.thorough
def test_rows_that_are_not_counted_take_back_the_earlier_count(etl: EtlJob) -> None:
    with etl.run("append"):
        etl.orders.select("amount").write.parquet(etl.target)
        shutil.rmtree(etl.target)
        etl.orders.rdd.map(str).saveAsTextFile(etl.target)
    assert etl.events.rows(etl.target) is None


@pytest.mark.thorough
def test_a_table_whose_name_is_a_number_is_captured(etl: EtlJob) -> None:
    etl.orders.createOrReplaceTempView("orders")
    with etl.run("year"):
        etl.spark.sql("CREATE TABLE `2024` USING parquet AS SELECT amount FROM orders")
        etl.spark.sql("INSERT INTO `2024` SELECT amount FROM orders")
    [table] = etl.events.outputs
    assert (table.rpartition("/")[2], etl.events.inputs) == ("2024", [etl.orders_path])
