"""Run a command with a Spark standalone cluster that has several workers on this machine.

    python -m benchmarks.standalone_cluster --workers 2 \\
        python -m benchmarks.archives measure --folder /tmp/archive --master MASTER

`MASTER` in the command is replaced by the URL of the master. Each worker has one core.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pyspark

_HOST = "127.0.0.1"
_SPARK = Path(pyspark.__file__).parent
_DEADLINE = 120.0


def main() -> None:
    """Run the command and exit with its status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.standalone_cluster",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        standalone_cluster(Path(folder), workers=options.workers) as url,
    ):
        command = [word.replace("MASTER", url) for word in options.command]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
        status = subprocess.run(command, env=environment, check=False).returncode
    raise SystemExit(status)


@contextmanager
def standalone_cluster(
    folder: Path, *, workers: int = 2, cores: int = 1, memory: str = "1g"
) -> Iterator[str]:
    """Start a master and workers, each in its own JVM, and stop them afterwards.

    Args:
        folder: A folder for the files of the workers.
        workers: The number of workers, with one core each.
        memory: The memory of each worker for executors.

    Yields:
        The URL of the master.

    Raises:
        TimeoutError: The workers did not register with the master.
    """
    port, page = _free_port(), _free_port()
    url = f"spark://{_HOST}:{port}"
    with ExitStack() as processes:
        start = [*("--host", _HOST), "--port", str(port), "--webui-port", str(page)]
        processes.enter_context(_started("master.Master", start))
        for number in range(workers):
            options = [*("--host", _HOST), "--webui-port", "0", "--work-dir", f"{folder}/worker-{number}"]
            limits = ["--cores", "1", "--memory", memory]
            processes.enter_context(_started("worker.Worker", [*options, *limits, url]))
        _wait_for_workers(f"http://{_HOST}:{page}/json/", workers)
        yield url


@contextmanager
def _started(main_class: str, arguments: list[str]) -> Iterator[None]:
    command = [str(_SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{main_class}", *arguments]
    environment = {
        **os.environ,
        "SPARK_HOME": str(_SPARK),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _wait_for_workers(page: str, workers: int) -> None:
    began = time.monotonic()
    found = None
    while found != workers:
        if time.monotonic() - began > _DEADLINE:
            raise TimeoutError(f"{page}: expected {workers} workers after {_DEADLINE:.0f} s, found {found}")
        time.sleep(0.2)
        try:
            with urlopen(page, timeout=5) as response:
                found = json.load(response)["aliveworkers"]
        except OSError:  # The master has not started yet.
            continue


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((_HOST, 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
