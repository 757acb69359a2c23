"""Profile `spark-validate`: Spark's stages, and the Python functions of its workers.

    python -m benchmarks.archive_profile --folder /tmp/archive --master 'local[1]' --state

Run with an archive of `python -m benchmarks.archives make`. `CPU s` is the time of the JVM, `run s` also
contains the time of the Python workers and waiting. Profiled Python code takes about twice its time.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.spark.archives import arrow_functions, splitting

_Function = Callable[[Iterator[Any]], Iterator[Any]]
_SHOWN = 14
"""Number of functions shown for each step."""


class _Profiled:
    """A function of Arrow batches that writes a profile of each task to a folder.

    The time between batches, in which the worker waits for the JVM, is not part of it.
    """

    def __init__(self, function: _Function, folder: str) -> None:
        self._function, self._folder = function, folder
        inner = getattr(function, "func", function)
        self._name = f"{inner.__module__.rpartition('.')[2]}.{inner.__qualname__.replace('.<locals>', '')}"

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        profile = cProfile.Profile(time.process_time)

        def outside() -> Iterator[Any]:
            for batch in batches:
                profile.enable()
                yield batch
                profile.disable()

        produced = self._function(outside())
        while True:
            profile.enable()
            batch = next(produced, None)
            profile.disable()
            if batch is None:
                break
            yield batch
        profile.dump_stats(f"{self._folder}/{self._name}-{os.getpid()}-{time.monotonic_ns()}")


def main() -> None:
    """Run the command in this process and print its profile."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.archive_profile", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--master", default="local[1]")
    parser.add_argument("--state", action="store_true")
    parser.add_argument("--python", action="store_true", help="profile the functions of the workers")
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    began = time.monotonic()
    builder: Any = SparkSession.builder.master(options.master).config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    print(f"session: {time.monotonic() - began:.1f} s")
    began = time.monotonic()
    spark.range(10).count()
    print(f"first job: {time.monotonic() - began:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        profiles = Path(folder) / "profiles"
        profiles.mkdir()
        if options.python:
            _profile_workers(str(profiles))
        folders = {name: f"{folder}/{name}" for name in ("valid", "quarantine")}
        if options.state:
            folders["state"] = f"{folder}/state"
        began = time.monotonic()
        counts = splitting.split_archive(spark, options.folder, **folders)  # type: ignore[arg-type]
        print(f"{counts.lines:,} lines: {time.monotonic() - began:.1f} s")
        _print_stages(spark)
        for name in sorted({path.name.split("-")[0] for path in profiles.iterdir()}):
            _print_functions(name, sorted(profiles.glob(f"{name}-*")))
    spark.stop()


def _profile_workers(folder: str) -> None:
    original = arrow_functions.map_batches

    def map_batches(frame: DataFrame, function: _Function, schema: StructType) -> DataFrame:
        return original(frame, _Profiled(function, folder), schema)

    for module in list(sys.modules.values()):
        if getattr(module, "map_batches", None) is original:
            module.map_batches = map_batches  # type: ignore[attr-defined]


def _print_stages(spark: SparkSession) -> None:
    """Print the stages in Spark's status store."""
    context: Any = spark.sparkContext
    jvm, scala = context._jvm, context._jsc.sc()
    scala.listenerBus().waitUntilEmpty()
    stages = jvm.scala.collection.JavaConverters.seqAsJavaList(
        scala.statusStore().stageList(None, False, False, context._gateway.new_array(jvm.double, 0), None)
    )
    print(" stage  tasks   run s   CPU s     in kB   out kB  read kB  write kB  name")
    total = 0
    for stage in sorted(stages, key=lambda it: it.stageId()):
        if stage.status().toString() != "COMPLETE":
            continue
        total += stage.numTasks()
        print(
            f"{stage.stageId():>6}{stage.numTasks():>7}{stage.executorRunTime() / 1e3:>8.2f}"
            f"{stage.executorCpuTime() / 1e9:>8.2f}{stage.inputBytes() / 1e3:>10,.0f}"
            f"{stage.outputBytes() / 1e3:>9,.0f}{stage.shuffleReadBytes() / 1e3:>9,.0f}"
            f"{stage.shuffleWriteBytes() / 1e3:>10,.0f}  {stage.name().split(' at ')[0]}"
        )
    print(f"{len(stages)} stages, {total} tasks")


def _print_functions(step: str, paths: list[Path]) -> None:
    statistics = pstats.Stats(*map(str, paths))
    entries: dict[Any, Any] = statistics.stats  # type: ignore[attr-defined]
    print(f"\n{step}: {len(paths)} tasks, {statistics.total_tt:.2f} s")  # type: ignore[attr-defined]
    slowest = sorted(entries.items(), key=lambda it: -it[1][2])[:_SHOWN]
    for (file, line, function), (_, calls, own, cumulative, _) in slowest:
        print(f"{calls:>10,}{own:>8.2f}{cumulative:>8.2f}  {Path(file).stem}:{line} {function}")


if __name__ == "__main__":
    main()
