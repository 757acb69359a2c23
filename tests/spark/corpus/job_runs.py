"""Run a job inside a `SparkRun` and summarize its lineage."""

from __future__ import annotations

import contextlib
import io
import logging
import runpy
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.corpus.sample_data import write_database

JOBS = Path(__file__).parent / "jobs"
DATABASE = "corpus"
"""Database of the tables that jobs create; it is dropped after each job."""


def job_names() -> list[str]:
    """Return the name of every job, such as "files/copy_parquet"."""
    return sorted(path.relative_to(JOBS).with_suffix("").as_posix() for path in JOBS.rglob("*.py"))


@dataclass
class Workspace:
    """What the jobs of a session share.

    Attributes:
        spark: The session.
        folder: Folder with the input data in `data`.
        database_url: JDBC URL of a database with a table CUSTOMERS.
    """

    spark: SparkSession
    folder: Path
    database_url: str

    def relative(self, text: str) -> str:
        """Return a name without the parts that differ between machines."""
        warehouse = str(self.spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:")
        return (
            text.replace(f"memory:{self.folder.name}", "memory:corpus")
            .replace(warehouse, "warehouse")
            .replace(f"{self.folder}/", "")
            .replace(str(self.folder), ".")
        )


def run_job(workspace: Workspace, name: str, *, captured: bool = True) -> dict[str, Any]:
    """Run a job and return a summary of what its run emitted and logged.

    Args:
        workspace: Session, data and database.
        name: Name of the job.
        captured: Whether to run it inside a `SparkRun`; without one, only the exception is returned.
    """
    spark = workspace.spark
    out = workspace.folder / "out"
    out.mkdir()
    if name.startswith("jdbc/"):
        write_database(spark, workspace.database_url)
    events: list[dict[str, Any]] = []
    failure = ""
    with _database(spark), _arguments(name, workspace, out), _log() as log:
        run = (
            SparkRun(spark, "etl", name, emit=lambda event: events.append(event.to_dict()))
            if captured
            else contextlib.nullcontext()
        )
        try:
            with run, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Not those of the job: pytest turns them into errors.
                runpy.run_path(str(JOBS / f"{name}.py"), run_name="__main__")
        except Exception as error:
            failure = _name_of(error)
    summary = summary_of(events[-1], workspace) if captured else {}
    if name.startswith("tpch/"):
        for dataset in summary.get("inputs", {}).values():
            dataset.pop(
                "rows", None
            )  # Versions of Spark differ in what they need not read of the small tables.
    if failure:
        summary["exception"] = failure
    if log:
        summary["log"] = [workspace.relative(line) for line in log]
    return summary


def _name_of(error: Exception) -> str:
    """Return the name of an exception's class; PySpark 3.5 has no class of its own for failed Python code."""
    name = type(error).__name__
    return "PythonException" if name == "Py4JJavaError" and "PythonException" in str(error) else name


@contextlib.contextmanager
def _database(spark: SparkSession) -> Iterator[None]:
    """Use an empty database, and drop it with all temporary views afterwards."""
    spark.sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    spark.catalog.setCurrentDatabase(DATABASE)
    try:
        yield
    finally:
        for query in spark.streams.active:
            query.stop()
        for table in spark.catalog.listTables():
            if table.isTemporary:
                spark.catalog.dropTempView(table.name)
        spark.catalog.clearCache()
        spark.catalog.setCurrentDatabase("default")
        spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


@contextlib.contextmanager
def _arguments(name: str, workspace: Workspace, out: Path) -> Iterator[None]:
    original = sys.argv
    sys.argv = [f"{name}.py", str(workspace.folder / "data"), str(out), workspace.database_url]
    try:
        yield
    finally:
        sys.argv = original


@contextlib.contextmanager
def _log() -> Iterator[list[str]]:
    """Collect what the package logs."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Lines(logging.WARNING)
    logger = logging.getLogger("openlineage_facets")
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)


def summary_of(last: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
    """Return the lineage in the last event of a run, in a form that people can review."""
    summary: dict[str, Any] = {"state": last["eventType"]}
    for role in ("inputs", "outputs"):
        datasets = {
            _name(dataset, workspace): _dataset(dataset, role, workspace) for dataset in last.get(role, ())
        }
        summary[role] = dict(sorted(datasets.items()))
    return summary


def _dataset(dataset: dict[str, Any], role: str, workspace: Workspace) -> dict[str, Any]:
    facets = dataset.get("facets", {})
    found: dict[str, Any] = {}
    if "schema" in facets:
        found["schema"] = ", ".join(map(_column, facets["schema"].get("fields", ())))
    if "lifecycleStateChange" in facets:
        found["change"] = facets["lifecycleStateChange"]["lifecycleStateChange"]
    own = dataset.get("inputFacets" if role == "inputs" else "outputFacets", {})
    statistics = own.get("inputStatistics" if role == "inputs" else "outputStatistics", {})
    if "rowCount" in statistics:
        found["rows"] = statistics["rowCount"]
    lineage = facets.get("columnLineage", {})
    columns = {
        column: sorted(_source(source, workspace) for source in one["inputFields"])
        for column, one in lineage.get("fields", {}).items()
    }
    if columns:
        found["columns"] = dict(sorted(columns.items()))
    if lineage.get("dataset"):
        found["all columns"] = sorted(_source(source, workspace) for source in lineage["dataset"])
    return found


def _column(field: dict[str, Any]) -> str:
    return f"{field['name']} {field.get('type')}"


def _name(dataset: dict[str, Any], workspace: Workspace) -> str:
    namespace = "" if dataset["namespace"] == "file" else f"{dataset['namespace']} "
    return workspace.relative(f"{namespace}{dataset['name']}")


def _source(source: dict[str, Any], workspace: Workspace) -> str:
    kinds = ", ".join(one.get("subtype") or one["type"] for one in source.get("transformations", ()))
    return f"{_name(source, workspace)}.{source['field']} {kinds}".strip()
