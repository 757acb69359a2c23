"""A job may stop Spark, or end Python, inside a run: what Spark has reported by then is an event."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.conftest import ROOT

pytestmark = pytest.mark.check


def execute(job: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"tests.spark.automatic.{job}", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def test_queries_before_the_end_of_spark_or_python_are_captured(spark: SparkSession, tmp_path: Path) -> None:
    done = execute("stopped_job", tmp_path)
    numbers, copied = f"{tmp_path}/numbers", f"{tmp_path}/copied"
    last = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert last["stopped"] == f"stopped COMPLETE ['{numbers}'] ['{numbers}']"
    assert last["configuration"] == "configuration file:///"
    assert last["open"] == f"open ABORT ['{numbers}'] ['{copied}']"
    assert "Traceback" not in done.stderr
    assert "openlineage_facets.spark" not in done.stderr


@pytest.mark.thorough
def test_a_run_continues_in_the_session_that_replaces_a_stopped_one(
    spark: SparkSession, tmp_path: Path
) -> None:
    done = execute("restarted_job", tmp_path)
    assert done.stdout.splitlines() == [
        "restarted COMPLETE before outer action written written:3",
        "inner COMPLETE inner",
        "outer COMPLETE outer",
        "failed FAIL",
        "late COMPLETE action",
    ]
    (logged,) = [line for line in done.stderr.splitlines() if "lineage of" in line]
    assert logged.startswith("lineage of etl/late: the Spark session was stopped before the run")
