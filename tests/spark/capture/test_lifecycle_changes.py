"""Several changes of a dataset in one run are reported as one: what the run did to what existed before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture.lifecycle_changes import LifecycleChanges
from openlineage_facets.spark.spark_dataset import Change
from tests.spark.etl_job import EtlJob, Events

TABLE, EARLIER = ("db", "orders"), ("db", "staging")

OVERWRITE = "INSERT OVERWRITE {} SELECT * FROM range(2)"
APPEND = "INSERT INTO {} SELECT * FROM range(3)"
DEFINE = "CREATE TABLE {} (id bigint) USING parquet"
CREATE = "CREATE TABLE {} USING parquet AS SELECT * FROM range(5)"
DROP = "DROP TABLE {}"
TRUNCATE = "TRUNCATE TABLE {}"
RENAME_FROM_STAGING = "ALTER TABLE staging RENAME TO {}"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("CREATE OVERWRITE", "CREATE"),
        ("CREATE OVERWRITE ALTER", "CREATE"),
        ("CREATE TRUNCATE", "CREATE"),
        ("CREATE DROP", "DROP"),
        ("CREATE DROP CREATE", "CREATE"),
        ("RENAME OVERWRITE", "RENAME"),
        ("DROP CREATE", "OVERWRITE"),
        ("DROP CREATE DROP", "DROP"),
        ("DROP RENAME", "RENAME"),
        ("CREATE DROP RENAME ALTER", "RENAME"),
        ("OVERWRITE ALTER", "OVERWRITE"),
        ("ALTER OVERWRITE", "OVERWRITE"),
        ("OVERWRITE TRUNCATE", "TRUNCATE"),
    ],
)
def test_several_changes_are_one(changes: str, expected: str) -> None:
    lifecycle = LifecycleChanges()
    for change in changes.split():
        lifecycle.add(TABLE, cast("Change", change), EARLIER if change == "RENAME" else None)
        lifecycle.add(TABLE, None)  # An append changes nothing.
    (facet,) = lifecycle.facets_of(TABLE)
    assert facet.lifecycle_state_change.value == expected
    assert (facet.previous_identifier is not None) == (expected == "RENAME")
    assert lifecycle.facets_of(EARLIER) == []


@pytest.mark.parametrize(
    ("before", "expected"), [(None, "OVERWRITE"), ("OVERWRITE", "OVERWRITE"), ("CREATE", "CREATE")]
)
def test_a_table_that_replaces_a_renamed_one_is_created_if_both_are_new(
    before: Change | None, expected: str
) -> None:
    lifecycle = LifecycleChanges()
    lifecycle.add(EARLIER, before)
    lifecycle.add(TABLE, "RENAME", EARLIER)
    lifecycle.add(EARLIER, "CREATE")
    (facet,) = lifecycle.facets_of(EARLIER)
    assert facet.lifecycle_state_change.value == expected


@pytest.fixture
def _tables(spark: SparkSession) -> Iterator[None]:
    """Create the tables `known` and `staging`; drop all tables afterwards."""
    spark.range(7).write.saveAsTable("known")
    spark.range(7).write.saveAsTable("staging")
    yield
    for table in ("known", "staging", "made"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


def changed(spark: SparkSession, events: Events, table: str, statements: Sequence[str]) -> dict:
    """Return the facets of a table in the last event of a run that executes statements."""
    with SparkRun(spark, "etl", "changes", emit=events, on_error="raise"):
        for statement in statements:
            spark.sql(statement.format(table))
    (output,) = (one for one in events[-1].outputs or () if Path(one.name).name == table)
    return {**(output.facets or {}), **(output.output_facets or {})}


@pytest.mark.check
@pytest.mark.usefixtures("_tables")
@pytest.mark.parametrize(
    ("table", "statements", "expected"),
    [
        ("made", [DEFINE, OVERWRITE], "CREATE"),
        ("made", [CREATE, DROP], "DROP"),
        ("known", [DROP, CREATE], "OVERWRITE"),
        ("known", [DROP, RENAME_FROM_STAGING], "RENAME"),
        ("known", [TRUNCATE, APPEND], "TRUNCATE"),
    ],
)
def test_the_run_reports_one_change(etl: EtlJob, table: str, statements: list[str], expected: str) -> None:
    facet = changed(etl.spark, etl.events, table, statements)["lifecycleStateChange"]
    assert facet.lifecycle_state_change.value == expected
    assert (facet.previous_identifier is not None) == (expected == "RENAME")


@pytest.mark.check
@pytest.mark.usefixtures("_tables")
@pytest.mark.parametrize(
    ("statements", "rows"),
    [
        ([APPEND, TRUNCATE, APPEND], 3),
        ([APPEND, DROP, CREATE], 5),
    ],
)
def test_rows_that_were_removed_are_not_counted(etl: EtlJob, statements: list[str], rows: int) -> None:
    assert changed(etl.spark, etl.events, "known", statements)["outputStatistics"].row_count == rows


@pytest.mark.check
def test_the_write_of_a_data_frame_keeps_the_change(etl: EtlJob) -> None:
    path = f"{etl.tmp_path}/written"
    with etl.run("changes"):
        for rows in (3, 5):
            etl.spark.range(rows).write.mode("overwrite").parquet(path)
    facets = etl.events.output(path)
    assert facets["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
    assert facets["outputStatistics"].row_count == 5


@pytest.mark.check
@pytest.mark.usefixtures("_tables")
def test_a_created_table_is_an_output_although_a_later_write_was_refused(etl: EtlJob) -> None:
    with etl.run("changes"):
        etl.spark.sql(DEFINE.format("made"))
        with pytest.raises(AnalysisException):
            etl.spark.range(3).write.saveAsTable("made")
    (name,) = etl.events.outputs
    assert etl.events.output(name)["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
