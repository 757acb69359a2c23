"""Several changes of a dataset in one run are reported as one: what the run did to what existed before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob, Events

pytestmark = pytest.mark.check

OVERWRITE = "INSERT OVERWRITE {} SELECT * FROM range(2)"
APPEND = "INSERT INTO {} SELECT * FROM range(3)"
DEFINE = "CREATE TABLE {} (id bigint) USING parquet"
CREATE = "CREATE TABLE {} USING parquet AS SELECT * FROM range(5)"
DROP = "DROP TABLE {}"
TRUNCATE = "TRUNCATE TABLE {}"
ALTER = "ALTER TABLE {} SET TBLPROPERTIES ('a' = 'b')"
RENAME_FROM_STAGING = "ALTER TABLE staging RENAME TO {}"


@pytest.fixture(autouse=True)
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


@pytest.mark.parametrize(
    ("table", "statements", "expected"),
    [
        ("made", [CREATE, OVERWRITE], "CREATE"),
        ("made", [CREATE, APPEND], "CREATE"),
        ("made", [DEFINE, OVERWRITE, ALTER], "CREATE"),
        ("made", [CREATE, TRUNCATE], "CREATE"),
        ("made", [CREATE, DROP], "DROP"),
        ("made", [CREATE, DROP, CREATE], "CREATE"),
        ("made", [RENAME_FROM_STAGING, OVERWRITE], "RENAME"),
        ("known", [DROP, CREATE], "OVERWRITE"),
        ("known", [DROP, CREATE, DROP], "DROP"),
        ("known", [DROP, RENAME_FROM_STAGING], "RENAME"),
        ("made", [CREATE, DROP, RENAME_FROM_STAGING, ALTER], "RENAME"),
        ("known", [OVERWRITE, ALTER], "OVERWRITE"),
        ("known", [ALTER, OVERWRITE], "OVERWRITE"),
        ("known", [OVERWRITE, TRUNCATE], "TRUNCATE"),
        ("known", [TRUNCATE, APPEND], "TRUNCATE"),
    ],
)
def test_the_run_reports_one_change(etl: EtlJob, table: str, statements: list[str], expected: str) -> None:
    facet = changed(etl.spark, etl.events, table, statements)["lifecycleStateChange"]
    assert facet.lifecycle_state_change.value == expected
    assert (facet.previous_identifier is not None) == (expected == "RENAME")


@pytest.mark.parametrize(
    ("statements", "rows"),
    [
        ([APPEND, APPEND], 6),
        ([APPEND, TRUNCATE], 0),
        ([APPEND, TRUNCATE, APPEND], 3),
        ([APPEND, DROP], 0),
        ([APPEND, DROP, CREATE], 5),
    ],
)
def test_rows_that_were_removed_are_not_counted(etl: EtlJob, statements: list[str], rows: int) -> None:
    assert changed(etl.spark, etl.events, "known", statements)["outputStatistics"].row_count == rows


def test_the_write_of_a_data_frame_keeps_the_change(etl: EtlJob) -> None:
    path = f"{etl.tmp_path}/written"
    with etl.run("changes"):
        for rows in (3, 5):
            etl.spark.range(rows).write.mode("overwrite").parquet(path)
    facets = etl.events.output(path)
    assert facets["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
    assert facets["outputStatistics"].row_count == 5


def test_a_created_table_is_an_output_although_a_later_write_was_refused(etl: EtlJob) -> None:
    with etl.run("changes"):
        etl.spark.sql(DEFINE.format("made"))
        with pytest.raises(AnalysisException):
            etl.spark.range(3).write.saveAsTable("made")
    (name,) = etl.events.outputs
    assert etl.events.output(name)["lifecycleStateChange"].lifecycle_state_change.value == "CREATE"
