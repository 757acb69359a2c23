"""A process whose Spark has Delta and Iceberg: a running session cannot load their jars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

import pytest
from pyspark.sql import SparkSession

from tests.conftest import ROOT
from tools import spark_start
from tools.java_home import java_of_machine
from tools.lake_jars import FOLDER, NEWEST, OVERRIDE, coordinates, jars

EXTENSIONS = (
    "io.delta.sql.DeltaSparkSessionExtension",
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
)

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class LakeProcess:
    """A process with a session.

    Args:
        executor: The process.
        folder: The folder of all files.
    """

    executor: ProcessPoolExecutor
    folder: Path

    def call(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function in the process."""
        return self.executor.submit(function, *args, **kwargs).result(timeout=180)


def skip_without_jars() -> None:
    """Skip a module of tests if the jars are missing. In CI, its tests fail instead."""
    reason = _missing()
    if reason and not _must_be_there():
        pytest.skip(f"Delta and Iceberg are not tested: {reason}", allow_module_level=True)


@contextmanager
def lake_process(folder: Path) -> Iterator[LakeProcess]:
    """Start a process with a session that has the jars.

    Args:
        folder: The folder of all files.
    """
    reason = _missing()
    if reason:
        pytest.fail(reason, pytrace=False)
    given = (str(folder), [str(jar) for jar in jars()], str(java_of_machine()))
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=lake_session, initargs=given) as executor:
        yield LakeProcess(executor, folder)


def lake_session(
    folder: str, jars: Sequence[str], java_home: str, more: Mapping[str, str] = MappingProxyType({})
) -> SparkSession:
    """Start Spark in this process, in a folder, with the Python modules of Delta's jar.

    Args:
        folder: The folder of all files.
        jars: The jars to load.
        java_home: Java's home.
        more: Further settings.
    """
    sys.path += [jar for jar in jars if "delta-spark" in jar]
    os.environ.update(
        spark_start.variables(), JAVA_HOME=java_home, PYSPARK_PYTHON=sys.executable, PYTHONPATH=str(ROOT)
    )
    os.chdir(folder)
    settings = {
        "spark.jars": ",".join(jars),
        "spark.databricks.delta.snapshotPartitions": 1,
        "spark.python.daemon.module": "tests.spark.python_daemon",
        "spark.sql.adaptive.enabled": False,
        "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": f"{folder}/ice",
        "spark.sql.catalog.listed": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.listed.jdbc.schema-version": "V1",
        "spark.sql.catalog.listed.type": "jdbc",
        "spark.sql.catalog.listed.uri": "jdbc:derby:memory:listed;create=true",
        "spark.sql.catalog.listed.warehouse": f"{folder}/listed",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": False,
        "spark.sql.extensions": ",".join(EXTENSIONS),
        "spark.sql.shuffle.partitions": 1,
        # Otherwise VACUUM starts 10,000 tasks.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": 2,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in (settings | dict(more)).items():
        builder = builder.config(key, str(value))
    return builder.getOrCreate()


def running_session() -> SparkSession:
    """Return the session of this process."""
    session = SparkSession.getActiveSession()
    assert session is not None
    return session


def _missing() -> str | None:
    """Return why jars are missing; None if they exist."""
    if jars():
        return None
    given = os.environ.get(OVERRIDE)
    if given or coordinates():
        return f"{given or FOLDER} contains no jars; run python -m tools.lake_jars"
    return NEWEST


def _must_be_there() -> bool:
    return os.environ.get("CI") == "true" and bool(coordinates() or os.environ.get(OVERRIDE))
