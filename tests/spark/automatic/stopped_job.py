"""A job that stops Spark inside one run, and ends Python inside another: `python -m ... FOLDER`."""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.jvm import hadoop_configuration


def started() -> SparkSession:
    return SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()


def show(event: RunEvent) -> None:
    sides = ([dataset.name for dataset in side or ()] for side in (event.inputs, event.outputs))
    print(event.job.name, event.event_type.value if event.event_type else None, *sides, flush=True)


def job(folder: str) -> None:
    with SparkRun(started(), "etl", "stopped", emit=show) as run:
        run.spark.range(5).write.parquet(f"{folder}/numbers")
        run.spark.read.parquet(f"{folder}/numbers").count()
        run.spark.stop()
        # Spark may report a query while it stops.
        print("configuration", hadoop_configuration(run.spark).get("fs.defaultFS"), flush=True)
    left_open = SparkRun(started(), "etl", "open", emit=show).start()
    left_open.spark.read.parquet(f"{folder}/numbers")._jdf.write().parquet(f"{folder}/copied")


if __name__ == "__main__":
    job(sys.argv[1])
