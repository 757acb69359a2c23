"""A job may stop Spark, or end Python, inside a run: what Spark has reported by then is an event."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from tests.conftest import ROOT


def test_queries_before_the_end_of_spark_or_python_are_captured(spark: SparkSession, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark.automatic.stopped_job", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    numbers, copied = f"{tmp_path}/numbers", f"{tmp_path}/copied"
    last = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert last["stopped"] == f"stopped COMPLETE ['{numbers}'] ['{numbers}']"
    assert last["open"] == f"open ABORT ['{numbers}'] ['{copied}']"
    assert "Traceback" not in done.stderr
    assert "openlineage_facets.spark" not in done.stderr
