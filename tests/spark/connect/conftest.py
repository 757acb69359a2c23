"""Fixtures: a Spark Connect server in a separate process, and sessions connected to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyspark
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from tests.conftest import ROOT
from tools import spark_start
from tools.java_home import java_of_machine

HERE = Path(__file__).parent
ORDERS = 1000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder if the server's jar is missing."""
    if any(Path(pyspark.__file__).parent.glob("jars/spark-connect_*.jar")):
        return
    skip = pytest.mark.skip(reason=f"PySpark {pyspark.__version__} has no jar of Spark Connect's server")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(skip)


@contextmanager
def served(warehouse: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server, yield its process and address, and stop it."""
    home = java_of_machine()
    if home is None:
        pytest.fail("Spark needs Java 17 or later, and here is none: `make test` brings one", pytrace=False)
    settings = {
        **os.environ,
        "JAVA_HOME": str(home),
        "PYSPARK_PYTHON": sys.executable,
        **spark_start.variables(),
    }
    settings.pop("SPARK_CONNECT_MODE_ENABLED", None)
    command = [sys.executable, "-m", "tests.spark.connect.server", str(warehouse)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env=settings,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            port = server.stdout.readline().strip()
            assert port, f"the server has ended with {server.wait()}"
            yield server, f"sc://127.0.0.1:{port}"
        finally:
            with suppress(subprocess.TimeoutExpired):
                server.communicate(timeout=30)  # It stops when its standard input is closed.
            server.kill()


@pytest.fixture(scope="session")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the shared server."""
    with served(tmp_path_factory.mktemp("warehouse")) as (_, address):
        yield address


@pytest.fixture(autouse=True)
def _connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make PySpark's functions use Spark Connect even if other tests have a JVM session."""
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")


@pytest.fixture
def spark(remote: str) -> Iterator[SparkSession]:
    """Return a new session."""
    session = session_at(remote)
    yield session
    session.stop()


def session_at(address: str) -> SparkSession:
    """Return a new session, which `SparkSession.builder.remote` cannot create next to a JVM session."""
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    return RemoteSession.builder.remote(address).create()


@pytest.fixture
def orders_path(tmp_path: Path) -> str:
    """Return the path of a thousand orders in two Parquet files."""
    folder = tmp_path / "orders"
    folder.mkdir()
    for first in (0, ORDERS // 2):
        ids = range(first, first + ORDERS // 2)
        columns = {
            "order": pa.array(ids, pa.int64()),
            "day": pa.array([number % 7 for number in ids], pa.int32()),
            "amount": pa.array([number * 0.5 if number % 10 else None for number in ids], pa.float64()),
        }
        parquet.write_table(pa.table(columns), folder / f"part-{first}.parquet")
    return str(folder)
