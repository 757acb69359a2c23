"""A process that runs a job for each line of its input, and prints what it took."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from pyspark.sql import SparkSession

from benchmarks.spark_capture.jobs import JOBS, write_input
from tests.spark.corpus.compare_listener import listener_settings


def main(side: str, folder: Path, scale: float) -> None:
    """Run jobs until the input ends.

    Args:
        side: One of `SIDES`.
        folder: Folder for all files.
        scale: Size of the large writes.
    """
    answers = _own_output()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder.mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    if side == "listener":
        settings |= listener_settings(folder / "listener.ndjson")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    write_input(spark, str(folder), scale)
    for line in sys.stdin:
        print(json.dumps(_measured(spark, side, folder, line.strip())), file=answers, flush=True)
    spark.stop()


def _own_output() -> TextIO:
    """Return the standard output, and give the JVM the one for errors: Java prints its warnings to it."""
    own = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return own


def _measured(spark: SparkSession, side: str, folder: Path, name: str) -> dict[str, float]:
    out = folder / "out"
    bus = _jvm(spark).listenerBus()
    cpu, wall = _cpu(spark), time.perf_counter()
    with _run(spark, side, folder):
        JOBS[name].run(spark, str(folder), str(out))
    bus.waitUntilEmpty()  # The listener works in a thread of Spark.
    measured = {"wall": time.perf_counter() - wall, "cpu": _cpu(spark) - cpu}
    shutil.rmtree(out)
    return measured


def _run(spark: SparkSession, side: str, folder: Path) -> AbstractContextManager[Any]:
    if side != "ours":
        return nullcontext()
    from openlineage_facets.spark import SparkRun

    return SparkRun(spark, "benchmark", "writes", emit=folder / "ours.ndjson")


def _cpu(spark: SparkSession) -> float:
    """Return the processor time of this process and of its JVM in seconds, as Linux reports it."""
    gateway: Any = spark.sparkContext._gateway
    status = Path(f"/proc/{gateway.proc.pid}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")


def _jvm(spark: SparkSession) -> Any:
    context: Any = spark.sparkContext
    return context._jsc.sc()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
