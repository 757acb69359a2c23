"""SQL statements: what they read and write is found from their plans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import ParseException
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.run.conftest import ORDERS, Events, files_below


@pytest.fixture
def tables(spark: SparkSession, orders: DataFrame) -> Iterator[None]:
    """Make the tables `orders` and `big`, and drop every table afterwards."""
    orders.write.saveAsTable("orders")
    orders.limit(0).write.saveAsTable("big")
    yield
    for table in spark.catalog.listTables():
        if not table.isTemporary:
            spark.sql(f"DROP {'VIEW' if table.tableType == 'VIEW' else 'TABLE'} {table.name}")


def short(names: list[str]) -> list[str]:
    return [Path(name).name for name in names]


def output(events: Events, table: str) -> dict:
    return events.output(next(name for name in events.outputs if Path(name).name == table))


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("statement", "written", "rows", "change"),
    [
        ("INSERT INTO big SELECT * FROM orders WHERE day = 1", "big", 143, None),
        ("INSERT OVERWRITE big SELECT * FROM orders", "big", ORDERS, "OVERWRITE"),
        ("CREATE TABLE new USING parquet AS SELECT * FROM orders", "new", ORDERS, "CREATE"),
        ("WITH a AS (SELECT * FROM orders) INSERT INTO big SELECT * FROM a", "big", ORDERS, None),
    ],
)
def test_what_a_statement_reads_and_writes_is_told(
    run: SparkRun, events: Events, statement: str, written: str, rows: int, change: str | None
) -> None:
    run.sql(statement)
    run.complete()
    assert (short(events.inputs), short(events.outputs)) == (["orders"], [written])
    told = output(events, written)
    assert told["outputStatistics"].row_count == rows
    said = told.get("lifecycleStateChange")
    assert (said and said.lifecycle_state_change.value) == change
    assert told["columnLineage"].fields["amount"].input_fields[0].field == "amount"
    assert events.facets["job"]["sql"].query == statement


@pytest.mark.usefixtures("tables")
def test_an_insert_into_a_folder_is_told(run: SparkRun, events: Events, target: str) -> None:
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}' USING orc SELECT * FROM orders")
    run.complete()
    assert (short(events.inputs), events.outputs) == (["orders"], [target])
    assert events.output(target)["outputStatistics"].row_count == ORDERS


@pytest.mark.usefixtures("tables")
def test_an_insert_into_the_folder_of_a_partition_is_no_overwrite_of_its_table(
    run: SparkRun, events: Events, orders: DataFrame, target: str
) -> None:
    run.write(orders, target, partitionBy=["day"])
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}/day=1' USING parquet SELECT * FROM orders LIMIT 10")
    run.complete()
    assert events.output(target)["outputStatistics"].row_count == ORDERS + 10


@pytest.mark.usefixtures("tables")
def test_one_insert_into_two_tables_is_told_without_counts(run: SparkRun, events: Events) -> None:
    run.sql("CREATE TABLE small USING parquet AS SELECT * FROM big")
    run.sql("FROM orders INSERT INTO big SELECT * INSERT INTO small SELECT * WHERE day = 1")
    run.complete()
    assert sorted(short(events.outputs)) == ["big", "small"]
    assert "outputStatistics" not in output(events, "big")


@pytest.mark.usefixtures("tables")
def test_what_one_insert_into_two_tables_reads_is_counted_once(
    run: SparkRun, events: Events, orders_path: str
) -> None:
    run.sql("CREATE TABLE small USING parquet AS SELECT * FROM big")
    run.sql(
        f"FROM parquet.`{orders_path}` INSERT INTO big SELECT * INSERT INTO small SELECT * WHERE order >= 0"
    )
    run.complete()
    told, files = events.input(orders_path)["inputStatistics"], files_below(orders_path)
    assert (told.row_count, told.file_count) == (2 * ORDERS, 2 * len(files)), "there are two scans"


@pytest.mark.usefixtures("tables")
def test_a_table_that_is_there_already_is_not_made(run: SparkRun, events: Events) -> None:
    run.sql("CREATE TABLE IF NOT EXISTS big USING parquet AS SELECT * FROM orders")
    run.complete()
    assert events.outputs == []


@pytest.mark.usefixtures("tables")
def test_a_query_tells_what_it_reads_and_gives_its_rows(run: SparkRun, events: Events) -> None:
    (row,) = run.sql("SELECT count(*) AS n FROM orders WHERE day = :day", {"day": 1}).collect()
    run.complete()
    assert row.n == 143
    assert (short(events.inputs), events.outputs) == (["orders"], [])


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    "statement",
    ["SET spark.sql.ansi.enabled=true", "CREATE OR REPLACE TEMP VIEW v AS SELECT 1 AS a", "SHOW TABLES"],
)
def test_statements_that_touch_no_data_tell_of_none(run: SparkRun, events: Events, statement: str) -> None:
    run.sql(statement)
    run.complete()
    assert (events.inputs, events.outputs) == ([], [])


@pytest.mark.usefixtures("tables")
def test_the_statements_of_a_run_are_told_in_order(run: SparkRun, events: Events) -> None:
    run.sql("SELECT * FROM orders")
    run.sql("SELECT * FROM big")
    run.complete()
    assert events.facets["job"]["sql"].query == "SELECT * FROM orders;\nSELECT * FROM big"


def test_a_wrong_statement_raises_as_ever(spark: SparkSession, events: Events) -> None:
    with pytest.raises(ParseException) as plainly:
        spark.sql("SELEKT 1")
    with pytest.raises(ParseException) as raised, SparkRun(spark, "etl", "typo", emit=events) as run:
        run.sql("SELEKT 1")
    assert str(raised.value) == str(plainly.value)
    assert events.types == ["START", "FAIL"]
