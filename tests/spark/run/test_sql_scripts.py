"""Statements that execute others: SQL scripts and EXECUTE IMMEDIATE, both new in Spark 4."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.spark.etl_job import EtlJob
from tests.spark.run.test_ddl_statements import changes

pytestmark = [pytest.mark.check, pytest.mark.skipif(pyspark.__version__ < "4", reason="new in Spark 4")]

INSERT = "INSERT INTO numbers SELECT failing(id) FROM range(0, 1, 1, 1)"


@pytest.fixture(autouse=True)
def _scripts(spark: SparkSession) -> Iterator[None]:
    """Allow scripts, which some versions of Spark do not by default; drop the tables afterwards."""
    spark.conf.set("spark.sql.scripting.enabled", "true")
    spark.sql("CREATE TABLE numbers (number BIGINT) USING parquet")
    yield
    spark.conf.unset("spark.sql.scripting.enabled")
    for table in ("numbers", "others"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


@pytest.mark.parametrize("statement", [f"EXECUTE IMMEDIATE '{INSERT}'", f"BEGIN {INSERT}; END", INSERT])
def test_a_failed_statement_is_executed_once(etl: EtlJob, statement: str) -> None:
    executions = etl.tmp_path / "executions"

    def failing(number: int) -> int:
        with executions.open("a") as file:
            file.write("executed\n")
        raise ValueError("no number")

    etl.spark.udf.register("failing", failing, "bigint")
    with pytest.raises(PySparkException), etl.run("script", on_error="log"):
        etl.spark.sql(statement)
    assert executions.read_text().splitlines() == ["executed"]
    assert [Path(name).name for name in etl.events.outputs] == ["numbers"]


@pytest.mark.thorough
def test_the_statements_of_a_script_are_captured(etl: EtlJob) -> None:
    with etl.run("script"):
        etl.spark.sql(
            "BEGIN CREATE TABLE others (number BIGINT) USING parquet; "
            "INSERT INTO others VALUES (1), (2); TRUNCATE TABLE numbers; SELECT * FROM others; END"
        )
    assert changes(etl.events) == {"others": "CREATE", "numbers": "TRUNCATE"}
    assert etl.messages == []


def test_a_script_that_drops_a_table_is_logged(etl: EtlJob) -> None:
    with etl.run("script"):
        etl.spark.sql("BEGIN DROP TABLE numbers; END")
    assert etl.messages == [
        "lineage of etl/script: not captured: the command DropTable, which spark.sql did not execute alone"
    ]
