"""Several changes of a dataset in one run are reported as one: what the run did to what existed before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from openlineage_facets.spark.capture.lifecycle_changes import LifecycleChanges
from openlineage_facets.spark.spark_dataset import Change
from tests.cases import each
from tests.spark.etl_job import EtlJob

TABLE, EARLIER = ("db", "orders"), ("db", "staging")

APPEND = "INSERT INTO {} SELECT * FROM range(3)"
DEFINE = "CREATE TABLE {} (id bigint) USING parquet"
CREATE = "CREATE TABLE {} USING parquet AS SELECT * FROM range(5)"
DROP = "DROP TABLE {}"
TRUNCATE = "TRUNCATE TABLE {}"
RENAME_FROM_STAGING = "ALTER TABLE staging RENAME TO {}"


@each(
    "changes, expected",
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


@each("before, expected", [(None, "OVERWRITE"), ("OVERWRITE", "OVERWRITE"), ("CREATE", "CREATE")])
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
    for table in ("known", "staging"):
        spark.range(0, 7, 1, 1).write.saveAsTable(table)
    yield
    for table in ("known", "staging", "made"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


@pytest.mark.check
@pytest.mark.usefixtures("_tables")
@pytest.mark.parametrize(
    ("table", "statements", "expected", "rows"),
    [
        ("known", [APPEND, DROP, CREATE], "OVERWRITE", 5),
        ("known", [DROP, RENAME_FROM_STAGING], "RENAME", None),
        pytest.param("known", [APPEND, TRUNCATE, APPEND], "TRUNCATE", 3, marks=pytest.mark.thorough),
        pytest.param("made", [CREATE, DROP], "DROP", 0, marks=pytest.mark.thorough),
    ],
)
def test_the_run_reports_one_change_and_the_rows_that_are_left(
    etl: EtlJob, table: str, statements: list[str], expected: str, rows: int | None
) -> None:
    with etl.run("changes"):
        for statement in statements:
            etl.spark.sql(statement.format(table))
    name = etl.events.output_named(f"/{table}")
    facets = etl.events.output(name)
    assert etl.events.change(name) == expected
    assert (facets["lifecycleStateChange"].previous_identifier is not None) == (expected == "RENAME")
    assert (etl.events.rows(name) if "outputStatistics" in facets else None) == rows


@pytest.mark.check
def test_the_write_of_a_data_frame_keeps_the_change(etl: EtlJob) -> None:
    path = f"{etl.tmp_path}/written"
    with etl.run("changes"):
        for rows in (3, 5):
            etl.spark.range(rows).write.mode("overwrite").parquet(path)
    assert (etl.events.change(path), etl.events.rows(path)) == ("CREATE", 5)


@pytest.mark.check
@pytest.mark.usefixtures("_tables")
def test_a_created_table_is_an_output_although_a_later_write_was_refused(etl: EtlJob) -> None:
    with etl.run("changes"):
        etl.spark.sql(DEFINE.format("made"))
        with pytest.raises(AnalysisException):
            etl.spark.range(3).write.saveAsTable("made")
    (name,) = etl.events.outputs
    assert etl.events.change(name) == "CREATE"
