"""Run jobs with Delta and Iceberg tables, in the process whose session has the jars."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

from pyspark.sql import SparkSession

from tests.spark.corpus.conftest import new_workspace
from tests.spark.corpus.job_runs import DATABASE, JobRun, Workspace, lineage_of, run_job
from tests.spark.lake.session import running_session

_CATALOG = "ice"
_READ_DIFFERENTLY = ("delta/change_data_feed", "delta/merge")
"""Jobs whose inputs Delta 3.3 and 4.4 read differently: some copy the source of a MERGE in another query."""

_prepared: list[Workspace] = []


def write_data(folder: Path) -> None:
    """Write the data of the jobs."""
    _prepared.append(new_workspace(running_session(), folder))


def run(name: str, observed: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run a job, and return its lineage and, if observed, its effects."""
    found = _run(name, observed=observed)
    summary = lineage_of(_prepared[0], name, found)
    if name.startswith(_READ_DIFFERENTLY):
        for dataset in summary["inputs"].values():
            dataset.pop("rows", None)
    return summary, found.effects


def effects_without_capture(name: str) -> dict[str, Any]:
    """Run a job without capture, and return its effects."""
    return _run(name, captured=False, observed=True).effects


def _run(name: str, *, captured: bool = True, observed: bool) -> JobRun:
    [workspace] = _prepared
    tables = workspace.folder / _CATALOG / DATABASE
    try:
        with namespace(workspace.spark):
            return run_job(workspace, name, captured=captured, observed=observed, folders=[tables])
    except Exception:  # Spark's errors cannot be pickled.
        raise AssertionError(traceback.format_exc()) from None
    finally:
        rmtree(workspace.folder / "out", ignore_errors=True)


@contextmanager
def namespace(spark: SparkSession) -> Iterator[None]:
    """Create an empty namespace for Iceberg tables, and drop it with them."""
    name = f"{_CATALOG}.{DATABASE}"
    spark.sql(f"CREATE NAMESPACE {name}")
    try:
        yield
    finally:
        for table in spark.sql(f"SHOW TABLES IN {name}").collect():
            spark.sql(f"DROP TABLE {name}.{table.tableName} PURGE")
        spark.sql(f"DROP NAMESPACE {name}")
