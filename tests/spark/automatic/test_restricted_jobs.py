"""A job goes on if something that the capture needs is missing, and one message names the consequences."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.conftest import ROOT

pytestmark = pytest.mark.thorough


@pytest.fixture
def lines_of(spark: SparkSession, tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that returns what the job prints in situations."""

    def lines(*situations: str) -> list[str]:
        command = [sys.executable, "-m", "tests.spark.automatic.restricted_job", str(tmp_path), *situations]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return lines


def test_without_pinned_threads(lines_of: Callable[..., list[str]]) -> None:
    assert lines_of("unpinned") == [
        "log: lineage of etl/unpinned: statistics and data quality are not captured without "
        "PYSPARK_PIN_THREAD=true",
        "rows: 5",
        "COMPLETE copied again",
    ]


def test_without_calls_from_the_jvm_and_then_with_a_stopped_session(
    lines_of: Callable[..., list[str]],
) -> None:
    *without_calls, message, error, last = lines_of("taken", "stopped")
    assert_nothing_but_calls_is_captured(without_calls, "taken")
    assert message == (
        "log: lineage of etl/stopped: the Spark session was stopped before the run; create a new session, "
        "and pass it to the run"
    )
    assert error.startswith("error: Py4J")
    assert last.startswith("ABORT")


@pytest.mark.parametrize("situation", ["not local", "closed"])
def test_without_calls_from_the_jvm(lines_of: Callable[..., list[str]], situation: str) -> None:
    assert_nothing_but_calls_is_captured(lines_of(situation), situation)


def assert_nothing_but_calls_is_captured(lines: list[str], situation: str) -> None:
    """Verify that the job goes on: Py4J itself would disconnect from the JVM if the port is taken."""
    rows, message, last = lines
    assert rows == "rows: 5"
    assert message.startswith(
        f"log: lineage of etl/{situation}: not captured: actions, and writes not made by PySpark's own "
        "methods: the JVM cannot call Python"
    )
    assert last == "COMPLETE copied"
