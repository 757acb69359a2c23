"""Run a job, inside a `SparkRun` or without one, and summarize its lineage."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import runpy
import shutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.corpus.database import Database
from tests.spark.corpus.job_effects import PLAN_SETTINGS, JobEffects
from tests.spark.session_state import changed_settings

JOBS = Path(__file__).parent / "jobs"
DATABASE = "corpus"
"""Database of the tables that jobs create; it is dropped after each job."""

_SNAPSHOT = re.compile(r"\d{10,}")
"""A version of an Iceberg table, a random number."""
LAKES = ("delta", "iceberg")
"""Groups of jobs that need the jars of Delta and Iceberg."""


def job_names(*, lakes: bool = False) -> list[str]:
    """Return the name of every job, such as "files/copy_parquet", or of every job with lakehouse tables."""
    names = sorted(path.relative_to(JOBS).with_suffix("").as_posix() for path in JOBS.rglob("*.py"))
    return [name for name in names if name.startswith(LAKES) == lakes]


def is_compared(name: str) -> bool:
    """Return whether a test also runs a job without capture: one of eight, with `COMPARE_JOBS=1` each."""
    numbers = {name: number for lakes in (False, True) for number, name in enumerate(job_names(lakes=lakes))}
    return os.environ.get("COMPARE_JOBS") == "1" or numbers[name] % 8 == 4


@dataclass
class Workspace:
    """What the jobs of a session share.

    Attributes:
        spark: The session.
        folder: Folder with the input data in `data`.
        database: A database with a table CUSTOMERS.
    """

    spark: SparkSession
    folder: Path
    database: Database

    @property
    def out(self) -> Path:
        """The folder for the output of a job."""
        return self.folder / "out"

    @property
    def warehouse(self) -> Path:
        """The folder of the tables of the catalog."""
        return Path(str(self.spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:"))

    def relative(self, text: str) -> str:
        """Return a name without the parts that differ between machines."""
        return (
            text.replace(f"memory:{self.folder.name}", "memory:corpus")
            .replace(str(self.warehouse), "warehouse")
            .replace(f"{self.folder}/", "")
            .replace(str(self.folder), ".")
        )


@dataclass
class JobRun:
    """What happened when a job was run.

    Attributes:
        events: The events of its run.
        log: What this package has logged.
        error: The exception that ended the job.
        effects: What else the job has done, see `JobEffects`.
    """

    events: list[dict[str, Any]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    error: Exception | None = None
    effects: dict[str, Any] = field(default_factory=dict)


def run_job(
    workspace: Workspace,
    name: str,
    *,
    captured: bool = True,
    observed: bool = False,
    folders: Sequence[Path] = (),
) -> JobRun:
    """Run a job with an empty folder and database for its output.

    Args:
        workspace: Session, data and database.
        name: Name of the job.
        captured: Whether to run it inside a `SparkRun`.
        observed: Whether to return its effects.
        folders: Further folders that it writes to.
    """
    spark = workspace.spark
    found = JobRun()
    shutil.rmtree(workspace.out, ignore_errors=True)
    workspace.out.mkdir()
    if uses_database(name):
        workspace.database.reset()
    settings = changed_settings(spark, PLAN_SETTINGS if observed else {})
    with settings, _database(spark), _arguments(name, workspace), _log(found.log):
        folder = workspace.warehouse / f"{DATABASE}.db"
        before = JobEffects(spark, workspace.out, folder, *folders) if observed else None
        run = (
            SparkRun(spark, "etl", name, emit=lambda event: found.events.append(event.to_dict()))
            if captured
            else contextlib.nullcontext()
        )
        printed = io.StringIO()
        try:
            with run, contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Not those of the job: pytest turns them into errors.
                runpy.run_path(str(JOBS / f"{name}.py"), run_name="__main__")
        except Exception as error:
            found.error = error
        if before is not None:
            found.effects = before.found(printed.getvalue(), found.error)
    if observed and uses_database(name):
        found.effects["database"] = workspace.database.content()
    return found


def uses_database(name: str) -> bool:
    """Return True if a job reads or writes tables of the database."""
    return name.startswith("jdbc/")


def lineage_of(workspace: Workspace, name: str, run: JobRun) -> dict[str, Any]:
    """Return a summary of what the run of a job has emitted and logged.

    Args:
        workspace: Session, data and database.
        name: Name of the job.
        run: Its run.
    """
    summary = summary_of(run.events[-1], workspace)
    if name.startswith("tpch/"):
        for dataset in summary["inputs"].values():
            # Versions of Spark differ in what they need not read of the small tables.
            dataset.pop("rows", None)
    if run.error is not None:
        summary["exception"] = _name_of(run.error)
    if run.log:
        summary["log"] = [workspace.relative(line) for line in run.log]
    return summary


def _name_of(error: Exception) -> str:
    """Return the name of an exception's class; PySpark 3.5 has no class of its own for failed Python code."""
    name = type(error).__name__
    return "PythonException" if name == "Py4JJavaError" and "PythonException" in str(error) else name


@contextlib.contextmanager
def _database(spark: SparkSession) -> Iterator[None]:
    """Use an empty database, and drop it with all temporary views and cached data afterwards."""
    context: Any = spark.sparkContext._jsc
    spark.sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    spark.catalog.setCurrentDatabase(DATABASE)
    try:
        yield
    finally:
        for query in spark.streams.active:
            query.stop()
        for view in spark.sql("SHOW VIEWS").collect():
            if view.isTemporary:
                spark.catalog.dropTempView(view.viewName)
        spark.catalog.clearCache()
        for rdd in list(context.getPersistentRDDs().values()):
            rdd.unpersist()
        spark.catalog.setCurrentDatabase("default")
        spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


@contextlib.contextmanager
def _arguments(name: str, workspace: Workspace) -> Iterator[None]:
    original = sys.argv
    sys.argv = [f"{name}.py", str(workspace.folder / "data"), str(workspace.out), workspace.database.url]
    try:
        yield
    finally:
        sys.argv = original


@contextlib.contextmanager
def _log(lines: list[str]) -> Iterator[None]:
    """Collect what the package logs."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Lines(logging.WARNING)
    logger = logging.getLogger("openlineage_facets")
    logger.addHandler(handler)
    try:
        yield
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
    if "version" in facets:
        found["version"] = _SNAPSHOT.sub("a snapshot", facets["version"]["datasetVersion"])
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
