"""Run jobs with Delta and Iceberg tables, in a process of their own."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

from pyspark.sql import SparkSession

from tests.spark.corpus.conftest import new_workspace
from tests.spark.corpus.job_runs import DATABASE, Workspace, lineage_of, run_job
from tests.spark.lake.session import lake_session

_CATALOG = "ice"
_READ_DIFFERENTLY = ("delta/change_data_feed", "delta/merge")
"""Jobs whose inputs Delta 3.3 and 4.4 read differently: some copy the source of a MERGE in another query."""

_started: list[Workspace] = []


def start(folder: str, jars: Sequence[str], java_home: str) -> None:
    """Start Spark in this process, and write the data of the jobs."""
    spark = lake_session(folder, jars, java_home)
    _started.append(new_workspace(spark, Path(folder)))


def run(name: str) -> dict[str, Any]:
    """Run a job in the process that was started."""
    [workspace] = _started
    try:
        with _namespace(workspace.spark):
            summary = lineage_of(workspace, name, run_job(workspace, name))
    except Exception:  # Spark's errors cannot be pickled.
        raise AssertionError(traceback.format_exc()) from None
    finally:
        rmtree(workspace.folder / "out", ignore_errors=True)
    if name.startswith(_READ_DIFFERENTLY):
        for dataset in summary["inputs"].values():
            dataset.pop("rows", None)
    return summary


@contextmanager
def _namespace(spark: SparkSession) -> Iterator[None]:
    """Create an empty namespace for Iceberg tables, and drop it with them."""
    namespace = f"{_CATALOG}.{DATABASE}"
    spark.sql(f"CREATE NAMESPACE {namespace}")
    try:
        yield
    finally:
        for table in spark.sql(f"SHOW TABLES IN {namespace}").collect():
            spark.sql(f"DROP TABLE {namespace}.{table.tableName} PURGE")
        spark.sql(f"DROP NAMESPACE {namespace}")
