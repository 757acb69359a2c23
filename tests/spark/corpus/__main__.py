"""Write the expected lineage of jobs: `python -m tests.spark.corpus [--lakes] [JOB...]`."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tests.spark.corpus import lake_runs
from tests.spark.corpus.conftest import new_workspace
from tests.spark.corpus.job_runs import JOBS, job_names, lineage_of, run_job
from tests.spark.lake.session import lake_process

Run = Callable[[str], dict[str, Any]]
"""Runs a job and returns the summary of its lineage."""


def main() -> None:
    """Run the jobs whose name starts with one of the arguments, or all."""
    parser = argparse.ArgumentParser(description="Write the expected lineage of jobs.")
    parser.add_argument("jobs", nargs="*", metavar="JOB", help="jobs whose name starts with one of these")
    parser.add_argument("--lakes", action="store_true", help="jobs with Delta and Iceberg tables")
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp(prefix="corpus"))
    with _lakes(folder) if options.lakes else _session(folder) as run:
        for name in job_names(lakes=options.lakes):
            if not options.jobs or name.startswith(tuple(options.jobs)):
                began = time.perf_counter()
                summary = run(name)
                text = json.dumps(summary, indent=2, ensure_ascii=False) + "\n"
                (JOBS / f"{name}.json").write_text(text, encoding="utf-8")
                print(f"{time.perf_counter() - began:6.2f} s  {name}  {summary['state']}", flush=True)
    shutil.rmtree(folder)


@contextmanager
def _session(folder: Path) -> Iterator[Run]:
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    workspace = new_workspace(spark, folder)

    def run(name: str) -> dict[str, Any]:
        return lineage_of(workspace, name, run_job(workspace, name))

    yield run
    spark.stop()


@contextmanager
def _lakes(folder: Path) -> Iterator[Run]:
    with lake_process(folder) as lake:
        lake.call(lake_runs.write_data, folder)
        yield lambda name: lake.call(lake_runs.run, name, False)[0]


if __name__ == "__main__":
    main()
