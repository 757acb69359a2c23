"""A job goes on if something that the capture needs is missing, and one message names the consequences."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pyspark.sql import SparkSession

from tests.conftest import ROOT
from tests.spark.automatic.restricted_job import SITUATIONS

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def lines_of(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what the job prints in each situation; all are executed at the same time."""
    jobs = {
        situation: subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.spark.automatic.restricted_job",
                str(tmp_path_factory.mktemp(situation)),
                situation,
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for situation in SITUATIONS
    }
    printed = {}
    for situation, process in jobs.items():
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        printed[situation] = output.splitlines()
    return printed


@pytest.mark.thorough
def test_without_pinned_threads(lines_of: dict[str, list[str]]) -> None:
    assert lines_of["unpinned"] == [
        "log: lineage of etl/unpinned: statistics and data quality are not captured without "
        "PYSPARK_PIN_THREAD=true",
        "rows: 5",
        "COMPLETE copied again",
    ]


def test_with_a_session_that_was_stopped_before_the_run(lines_of: dict[str, list[str]]) -> None:
    message, error, last = lines_of["stopped"]
    assert message == (
        "log: lineage of etl/stopped: the Spark session was stopped before the run; create a new session, "
        "and pass it to the run"
    )
    assert error.startswith("error: Py4J")
    assert last.startswith("ABORT")


@pytest.mark.parametrize("situation", ["taken", "not local", "closed"])
def test_without_calls_from_the_jvm(lines_of: dict[str, list[str]], situation: str) -> None:
    """The job goes on: Py4J itself would disconnect from the JVM if the port is taken."""
    rows, message, last = lines_of[situation]
    assert rows == "rows: 5"
    assert message.startswith(
        f"log: lineage of etl/{situation}: not captured: actions, and writes not made by PySpark's own "
        "methods: the JVM cannot call Python"
    )
    assert last == "COMPLETE copied"
