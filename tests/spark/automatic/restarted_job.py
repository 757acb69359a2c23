"""A job that stops Spark and starts it again inside its runs: `python -m ... FOLDER`."""

from __future__ import annotations

import sys
from contextlib import suppress

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun
from tests.spark.automatic.stopped_job import started


def show(event: RunEvent) -> None:
    if event.event_type is None or event.event_type.value in ("START", "RUNNING"):
        return
    found = []
    for dataset in event.inputs or ():
        found.append(dataset.name.rpartition("/")[2])
    for output in event.outputs or ():
        counted = output.output_facets and output.output_facets.output_statistics
        found.append(f"{output.name.rpartition('/')[2]}:{counted.row_count if counted else None}")
    print(event.job.name, event.event_type.value, *found, flush=True)


def job(folder: str) -> None:
    spark = started()
    for name in ("before", "action", "inner", "outer"):
        spark.range(5).write.parquet(f"{folder}/{name}")
    with SparkRun(spark, "etl", "restarted", emit=show) as run:
        spark.read.parquet(f"{folder}/before").count()
        spark.sparkContext.textFile(f"{folder}/before").count()
        spark.stop()
        spark = started()
        spark.sparkContext.textFile(f"{folder}/outer").count()
        spark.read.parquet(f"{folder}/action").count()
        spark.range(3).write.parquet(f"{folder}/written")
        run.read(spark.read.parquet(f"{folder}/written"), quality=True).collect()
    with SparkRun(spark, "etl", "outer", emit=show):
        with SparkRun(spark, "etl", "inner", emit=show):
            spark.stop()
            spark = started()
            spark.read.parquet(f"{folder}/inner").count()
        spark.read.parquet(f"{folder}/outer").count()
    with suppress(ValueError), SparkRun(spark, "etl", "failed", emit=show):
        spark.stop()
        spark = started()
        raise ValueError("the job has failed")
    spark.stop()
    with SparkRun(spark, "etl", "late", emit=show) as run:
        started().read.parquet(f"{folder}/action").count()
        run.sql("SELECT 1").collect()


if __name__ == "__main__":
    job(sys.argv[1])
