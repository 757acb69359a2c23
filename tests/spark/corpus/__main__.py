"""Write the expected lineage of jobs: `python -m tests.spark.corpus [JOB...]`."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from pyspark.sql import SparkSession

from tests.spark.corpus.conftest import new_workspace
from tests.spark.corpus.job_runs import JOBS, job_names, run_job


def main(selected: list[str]) -> None:
    """Run the jobs whose name starts with one of these texts, or all."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp(prefix="corpus"))
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    workspace = new_workspace(spark, folder)
    for name in job_names():
        if not selected or name.startswith(tuple(selected)):
            began = time.perf_counter()
            summary = run_job(workspace, name)
            text = json.dumps(summary, indent=2, ensure_ascii=False) + "\n"
            (JOBS / f"{name}.json").write_text(text, encoding="utf-8")
            shutil.rmtree(folder / "out")
            print(f"{time.perf_counter() - began:6.2f} s  {name}  {summary['state']}")
    spark.stop()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
