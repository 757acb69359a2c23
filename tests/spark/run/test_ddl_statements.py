"""DDL statements: a created, altered, renamed, truncated or dropped table is an output."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture import statement_capture
from openlineage_facets.spark.capture.statement_capture import with_identifiers
from openlineage_facets.spark.statements.ddl_statements import parse_ddl
from tests.cases import each
from tests.spark.etl_job import EtlJob, Events
from tests.spark.session_state import drop_tables

pytestmark = pytest.mark.check


@pytest.fixture(autouse=True)
def _tables(spark: SparkSession) -> Iterator[None]:
    """Create the table `orders` and the partitioned table `daily`; drop all tables afterwards."""
    spark.sql("CREATE TABLE orders USING parquet AS SELECT 7L AS order, 1 AS day, 2.5D AS amount")
    spark.sql("CREATE TABLE daily USING parquet PARTITIONED BY (day) AS SELECT order, day FROM orders")
    yield
    spark.sql("DROP DATABASE IF EXISTS ddl CASCADE")
    drop_tables(spark)


def changes(events: Events) -> dict[str, str | None]:
    """Return the lifecycle change of each output, by the last part of its name."""
    return {Path(name).name: events.change(name) for name in events.outputs}


@each(
    "statement, expected",
    [
        ("/* it **/ -- new\n\n create table made (x int) using parquet", {"made": "CREATE"}),
        ("CREATE TABLE copied LIKE orders", {"copied": "CREATE"}),
        ("CREATE TABLE IF NOT EXISTS orders (x int) USING parquet", {}),
        ("DROP TABLE IF EXISTS nothing", {}),
        ("TRUNCATE TABLE daily PARTITION (day = 1)", {"daily": None}),
        ("ALTER TABLE orders SET TBLPROPERTIES ('a' = 'b')", {"orders": "ALTER"}),
        ("ALTER TABLE daily DROP PARTITION (day = 1)", {"daily": "ALTER"}),
        ("MSCK REPAIR TABLE daily", {"daily": "ALTER"}),
        ("COMMENT ON TABLE orders IS 'all of them'", {"orders": "ALTER"}),
    ],
)
def test_lifecycle_change_of_a_table(
    spark: SparkSession, statement: str, expected: dict[str, str | None]
) -> None:
    events = Events()
    with SparkRun(spark, "etl", "ddl", emit=events, on_error="raise"):
        spark.sql(statement)
    assert (changes(events), events.inputs) == (expected, [])


def test_a_renamed_table_has_its_previous_name(run: SparkRun, events: Events) -> None:
    run.sql("ALTER TABLE orders RENAME TO archive")
    run.complete()
    assert changes(events) == {"archive": "RENAME"}
    previous = events.output(events.outputs[0])["lifecycleStateChange"].previous_identifier
    assert (previous.namespace, Path(previous.name).name) == ("file", "orders")


@pytest.mark.thorough
def test_a_renamed_external_table_has_its_previous_name_in_the_catalog(etl: EtlJob, run: SparkRun) -> None:
    run.sql(f"CREATE TABLE kept (x int) USING parquet LOCATION '{etl.tmp_path / 'kept files'}'")
    run.sql("ALTER TABLE kept RENAME TO moved")
    run.complete()
    facets = etl.events.output(str(etl.tmp_path / "kept files"))
    assert facets["lifecycleStateChange"].previous_identifier.name == "default.kept"
    assert facets["symlinks"].identifiers[0].name == "default.moved"


@pytest.mark.thorough
@each(
    "statement, change",
    [
        ("CREATE OR REPLACE VIEW dear AS SELECT 2 AS b", "ALTER"),
        ("ALTER VIEW dear AS SELECT 2 AS b", "ALTER"),
        ("DROP VIEW dear", "DROP"),
    ],
)
def test_a_replaced_or_dropped_view_is_reported(spark: SparkSession, statement: str, change: str) -> None:
    spark.sql("CREATE OR REPLACE VIEW dear AS SELECT 1 AS a")
    events = Events()
    with SparkRun(spark, "etl", "ddl", emit=events, on_error="raise"):
        spark.sql(statement)
    assert changes(events) == {"default.dear": change}
    assert events.columns("default.dear") == (["a"] if change == "DROP" else ["b"])


@pytest.mark.thorough
def test_a_dropped_database_drops_its_tables(spark: SparkSession, run: SparkRun, events: Events) -> None:
    spark.sql("CREATE DATABASE ddl")
    spark.sql("CREATE TABLE ddl.one (x int) USING parquet")
    run.sql("DROP DATABASE ddl CASCADE")
    run.complete()
    assert changes(events) == {"one": "DROP"}


@pytest.mark.thorough
def test_a_table_that_is_only_read_is_an_input(etl: EtlJob, run: SparkRun) -> None:
    run.sql("CACHE TABLE kept AS SELECT * FROM orders")
    run.complete()
    assert ([Path(one).name for one in etl.events.inputs], etl.events.outputs) == (["orders"], [])
    etl.spark.sql("CLEAR CACHE")
    etl.spark.catalog.dropTempView("kept")


@each(
    "statement",
    [
        "SET a = b",
        "USE default",
        "SHOW TABLES",
        "DESCRIBE orders",
        "REFRESH TABLE orders",
        "CLEAR CACHE",
        "CREATE TABLE IF NOT EXISTS orders (x int) USING parquet",
        "DROP TABLE IF EXISTS nothing",
        "DROP VIEW IF EXISTS nothing",
        "DROP DATABASE IF EXISTS nothing",
        "DROP DATABASE IF EXISTS nothing CASCADE",
        "CREATE DATABASE IF NOT EXISTS default",
        "COMMENT ON DATABASE default IS 'ours'",
        "ALTER DATABASE default SET DBPROPERTIES ('team' = 'us')",
    ],
)
def test_a_statement_without_data_logs_nothing(
    caplog: pytest.LogCaptureFixture, run: SparkRun, statement: str
) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.spark"):
        run.sql(statement)
    assert caplog.messages == []


def test_a_statement_that_is_not_captured_is_logged_once_for_each_run(
    caplog: pytest.LogCaptureFixture, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statement_capture, "reads_and_writes_nothing", lambda command: False)
    for name in ("one", "two"):
        with (
            caplog.at_level(logging.WARNING, "openlineage_facets.spark"),
            SparkRun(spark, "etl", name, emit=Events(), on_error="raise") as run,
        ):
            run.sql("CREATE DATABASE IF NOT EXISTS ddl")
            run.sql("CREATE DATABASE IF NOT EXISTS ddl")
    first, second = (message for message in caplog.messages if "not captured" in message)
    assert "etl/one" in first
    assert "etl/two" in second
    assert "run.build.output(namespace, name)" in first


@each("start", [" ", "/* daily */", "-- daily\n", "/*" + "*" * 9])
def test_what_precedes_a_statement_is_read_in_linear_time(spark: SparkSession, start: str) -> None:
    assert parse_ddl(spark, f"{start * 10_000}(SELECT 1)") is None


@each(
    "query, args, expected",
    [
        ("DROP TABLE IDENTIFIER(:table)", {"table": "lake.orders"}, "DROP TABLE lake.orders"),
        ("DROP TABLE identifier( :table )", {"table": "lake.orders"}, "DROP TABLE lake.orders"),
        ("DROP TABLE IDENTIFIER(?)", ["lake.orders"], "DROP TABLE lake.orders"),
        ("DROP TABLE IDENTIFIER(:other)", {"table": "orders"}, None),
        ("DROP TABLE IDENTIFIER(:number)", {"number": 7}, None),
        ("DROP TABLE IDENTIFIER(:table || '_old')", {"table": "orders"}, None),
        ("SELECT '?' FROM IDENTIFIER(?)", ["orders"], None),
    ],
)
def test_the_name_of_a_table_may_be_a_parameter(query: str, args: Any, expected: str | None) -> None:
    assert with_identifiers(query, args) == (expected or query)
    assert with_identifiers(query, None) == query


def test_statements_whose_table_is_a_parameter_are_captured(etl: EtlJob, events: Events) -> None:
    with etl.run("ddl"):
        for statement in (
            "CREATE TABLE IDENTIFIER(:made) (x int) USING parquet",
            "CREATE TABLE IDENTIFIER(:dropped) USING parquet AS SELECT * FROM orders",
            "DROP TABLE IDENTIFIER(:dropped)",
            "TRUNCATE TABLE IDENTIFIER(:orders)",
            "ALTER TABLE IDENTIFIER('da' || :end) SET TBLPROPERTIES ('a' = 'b')",
        ):
            names = {"made": "made", "dropped": "dropped", "orders": "orders", "end": "ily"}
            etl.spark.sql(statement, args=names)
    assert changes(events) == {"made": "CREATE", "dropped": "DROP", "orders": "TRUNCATE", "daily": "ALTER"}
    assert etl.messages == []
